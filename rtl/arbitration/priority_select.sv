`default_nettype none

// The lowest request, one-hot; none: 0. A parallel prefix: its depth grows with log2(N).
module priority_select #(
    parameter int N = 4
) (
    input  logic [N-1:0] request_i,
    output logic [N-1:0] grant_o,
    output logic [N-1:0] above_o  // the positions above the one granted
);
  logic [N-1:0] reached;  // some request is here or below

  always_comb begin
    reached = request_i;
    for (int n = 0; n < $clog2(N); n++) reached = reached | (reached << (1 << n));
  end

  assign above_o = reached << 1;
  assign grant_o = request_i & ~above_o;
endmodule

`default_nettype wire
