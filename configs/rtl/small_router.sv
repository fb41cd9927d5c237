// A small router of one's own: one virtual channel, X before Y, a queue of four flits behind each input. An output
// belongs to a packet from its header to its tail; inputs that want the same output take turns. It stands alone: no
// module of this project is in it. configs/rtl/small-router.yaml puts it into a fabric.
`default_nettype none

module small_router #(
    parameter int unsigned CoordW = 5,
    parameter int unsigned DataW  = 45
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [CoordW-1:0] x_i,
    input wire [CoordW-1:0] y_i,

    input  wire x_plus_valid_i, x_plus_vc_i, x_plus_credit_i,
    input  wire x_minus_valid_i, x_minus_vc_i, x_minus_credit_i,
    input  wire y_plus_valid_i, y_plus_vc_i, y_plus_credit_i,
    input  wire y_minus_valid_i, y_minus_vc_i, y_minus_credit_i,
    input  wire injection_valid_i, consumption_ready_i,
    input  wire [DataW+1:0] x_plus_flit_i, x_minus_flit_i, y_plus_flit_i, y_minus_flit_i, injection_flit_i,

    output wire x_plus_valid_o, x_plus_vc_o, x_plus_credit_o,
    output wire x_minus_valid_o, x_minus_vc_o, x_minus_credit_o,
    output wire y_plus_valid_o, y_plus_vc_o, y_plus_credit_o,
    output wire y_minus_valid_o, y_minus_vc_o, y_minus_credit_o,
    output wire injection_credit_o, consumption_valid_o,
    output wire [DataW+1:0] x_plus_flit_o, x_minus_flit_o, y_plus_flit_o, y_minus_flit_o, consumption_flit_o
);
  // Ports: 0 x_plus, 1 x_minus, 2 y_plus, 3 y_minus, 4 the terminal.
  localparam int unsigned Ports = 5;
  localparam int unsigned Depth = 4;
  localparam int unsigned FlitW = DataW + 2;

  wire [Ports-1:0] valid_i = {injection_valid_i, y_minus_valid_i, y_plus_valid_i, x_minus_valid_i, x_plus_valid_i};
  wire [Ports-1:0] credit_i = {1'b0, y_minus_credit_i, y_plus_credit_i, x_minus_credit_i, x_plus_credit_i};
  wire [Ports-1:0][FlitW-1:0] flit_i = {injection_flit_i, y_minus_flit_i, y_plus_flit_i, x_minus_flit_i, x_plus_flit_i};

  logic [Ports-1:0] valid_q, credit_q;              // to the next routers; back to the routers before
  logic [Ports-1:0][FlitW-1:0] flit_q;
  logic [Ports-1:0][Depth-1:0][FlitW-1:0] queue_q;  // the flit in front is in stage 0
  logic [Ports-1:0][2:0] count_q, room_q;           // flits in the queue; places behind the link
  logic [Ports-1:0] held_q;                         // the output belongs to a packet,
  logic [Ports-1:0][2:0] from_q;                    // which comes from this input
  logic [2:0] first_q;                              // the input that is looked at first

  // What the header in front of each input wants.
  logic [Ports-1:0][2:0] want;
  always_comb begin
    for (int i = 0; i < Ports; i++) begin
      if (queue_q[i][0][0+:CoordW] > x_i) want[i] = 3'd0;
      else if (queue_q[i][0][0+:CoordW] < x_i) want[i] = 3'd1;
      else if (queue_q[i][0][CoordW+:CoordW] > y_i) want[i] = 3'd2;
      else if (queue_q[i][0][CoordW+:CoordW] < y_i) want[i] = 3'd3;
      else want[i] = 3'd4;
    end
  end

  // Which input sends to which output.
  logic [Ports-1:0] sends, pops;
  logic [Ports-1:0][2:0] from;
  always_comb begin
    int unsigned i;
    sends = '0;
    pops  = '0;
    from  = from_q;
    i = 0;
    for (int o = 0; o < Ports; o++) begin
      if (o == 4 || room_q[o] != 0) begin
        if (held_q[o]) begin
          sends[o] = count_q[from_q[o]] != 0;
        end else begin
          for (int unsigned n = 0; n < Ports; n++) begin
            i = (32'(first_q) + n) % Ports;
            if (!sends[o] && count_q[i] != 0 && queue_q[i][0][FlitW-1] && want[i] == 3'(o)) begin
              sends[o] = 1'b1;
              from[o]  = 3'(i);
            end
          end
        end
      end
      if (sends[o]) pops[from[o]] = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      credit_q <= '0;
      flit_q   <= '0;
      queue_q  <= '0;
      count_q  <= '0;
      room_q   <= {Ports{3'(Depth)}};
      held_q   <= '0;
      from_q   <= '0;
      first_q  <= '0;
    end else begin
      valid_q  <= sends;
      credit_q <= pops;
      first_q  <= first_q == 3'd4 ? 3'd0 : first_q + 3'd1;
      from_q   <= from;
      for (int o = 0; o < Ports; o++) begin
        flit_q[o] <= sends[o] ? queue_q[from[o]][0] : '0;
        if (sends[o]) held_q[o] <= !queue_q[from[o]][0][FlitW-2];
        if (o != 4) room_q[o] <= room_q[o] + 3'(credit_i[o]) - 3'(sends[o]);
      end
      for (int i = 0; i < Ports; i++) begin
        if (pops[i]) queue_q[i] <= queue_q[i] >> FlitW;
        if (valid_i[i]) queue_q[i][count_q[i]-3'(pops[i])] <= flit_i[i];
        count_q[i] <= count_q[i] + 3'(valid_i[i]) - 3'(pops[i]);
      end
    end
  end

  assign {consumption_valid_o, y_minus_valid_o, y_plus_valid_o, x_minus_valid_o, x_plus_valid_o} = valid_q;
  assign {y_minus_vc_o, y_plus_vc_o, x_minus_vc_o, x_plus_vc_o} = valid_q[3:0];
  assign {injection_credit_o, y_minus_credit_o, y_plus_credit_o, x_minus_credit_o, x_plus_credit_o} = credit_q;
  assign {consumption_flit_o, y_minus_flit_o, y_plus_flit_o, x_minus_flit_o, x_plus_flit_o} = flit_q;
endmodule

`default_nettype wire
