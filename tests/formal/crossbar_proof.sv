`default_nettype none

// A crossbar with its buffers and its allocator. Flits that came in less those that went out are those stored:
// none is lost or doubled. An output belongs to one input, an input to one output; what leaves an input arrives
// unchanged, packet by packet; a connection is held from the header to the tail. One new connection per cycle,
// unless the allocator is separable.
//
// The environment may do all that routers do, and more: what a header wants, which outputs may be taken, and when
// a buffer is emptied can change in every cycle.
module crossbar_proof #(
    parameter int  Inputs    = 3,
    parameter int  Outputs   = 3,
    parameter bit  Separable = 1'b0,
    parameter bit  Rotating  = 1'b1,
    localparam int FlitW     = 4
) (
    input  logic                      clk_i,
    input  logic [Inputs-1:0]         push_i,
    input  logic [Inputs*FlitW-1:0]   flit_i,
    input  logic [Inputs*Outputs-1:0] wanted_i,             // were there a header that waits
    input  logic [Outputs-1:0]        closed_i,             // may not be taken now
    input  logic                      consumption_grant_i,
    input  logic [Outputs-1:0]        pop_i,
    output logic                      goal_full_o,
    output logic                      goal_handover_o,
    output logic                      goal_at_once_o
);
  localparam int CountW = $clog2(Inputs + Outputs + 1);
  localparam int Most = Inputs < Outputs ? Inputs : Outputs;

  logic rst_ni;
  initial rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  // What is proved about.
  logic [Inputs-1:0] in_full, in_head, in_tail, in_connected, in_pop, waiting;
  logic [Inputs*FlitW-1:0] in_flit;
  logic [Outputs-1:0] available, busy, out_push, out_full, out_head, out_tail;
  logic [Outputs*FlitW-1:0] crossed, out_flit;
  logic [Inputs*Outputs-1:0] connect;
  (* tap = "u_crossbar.connected_q" *) logic [Inputs*Outputs-1:0] connected;
  (* tap = "gen_input_buffer[Inputs].u_buffer.u_rules.within_q" *) logic [Inputs-1:0] in_within;
  (* tap = "gen_output_buffer[Outputs].u_buffer.u_rules.within_q" *) logic [Outputs-1:0] out_within;

  for (genvar i = 0; i < Inputs; i++) begin : gen_input_buffer
    input_buffer #(
        .FlitW(FlitW)
    ) u_buffer (
        .clk_i,
        .rst_ni,
        .push_i(push_i[i]),
        .flit_i(flit_i[i*FlitW+:FlitW]),
        .pop_i(in_pop[i]),
        .full_o(in_full[i]),
        .flit_o(in_flit[i*FlitW+:FlitW])
    );
    assign in_head[i] = in_flit[i*FlitW+FlitW-1];
    assign in_tail[i] = in_flit[i*FlitW+FlitW-2];
  end
  assign waiting = in_full & in_head & ~in_connected;
  assign available = ~busy & ~closed_i;

  if (Separable) begin : gen_separable
    logic [Inputs*Outputs-1:0] request;
    for (genvar i = 0; i < Inputs; i++) begin : gen_request
      assign request[i*Outputs+:Outputs] = wanted_i[i*Outputs+:Outputs] & available & {Outputs{waiting[i]}};
    end
    separable_input_first #(
        .Requesters(Inputs),
        .Resources(Outputs)
    ) u_allocator (
        .clk_i,
        .rst_ni,
        .request_i(request),
        .grant_o(connect)
    );
  end else begin : gen_one
    logic unused_consumption_request;
    vc_allocator #(
        .Inputs(Inputs),
        .Outputs(Outputs),
        .Rotating(Rotating)
    ) u_allocator (
        .clk_i,
        .rst_ni,
        .waiting_i(waiting),
        .wanted_i,
        .available_i(available),
        .consumption_request_o(unused_consumption_request),
        .consumption_grant_i,
        .connect_o(connect)
    );
  end

  crossbar #(
      .Inputs(Inputs),
      .Outputs(Outputs),
      .FlitW(FlitW)
  ) u_crossbar (
      .clk_i,
      .rst_ni,
      .connect_i(connect),
      .in_full_i(in_full),
      .in_flit_i(in_flit),
      .out_full_i(out_full),
      .in_connected_o(in_connected),
      .out_busy_o(busy),
      .in_pop_o(in_pop),
      .out_push_o(out_push),
      .out_flit_o(crossed)
  );

  for (genvar o = 0; o < Outputs; o++) begin : gen_output_buffer
    output_buffer #(
        .FlitW(FlitW)
    ) u_buffer (
        .clk_i,
        .rst_ni,
        .push_i(out_push[o]),
        .flit_i(crossed[o*FlitW+:FlitW]),
        .pop_i(pop_i[o]),
        .full_o(out_full[o]),
        .flit_o(out_flit[o*FlitW+:FlitW])
    );
    assign out_head[o] = crossed[o*FlitW+FlitW-1];
    assign out_tail[o] = crossed[o*FlitW+FlitW-2];
  end

  // What was seen of it.
  logic [Inputs-1:0] push_head, push_tail;
  logic [Inputs-1:0] inside_q;            // a packet has begun to arrive, and not ended
  logic [Inputs-1:0] passing_q;           // the same for those that leave the input buffer
  logic [Outputs-1:0] open_q;             // and for those that enter the output buffer
  logic [Outputs*Inputs-1:0] owner_q;     // whose packet did so last, one-hot
  logic [Inputs*FlitW-1:0] arrived_q;     // the last flit that came in
  logic [Outputs*FlitW-1:0] expected_q;   // of the input that the output belongs to, when it was last moved
  logic [CountW-1:0] balance_q;           // flits in less flits out
  logic [Outputs*Inputs-1:0] source;      // the connections of this cycle, a row per output
  logic [Outputs*FlitW-1:0] expected;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q <= '0;
      passing_q <= '0;
      open_q <= '0;
      balance_q <= '0;
    end else begin
      inside_q <= (push_i & ~push_tail) | (~push_i & inside_q);
      passing_q <= (in_pop & ~in_tail) | (~in_pop & passing_q);
      open_q <= (out_push & ~out_tail) | (~out_push & open_q);
      balance_q <= balance_q + CountW'($countones(push_i)) - CountW'($countones(pop_i & out_full));
    end
  end

  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    logic [Outputs-1:0] row, held, moved;
    logic [FlitW-1:0] flit;
    assign flit = in_flit[i*FlitW+:FlitW];
    assign held = connected[i*Outputs+:Outputs];
    assign row = held | connect[i*Outputs+:Outputs];
    assign moved = row & out_push;
    assign push_head[i] = flit_i[i*FlitW+FlitW-1];
    assign push_tail[i] = flit_i[i*FlitW+FlitW-2];
    always_ff @(posedge clk_i) if (push_i[i]) arrived_q[i*FlitW+:FlitW] <= flit_i[i*FlitW+:FlitW];

    always_comb begin
      // Sent only with a credit, packets whole.
      if (push_i[i]) assume (~in_full[i] && push_head[i] != inside_q[i]);
      // A header wants the consumption channel or links.
      if (!Separable) assume (~wanted_i[i*Outputs+Outputs-1] | ~|wanted_i[i*Outputs+:Outputs-1]);
      if (rst_ni) begin
        assert ($onehot0(row));
        assert (~|(connect[i*Outputs+:Outputs] & ~(wanted_i[i*Outputs+:Outputs] & available & {Outputs{waiting[i]}})));
        assert (in_connected[i] == |held);
        assert (~in_pop[i] || in_full[i]);
        assert (in_pop[i] == |moved);
        assert (in_pop[i] == (in_full[i] && |(row & ~out_full)));
        if (in_full[i]) assert (flit == arrived_q[i*FlitW+:FlitW]);
        // From the header to the tail, and no longer.
        if (|held) assert (passing_q[i] || (in_full[i] && in_head[i]));
      end
    end
`ifdef INVARIANTS
    always_comb begin
      if (rst_ni) begin
        assert (in_within[i] == inside_q[i]);
        if (passing_q[i]) assert (|held);
        if (in_full[i]) assert (inside_q[i] != in_tail[i] && passing_q[i] != in_head[i]);
        else assert (inside_q[i] == passing_q[i]);
      end
    end
`endif
  end

  for (genvar o = 0; o < Outputs; o++) begin : gen_output
    logic [Inputs-1:0] from, held, owner;
    for (genvar i = 0; i < Inputs; i++) begin : gen_column
      assign held[i] = connected[i*Outputs+o];
      assign from[i] = held[i] | connect[i*Outputs+o];
    end
    assign source[o*Inputs+:Inputs] = from;
    assign owner = owner_q[o*Inputs+:Inputs];
    flit_mux #(
        .N(Inputs),
        .FlitW(FlitW)
    ) u_expected (
        .select_i(from),
        .flit_i(arrived_q),
        .flit_o(expected[o*FlitW+:FlitW])
    );
    always_ff @(posedge clk_i) begin
      if (out_push[o]) expected_q[o*FlitW+:FlitW] <= expected[o*FlitW+:FlitW];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) owner_q[o*Inputs+:Inputs] <= '0;
      else if (out_push[o]) owner_q[o*Inputs+:Inputs] <= from;
    end

    always_comb begin
      if (rst_ni) begin
        assert ($onehot0(from));
        assert (busy[o] == |held);
        assert (~out_push[o] || ~out_full[o]);
        if (out_push[o]) begin
          assert (|from && ~|(from & ~in_pop));
          assert (crossed[o*FlitW+:FlitW] == expected[o*FlitW+:FlitW]);
          assert (out_head[o] != open_q[o]);          // no packet within another
          if (open_q[o]) assert (from == owner);
        end
        if (out_full[o]) assert (out_flit[o*FlitW+:FlitW] == expected_q[o*FlitW+:FlitW]);
      end
    end
`ifdef INVARIANTS
    always_comb begin
      if (rst_ni) begin
        assert (out_within[o] == open_q[o]);
        assert (open_q[o] == |(held & passing_q));
        if (open_q[o]) assert (held == owner);
      end
    end
`endif
  end

  always_comb begin
    if (rst_ni) begin
      assert (balance_q == CountW'($countones(in_full)) + CountW'($countones(out_full)));
      assert ($countones(in_pop) == $countones(out_push));
      if (!Separable) assert ($onehot0(connect));
    end
  end

  // What the assumptions must leave possible: all full and connected; an output that goes from one input to
  // another, both with packets of several flits; as many flits moved as there can be.
  logic [Outputs-1:0] handover;
  for (genvar o = 0; o < Outputs; o++) begin : gen_handover
    logic [Inputs-1:0] before;
    assign before = owner_q[o*Inputs+:Inputs];
    assign handover[o] = out_push[o] & out_head[o] & ~out_tail[o] & |before & ~|(before & source[o*Inputs+:Inputs]) &
                         ~expected_q[o*FlitW+FlitW-1];
  end
  assign goal_full_o = rst_ni && &in_full && &out_full && $countones(connected) == Most;
  assign goal_handover_o = rst_ni && |handover;
  assign goal_at_once_o = rst_ni && $countones(in_pop) == Most;
endmodule

`default_nettype wire
