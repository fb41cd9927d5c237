`default_nettype none

// The two maps between the VC classes of a dimension and the buffers of a place, for every place of every ring: no
// buffer stands for two classes, what has a buffer keeps it on the way there and back, and no class that a header may
// want has none. Outbound links of y, which has all six classes; x has those without nonstar.
//
// A header that has crossed the wrap-around link did so on a minimal way: `source_i` is where it may have come from.
module star_maps_proof #(
    localparam int CoordW  = 5,
    localparam int Classes = 6,
    localparam int Slots   = 5
) (
    input  logic               clk_i,
    input  logic [ CoordW-1:0] at_i,
    input  logic [ CoordW-1:0] last_i,
    input  logic [ CoordW-1:0] to_i,
    input  logic [ CoordW-1:0] source_i,
    input  logic               wrapped_i,
    input  logic [  Slots-1:0] slots_i,
    output logic               goal_both_ways_o,
    output logic               goal_wrapped_o
);
  logic [CoordW:0] half;
  logic first, last, extra;
  assign half = ({1'b0, last_i} + 1'b1) >> 1;
  assign first = at_i == '0;
  assign last = at_i == last_i;
  assign extra = {1'b0, at_i} + 1'b1 < half;

  logic [Classes-1:0] classes, all_there, wanted, kept;
  logic [Slots-1:0] used, back, taken;
  star_slots_to_vcs u_there (
      .plus_wraps_i(last), .minus_wraps_i(first), .plus_extra_i(extra), .slots_i, .vcs_o(classes)
  );
  star_vcs_to_slots u_back (
      .plus_wraps_i(last), .minus_wraps_i(first), .plus_extra_i(extra), .vcs_i(classes), .slots_o(back)
  );
  star_slots_to_vcs u_all (
      .plus_wraps_i(last), .minus_wraps_i(first), .plus_extra_i(extra), .slots_i('1), .vcs_o(all_there)
  );
  star_vcs_to_slots u_used (
      .plus_wraps_i(last), .minus_wraps_i(first), .plus_extra_i(extra), .vcs_i(all_there), .slots_o(used)
  );

  // What a header wants here: the classes of one dimension, as star_channels_route gives them.
  logic [3:0] unused_x;
  logic unused_arrived;
  star_channels_route u_route (
      .x_i('0), .y_i(at_i), .last_x_i(last_i), .last_y_i(last_i), .dst_x_i('0), .dst_y_i(to_i),
      .wrapped_i({2{wrapped_i}}), .x_o(unused_x), .y_o(wanted), .arrived_o(unused_arrived)
  );
  star_vcs_to_slots u_taken (
      .plus_wraps_i(last), .minus_wraps_i(first), .plus_extra_i(extra), .vcs_i(wanted), .slots_o(taken)
  );
  star_slots_to_vcs u_kept (
      .plus_wraps_i(last), .minus_wraps_i(first), .plus_extra_i(extra), .slots_i(taken), .vcs_o(kept)
  );

  // The ways on which the header may have come from its source: in x, whatever the dimension.
  logic from_plus, from_minus, unused_from;
  logic [3:0] from_wanted;
  logic [5:0] unused_from_y;
  star_channels_route u_from (
      .x_i(source_i), .y_i('0), .last_x_i(last_i), .last_y_i(last_i), .dst_x_i(to_i), .dst_y_i('0),
      .wrapped_i('0), .x_o(from_wanted), .y_o(unused_from_y), .arrived_o(unused_from)
  );
  assign from_plus = |from_wanted[1:0];
  assign from_minus = |from_wanted[3:2];
  logic by_plus, by_minus;
  assign by_plus = from_plus && source_i > to_i && at_i < to_i;
  assign by_minus = from_minus && source_i < to_i && at_i > to_i;

  always_comb begin
    assume (last_i >= CoordW'(2) && at_i <= last_i && to_i <= last_i && source_i <= last_i);
    if (wrapped_i) assume (by_plus || by_minus);
    assert ((back & used) == (slots_i & used));
    if ($onehot(slots_i)) assert ($onehot0(classes));
    if (|(slots_i & used) && $onehot(slots_i)) assert ($onehot(classes));
    assert (kept == wanted);
  end

  assign goal_both_ways_o = |wanted[Classes/2-1:0] && |wanted[Classes-1:Classes/2];
  assign goal_wrapped_o = wrapped_i && |wanted;
endmodule

`default_nettype wire
