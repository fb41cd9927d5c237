`default_nettype none

// Linder-Harden (in Gravano et al. 1994, V.A): any minimal x direction, and the y direction of the worm's virtual
// network. Network and level of a worm are those of the crossbar that it is in.
module linder_harden_route #(
    parameter int CoordW = 5
) (
    input  logic [CoordW-1:0] x_i,
    input  logic [CoordW-1:0] y_i,
    input  logic [CoordW-1:0] last_x_i,
    input  logic [CoordW-1:0] dst_x_i,
    input  logic [CoordW-1:0] dst_y_i,
    output logic              x_plus_o,
    output logic              x_minus_o,
    output logic              y_o,
    output logic              arrived_o
);
  minimal_hop #(
      .CoordW(CoordW)
  ) u_x (
      .at_i(x_i),
      .to_i(dst_x_i),
      .last_i(last_x_i),
      .plus_o(x_plus_o),
      .minus_o(x_minus_o)
  );
  assign y_o = y_i != dst_y_i;
  assign arrived_o = x_i == dst_x_i && y_i == dst_y_i;
endmodule

`default_nettype wire
