`default_nettype none
`ifndef SYNTHESIS

// Asserts the rules of a link at its pins, and drives nothing: one VC at most per flit, nothing on the pins of a link
// that is not valid, packets whole on each VC, and credits: no flit without a place in the buffer behind the link, no
// credit without a flit that took one. It holds for either end of a link. Depth 0: without credits.
//
// Simulation and proofs have it, synthesis does not.
module link_rules #(
    parameter int Vcs   = 4,
    parameter int Depth = 1,  // flits per VC in the buffer behind the link
    parameter int FlitW = 18
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             valid_i,
    input logic [  Vcs-1:0] vc_i,
    input logic [FlitW-1:0] flit_i,
    input logic [  Vcs-1:0] credit_i
);
  /* verilator lint_off SYNCASYNCNET */
  logic [Vcs-1:0] sent;
  logic [Vcs-1:0] within_q;     // a packet that has begun has not ended
  logic [Vcs-1:0] full, empty;  // behind the link, by what was seen here
  assign sent = vc_i & {Vcs{valid_i}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) within_q <= '0;
    else within_q <= (within_q & ~sent) | (sent & {Vcs{~flit_i[FlitW-2]}});
  end

  if (Depth == 0) begin : gen_none
    logic [Vcs-1:0] unused_credit;
    assign unused_credit = credit_i;
    assign full = '0;
    assign empty = '0;
  end
  if (Depth == 1) begin : gen_one
    logic [Vcs-1:0] held_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held_q <= '0;
      else held_q <= (held_q | sent) & ~credit_i;
    end
    assign full = held_q;
    assign empty = ~held_q;
  end
  if (Depth > 1) begin : gen_many
    localparam int CountW = $clog2(Depth + 1);
    logic [Vcs*CountW-1:0] held_q;
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) held_q[v*CountW+:CountW] <= '0;
        else if (sent[v] && !credit_i[v]) held_q[v*CountW+:CountW] <= held_q[v*CountW+:CountW] + CountW'(1);
        else if (credit_i[v] && !sent[v]) held_q[v*CountW+:CountW] <= held_q[v*CountW+:CountW] - CountW'(1);
      end
      assign full[v] = held_q[v*CountW+:CountW] == CountW'(Depth);
      assign empty[v] = held_q[v*CountW+:CountW] == '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OneVc_A: assert (valid_i ? $onehot(vc_i) : ~|vc_i);
      NothingIfNotValid_A: assert (valid_i || ~|flit_i);
      PacketsAreWhole_A: assert (~|(sent & ~(within_q ^ {Vcs{flit_i[FlitW-1]}})));
      FlitHasRoom_A: assert (~|(sent & full));
      CreditForAFlit_A: assert (~|(credit_i & empty));
    end
  end
  /* verilator lint_on SYNCASYNCNET */
endmodule
`endif

`default_nettype wire
