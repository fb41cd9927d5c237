`default_nettype none

// Members of a group of the separable allocator take turns in putting forward: one that keeps asking sees at most so
// many others served as there are. The first group is watched; the others are copies of it.
module separable_members_proof #(
    parameter int Requesters = 4,
    parameter int Resources  = 4,
    parameter int Groups     = 2
) (
    input  logic                            clk_i,
    input  logic [Requesters*Resources-1:0] request_i,
    input  logic [   Requesters/Groups-1:0] choice_i,
    output logic                            goal_member_waits_o
);
  localparam int Members = Requesters / Groups;

  logic rst_ni;
  initial rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  (* tap = "u_allocator.gen_group[0].gen_members.u_arbiter.pointer_q" *) logic [Members-1:0] pointer;
  logic [Requesters*Resources-1:0] grant;
  separable_input_first #(
      .Requesters(Requesters),
      .Resources(Resources),
      .Groups(Groups)
  ) u_allocator (
      .clk_i,
      .rst_ni,
      .request_i,
      .grant_o(grant)
  );

  logic [Members-1:0] asking, served;
  for (genvar m = 0; m < Members; m++) begin : gen_member
    assign asking[m] = |request_i[m*Resources+:Resources];
    assign served[m] = |grant[m*Resources+:Resources];
  end
  fairness_monitor #(
      .N(Members)
  ) u_fairness (
      .clk_i,
      .rst_ni,
      .choice_i,
      .request_i(asking),
      .served_i(served),
      .pointer_i(pointer),
      .longest_o(goal_member_waits_o)
  );
endmodule

`default_nettype wire
