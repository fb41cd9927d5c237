`default_nettype none

// Input buffer: one flit of one VC. What is pushed in cycle t is visible from t+1 on. The sender pushes only
// into an empty buffer (it has the credit), so push and pop never come together.
module input_buffer #(
    parameter int FlitW = 18
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             push_i,
    input  logic [FlitW-1:0] flit_i,
    input  logic             pop_i,
    output logic             full_o,
    output logic [FlitW-1:0] flit_o   // meaningful when full
);
  logic             full_q;
  logic [FlitW-1:0] flit_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= 1'b0;
    else full_q <= push_i | (full_q & ~pop_i);
  end

  always_ff @(posedge clk_i) begin
    if (push_i) flit_q <= flit_i;
  end

  assign full_o = full_q;
  assign flit_o = flit_q;

`ifndef SYNTHESIS
  buffer_rules #(.FlitW(FlitW)) u_rules (.clk_i, .rst_ni, .push_i, .flit_i, .full_i(full_q));
  /* verilator lint_off SYNCASYNCNET */
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      PopFromFull_A: assert (!(pop_i && !full_q));
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
