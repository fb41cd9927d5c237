`default_nettype none

// 4-Classes (Gravano et al. 1994, IV): a worm may take either dimension that still needs correction, in the
// direction that its class gives. Class and prefix of a worm are those of the crossbar that it is in; a worm
// stays in its class, half-way ties of an even radix included.
module four_classes_route #(
    parameter int CoordW = 5
) (
    input  logic [CoordW-1:0] x_i,
    input  logic [CoordW-1:0] y_i,
    input  logic [CoordW-1:0] dst_x_i,
    input  logic [CoordW-1:0] dst_y_i,
    output logic              x_o,
    output logic              y_o,
    output logic              arrived_o
);
  assign x_o = x_i != dst_x_i;
  assign y_o = y_i != dst_y_i;
  assign arrived_o = ~x_o & ~y_o;
endmodule

`default_nettype wire
