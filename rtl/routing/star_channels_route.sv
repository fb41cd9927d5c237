`default_nettype none

// *-Channels (Gravano et al. 1994, III): nonstar VCs, which only y has, in any minimal direction; star VCs in
// the first dimension that still needs correction, x before y. Star class 1 on the wrap-around link and behind
// it, else class 0.
module star_channels_route #(
    parameter int CoordW = 5
) (
    input  logic [CoordW-1:0] x_i,
    input  logic [CoordW-1:0] y_i,
    input  logic [CoordW-1:0] last_x_i,
    input  logic [CoordW-1:0] last_y_i,
    input  logic [CoordW-1:0] dst_x_i,
    input  logic [CoordW-1:0] dst_y_i,
    input  logic [1:0]        wrapped_i,  // state of the header: has crossed the wrap-around link of {y, x}
    output logic [3:0]        x_o,        // {minus star1, minus star0, plus star1, plus star0}
    output logic [5:0]        y_o,        // {minus nonstar, star1, star0, plus nonstar, star1, star0}
    output logic              arrived_o
);
  logic x_plus, x_minus, y_plus, y_minus;
  logic x_plus_class, x_minus_class, y_plus_class, y_minus_class;
  logic star_y;

  minimal_hop #(
      .CoordW(CoordW)
  ) u_x (
      .at_i(x_i),
      .to_i(dst_x_i),
      .last_i(last_x_i),
      .plus_o(x_plus),
      .minus_o(x_minus)
  );
  minimal_hop #(
      .CoordW(CoordW)
  ) u_y (
      .at_i(y_i),
      .to_i(dst_y_i),
      .last_i(last_y_i),
      .plus_o(y_plus),
      .minus_o(y_minus)
  );

  assign x_plus_class = wrapped_i[0] | (x_i == last_x_i);
  assign x_minus_class = wrapped_i[0] | (x_i == '0);
  assign y_plus_class = wrapped_i[1] | (y_i == last_y_i);
  assign y_minus_class = wrapped_i[1] | (y_i == '0);

  assign star_y = x_i == dst_x_i;
  assign x_o = {
    x_minus & x_minus_class, x_minus & ~x_minus_class, x_plus & x_plus_class, x_plus & ~x_plus_class
  };
  assign y_o = {
    y_minus,
    y_minus & star_y & y_minus_class,
    y_minus & star_y & ~y_minus_class,
    y_plus,
    y_plus & star_y & y_plus_class,
    y_plus & star_y & ~y_plus_class
  };
  assign arrived_o = x_i == dst_x_i && y_i == dst_y_i;
endmodule

`default_nettype wire
