`default_nettype none

// The directions of one ring that lead minimally from `at_i` to `to_i`: both where they are half of an even
// radix apart, none where they are equal. The radix is last_i + 1.
module minimal_hop #(
    parameter int CoordW = 5
) (
    input  logic [CoordW-1:0] at_i,
    input  logic [CoordW-1:0] to_i,
    input  logic [CoordW-1:0] last_i,
    output logic              plus_o,
    output logic              minus_o
);
  logic [CoordW:0]   radix;
  logic [CoordW:0]   forward;  // hops in the + direction
  logic [CoordW+1:0] twice;

  assign radix = {1'b0, last_i} + 1'b1;
  assign forward = {1'b0, to_i} - {1'b0, at_i} + (to_i < at_i ? radix : '0);
  assign twice = {forward, 1'b0};

  assign plus_o = at_i != to_i && twice <= {1'b0, radix};
  assign minus_o = at_i != to_i && twice >= {1'b0, radix};
endmodule

`default_nettype wire
