`default_nettype none
`ifndef SYNTHESIS

// Asserts the rules of a router's pins to its terminal, under the names that they have there, and drives nothing: those
// of link_rules for injection, and for what the terminal takes; packets that end here have their destination here.
// Where the router has no pins for the VC, valid is the VC.
//
// Simulation has it, synthesis does not.
module terminal_rules #(
    parameter int CoordW = 5,
    parameter int FlitW  = 18,
    parameter int Vcs    = 1,
    parameter int Depth  = 1  // flits per VC in the injection buffer
) (
    input logic              clk_i,
    input logic              rst_ni,
    input logic [CoordW-1:0] x_i,
    input logic [CoordW-1:0] y_i,
    input logic              injection_valid_i,
    input logic [   Vcs-1:0] injection_vc_i,
    input logic [ FlitW-1:0] injection_flit_i,
    input logic [   Vcs-1:0] injection_credit_o,
    input logic              consumption_valid_o,
    input logic [   Vcs-1:0] consumption_vc_o,
    input logic [ FlitW-1:0] consumption_flit_o,
    input logic              consumption_ready_i
);
  link_rules #(.Vcs(Vcs), .Depth(Depth), .FlitW(FlitW)) u_injection_rules (
      .clk_i, .rst_ni, .valid_i(injection_valid_i), .vc_i(injection_vc_i),
      .flit_i(injection_flit_i), .credit_i(injection_credit_o)
  );
  link_rules #(.Vcs(Vcs), .Depth(0), .FlitW(FlitW)) u_consumption_rules (
      .clk_i, .rst_ni, .valid_i(consumption_valid_o & consumption_ready_i),
      .vc_i(consumption_vc_o & {Vcs{consumption_ready_i}}),
      .flit_i(consumption_flit_o & {FlitW{consumption_ready_i}}), .credit_i({Vcs{1'b0}})
  );

  /* verilator lint_off SYNCASYNCNET */
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OnlyOwnPackets_A: assert (!consumption_flit_o[FlitW-1] || consumption_flit_o[2*CoordW-1:0] == {y_i, x_i});
    end
  end
  /* verilator lint_on SYNCASYNCNET */
endmodule
`endif

`default_nettype wire
