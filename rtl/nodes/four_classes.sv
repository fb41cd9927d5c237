`default_nettype none

// 4-Classes node (Gravano et al. 1994, V.C): eight independent 3x3 crossbars, one per class (signs of x and y)
// and prefix; one new connection per crossbar and cycle. The same as node model four_classes with routing.tie:
// drawn.
//
// Crossbar c = 4 * (x is -) + 2 * (y is -) + prefix has one VC of one x and one y link, and shares the injection and
// the consumption channel with the others. A wrap-around link carries the VC of the other prefix: what crossbar
// (class, p) drives is VC (class, 1-p) there.
module four_classes #(
    parameter int CoordW   = 5,
    parameter int DataW    = 16,
    parameter bit Rotating = 1'b1,  // node.selection: 1: rotating, 0: first
    localparam int FlitW   = DataW + 2
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [CoordW-1:0] x_i,
    input logic [CoordW-1:0] y_i,
    input logic [CoordW-1:0] last_x_i,
    input logic [CoordW-1:0] last_y_i,

    input  logic             x_plus_valid_i,
    input  logic       [3:0] x_plus_vc_i,
    input  logic [FlitW-1:0] x_plus_flit_i,
    output logic       [3:0] x_plus_credit_o,
    output logic             x_plus_valid_o,
    output logic       [3:0] x_plus_vc_o,
    output logic [FlitW-1:0] x_plus_flit_o,
    input  logic       [3:0] x_plus_credit_i,

    input  logic             x_minus_valid_i,
    input  logic       [3:0] x_minus_vc_i,
    input  logic [FlitW-1:0] x_minus_flit_i,
    output logic       [3:0] x_minus_credit_o,
    output logic             x_minus_valid_o,
    output logic       [3:0] x_minus_vc_o,
    output logic [FlitW-1:0] x_minus_flit_o,
    input  logic       [3:0] x_minus_credit_i,

    input  logic             y_plus_valid_i,
    input  logic       [3:0] y_plus_vc_i,
    input  logic [FlitW-1:0] y_plus_flit_i,
    output logic       [3:0] y_plus_credit_o,
    output logic             y_plus_valid_o,
    output logic       [3:0] y_plus_vc_o,
    output logic [FlitW-1:0] y_plus_flit_o,
    input  logic       [3:0] y_plus_credit_i,

    input  logic             y_minus_valid_i,
    input  logic       [3:0] y_minus_vc_i,
    input  logic [FlitW-1:0] y_minus_flit_i,
    output logic       [3:0] y_minus_credit_o,
    output logic             y_minus_valid_o,
    output logic       [3:0] y_minus_vc_o,
    output logic [FlitW-1:0] y_minus_flit_o,
    input  logic       [3:0] y_minus_credit_i,

    input  logic             injection_valid_i,
    input  logic [FlitW-1:0] injection_flit_i,
    output logic             injection_credit_o,
    output logic             consumption_valid_o,
    output logic [FlitW-1:0] consumption_flit_o,
    input  logic             consumption_ready_i
);
  localparam int StateW = 3;
  localparam int Crossbars = 8;

  logic x_plus_wraps, x_minus_wraps, y_plus_wraps, y_minus_wraps;  // outbound
  assign x_plus_wraps = x_i == last_x_i;
  assign x_minus_wraps = x_i == '0;
  assign y_plus_wraps = y_i == last_y_i;
  assign y_minus_wraps = y_i == '0;

  // Input buffers, one of x and one of y per crossbar; the VCs of {x_minus, x_plus} come in the order of the
  // crossbars, those of the y links interleaved.
  logic [Crossbars-1:0] x_push, x_full, x_pop;
  logic [Crossbars-1:0] y_push, y_full, y_pop;
  logic [Crossbars*FlitW-1:0] x_flit, y_flit;
  logic [3:0] y_plus_push, y_minus_push;
  assign x_push = {x_minus_vc_i & {4{x_minus_valid_i}}, x_plus_vc_i & {4{x_plus_valid_i}}};
  assign y_plus_push = y_plus_vc_i & {4{y_plus_valid_i}};
  assign y_minus_push = y_minus_vc_i & {4{y_minus_valid_i}};
  assign y_push = {y_minus_push[3:2], y_plus_push[3:2], y_minus_push[1:0], y_plus_push[1:0]};
  assign {x_minus_credit_o, x_plus_credit_o} = x_pop;
  assign y_plus_credit_o = {y_pop[5:4], y_pop[1:0]};
  assign y_minus_credit_o = {y_pop[7:6], y_pop[3:2]};

  // The injection buffer. The state of its header says which crossbar it is for.
  logic injection_full, injection_waiting;
  logic injection_to_x, injection_to_y, injection_arrived;
  logic [FlitW-1:0] injection_flit;
  logic [2:0] injection_crossbar;
  logic [Crossbars-1:0] injection_pop;
  input_buffer #(
      .FlitW(FlitW)
  ) u_injection (
      .clk_i,
      .rst_ni,
      .push_i(injection_valid_i),
      .flit_i(injection_flit_i),
      .pop_i(injection_credit_o),
      .full_o(injection_full),
      .flit_o(injection_flit)
  );
  four_classes_route #(
      .CoordW(CoordW)
  ) u_injection_route (
      .x_i,
      .y_i,
      .dst_x_i(injection_flit[0+:CoordW]),
      .dst_y_i(injection_flit[CoordW+:CoordW]),
      .x_o(injection_to_x),
      .y_o(injection_to_y),
      .arrived_o(injection_arrived)
  );
  assign injection_credit_o = |injection_pop;
  assign injection_waiting = injection_full & injection_flit[FlitW-1];
  assign injection_crossbar = {
    injection_flit[2*CoordW], injection_flit[2*CoordW+1], injection_flit[2*CoordW+2]
  };

  // Outputs
  logic [Crossbars-1:0] x_out_full, x_out_pop;
  logic [Crossbars-1:0] y_out_full, y_out_pop;
  logic [Crossbars*FlitW-1:0] x_out_flit, y_out_flit;
  logic consumption_full;
  logic [Crossbars-1:0] consumption_busy, consumption_request, consumption_grant, consumption_push;
  logic [Crossbars*FlitW-1:0] consumption_crossed;

  for (genvar c = 0; c < Crossbars; c++) begin : gen_crossbar
    localparam bit XMinus = c / 4 == 1;
    localparam bit YMinus = (c / 2) % 2 == 1;
    localparam bit Prefix = c % 2 == 1;

    logic x_to_x, x_to_y, x_arrived;
    logic y_to_x, y_to_y, y_arrived;
    logic [2:0] waiting, connected, pop, busy, push;
    logic [8:0] connect;
    logic [3*FlitW-1:0] crossed;
    logic x_wraps, y_wraps;
    logic [FlitW-1:0] x_leaving, y_leaving;

    input_buffer #(
        .FlitW(FlitW)
    ) u_x_input (
        .clk_i,
        .rst_ni,
        .push_i(x_push[c]),
        .flit_i(XMinus ? x_minus_flit_i : x_plus_flit_i),
        .pop_i(x_pop[c]),
        .full_o(x_full[c]),
        .flit_o(x_flit[c*FlitW+:FlitW])
    );
    input_buffer #(
        .FlitW(FlitW)
    ) u_y_input (
        .clk_i,
        .rst_ni,
        .push_i(y_push[c]),
        .flit_i(YMinus ? y_minus_flit_i : y_plus_flit_i),
        .pop_i(y_pop[c]),
        .full_o(y_full[c]),
        .flit_o(y_flit[c*FlitW+:FlitW])
    );
    four_classes_route #(
        .CoordW(CoordW)
    ) u_x_route (
        .x_i,
        .y_i,
        .dst_x_i(x_flit[c*FlitW+:CoordW]),
        .dst_y_i(x_flit[c*FlitW+CoordW+:CoordW]),
        .x_o(x_to_x),
        .y_o(x_to_y),
        .arrived_o(x_arrived)
    );
    four_classes_route #(
        .CoordW(CoordW)
    ) u_y_route (
        .x_i,
        .y_i,
        .dst_x_i(y_flit[c*FlitW+:CoordW]),
        .dst_y_i(y_flit[c*FlitW+CoordW+:CoordW]),
        .x_o(y_to_x),
        .y_o(y_to_y),
        .arrived_o(y_arrived)
    );

    assign waiting = {
      injection_waiting & (injection_crossbar == 3'(c)),
      y_full[c] & y_flit[c*FlitW+FlitW-1],
      x_full[c] & x_flit[c*FlitW+FlitW-1]
    };
    vc_allocator #(
        .Inputs(3),
        .Outputs(3),
        .Rotating(Rotating)
    ) u_vc_allocator (
        .clk_i,
        .rst_ni,
        .waiting_i(waiting & ~connected),
        .wanted_i({
          injection_arrived, injection_to_y, injection_to_x, y_arrived, y_to_y, y_to_x, x_arrived, x_to_y, x_to_x
        }),
        .available_i({~|consumption_busy, ~busy[1:0]}),
        .consumption_request_o(consumption_request[c]),
        .consumption_grant_i(consumption_grant[c]),
        .connect_o(connect)
    );
    crossbar #(
        .Inputs(3),
        .Outputs(3),
        .FlitW(FlitW)
    ) u_crossbar (
        .clk_i,
        .rst_ni,
        .connect_i(connect),
        .in_full_i({injection_full, y_full[c], x_full[c]}),
        .in_flit_i({injection_flit, y_flit[c*FlitW+:FlitW], x_flit[c*FlitW+:FlitW]}),
        .out_full_i({consumption_full, y_out_full[c], x_out_full[c]}),
        .in_connected_o(connected),
        .out_busy_o(busy),
        .in_pop_o(pop),
        .out_push_o(push),
        .out_flit_o(crossed)
    );
    assign {injection_pop[c], y_pop[c], x_pop[c]} = pop;
    assign consumption_busy[c] = busy[2];
    assign consumption_push[c] = push[2];
    assign consumption_crossed[c*FlitW+:FlitW] = crossed[2*FlitW+:FlitW];

    // Headers carry class and prefix of the VC that they leave on.
    assign x_wraps = XMinus ? x_minus_wraps : x_plus_wraps;
    assign y_wraps = YMinus ? y_minus_wraps : y_plus_wraps;
    header_state #(
        .CoordW(CoordW),
        .DataW(DataW),
        .StateW(StateW)
    ) u_x_header (
        .flit_i(crossed[0+:FlitW]),
        .keep_i({StateW{1'b0}}),
        .set_i({Prefix ^ x_wraps, YMinus, XMinus}),
        .flit_o(x_leaving)
    );
    header_state #(
        .CoordW(CoordW),
        .DataW(DataW),
        .StateW(StateW)
    ) u_y_header (
        .flit_i(crossed[FlitW+:FlitW]),
        .keep_i({StateW{1'b0}}),
        .set_i({Prefix ^ y_wraps, YMinus, XMinus}),
        .flit_o(y_leaving)
    );
    output_buffer #(
        .FlitW(FlitW)
    ) u_x_output (
        .clk_i,
        .rst_ni,
        .push_i(push[0]),
        .flit_i(x_leaving),
        .pop_i(x_out_pop[c]),
        .full_o(x_out_full[c]),
        .flit_o(x_out_flit[c*FlitW+:FlitW])
    );
    output_buffer #(
        .FlitW(FlitW)
    ) u_y_output (
        .clk_i,
        .rst_ni,
        .push_i(push[1]),
        .flit_i(y_leaving),
        .pop_i(y_out_pop[c]),
        .full_o(y_out_full[c]),
        .flit_o(y_out_flit[c*FlitW+:FlitW])
    );
  end

  // The consumption channel: one worm at a time; the crossbars that want it take turns.
  round_robin_arbiter #(
      .N(Crossbars)
  ) u_consumption_turn (
      .clk_i,
      .rst_ni,
      .request_i(consumption_request),
      .advance_i(1'b1),
      .grant_o(consumption_grant)
  );
  logic [FlitW-1:0] consumption_next, consumption_flit;
  always_comb begin
    consumption_next = '0;
    for (int c = 0; c < Crossbars; c++)
      consumption_next = consumption_next | consumption_crossed[c*FlitW+:FlitW];
  end
  output_buffer #(
      .FlitW(FlitW)
  ) u_consumption (
      .clk_i,
      .rst_ni,
      .push_i(|consumption_push),
      .flit_i(consumption_next),
      .pop_i(consumption_ready_i),
      .full_o(consumption_full),
      .flit_o(consumption_flit)
  );
  assign consumption_valid_o = consumption_full;
  assign consumption_flit_o = consumption_flit & {FlitW{consumption_full}};

  // Links. `mine`: in the order of the crossbars, else in that of the VCs on the link.
  function automatic logic [3:0] other_prefix(input logic [3:0] mine, input logic wraps);
    other_prefix = wraps ? {mine[2], mine[3], mine[0], mine[1]} : mine;
  endfunction
  logic [3:0] y_plus_pop, y_minus_pop;
  assign y_out_pop = {y_minus_pop[3:2], y_plus_pop[3:2], y_minus_pop[1:0], y_plus_pop[1:0]};

  logic [3:0] unused_x_plus_room;
  assign x_out_pop[3:0] = other_prefix(x_plus_vc_o, x_plus_wraps);
  link_mux #(
      .Vcs(4),
      .Buffers(4),
      .FlitW(FlitW)
  ) u_x_plus (
      .clk_i,
      .rst_ni,
      .full_i(other_prefix(x_out_full[3:0], x_plus_wraps)),
      .credit_i(x_plus_credit_i),
      .credit_o(unused_x_plus_room),
      .valid_o(x_plus_valid_o),
      .vc_o(x_plus_vc_o),
      .select_i(x_out_pop[3:0]),
      .flit_i(x_out_flit[0+:4*FlitW]),
      .flit_o(x_plus_flit_o)
  );

  logic [3:0] unused_x_minus_room;
  assign x_out_pop[7:4] = other_prefix(x_minus_vc_o, x_minus_wraps);
  link_mux #(
      .Vcs(4),
      .Buffers(4),
      .FlitW(FlitW)
  ) u_x_minus (
      .clk_i,
      .rst_ni,
      .full_i(other_prefix(x_out_full[7:4], x_minus_wraps)),
      .credit_i(x_minus_credit_i),
      .credit_o(unused_x_minus_room),
      .valid_o(x_minus_valid_o),
      .vc_o(x_minus_vc_o),
      .select_i(x_out_pop[7:4]),
      .flit_i(x_out_flit[4*FlitW+:4*FlitW]),
      .flit_o(x_minus_flit_o)
  );

  logic [3:0] unused_y_plus_room;
  assign y_plus_pop = other_prefix(y_plus_vc_o, y_plus_wraps);
  link_mux #(
      .Vcs(4),
      .Buffers(4),
      .FlitW(FlitW)
  ) u_y_plus (
      .clk_i,
      .rst_ni,
      .full_i(other_prefix({y_out_full[5:4], y_out_full[1:0]}, y_plus_wraps)),
      .credit_i(y_plus_credit_i),
      .credit_o(unused_y_plus_room),
      .valid_o(y_plus_valid_o),
      .vc_o(y_plus_vc_o),
      .select_i(y_plus_pop),
      .flit_i({y_out_flit[4*FlitW+:2*FlitW], y_out_flit[0+:2*FlitW]}),
      .flit_o(y_plus_flit_o)
  );

  logic [3:0] unused_y_minus_room;
  assign y_minus_pop = other_prefix(y_minus_vc_o, y_minus_wraps);
  link_mux #(
      .Vcs(4),
      .Buffers(4),
      .FlitW(FlitW)
  ) u_y_minus (
      .clk_i,
      .rst_ni,
      .full_i(other_prefix({y_out_full[7:6], y_out_full[3:2]}, y_minus_wraps)),
      .credit_i(y_minus_credit_i),
      .credit_o(unused_y_minus_room),
      .valid_o(y_minus_valid_o),
      .vc_o(y_minus_vc_o),
      .select_i(y_minus_pop),
      .flit_i({y_out_flit[6*FlitW+:2*FlitW], y_out_flit[2*FlitW+:2*FlitW]}),
      .flit_o(y_minus_flit_o)
  );

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  direction_rules #(.FlitW(FlitW), .XVcs(4), .YVcs(4), .Depth(1)) u_directions (.*);
  terminal_rules #(.CoordW(CoordW), .FlitW(FlitW)) u_terminal (
      .*, .injection_vc_i(injection_valid_i), .consumption_vc_o(consumption_valid_o)
  );

  // A header carries class and prefix of the VC that it is on.
  function automatic logic fits(input logic [3:0] vc, input logic [FlitW-1:0] flit, input logic minus, input logic y);
    logic prefix, other;
    prefix = vc[1] | vc[3];
    other = vc[2] | vc[3];
    fits = ~|vc | ~flit[FlitW-1] | (flit[2*CoordW+:StateW] == (y ? {prefix, minus, other} : {prefix, other, minus}));
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      HeadersInFitVcs_A: assert (&{
        fits(x_plus_vc_i, x_plus_flit_i, 1'b0, 1'b0),
        fits(x_minus_vc_i, x_minus_flit_i, 1'b1, 1'b0),
        fits(y_plus_vc_i, y_plus_flit_i, 1'b0, 1'b1),
        fits(y_minus_vc_i, y_minus_flit_i, 1'b1, 1'b1)
      });
      HeadersOutFitVcs_A: assert (&{
        fits(x_plus_vc_o, x_plus_flit_o, 1'b0, 1'b0),
        fits(x_minus_vc_o, x_minus_flit_o, 1'b1, 1'b0),
        fits(y_plus_vc_o, y_plus_flit_o, 1'b0, 1'b1),
        fits(y_minus_vc_o, y_minus_flit_o, 1'b1, 1'b1)
      });
      OneConsumes_A: assert ($onehot0(consumption_busy) && $onehot0(consumption_push));
      OneInjects_A: assert ($onehot0(injection_pop));
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
