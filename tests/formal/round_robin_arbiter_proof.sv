`default_nettype none

// One grant where there are requests, to one of them; fair in the grants that are used; a grant that is not
// used stands while the requests stay as they are.
module round_robin_arbiter_proof #(
    parameter int N       = 4,
    parameter bit Ordered = 1'b1
) (
    input  logic         clk_i,
    input  logic [N-1:0] choice_i,
    input  logic [N-1:0] request_i,
    input  logic         advance_i,
    output logic         goal_longest_wait_o,
    output logic         goal_unused_grant_o
);
  logic rst_ni;
  initial rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  (* tap = "u_arbiter.pointer_q" *) logic [N-1:0] pointer;
  logic [N-1:0] grant;
  round_robin_arbiter #(
      .N(N)
  ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i,
      .advance_i,
      .grant_o(grant)
  );
  fairness_monitor #(
      .N(N),
      .Ordered(Ordered)
  ) u_fairness (
      .clk_i,
      .rst_ni,
      .choice_i,
      .request_i,
      .served_i(grant & {N{advance_i}}),
      .pointer_i(pointer),
      .longest_o(goal_longest_wait_o)
  );

  logic [N-1:0] last_request_q, last_grant_q;
  logic unused_q;  // the last grant
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) unused_q <= 1'b0;
    else unused_q <= ~advance_i;
  end
  always_ff @(posedge clk_i) begin
    last_request_q <= request_i;
    last_grant_q <= grant;
  end

  always_comb begin
    if (rst_ni) begin
      assert ($onehot0(grant));
      assert (~|(grant & ~request_i));
      assert (|grant == |request_i);
      if (unused_q && request_i == last_request_q) assert (grant == last_grant_q);
    end
  end

  assign goal_unused_grant_o = rst_ni && unused_q && |last_grant_q && request_i == last_request_q;
endmodule

`default_nettype wire
