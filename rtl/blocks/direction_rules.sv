`default_nettype none
`ifndef SYNTHESIS

// link_rules for both directions of both dimensions, under the names that the pins have at a router. Drives nothing.
//
// Simulation has it, synthesis does not.
module direction_rules #(
    parameter int FlitW = 18,
    parameter int XVcs  = 4,
    parameter int YVcs  = 4,
    parameter int Depth = 1  // flits per VC in the buffers behind the links
) (
    input logic              clk_i,
    input logic              rst_ni,
    input logic              x_plus_valid_i,
    input logic [  XVcs-1:0] x_plus_vc_i,
    input logic [ FlitW-1:0] x_plus_flit_i,
    input logic [  XVcs-1:0] x_plus_credit_o,
    input logic              x_plus_valid_o,
    input logic [  XVcs-1:0] x_plus_vc_o,
    input logic [ FlitW-1:0] x_plus_flit_o,
    input logic [  XVcs-1:0] x_plus_credit_i,
    input logic              x_minus_valid_i,
    input logic [  XVcs-1:0] x_minus_vc_i,
    input logic [ FlitW-1:0] x_minus_flit_i,
    input logic [  XVcs-1:0] x_minus_credit_o,
    input logic              x_minus_valid_o,
    input logic [  XVcs-1:0] x_minus_vc_o,
    input logic [ FlitW-1:0] x_minus_flit_o,
    input logic [  XVcs-1:0] x_minus_credit_i,
    input logic              y_plus_valid_i,
    input logic [  YVcs-1:0] y_plus_vc_i,
    input logic [ FlitW-1:0] y_plus_flit_i,
    input logic [  YVcs-1:0] y_plus_credit_o,
    input logic              y_plus_valid_o,
    input logic [  YVcs-1:0] y_plus_vc_o,
    input logic [ FlitW-1:0] y_plus_flit_o,
    input logic [  YVcs-1:0] y_plus_credit_i,
    input logic              y_minus_valid_i,
    input logic [  YVcs-1:0] y_minus_vc_i,
    input logic [ FlitW-1:0] y_minus_flit_i,
    input logic [  YVcs-1:0] y_minus_credit_o,
    input logic              y_minus_valid_o,
    input logic [  YVcs-1:0] y_minus_vc_o,
    input logic [ FlitW-1:0] y_minus_flit_o,
    input logic [  YVcs-1:0] y_minus_credit_i
);
  link_rules #(.Vcs(XVcs), .Depth(Depth), .FlitW(FlitW)) u_x_plus_in_rules (
      .clk_i, .rst_ni, .valid_i(x_plus_valid_i), .vc_i(x_plus_vc_i),
      .flit_i(x_plus_flit_i), .credit_i(x_plus_credit_o)
  );
  link_rules #(.Vcs(XVcs), .Depth(Depth), .FlitW(FlitW)) u_x_plus_out_rules (
      .clk_i, .rst_ni, .valid_i(x_plus_valid_o), .vc_i(x_plus_vc_o),
      .flit_i(x_plus_flit_o), .credit_i(x_plus_credit_i)
  );
  link_rules #(.Vcs(XVcs), .Depth(Depth), .FlitW(FlitW)) u_x_minus_in_rules (
      .clk_i, .rst_ni, .valid_i(x_minus_valid_i), .vc_i(x_minus_vc_i),
      .flit_i(x_minus_flit_i), .credit_i(x_minus_credit_o)
  );
  link_rules #(.Vcs(XVcs), .Depth(Depth), .FlitW(FlitW)) u_x_minus_out_rules (
      .clk_i, .rst_ni, .valid_i(x_minus_valid_o), .vc_i(x_minus_vc_o),
      .flit_i(x_minus_flit_o), .credit_i(x_minus_credit_i)
  );
  link_rules #(.Vcs(YVcs), .Depth(Depth), .FlitW(FlitW)) u_y_plus_in_rules (
      .clk_i, .rst_ni, .valid_i(y_plus_valid_i), .vc_i(y_plus_vc_i),
      .flit_i(y_plus_flit_i), .credit_i(y_plus_credit_o)
  );
  link_rules #(.Vcs(YVcs), .Depth(Depth), .FlitW(FlitW)) u_y_plus_out_rules (
      .clk_i, .rst_ni, .valid_i(y_plus_valid_o), .vc_i(y_plus_vc_o),
      .flit_i(y_plus_flit_o), .credit_i(y_plus_credit_i)
  );
  link_rules #(.Vcs(YVcs), .Depth(Depth), .FlitW(FlitW)) u_y_minus_in_rules (
      .clk_i, .rst_ni, .valid_i(y_minus_valid_i), .vc_i(y_minus_vc_i),
      .flit_i(y_minus_flit_i), .credit_i(y_minus_credit_o)
  );
  link_rules #(.Vcs(YVcs), .Depth(Depth), .FlitW(FlitW)) u_y_minus_out_rules (
      .clk_i, .rst_ni, .valid_i(y_minus_valid_o), .vc_i(y_minus_vc_o),
      .flit_i(y_minus_flit_o), .credit_i(y_minus_credit_i)
  );
endmodule
`endif

`default_nettype wire
