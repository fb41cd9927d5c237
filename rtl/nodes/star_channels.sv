`default_nettype none

// *-Channels node (Gravano et al. 1994, V.C): one 17x17 crossbar over both lanes of all classes, one new connection
// per cycle; a VC is given to a worm only if both its buffers are empty. The same as node model star_channels.
//
// 16 input and 16 output buffers ("slots", see star_vcs_to_slots): pairs of lanes, 3 in x, 5 in y.
module star_channels #(
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
    input  logic       [5:0] y_plus_vc_i,
    input  logic [FlitW-1:0] y_plus_flit_i,
    output logic       [5:0] y_plus_credit_o,
    output logic             y_plus_valid_o,
    output logic       [5:0] y_plus_vc_o,
    output logic [FlitW-1:0] y_plus_flit_o,
    input  logic       [5:0] y_plus_credit_i,

    input  logic             y_minus_valid_i,
    input  logic       [5:0] y_minus_vc_i,
    input  logic [FlitW-1:0] y_minus_flit_i,
    output logic       [5:0] y_minus_credit_o,
    output logic             y_minus_valid_o,
    output logic       [5:0] y_minus_vc_o,
    output logic [FlitW-1:0] y_minus_flit_o,
    input  logic       [5:0] y_minus_credit_i,

    input  logic             injection_valid_i,
    input  logic [FlitW-1:0] injection_flit_i,
    output logic             injection_credit_o,
    output logic             consumption_valid_o,
    output logic [FlitW-1:0] consumption_flit_o,
    input  logic             consumption_ready_i
);
  localparam int StateW = 3;
  localparam int Pairs = 8;
  localparam int Slots = 2 * Pairs;
  localparam int N = Slots + 1;  // and injection or consumption

  // What the place is like. Inbound slots depend on the places of the senders: x_plus comes from x-1.
  logic [CoordW:0] half_x, half_y;  // radix / 2
  logic x_first, x_last, x_in_extra, x_out_extra;
  logic y_first, y_last, y_in_extra, y_out_extra;
  assign half_x = ({1'b0, last_x_i} + 1'b1) >> 1;
  assign half_y = ({1'b0, last_y_i} + 1'b1) >> 1;
  assign x_first = x_i == '0;
  assign y_first = y_i == '0;
  assign x_last = x_i == last_x_i;
  assign y_last = y_i == last_y_i;
  assign x_out_extra = {1'b0, x_i} + 1'b1 < half_x;
  assign y_out_extra = {1'b0, y_i} + 1'b1 < half_y;
  assign x_in_extra = !x_first && {1'b0, x_i} < half_x;
  assign y_in_extra = !y_first && {1'b0, y_i} < half_y;

  // Input buffers
  logic [N-1:0] in_push, in_full, in_connected, in_pop;
  logic [(Pairs+1)*FlitW-1:0] arriving;  // per pair
  logic [N*FlitW-1:0] in_flit;
  star_vcs_to_slots #(
      .Nonstar(1'b0),
      .W(2)
  ) u_x_push (
      .plus_wraps_i(x_first),
      .minus_wraps_i(x_last),
      .plus_extra_i(x_in_extra),
      .vcs_i({x_minus_vc_i & {4{x_minus_valid_i}}, x_plus_vc_i & {4{x_plus_valid_i}}}),
      .slots_o(in_push[5:0])
  );
  star_vcs_to_slots #(
      .Nonstar(1'b1),
      .W(2)
  ) u_y_push (
      .plus_wraps_i(y_first),
      .minus_wraps_i(y_last),
      .plus_extra_i(y_in_extra),
      .vcs_i({y_minus_vc_i & {6{y_minus_valid_i}}, y_plus_vc_i & {6{y_plus_valid_i}}}),
      .slots_o(in_push[15:6])
  );
  assign in_push[Slots] = injection_valid_i;
  assign arriving = {
    injection_flit_i,
    y_minus_flit_i,
    y_minus_flit_i,
    y_in_extra ? y_plus_flit_i : y_minus_flit_i,
    y_plus_flit_i,
    y_plus_flit_i,
    x_minus_flit_i,
    x_in_extra ? x_plus_flit_i : x_minus_flit_i,
    x_plus_flit_i
  };
  for (genvar i = 0; i < N; i++) begin : gen_input
    input_buffer #(
        .FlitW(FlitW)
    ) u_buffer (
        .clk_i,
        .rst_ni,
        .push_i(in_push[i]),
        .flit_i(arriving[(i/2)*FlitW+:FlitW]),
        .pop_i(in_pop[i]),
        .full_o(in_full[i]),
        .flit_o(in_flit[i*FlitW+:FlitW])
    );
  end
  star_slots_to_vcs #(
      .Nonstar(1'b0),
      .W(2)
  ) u_x_credit (
      .plus_wraps_i(x_first),
      .minus_wraps_i(x_last),
      .plus_extra_i(x_in_extra),
      .slots_i(in_pop[5:0]),
      .vcs_o({x_minus_credit_o, x_plus_credit_o})
  );
  star_slots_to_vcs #(
      .Nonstar(1'b1),
      .W(2)
  ) u_y_credit (
      .plus_wraps_i(y_first),
      .minus_wraps_i(y_last),
      .plus_extra_i(y_in_extra),
      .slots_i(in_pop[15:6]),
      .vcs_o({y_minus_credit_o, y_plus_credit_o})
  );
  assign injection_credit_o = in_pop[Slots];

  // Route computation
  logic [N-1:0] waiting;
  logic [N*N-1:0] wanted;
  for (genvar i = 0; i < N; i++) begin : gen_route
    logic [3:0] x_vcs;
    logic [5:0] y_vcs;
    logic [Pairs-1:0] pairs;
    assign waiting[i] = in_full[i] & in_flit[i*FlitW+FlitW-1] & ~in_connected[i];
    star_channels_route #(
        .CoordW(CoordW)
    ) u_route (
        .x_i,
        .y_i,
        .last_x_i,
        .last_y_i,
        .dst_x_i(in_flit[i*FlitW+:CoordW]),
        .dst_y_i(in_flit[i*FlitW+CoordW+:CoordW]),
        .wrapped_i(in_flit[i*FlitW+2*CoordW+:2]),
        .x_o(x_vcs),
        .y_o(y_vcs),
        .arrived_o(wanted[i*N+Slots])
    );
    star_vcs_to_slots #(
        .Nonstar(1'b0)
    ) u_x_wanted (
        .plus_wraps_i(x_last),
        .minus_wraps_i(x_first),
        .plus_extra_i(x_out_extra),
        .vcs_i(x_vcs),
        .slots_o(pairs[2:0])
    );
    star_vcs_to_slots #(
        .Nonstar(1'b1)
    ) u_y_wanted (
        .plus_wraps_i(y_last),
        .minus_wraps_i(y_first),
        .plus_extra_i(y_out_extra),
        .vcs_i(y_vcs),
        .slots_o(pairs[7:3])
    );
    for (genvar p = 0; p < Pairs; p++) begin : gen_lanes
      assign wanted[i*N+2*p+:2] = {2{pairs[p]}};
    end
  end

  // VC allocation and crossbar
  logic [N-1:0] out_full, out_busy, out_push, available;
  logic [Slots-1:0] room;  // behind the link
  logic [N*N-1:0] connect;
  logic [N*FlitW-1:0] crossed;
  logic unused_consumption_request;
  assign available = ~out_busy & ~out_full & {1'b1, room};
  vc_allocator #(
      .Inputs(N),
      .Outputs(N),
      .Rotating(Rotating)
  ) u_vc_allocator (
      .clk_i,
      .rst_ni,
      .waiting_i(waiting),
      .wanted_i(wanted),
      .available_i(available),
      .consumption_request_o(unused_consumption_request),
      .consumption_grant_i(1'b1),
      .connect_o(connect)
  );
  crossbar #(
      .Inputs(N),
      .Outputs(N),
      .FlitW(FlitW)
  ) u_crossbar (
      .clk_i,
      .rst_ni,
      .connect_i(connect),
      .in_full_i(in_full),
      .in_flit_i(in_flit),
      .out_full_i(out_full),
      .in_connected_o(in_connected),
      .out_busy_o(out_busy),
      .in_pop_o(in_pop),
      .out_push_o(out_push),
      .out_flit_o(crossed)
  );

  // Output buffers. Headers that leave on a wrap-around link note that.
  logic [N-1:0] out_pop;
  logic [N*FlitW-1:0] out_flit;
  logic [Pairs-1:0] wraps;
  star_vcs_to_slots #(
      .Nonstar(1'b0)
  ) u_x_wraps (
      .plus_wraps_i(x_last),
      .minus_wraps_i(x_first),
      .plus_extra_i(x_out_extra),
      .vcs_i({{2{x_first}}, {2{x_last}}}),
      .slots_o(wraps[2:0])
  );
  star_vcs_to_slots #(
      .Nonstar(1'b1)
  ) u_y_wraps (
      .plus_wraps_i(y_last),
      .minus_wraps_i(y_first),
      .plus_extra_i(y_out_extra),
      .vcs_i({{3{y_first}}, {3{y_last}}}),
      .slots_o(wraps[7:3])
  );
  for (genvar o = 0; o < N; o++) begin : gen_output
    logic [FlitW-1:0] flit;
    if (o < Slots) begin : gen_link
      logic [StateW-1:0] crossed_wrap;
      assign crossed_wrap = o < 6 ? {2'b00, wraps[o/2]} : {1'b0, wraps[o/2], 1'b0};
      header_state #(
          .CoordW(CoordW),
          .DataW(DataW),
          .StateW(StateW)
      ) u_header (
          .flit_i(crossed[o*FlitW+:FlitW]),
          .keep_i({StateW{1'b1}}),
          .set_i(crossed_wrap),
          .flit_o(flit)
      );
    end else begin : gen_consumption
      assign flit = crossed[o*FlitW+:FlitW];
    end
    output_buffer #(
        .FlitW(FlitW)
    ) u_buffer (
        .clk_i,
        .rst_ni,
        .push_i(out_push[o]),
        .flit_i(flit),
        .pop_i(out_pop[o]),
        .full_o(out_full[o]),
        .flit_o(out_flit[o*FlitW+:FlitW])
    );
  end
  assign out_pop[Slots] = consumption_ready_i;
  assign consumption_valid_o = out_full[Slots];
  assign consumption_flit_o = out_flit[Slots*FlitW+:FlitW] & {FlitW{out_full[Slots]}};

  // Links. A slot that two links share belongs to one of them at each place.
  logic [3:0] x_plus_full, x_minus_full, x_plus_room, x_minus_room;
  logic [5:0] y_plus_full, y_minus_full, y_plus_room, y_minus_room;
  star_slots_to_vcs #(
      .Nonstar(1'b0),
      .W(2)
  ) u_x_full (
      .plus_wraps_i(x_last),
      .minus_wraps_i(x_first),
      .plus_extra_i(x_out_extra),
      .slots_i(out_full[5:0]),
      .vcs_o({x_minus_full, x_plus_full})
  );
  star_vcs_to_slots #(
      .Nonstar(1'b0),
      .W(2)
  ) u_x_room (
      .plus_wraps_i(x_last),
      .minus_wraps_i(x_first),
      .plus_extra_i(x_out_extra),
      .vcs_i({x_minus_room, x_plus_room}),
      .slots_o(room[5:0])
  );
  star_vcs_to_slots #(
      .Nonstar(1'b0),
      .W(2)
  ) u_x_sent (
      .plus_wraps_i(x_last),
      .minus_wraps_i(x_first),
      .plus_extra_i(x_out_extra),
      .vcs_i({x_minus_vc_o, x_plus_vc_o}),
      .slots_o(out_pop[5:0])
  );
  link_mux #(
      .Vcs(4),
      .Buffers(4),
      .FlitW(FlitW)
  ) u_x_plus (
      .clk_i,
      .rst_ni,
      .full_i(x_plus_full),
      .credit_i(x_plus_credit_i),
      .credit_o(x_plus_room),
      .valid_o(x_plus_valid_o),
      .vc_o(x_plus_vc_o),
      .select_i({out_pop[3:2] & {2{x_out_extra}}, out_pop[1:0]}),
      .flit_i(out_flit[0*FlitW+:4*FlitW]),
      .flit_o(x_plus_flit_o)
  );
  link_mux #(
      .Vcs(4),
      .Buffers(4),
      .FlitW(FlitW)
  ) u_x_minus (
      .clk_i,
      .rst_ni,
      .full_i(x_minus_full),
      .credit_i(x_minus_credit_i),
      .credit_o(x_minus_room),
      .valid_o(x_minus_valid_o),
      .vc_o(x_minus_vc_o),
      .select_i({out_pop[5:4], out_pop[3:2] & {2{~x_out_extra}}}),
      .flit_i(out_flit[2*FlitW+:4*FlitW]),
      .flit_o(x_minus_flit_o)
  );
  star_slots_to_vcs #(
      .Nonstar(1'b1),
      .W(2)
  ) u_y_full (
      .plus_wraps_i(y_last),
      .minus_wraps_i(y_first),
      .plus_extra_i(y_out_extra),
      .slots_i(out_full[15:6]),
      .vcs_o({y_minus_full, y_plus_full})
  );
  star_vcs_to_slots #(
      .Nonstar(1'b1),
      .W(2)
  ) u_y_room (
      .plus_wraps_i(y_last),
      .minus_wraps_i(y_first),
      .plus_extra_i(y_out_extra),
      .vcs_i({y_minus_room, y_plus_room}),
      .slots_o(room[15:6])
  );
  star_vcs_to_slots #(
      .Nonstar(1'b1),
      .W(2)
  ) u_y_sent (
      .plus_wraps_i(y_last),
      .minus_wraps_i(y_first),
      .plus_extra_i(y_out_extra),
      .vcs_i({y_minus_vc_o, y_plus_vc_o}),
      .slots_o(out_pop[15:6])
  );
  link_mux #(
      .Vcs(6),
      .Buffers(6),
      .FlitW(FlitW)
  ) u_y_plus (
      .clk_i,
      .rst_ni,
      .full_i(y_plus_full),
      .credit_i(y_plus_credit_i),
      .credit_o(y_plus_room),
      .valid_o(y_plus_valid_o),
      .vc_o(y_plus_vc_o),
      .select_i({out_pop[11:10] & {2{y_out_extra}}, out_pop[9:6]}),
      .flit_i(out_flit[6*FlitW+:6*FlitW]),
      .flit_o(y_plus_flit_o)
  );
  link_mux #(
      .Vcs(6),
      .Buffers(6),
      .FlitW(FlitW)
  ) u_y_minus (
      .clk_i,
      .rst_ni,
      .full_i(y_minus_full),
      .credit_i(y_minus_credit_i),
      .credit_o(y_minus_room),
      .valid_o(y_minus_valid_o),
      .vc_o(y_minus_vc_o),
      .select_i({out_pop[15:12], out_pop[11:10] & {2{~y_out_extra}}}),
      .flit_i(out_flit[10*FlitW+:6*FlitW]),
      .flit_o(y_minus_flit_o)
  );

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  direction_rules #(.FlitW(FlitW), .XVcs(4), .YVcs(6), .Depth(1)) u_directions (.*);
  terminal_rules #(.CoordW(CoordW), .FlitW(FlitW)) u_terminal (
      .*, .injection_vc_i(injection_valid_i), .consumption_vc_o(consumption_valid_o)
  );

  // A header on star 1 has crossed the wrap-around link of its dimension, one on star 0 has not.
  function automatic logic fits(input logic [3:0] stars, input logic [FlitW-1:0] flit, input logic y);
    fits = ~|stars | ~flit[FlitW-1] | (flit[2*CoordW+32'(y)] == |stars[3:2] && !flit[2*CoordW+2]);
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      HeadersInFitVcs_A: assert (&{
        fits(x_plus_vc_i, x_plus_flit_i, 1'b0),
        fits(x_minus_vc_i, x_minus_flit_i, 1'b0),
        fits(y_plus_vc_i[3:0], y_plus_flit_i, 1'b1),
        fits(y_minus_vc_i[3:0], y_minus_flit_i, 1'b1)
      });
      HeadersOutFitVcs_A: assert (&{
        fits(x_plus_vc_o, x_plus_flit_o, 1'b0),
        fits(x_minus_vc_o, x_minus_flit_o, 1'b0),
        fits(y_plus_vc_o[3:0], y_plus_flit_o, 1'b1),
        fits(y_minus_vc_o[3:0], y_minus_flit_o, 1'b1)
      });
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
