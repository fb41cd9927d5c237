`default_nettype none

// Dimension order on a mesh: x first, then y. One VC class, no state.
module dimension_order_route #(
    parameter int CoordW = 5
) (
    input  logic [CoordW-1:0] x_i,
    input  logic [CoordW-1:0] y_i,
    input  logic [CoordW-1:0] dst_x_i,
    input  logic [CoordW-1:0] dst_y_i,
    // one-hot: x_plus, x_minus, y_plus, y_minus, consumption
    output logic [4:0] port_o
);

  logic same_x;
  assign same_x = dst_x_i == x_i;

  assign port_o[0] = dst_x_i > x_i;
  assign port_o[1] = dst_x_i < x_i;
  assign port_o[2] = same_x && dst_y_i > y_i;
  assign port_o[3] = same_x && dst_y_i < y_i;
  assign port_o[4] = same_x && dst_y_i == y_i;

endmodule

`default_nettype wire
