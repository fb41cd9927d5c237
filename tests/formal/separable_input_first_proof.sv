`default_nettype none

// A matching: grants are requested, one resource at most per requester and per group, one requester at most
// per resource; and some grant wherever there is a request.
module separable_input_first_proof #(
    parameter int Requesters = 4,
    parameter int Resources  = 4,
    parameter int Groups     = Requesters
) (
    input  logic                            clk_i,
    input  logic [Requesters*Resources-1:0] request_i,
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
