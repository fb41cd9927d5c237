`default_nettype none

// *-Channels: the VC classes of one dimension, both directions, as the buffers ("slots") that a place really
// needs. Of the four star classes three are in use at any place of a ring (Gravano et al. 1994, III: 3 VCs per
// bidirectional link, 5 with nonstar): class 0 is not used on wrap-around links, class 1 in the far half of
// a direction's way only, which is the near half of the other one's. The slots keep the order of the classes:
// + before -, star 0, star 1, nonstar.
//
//   slot            plus_extra_i              else
//   0               + star 0, or star 1 where that link wraps
//   1               + star 1                  + nonstar
//   2               + nonstar                 - star 0, or star 1 where that link wraps
//   3               - star 0 (or 1)           - star 1
//   4               - nonstar                 - nonstar
//
// (Nonstar = 0: without the rows and entries of nonstar.) A slot that its place has no use for shows a class that no
// worm takes there.
module star_vcs_to_slots #(
    parameter bit Nonstar = 1'b1,
    parameter int W       = 1,  // bits per class or slot
    localparam int Classes = Nonstar ? 6 : 4,
    localparam int Slots   = Nonstar ? 5 : 3
) (
    input  logic                 plus_wraps_i,   // the + link is the wrap-around link
    input  logic                 minus_wraps_i,
    input  logic                 plus_extra_i,   // star 1 is used on the + link besides star 0
    input  logic [Classes*W-1:0] vcs_i,          // +: star 0, star 1, (nonstar); -: the same
    output logic [Slots*W-1:0]   slots_o
);
  logic [W-1:0] plus_star0, plus_star1, minus_star0, minus_star1;
  logic [W-1:0] minus_first, minus_second;

  assign minus_first = minus_wraps_i ? minus_star1 : minus_star0;
  assign minus_second = minus_wraps_i ? '0 : minus_star1;
  assign slots_o[0+:W] = plus_wraps_i ? plus_star1 : plus_star0;

  if (Nonstar) begin : gen_nonstar
    logic [W-1:0] plus_nonstar, minus_nonstar;
    assign {minus_nonstar, minus_star1, minus_star0, plus_nonstar, plus_star1, plus_star0} = vcs_i;
    assign slots_o[W+:W] = plus_extra_i ? plus_star1 : plus_nonstar;
    assign slots_o[2*W+:W] = plus_extra_i ? plus_nonstar : minus_first;
    assign slots_o[3*W+:W] = plus_extra_i ? minus_first : minus_second;
    assign slots_o[4*W+:W] = minus_nonstar;
  end else begin : gen_star
    assign {minus_star1, minus_star0, plus_star1, plus_star0} = vcs_i;
    assign slots_o[W+:W] = plus_extra_i ? plus_star1 : minus_first;
    assign slots_o[2*W+:W] = plus_extra_i ? minus_first : minus_second;
  end
endmodule

`default_nettype wire
