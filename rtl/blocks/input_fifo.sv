`default_nettype none

// Input buffer of one virtual channel: Depth flits in flip-flops. The foremost flit is on the output without being
// asked for. A flit that is pushed is visible from the next cycle on. Whoever pushes has a credit: full is not
// checked.
module input_fifo #(
    parameter int Width = 18,
    parameter int Depth = 8
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             push_i,
    input  logic [Width-1:0] flit_i,
    input  logic             pop_i,    // only when valid
    output logic                  valid_o,  // holds a flit
    output logic [Width-1:0]      flit_o    // the foremost one; means nothing when not valid
);

  if (Depth == 1) begin : gen_one
    logic             valid_q;
    logic [Width-1:0] flit_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (push_i) valid_q <= 1'b1;
      else if (pop_i) valid_q <= 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (push_i) flit_q <= flit_i;
    end

    assign valid_o = valid_q;
    assign flit_o  = flit_q;
  end else begin : gen_ring
    localparam int PointerW = $clog2(Depth);
    localparam int CountW = $clog2(Depth + 1);
    localparam logic [PointerW-1:0] Last = PointerW'(Depth - 1);

    logic [PointerW-1:0]    head_q, head_d;
    logic [PointerW-1:0]    tail_q, tail_d;
    logic [CountW-1:0]      count_q, count_d;
    logic [Depth*Width-1:0] flits_q;

    always_comb begin
      head_d  = head_q;
      tail_d  = tail_q;
      count_d = count_q;
      if (pop_i) head_d = (head_q == Last) ? '0 : head_q + PointerW'(1);
      if (push_i) tail_d = (tail_q == Last) ? '0 : tail_q + PointerW'(1);
      if (push_i && !pop_i) count_d = count_q + CountW'(1);
      if (pop_i && !push_i) count_d = count_q - CountW'(1);
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        head_q  <= '0;
        tail_q  <= '0;
        count_q <= '0;
      end else begin
        head_q  <= head_d;
        tail_q  <= tail_d;
        count_q <= count_d;
      end
    end

    for (genvar n = 0; n < Depth; n++) begin : gen_place
      always_ff @(posedge clk_i) begin
        if (push_i && tail_q == PointerW'(n)) flits_q[n*Width+:Width] <= flit_i;
      end
    end

    always_comb begin
      flit_o = '0;
      for (int n = 0; n < Depth; n++) begin
        if (head_q == PointerW'(n)) flit_o = flits_q[n*Width+:Width];
      end
    end

    assign valid_o = count_q != '0;

`ifndef SYNTHESIS
    /* verilator lint_off SYNCASYNCNET */
    logic [31:0] places;  // behind the last flit, counted from place 0
    assign places = 32'(head_q) + 32'(count_q);
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        PushHasRoom_A: assert (!(push_i && count_q == CountW'(Depth)));
        CountIsPossible_A: assert (count_q <= CountW'(Depth));
        PointersArePlaces_A: assert (32'(head_q) < Depth && 32'(tail_q) < Depth);
        CountIsTailLessHead_A: assert (places == 32'(tail_q) || places == 32'(tail_q) + Depth);
      end
    end
    /* verilator lint_on SYNCASYNCNET */
`endif
  end

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      PushIntoEmpty_A: assert (Depth > 1 || !(push_i && valid_o));
      PopIsValid_A: assert (!(pop_i && !valid_o));
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
