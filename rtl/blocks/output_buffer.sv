`default_nettype none

// Output buffer: one flit of one VC or consumption channel. What the crossbar pushes in cycle t is visible from
// t+1 on. It pushes only if the buffer was empty at the start of the cycle, so push and pop never come together.
module output_buffer #(
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
`endif
endmodule

`default_nettype wire
