`default_nettype none

// A matching: grants are requested, one resource at most per requester and per group, one requester at most
// per resource; and some grant wherever there is a request. Fair in each of its steps, of which the first of each
// kind is watched (they are copies): a resource that the first requester keeps asking for sees at most so many others
// granted to it as there are; so does a group that keeps bidding for the first resource.
module separable_input_first_proof #(
    parameter int Requesters = 4,
    parameter int Resources  = 4,
    parameter int Groups     = Requesters
) (
    input  logic                            clk_i,
    input  logic [Requesters*Resources-1:0] request_i,
    input  logic [           Resources-1:0] resource_i,  // free: who is watched
    input  logic [              Groups-1:0] group_i,
    output logic                            goal_resource_waits_o,
    output logic                            goal_group_waits_o,
    output logic                            goal_all_granted_o,
    output logic                            goal_lost_bid_o
);
  localparam int Members = Requesters / Groups;
  localparam int Most = Groups < Resources ? Groups : Resources;

  logic rst_ni;
  initial rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

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

  // The first requester among resources
  (* tap = "u_allocator.gen_requester[0].u_arbiter.pointer_q" *) logic [Resources-1:0] requester_pointer;
  fairness_monitor #(
      .N(Resources)
  ) u_requester (
      .clk_i,
      .rst_ni,
      .choice_i(resource_i),
      .request_i(request_i[0+:Resources]),
      .served_i(grant[0+:Resources]),
      .pointer_i(requester_pointer),
      .longest_o(goal_resource_waits_o)
  );

  // The first resource among groups
  (* tap = "u_allocator.gen_resource[0].u_arbiter.pointer_q" *) logic [Groups-1:0] resource_pointer;
  (* tap = "u_allocator.bids" *) logic [Resources*Groups-1:0] bids;
  logic [Groups-1:0] first_served;
  for (genvar g = 0; g < Groups; g++) begin : gen_first_resource
    logic [Members-1:0] of_members;
    for (genvar m = 0; m < Members; m++) begin : gen_member
      assign of_members[m] = grant[(g*Members+m)*Resources];
    end
    assign first_served[g] = |of_members;
  end
  if (Groups > 1) begin : gen_groups
    fairness_monitor #(
        .N(Groups)
    ) u_resource (
        .clk_i,
        .rst_ni,
        .choice_i(group_i),
        .request_i(bids[0+:Groups]),
        .served_i(first_served),
        .pointer_i(resource_pointer),
        .longest_o(goal_group_waits_o)
    );
  end

  always_comb begin
    assert (~|(grant & ~request_i));
    assert (|grant == |request_i);
  end
  logic [Groups-1:0] asking, served;
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    assign asking[g] = |request_i[g*Members*Resources+:Members*Resources];
    assign served[g] = |grant[g*Members*Resources+:Members*Resources];
    always_comb assert ($onehot0(grant[g*Members*Resources+:Members*Resources]));
  end
  for (genvar s = 0; s < Resources; s++) begin : gen_resource
    logic [Requesters-1:0] column;
    for (genvar r = 0; r < Requesters; r++) begin : gen_requester
      assign column[r] = grant[r*Resources+s];
    end
    always_comb assert ($onehot0(column));
  end

  assign goal_all_granted_o = rst_ni && $countones(grant) == Most;
  assign goal_lost_bid_o = rst_ni && |(asking & ~served);
endmodule

`default_nettype wire
