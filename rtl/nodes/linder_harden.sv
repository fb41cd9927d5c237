`default_nettype none

// Linder-Harden node as in Gravano et al. 1994, V.C: six independent 4x4 crossbars, one per virtual network (Y+, Y-)
// and level; one new connection per crossbar and cycle. The same as node model linder_harden.
//
// Crossbar c = 3 * (network is Y-) + level has one VC of both x links and of the y link of its network, and shares
// the injection and the consumption channel with the others. The level of a VC is that at its source: the buffer
// behind a wrap-around link belongs to the next level's crossbar. No worm crosses three.
module linder_harden #(
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
    input  logic       [5:0] x_plus_vc_i,
    input  logic [FlitW-1:0] x_plus_flit_i,
    output logic       [5:0] x_plus_credit_o,
    output logic             x_plus_valid_o,
    output logic       [5:0] x_plus_vc_o,
    output logic [FlitW-1:0] x_plus_flit_o,
    input  logic       [5:0] x_plus_credit_i,

    input  logic             x_minus_valid_i,
    input  logic       [5:0] x_minus_vc_i,
    input  logic [FlitW-1:0] x_minus_flit_i,
    output logic       [5:0] x_minus_credit_o,
    output logic             x_minus_valid_o,
    output logic       [5:0] x_minus_vc_o,
    output logic [FlitW-1:0] x_minus_flit_o,
    input  logic       [5:0] x_minus_credit_i,

    input  logic             y_plus_valid_i,
    input  logic       [2:0] y_plus_vc_i,
    input  logic [FlitW-1:0] y_plus_flit_i,
    output logic       [2:0] y_plus_credit_o,
    output logic             y_plus_valid_o,
    output logic       [2:0] y_plus_vc_o,
    output logic [FlitW-1:0] y_plus_flit_o,
    input  logic       [2:0] y_plus_credit_i,

    input  logic             y_minus_valid_i,
    input  logic       [2:0] y_minus_vc_i,
    input  logic [FlitW-1:0] y_minus_flit_i,
    output logic       [2:0] y_minus_credit_o,
    output logic             y_minus_valid_o,
    output logic       [2:0] y_minus_vc_o,
    output logic [FlitW-1:0] y_minus_flit_o,
    input  logic       [2:0] y_minus_credit_i,

    input  logic             injection_valid_i,
    input  logic [FlitW-1:0] injection_flit_i,
    output logic             injection_credit_o,
    output logic             consumption_valid_o,
    output logic [FlitW-1:0] consumption_flit_o,
    input  logic             consumption_ready_i
);
  localparam int StateW = 3;
  localparam int Crossbars = 6;

  logic x_first, x_last, y_first, y_last;
  assign x_first = x_i == '0;
  assign x_last = x_i == last_x_i;
  assign y_first = y_i == '0;
  assign y_last = y_i == last_y_i;

  // From the levels on an inbound link to those of the crossbars, and back.
  function automatic logic [2:0] raised(input logic [2:0] levels, input logic wraps);
    raised = wraps ? {levels[1:0], 1'b0} : levels;
  endfunction
  function automatic logic [2:0] lowered(input logic [2:0] levels, input logic wraps);
    lowered = wraps ? {1'b0, levels[2:1]} : levels;
  endfunction

  // Input buffers, three per crossbar. Flits in +x come over the wrap-around link at x = 0.
  logic [Crossbars-1:0] x_plus_push, x_plus_pop;
  logic [Crossbars-1:0] x_minus_push, x_minus_pop;
  logic [Crossbars-1:0] y_push, y_pop;
  for (genvar n = 0; n < 2; n++) begin : gen_network
    assign x_plus_push[3*n+:3] = raised(x_plus_vc_i[3*n+:3] & {3{x_plus_valid_i}}, x_first);
    assign x_minus_push[3*n+:3] = raised(x_minus_vc_i[3*n+:3] & {3{x_minus_valid_i}}, x_last);
    assign x_plus_credit_o[3*n+:3] = lowered(x_plus_pop[3*n+:3], x_first);
    assign x_minus_credit_o[3*n+:3] = lowered(x_minus_pop[3*n+:3], x_last);
  end
  assign y_push[2:0] = raised(y_plus_vc_i & {3{y_plus_valid_i}}, y_first);
  assign y_push[5:3] = raised(y_minus_vc_i & {3{y_minus_valid_i}}, y_last);
  assign y_plus_credit_o = lowered(y_pop[2:0], y_first);
  assign y_minus_credit_o = lowered(y_pop[5:3], y_last);

  // The injection buffer. The state of its header says which crossbar it is for.
  logic injection_full, injection_waiting;
  logic [3:0] injection_wanted;
  logic [FlitW-1:0] injection_flit;
  logic injection_network;
  logic [1:0] injection_level;
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
  linder_harden_route #(
      .CoordW(CoordW)
  ) u_injection_route (
      .x_i,
      .y_i,
      .last_x_i,
      .dst_x_i(injection_flit[0+:CoordW]),
      .dst_y_i(injection_flit[CoordW+:CoordW]),
      .x_plus_o(injection_wanted[0]),
      .x_minus_o(injection_wanted[1]),
      .y_o(injection_wanted[2]),
      .arrived_o(injection_wanted[3])
  );
  assign injection_credit_o = |injection_pop;
  assign injection_waiting = injection_full & injection_flit[FlitW-1];
  assign injection_network = injection_flit[2*CoordW];
  assign injection_level = injection_flit[2*CoordW+1+:2];

  // Outputs
  logic [Crossbars-1:0] x_plus_full, x_minus_full, y_full;
  logic [Crossbars-1:0] x_plus_sent, x_minus_sent, y_sent;
  logic [Crossbars*FlitW-1:0] x_plus_flit, x_minus_flit, y_flit;
  logic consumption_full;
  logic [Crossbars-1:0] consumption_busy, consumption_request, consumption_grant, consumption_push;
  logic [Crossbars*FlitW-1:0] consumption_crossed;

  for (genvar c = 0; c < Crossbars; c++) begin : gen_crossbar
    localparam bit Minus = c / 3 == 1;
    localparam int Level = c % 3;

    // In the order x_plus, x_minus, y, injection or consumption
    logic [2:0] in_push, out_pop;
    logic [3:0] in_full, waiting, connected, in_pop;
    logic [3:0] out_full, busy, push;
    logic [3*FlitW-1:0] arriving;
    logic [4*FlitW-1:0] in_flit, crossed;
    logic [15:0] wanted, connect;

    assign in_push = {y_push[c], x_minus_push[c], x_plus_push[c]};
    assign arriving = {Minus ? y_minus_flit_i : y_plus_flit_i, x_minus_flit_i, x_plus_flit_i};
    for (genvar i = 0; i < 3; i++) begin : gen_input
      input_buffer #(
          .FlitW(FlitW)
      ) u_buffer (
          .clk_i,
          .rst_ni,
          .push_i(in_push[i]),
          .flit_i(arriving[i*FlitW+:FlitW]),
          .pop_i(in_pop[i]),
          .full_o(in_full[i]),
          .flit_o(in_flit[i*FlitW+:FlitW])
      );
      linder_harden_route #(
          .CoordW(CoordW)
      ) u_route (
          .x_i,
          .y_i,
          .last_x_i,
          .dst_x_i(in_flit[i*FlitW+:CoordW]),
          .dst_y_i(in_flit[i*FlitW+CoordW+:CoordW]),
          .x_plus_o(wanted[4*i]),
          .x_minus_o(wanted[4*i+1]),
          .y_o(wanted[4*i+2]),
          .arrived_o(wanted[4*i+3])
      );
      assign waiting[i] = in_full[i] & in_flit[i*FlitW+FlitW-1] & ~connected[i];
    end
    assign in_full[3] = injection_full;
    assign in_flit[3*FlitW+:FlitW] = injection_flit;
    assign wanted[15:12] = injection_wanted;
    assign waiting[3] =
        injection_waiting & (injection_network == Minus) & (injection_level == 2'(Level)) & ~connected[3];

    vc_allocator #(
        .Inputs(4),
        .Outputs(4),
        .Rotating(Rotating)
    ) u_vc_allocator (
        .clk_i,
        .rst_ni,
        .waiting_i(waiting),
        .wanted_i(wanted),
        .available_i({~|consumption_busy, ~busy[2:0]}),
        .consumption_request_o(consumption_request[c]),
        .consumption_grant_i(consumption_grant[c]),
        .connect_o(connect)
    );
    crossbar #(
        .Inputs(4),
        .Outputs(4),
        .FlitW(FlitW)
    ) u_crossbar (
        .clk_i,
        .rst_ni,
        .connect_i(connect),
        .in_full_i(in_full),
        .in_flit_i(in_flit),
        .out_full_i(out_full),
        .in_connected_o(connected),
        .out_busy_o(busy),
        .in_pop_o(in_pop),
        .out_push_o(push),
        .out_flit_o(crossed)
    );
    assign {injection_pop[c], y_pop[c], x_minus_pop[c], x_plus_pop[c]} = in_pop;
    assign consumption_busy[c] = busy[3];
    assign consumption_push[c] = push[3];
    assign consumption_crossed[c*FlitW+:FlitW] = crossed[3*FlitW+:FlitW];

    // Headers carry the level that they have behind the link.
    logic [2:0] wraps;
    logic [3*FlitW-1:0] out_flit;
    assign wraps = {Minus ? y_first : y_last, x_first, x_last};
    for (genvar o = 0; o < 3; o++) begin : gen_output
      logic [FlitW-1:0] flit;
      header_state #(
          .CoordW(CoordW),
          .DataW(DataW),
          .StateW(StateW)
      ) u_header (
          .flit_i(crossed[o*FlitW+:FlitW]),
          .keep_i({StateW{1'b0}}),
          .set_i({2'(Level) + {1'b0, wraps[o]}, Minus}),
          .flit_o(flit)
      );
      output_buffer #(
          .FlitW(FlitW)
      ) u_buffer (
          .clk_i,
          .rst_ni,
          .push_i(push[o]),
          .flit_i(flit),
          .pop_i(out_pop[o]),
          .full_o(out_full[o]),
          .flit_o(out_flit[o*FlitW+:FlitW])
      );
    end
    assign out_pop = {y_sent[c], x_minus_sent[c], x_plus_sent[c]};
    assign {y_full[c], x_minus_full[c], x_plus_full[c]} = out_full[2:0];
    assign out_full[3] = consumption_full;
    assign {y_flit[c*FlitW+:FlitW], x_minus_flit[c*FlitW+:FlitW], x_plus_flit[c*FlitW+:FlitW]} = out_flit;
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

  // Links
  assign x_plus_sent = x_plus_vc_o;
  assign x_minus_sent = x_minus_vc_o;
  assign y_sent = {y_minus_vc_o, y_plus_vc_o};

  logic [5:0] unused_x_plus_room;
  link_mux #(
      .Vcs(6),
      .Buffers(6),
      .FlitW(FlitW)
  ) u_x_plus (
      .clk_i,
      .rst_ni,
      .full_i(x_plus_full),
      .credit_i(x_plus_credit_i),
      .credit_o(unused_x_plus_room),
      .valid_o(x_plus_valid_o),
      .vc_o(x_plus_vc_o),
      .select_i(x_plus_vc_o),
      .flit_i(x_plus_flit),
      .flit_o(x_plus_flit_o)
  );

  logic [5:0] unused_x_minus_room;
  link_mux #(
      .Vcs(6),
      .Buffers(6),
      .FlitW(FlitW)
  ) u_x_minus (
      .clk_i,
      .rst_ni,
      .full_i(x_minus_full),
      .credit_i(x_minus_credit_i),
      .credit_o(unused_x_minus_room),
      .valid_o(x_minus_valid_o),
      .vc_o(x_minus_vc_o),
      .select_i(x_minus_vc_o),
      .flit_i(x_minus_flit),
      .flit_o(x_minus_flit_o)
  );

  logic [2:0] unused_y_plus_room;
  link_mux #(
      .Vcs(3),
      .Buffers(3),
      .FlitW(FlitW)
  ) u_y_plus (
      .clk_i,
      .rst_ni,
      .full_i(y_full[2:0]),
      .credit_i(y_plus_credit_i),
      .credit_o(unused_y_plus_room),
      .valid_o(y_plus_valid_o),
      .vc_o(y_plus_vc_o),
      .select_i(y_plus_vc_o),
      .flit_i(y_flit[0+:3*FlitW]),
      .flit_o(y_plus_flit_o)
  );

  logic [2:0] unused_y_minus_room;
  link_mux #(
      .Vcs(3),
      .Buffers(3),
      .FlitW(FlitW)
  ) u_y_minus (
      .clk_i,
      .rst_ni,
      .full_i(y_full[5:3]),
      .credit_i(y_minus_credit_i),
      .credit_o(unused_y_minus_room),
      .valid_o(y_minus_valid_o),
      .vc_o(y_minus_vc_o),
      .select_i(y_minus_vc_o),
      .flit_i(y_flit[3*FlitW+:3*FlitW]),
      .flit_o(y_minus_flit_o)
  );

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  direction_rules #(.FlitW(FlitW), .XVcs(6), .YVcs(3), .Depth(1)) u_directions (.*);
  terminal_rules #(.CoordW(CoordW), .FlitW(FlitW)) u_terminal (
      .*, .injection_vc_i(injection_valid_i), .consumption_vc_o(consumption_valid_o)
  );

  // A header carries network and level of the buffer behind the link. The VC has the level before it.
  function automatic logic fits(input logic [5:0] vc, input logic [FlitW-1:0] flit, input logic wraps);
    logic [1:0] level;
    level = {vc[2] | vc[5], vc[1] | vc[4]} + {1'b0, wraps};
    fits = ~|vc | ~flit[FlitW-1] | (flit[2*CoordW+:StateW] == {level, |vc[5:3]} && level != 2'd3);
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      HeadersInFitVcs_A: assert (&{
        fits(x_plus_vc_i, x_plus_flit_i, x_first),
        fits(x_minus_vc_i, x_minus_flit_i, x_last),
        fits({3'd0, y_plus_vc_i}, y_plus_flit_i, y_first),
        fits({y_minus_vc_i, 3'd0}, y_minus_flit_i, y_last)
      });
      HeadersOutFitVcs_A: assert (&{
        fits(x_plus_vc_o, x_plus_flit_o, x_last),
        fits(x_minus_vc_o, x_minus_flit_o, x_first),
        fits({3'd0, y_plus_vc_o}, y_plus_flit_o, y_last),
        fits({y_minus_vc_o, 3'd0}, y_minus_flit_o, y_first)
      });
      OneConsumes_A: assert ($onehot0(consumption_busy) && $onehot0(consumption_push));
      OneInjects_A: assert ($onehot0(injection_pop));
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
