`default_nettype none

// Asserts that a round robin over N is fair: who keeps asking sees at most N-1 others served. Watches one
// requester, whichever the solver likes to choose. Ordered: also that it serves the first who asks after the one
// served last, which says more.
module fairness_monitor #(
    parameter int N       = 4,
    parameter bit Ordered = 1'b1
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic [N-1:0] choice_i,   // free; what it is during reset decides who is watched
    input  logic [N-1:0] request_i,  // who can be served
    input  logic [N-1:0] served_i,   // who is: one-hot; 0: nobody
    input  logic [N-1:0] pointer_i,  // where the search starts, as in round_robin_pick
    output logic         longest_o   // the wait is as long as it may get
);
  localparam int CountW = $clog2(N) + 2;  // waited_q and ahead together do not wrap

  logic [N-1:0] watched_q;
  logic [CountW-1:0] waited_q;

  // Those whom a search from `pointer` on meets before `one`.
  function automatic logic [N-1:0] before(input logic [N-1:0] one, input logic [N-1:0] pointer);
    before = |(one & pointer) ? pointer & (one - 1'b1) : pointer | (one - 1'b1);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) watched_q <= choice_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= '0;
    else if (~|(request_i & watched_q) || |(served_i & watched_q)) waited_q <= '0;
    else if (|served_i) waited_q <= waited_q + 1'b1;
  end

  always_comb begin
    if (!rst_ni) assume ($onehot(choice_i));
    else assert (waited_q <= CountW'(N - 1));
  end

`ifdef INVARIANTS
  always_comb begin
    if (rst_ni) begin
      assert ($onehot(watched_q));
      assert (~|((pointer_i << 1) & ~pointer_i));
      assert (waited_q + CountW'($countones(before(watched_q, pointer_i))) <= CountW'(N - 1));
    end
  end
`endif

  if (Ordered) begin : gen_ordered
    logic [N-1:0] last_q, behind_last;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) last_q <= {1'b1, {(N - 1) {1'b0}}};
      else if (|served_i) last_q <= served_i;
    end
    assign behind_last = ~(last_q | (last_q - 1'b1));

    always_comb begin
      if (rst_ni && |served_i) assert (~|(request_i & before(served_i, behind_last)));
    end
`ifdef INVARIANTS
    always_comb begin
      if (rst_ni) assert ($onehot(last_q) && (pointer_i == behind_last || (last_q[N-1] && &pointer_i)));
    end
`endif
  end

  assign longest_o = rst_ni && waited_q == CountW'(N - 1);
endmodule

`default_nettype wire
