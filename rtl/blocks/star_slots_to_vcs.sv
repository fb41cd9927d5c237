`default_nettype none

// *-Channels: the inverse of star_vcs_to_slots; 0 for classes that the place has no slot for.
module star_slots_to_vcs #(
    parameter bit Nonstar = 1'b1,
    parameter int W       = 1,
    localparam int Classes = Nonstar ? 6 : 4,
    localparam int Slots   = Nonstar ? 5 : 3
) (
    input  logic                 plus_wraps_i,
    input  logic                 minus_wraps_i,
    input  logic                 plus_extra_i,
    input  logic [Slots*W-1:0]   slots_i,
    output logic [Classes*W-1:0] vcs_o
);
  logic [W-1:0] plus_star0, plus_star1, minus_star0, minus_star1;
  logic [W-1:0] plus_second, minus_first, minus_second;

  assign plus_star0 = plus_wraps_i ? '0 : slots_i[0+:W];
  assign plus_star1 = plus_wraps_i ? slots_i[0+:W] : plus_second;
  assign plus_second = plus_extra_i ? slots_i[W+:W] : '0;
  assign minus_star0 = minus_wraps_i ? '0 : minus_first;
  assign minus_star1 = minus_wraps_i ? minus_first : minus_second;

  if (Nonstar) begin : gen_nonstar
    logic [W-1:0] plus_nonstar;
    assign plus_nonstar = plus_extra_i ? slots_i[2*W+:W] : slots_i[W+:W];
    assign minus_first = plus_extra_i ? slots_i[3*W+:W] : slots_i[2*W+:W];
    assign minus_second = plus_extra_i ? '0 : slots_i[3*W+:W];
    assign vcs_o = {
      slots_i[4*W+:W], minus_star1, minus_star0, plus_nonstar, plus_star1, plus_star0
    };
  end else begin : gen_star
    assign minus_first = plus_extra_i ? slots_i[2*W+:W] : slots_i[W+:W];
    assign minus_second = plus_extra_i ? '0 : slots_i[2*W+:W];
    assign vcs_o = {minus_star1, minus_star0, plus_star1, plus_star0};
  end
endmodule

`default_nettype wire
