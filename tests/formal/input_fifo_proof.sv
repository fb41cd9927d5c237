`default_nettype none

// A queue: what goes in comes out, unchanged and in order, nothing else does, and `valid_o` says whether there is
// something. Watches one flit, whichever the solver likes to choose: so many flits are ahead of it when it goes in,
// and so many leave before it does.
//
// The environment does what those around the queue do: it pushes only where there is room, and pops only what is
// there.
module input_fifo_proof #(
    parameter int  Depth = 8,
    localparam int Width = 4
) (
    input  logic             clk_i,
    input  logic             push_i,
    input  logic [Width-1:0] flit_i,
    input  logic             pop_i,
    input  logic             choice_i,  // this one is watched
    output logic             goal_full_o,
    output logic             goal_wrapped_o,
    output logic             goal_watched_leaves_o
);
  localparam int PointerW = $clog2(Depth);
  localparam int CountW = $clog2(Depth + 1);

  logic rst_ni;
  initial rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  (* tap = "u_fifo.gen_ring.head_q" *) logic [PointerW-1:0] head;
  (* tap = "u_fifo.gen_ring.tail_q" *) logic [PointerW-1:0] tail;
  (* tap = "u_fifo.gen_ring.count_q" *) logic [CountW-1:0] count;
  (* tap = "u_fifo.gen_ring.flits_q" *) logic [Depth*Width-1:0] flits;
  logic valid;
  logic [Width-1:0] flit;
  input_fifo #(
      .Width(Width),
      .Depth(Depth)
  ) u_fifo (
      .clk_i,
      .rst_ni,
      .push_i,
      .flit_i,
      .pop_i,
      .valid_o(valid),
      .flit_o(flit)
  );

  logic [CountW-1:0] held_q;   // flits in the queue, by what was seen
  logic              watches_q;
  logic [CountW-1:0] ahead_q;  // of the watched one
  logic [Width-1:0]  data_q;   // that it has
  logic              turned_q; // the last place was used once
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
      watches_q <= 1'b0;
      turned_q <= 1'b0;
    end else begin
      held_q <= held_q + CountW'(push_i) - CountW'(pop_i);
      if (push_i && choice_i && !watches_q) watches_q <= 1'b1;
      else if (pop_i && ahead_q == '0) watches_q <= 1'b0;
      if (push_i && tail == PointerW'(Depth - 1)) turned_q <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (push_i && choice_i && !watches_q) begin
      ahead_q <= held_q - CountW'(pop_i);
      data_q <= flit_i;
    end else if (pop_i) begin
      ahead_q <= ahead_q - 1'b1;
    end
  end

  always_comb begin
    if (push_i) assume (rst_ni && held_q != CountW'(Depth));
    if (pop_i) assume (rst_ni && held_q != '0);
    if (rst_ni) begin
      assert (valid == (held_q != '0));
      if (watches_q && ahead_q == '0) assert (valid && flit == data_q);
    end
  end

`ifdef INVARIANTS
  logic [CountW:0] end_place, place;  // behind the last flit, and of the watched one
  logic [Width-1:0] stored;
  assign end_place = (CountW + 1)'(head) + (CountW + 1)'(count);
  assign place = (CountW + 1)'(head) + (CountW + 1)'(ahead_q);
  always_comb begin
    stored = '0;
    for (int n = 0; n < Depth; n++)
      if (place == (CountW + 1)'(n) || place == (CountW + 1)'(n + Depth)) stored = flits[n*Width+:Width];
    if (rst_ni) begin
      assert (count == held_q && count <= CountW'(Depth));
      assert ((CountW + 1)'(head) < (CountW + 1)'(Depth));
      assert ((CountW + 1)'(tail) == (end_place < (CountW + 1)'(Depth) ? end_place : end_place - (CountW + 1)'(Depth)));
      if (watches_q) assert (ahead_q < held_q && stored == data_q);
    end
  end
`endif

  assign goal_full_o = rst_ni && held_q == CountW'(Depth) && watches_q;
  assign goal_wrapped_o = rst_ni && turned_q && head != '0 && tail < head && watches_q;
  assign goal_watched_leaves_o = rst_ni && watches_q && ahead_q == '0 && pop_i && turned_q;
endmodule

`default_nettype wire
