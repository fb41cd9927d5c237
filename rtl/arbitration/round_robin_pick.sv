`default_nettype none

// The first request at or after a pointer, cyclically: two priority encoders side by side, one of which sees
// only what the pointer leaves. No state; `next_o` is the pointer behind the winner.
//
// A pointer is a thermometer: bit i is set if the search starts at i or below. All ones: at 0; 0: behind the
// last, which is the same.
module round_robin_pick #(
    parameter int N = 4
) (
    input  logic [N-1:0] request_i,
    input  logic [N-1:0] pointer_i,
    output logic [N-1:0] grant_o,  // one-hot; 0 without requests
    output logic [N-1:0] next_o    // meaningful with a request
);
  logic [N-1:0] late;
  logic [N-1:0] late_grant, late_above;
  logic [N-1:0] any_grant, any_above;
  logic         wrap;

  assign late = request_i & pointer_i;
  assign wrap = ~|late;

  priority_select #(.N(N)) u_late (.request_i(late), .grant_o(late_grant), .above_o(late_above));
  priority_select #(.N(N)) u_any (.request_i, .grant_o(any_grant), .above_o(any_above));

  assign grant_o = wrap ? any_grant : late_grant;
  assign next_o = wrap ? any_above : late_above;
endmodule

`default_nettype wire
