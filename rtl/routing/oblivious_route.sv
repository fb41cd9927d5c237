`default_nettype none

// Dally-Seitz on links that run from i to i-1 only (in Gravano et al. 1994, V.A): x, then y; high VCs while the
// destination lies above, then low ones.
module oblivious_route #(
    parameter int CoordW = 5
) (
    input  logic [CoordW-1:0] x_i,
    input  logic [CoordW-1:0] y_i,
    input  logic [CoordW-1:0] dst_x_i,
    input  logic [CoordW-1:0] dst_y_i,
    output logic              x_high_o,
    output logic              x_low_o,
    output logic              y_high_o,
    output logic              y_low_o,
    output logic              arrived_o
);
  logic x_done;

  assign x_done = x_i == dst_x_i;
  assign x_high_o = x_i < dst_x_i;
  assign x_low_o = x_i > dst_x_i;
  assign y_high_o = x_done && y_i < dst_y_i;
  assign y_low_o = x_done && y_i > dst_y_i;
  assign arrived_o = x_done && y_i == dst_y_i;
endmodule

`default_nettype wire
