`default_nettype none
`ifndef SYNTHESIS

// Asserts of a buffer for one flit that it takes one only when it is empty, and packets whole. Drives nothing.
//
// Simulation and proofs have it, synthesis does not.
module buffer_rules #(
    parameter int FlitW = 18
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             push_i,
    input logic [FlitW-1:0] flit_i,
    input logic             full_i
);
  /* verilator lint_off SYNCASYNCNET */
  logic within_q;  // a packet that has begun has not ended
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) within_q <= 1'b0;
    else if (push_i) within_q <= ~flit_i[FlitW-2];
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      PushIntoEmpty_A: assert (!(push_i && full_i));
      PacketsAreWhole_A: assert (!push_i || flit_i[FlitW-1] != within_q);
    end
  end
  /* verilator lint_on SYNCASYNCNET */
endmodule
`endif

`default_nettype wire
