`default_nettype none

// Round robin: the first requester after the one served last. The pointer moves only in cycles with
// `advance_i`, so that a grant that comes to nothing does not cost its requester the turn. Fair: who keeps
// asking sees at most N-1 others served.
module round_robin_arbiter #(
    parameter int N = 4
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic [N-1:0] request_i,
    input  logic         advance_i,  // the requester that is granted is served
    output logic [N-1:0] grant_o     // one-hot; 0 without requests
);
  logic [N-1:0] pointer_q, pointer_d;

  round_robin_pick #(.N(N)) u_pick (
      .request_i,
      .pointer_i(pointer_q),
      .grant_o,
      .next_o(pointer_d)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pointer_q <= '1;
    else if (advance_i && |request_i) pointer_q <= pointer_d;
  end

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OneGrant_A: assert ($onehot0(grant_o));
      GrantIsRequested_A: assert (~|(grant_o & ~request_i));
      GrantIfRequested_A: assert (|grant_o == |request_i);
      PointerIsThermometer_A: assert (~|((pointer_q << 1) & ~pointer_q));
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
