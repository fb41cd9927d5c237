`default_nettype none

// Input buffer of one virtual channel as a shift register: what is in it moves on when the foremost flit leaves. No
// pointers and no multiplexer at the output, but every flit is written again on its way.
//
// Ports and cycles are those of input_fifo in rtl/blocks: configs/cosim/own-router.yaml holds the two against each other.
module input_fifo #(
    parameter int Width = 18,
    parameter int Depth = 8
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             push_i,
    input  logic [Width-1:0] flit_i,
    input  logic             pop_i,    // only when valid
    output logic             valid_o,  // holds a flit
    output logic [Width-1:0] flit_o    // the foremost one; means nothing when not valid
);
  logic [Depth:0]             place_q;  // the first free one: one-hot
  logic [Depth:0]             written;  // where the new flit is, once the others have moved on
  logic [Depth*Width-1:0]     flits_q;  // the foremost lowest
  logic [(Depth+1)*Width-1:0] behind;   // and nothing behind the last

  assign written = pop_i ? place_q >> 1 : place_q;
  assign valid_o = ~place_q[0];
  assign flit_o = flits_q[0+:Width];
  assign behind = {{Width{1'b0}}, flits_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) place_q <= {{Depth{1'b0}}, 1'b1};
    else if (push_i && !pop_i) place_q <= place_q << 1;
    else if (pop_i && !push_i) place_q <= place_q >> 1;
  end

  for (genvar n = 0; n < Depth; n++) begin : gen_place
    always_ff @(posedge clk_i) begin
      if (push_i && written[n]) flits_q[n*Width+:Width] <= flit_i;
      else if (pop_i) flits_q[n*Width+:Width] <= behind[(n+1)*Width+:Width];
    end
  end
endmodule

`default_nettype wire
