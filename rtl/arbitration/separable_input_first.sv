`default_nettype none

// Separable allocator, input first: every requester picks one of the resources that it wants, every group of
// requesters puts forward one of its members, every resource takes one group. One iteration, round robin in all
// steps; only grants move pointers. Groups are of equal size, their members are neighbours; with as many groups
// as requesters everyone bids for himself.
module separable_input_first #(
    parameter int Requesters = 4,
    parameter int Resources  = 4,
    parameter int Groups     = Requesters
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [Requesters*Resources-1:0] request_i,  // a row per requester: what it wants
    output logic [Requesters*Resources-1:0] grant_o     // a matching: one resource per group, one group per resource
);
  localparam int Members = Requesters / Groups;

  logic [Requesters*Resources-1:0] picks;
  logic [Requesters-1:0] asking, forward, served;
  logic [Resources*Groups-1:0] bids, wins;  // a row per resource

  for (genvar r = 0; r < Requesters; r++) begin : gen_requester
    assign asking[r] = |request_i[r*Resources+:Resources];
    assign served[r] = |grant_o[r*Resources+:Resources];
    round_robin_arbiter #(
        .N(Resources)
    ) u_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(request_i[r*Resources+:Resources]),
        .advance_i(served[r]),
        .grant_o(picks[r*Resources+:Resources])
    );
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    if (Members == 1) begin : gen_lone
      assign forward[g] = asking[g];
    end else begin : gen_members
      round_robin_arbiter #(
          .N(Members)
      ) u_arbiter (
          .clk_i,
          .rst_ni,
          .request_i(asking[g*Members+:Members]),
          .advance_i(|served[g*Members+:Members]),
          .grant_o(forward[g*Members+:Members])
      );
    end
  end

  for (genvar s = 0; s < Resources; s++) begin : gen_resource
    for (genvar g = 0; g < Groups; g++) begin : gen_bid
      logic [Members-1:0] bid;
      for (genvar m = 0; m < Members; m++) begin : gen_member
        localparam int R = g * Members + m;
        assign bid[m] = forward[R] & picks[R*Resources+s];
        assign grant_o[R*Resources+s] = bid[m] & wins[s*Groups+g];
      end
      assign bids[s*Groups+g] = |bid;
    end
    round_robin_arbiter #(
        .N(Groups)
    ) u_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(bids[s*Groups+:Groups]),
        .advance_i(1'b1),
        .grant_o(wins[s*Groups+:Groups])
    );
  end

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  function automatic logic two_resources(input logic [Requesters*Resources-1:0] grant);
    two_resources = 1'b0;
    for (int g = 0; g < Groups; g++)
      two_resources = two_resources | ~$onehot0(grant[g*Members*Resources+:Members*Resources]);
  endfunction
  function automatic logic two_requesters(input logic [Requesters*Resources-1:0] grant);
    logic [Resources-1:0] seen;
    seen = '0;
    two_requesters = 1'b0;
    for (int r = 0; r < Requesters; r++) begin
      two_requesters = two_requesters | |(seen & grant[r*Resources+:Resources]);
      seen = seen | grant[r*Resources+:Resources];
    end
  endfunction
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      GrantIsRequested_A: assert (~|(grant_o & ~request_i));
      GrantIfRequested_A: assert (|grant_o == |request_i);
      OneResourcePerGroup_A: assert (!two_resources(grant_o));
      OneGroupPerResource_A: assert (!two_requesters(grant_o));
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
