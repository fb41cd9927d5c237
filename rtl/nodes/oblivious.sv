`default_nettype none

// Oblivious node (Gravano et al. 1994, V.A and V.C): links in one direction only, two of them, each with high and
// low lanes; one crossbar that makes all possible connections in a cycle. The same as node model oblivious with
// node.vc_allocator: separable_input_first, 1 iteration, round-robin arbiters.
//
// Link l of a direction carries the lanes l and l+2: high, high, low, low. A header takes any lane of its class.
module oblivious #(
    parameter int CoordW = 5,
    parameter int DataW  = 16,
    localparam int FlitW = DataW + 2
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [CoordW-1:0] x_i,
    input logic [CoordW-1:0] y_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input logic [CoordW-1:0] last_x_i,  // not needed: worms compare coordinates only
    input logic [CoordW-1:0] last_y_i,
    /* verilator lint_on UNUSEDSIGNAL */

    input  logic             x_minus_0_valid_i,
    input  logic       [3:0] x_minus_0_vc_i,
    input  logic [FlitW-1:0] x_minus_0_flit_i,
    output logic       [3:0] x_minus_0_credit_o,
    output logic             x_minus_0_valid_o,
    output logic       [3:0] x_minus_0_vc_o,
    output logic [FlitW-1:0] x_minus_0_flit_o,
    input  logic       [3:0] x_minus_0_credit_i,

    input  logic             x_minus_1_valid_i,
    input  logic       [3:0] x_minus_1_vc_i,
    input  logic [FlitW-1:0] x_minus_1_flit_i,
    output logic       [3:0] x_minus_1_credit_o,
    output logic             x_minus_1_valid_o,
    output logic       [3:0] x_minus_1_vc_o,
    output logic [FlitW-1:0] x_minus_1_flit_o,
    input  logic       [3:0] x_minus_1_credit_i,

    input  logic             y_minus_0_valid_i,
    input  logic       [3:0] y_minus_0_vc_i,
    input  logic [FlitW-1:0] y_minus_0_flit_i,
    output logic       [3:0] y_minus_0_credit_o,
    output logic             y_minus_0_valid_o,
    output logic       [3:0] y_minus_0_vc_o,
    output logic [FlitW-1:0] y_minus_0_flit_o,
    input  logic       [3:0] y_minus_0_credit_i,

    input  logic             y_minus_1_valid_i,
    input  logic       [3:0] y_minus_1_vc_i,
    input  logic [FlitW-1:0] y_minus_1_flit_i,
    output logic       [3:0] y_minus_1_credit_o,
    output logic             y_minus_1_valid_o,
    output logic       [3:0] y_minus_1_vc_o,
    output logic [FlitW-1:0] y_minus_1_flit_o,
    input  logic       [3:0] y_minus_1_credit_i,

    input  logic             injection_valid_i,
    input  logic [FlitW-1:0] injection_flit_i,
    output logic             injection_credit_o,
    output logic             consumption_valid_o,
    output logic [FlitW-1:0] consumption_flit_o,
    input  logic             consumption_ready_i
);
  localparam int Links = 4;
  localparam int Vcs = 4;  // per link
  localparam int Slots = Links * Vcs;
  localparam int N = Slots + 1;  // and injection or consumption

  // Input buffers
  logic [N-1:0] in_push, in_full, in_connected, in_pop;
  logic [(Links+1)*FlitW-1:0] arriving;
  logic [N*FlitW-1:0] in_flit;
  assign in_push = {
    injection_valid_i,
    y_minus_1_vc_i & {Vcs{y_minus_1_valid_i}},
    y_minus_0_vc_i & {Vcs{y_minus_0_valid_i}},
    x_minus_1_vc_i & {Vcs{x_minus_1_valid_i}},
    x_minus_0_vc_i & {Vcs{x_minus_0_valid_i}}
  };
  assign arriving = {injection_flit_i, y_minus_1_flit_i, y_minus_0_flit_i, x_minus_1_flit_i, x_minus_0_flit_i};
  for (genvar i = 0; i < N; i++) begin : gen_input
    input_buffer #(
        .FlitW(FlitW)
    ) u_buffer (
        .clk_i,
        .rst_ni,
        .push_i(in_push[i]),
        .flit_i(arriving[(i/Vcs)*FlitW+:FlitW]),
        .pop_i(in_pop[i]),
        .full_o(in_full[i]),
        .flit_o(in_flit[i*FlitW+:FlitW])
    );
  end
  assign {
    injection_credit_o, y_minus_1_credit_o, y_minus_0_credit_o, x_minus_1_credit_o, x_minus_0_credit_o
  } = in_pop;

  // Route computation, VC allocation and crossbar
  logic [N-1:0] out_full, out_busy, out_push;
  logic [N*N-1:0] request, connect;
  logic [N*FlitW-1:0] crossed;
  for (genvar i = 0; i < N; i++) begin : gen_route
    logic x_high, x_low, y_high, y_low, arrived, waiting;
    oblivious_route #(
        .CoordW(CoordW)
    ) u_route (
        .x_i,
        .y_i,
        .dst_x_i(in_flit[i*FlitW+:CoordW]),
        .dst_y_i(in_flit[i*FlitW+CoordW+:CoordW]),
        .x_high_o(x_high),
        .x_low_o(x_low),
        .y_high_o(y_high),
        .y_low_o(y_low),
        .arrived_o(arrived)
    );
    assign waiting = in_full[i] & in_flit[i*FlitW+FlitW-1] & ~in_connected[i];
    assign request[i*N+:N] =
        {arrived, {2{{2{y_low}}, {2{y_high}}}}, {2{{2{x_low}}, {2{x_high}}}}} & {N{waiting}} & ~out_busy;
  end
  separable_input_first #(
      .Requesters(N),
      .Resources(N)
  ) u_vc_allocator (
      .clk_i,
      .rst_ni,
      .request_i(request),
      .grant_o(connect)
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

  // Output buffers
  logic [N-1:0] out_pop;
  logic [N*FlitW-1:0] out_flit;
  for (genvar o = 0; o < N; o++) begin : gen_output
    output_buffer #(
        .FlitW(FlitW)
    ) u_buffer (
        .clk_i,
        .rst_ni,
        .push_i(out_push[o]),
        .flit_i(crossed[o*FlitW+:FlitW]),
        .pop_i(out_pop[o]),
        .full_o(out_full[o]),
        .flit_o(out_flit[o*FlitW+:FlitW])
    );
  end
  assign out_pop = {consumption_ready_i, y_minus_1_vc_o, y_minus_0_vc_o, x_minus_1_vc_o, x_minus_0_vc_o};
  assign consumption_valid_o = out_full[Slots];
  assign consumption_flit_o = out_flit[Slots*FlitW+:FlitW] & {FlitW{out_full[Slots]}};

  // Links
  logic [Vcs-1:0] unused_x_minus_0_room;
  link_mux #(
      .Vcs(Vcs),
      .Buffers(Vcs),
      .FlitW(FlitW)
  ) u_x_minus_0 (
      .clk_i,
      .rst_ni,
      .full_i(out_full[0*Vcs+:Vcs]),
      .credit_i(x_minus_0_credit_i),
      .credit_o(unused_x_minus_0_room),
      .valid_o(x_minus_0_valid_o),
      .vc_o(x_minus_0_vc_o),
      .select_i(x_minus_0_vc_o),
      .flit_i(out_flit[0*Vcs*FlitW+:Vcs*FlitW]),
      .flit_o(x_minus_0_flit_o)
  );
  logic [Vcs-1:0] unused_x_minus_1_room;
  link_mux #(
      .Vcs(Vcs),
      .Buffers(Vcs),
      .FlitW(FlitW)
  ) u_x_minus_1 (
      .clk_i,
      .rst_ni,
      .full_i(out_full[1*Vcs+:Vcs]),
      .credit_i(x_minus_1_credit_i),
      .credit_o(unused_x_minus_1_room),
      .valid_o(x_minus_1_valid_o),
      .vc_o(x_minus_1_vc_o),
      .select_i(x_minus_1_vc_o),
      .flit_i(out_flit[1*Vcs*FlitW+:Vcs*FlitW]),
      .flit_o(x_minus_1_flit_o)
  );
  logic [Vcs-1:0] unused_y_minus_0_room;
  link_mux #(
      .Vcs(Vcs),
      .Buffers(Vcs),
      .FlitW(FlitW)
  ) u_y_minus_0 (
      .clk_i,
      .rst_ni,
      .full_i(out_full[2*Vcs+:Vcs]),
      .credit_i(y_minus_0_credit_i),
      .credit_o(unused_y_minus_0_room),
      .valid_o(y_minus_0_valid_o),
      .vc_o(y_minus_0_vc_o),
      .select_i(y_minus_0_vc_o),
      .flit_i(out_flit[2*Vcs*FlitW+:Vcs*FlitW]),
      .flit_o(y_minus_0_flit_o)
  );
  logic [Vcs-1:0] unused_y_minus_1_room;
  link_mux #(
      .Vcs(Vcs),
      .Buffers(Vcs),
      .FlitW(FlitW)
  ) u_y_minus_1 (
      .clk_i,
      .rst_ni,
      .full_i(out_full[3*Vcs+:Vcs]),
      .credit_i(y_minus_1_credit_i),
      .credit_o(unused_y_minus_1_room),
      .valid_o(y_minus_1_valid_o),
      .vc_o(y_minus_1_vc_o),
      .select_i(y_minus_1_vc_o),
      .flit_i(out_flit[3*Vcs*FlitW+:Vcs*FlitW]),
      .flit_o(y_minus_1_flit_o)
  );

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  link_rules #(.Vcs(Vcs), .Depth(1), .FlitW(FlitW)) u_x_minus_0_in_rules (
      .clk_i, .rst_ni, .valid_i(x_minus_0_valid_i), .vc_i(x_minus_0_vc_i),
      .flit_i(x_minus_0_flit_i), .credit_i(x_minus_0_credit_o)
  );
  link_rules #(.Vcs(Vcs), .Depth(1), .FlitW(FlitW)) u_x_minus_0_out_rules (
      .clk_i, .rst_ni, .valid_i(x_minus_0_valid_o), .vc_i(x_minus_0_vc_o),
      .flit_i(x_minus_0_flit_o), .credit_i(x_minus_0_credit_i)
  );
  link_rules #(.Vcs(Vcs), .Depth(1), .FlitW(FlitW)) u_x_minus_1_in_rules (
      .clk_i, .rst_ni, .valid_i(x_minus_1_valid_i), .vc_i(x_minus_1_vc_i),
      .flit_i(x_minus_1_flit_i), .credit_i(x_minus_1_credit_o)
  );
  link_rules #(.Vcs(Vcs), .Depth(1), .FlitW(FlitW)) u_x_minus_1_out_rules (
      .clk_i, .rst_ni, .valid_i(x_minus_1_valid_o), .vc_i(x_minus_1_vc_o),
      .flit_i(x_minus_1_flit_o), .credit_i(x_minus_1_credit_i)
  );
  link_rules #(.Vcs(Vcs), .Depth(1), .FlitW(FlitW)) u_y_minus_0_in_rules (
      .clk_i, .rst_ni, .valid_i(y_minus_0_valid_i), .vc_i(y_minus_0_vc_i),
      .flit_i(y_minus_0_flit_i), .credit_i(y_minus_0_credit_o)
  );
  link_rules #(.Vcs(Vcs), .Depth(1), .FlitW(FlitW)) u_y_minus_0_out_rules (
      .clk_i, .rst_ni, .valid_i(y_minus_0_valid_o), .vc_i(y_minus_0_vc_o),
      .flit_i(y_minus_0_flit_o), .credit_i(y_minus_0_credit_i)
  );
  link_rules #(.Vcs(Vcs), .Depth(1), .FlitW(FlitW)) u_y_minus_1_in_rules (
      .clk_i, .rst_ni, .valid_i(y_minus_1_valid_i), .vc_i(y_minus_1_vc_i),
      .flit_i(y_minus_1_flit_i), .credit_i(y_minus_1_credit_o)
  );
  link_rules #(.Vcs(Vcs), .Depth(1), .FlitW(FlitW)) u_y_minus_1_out_rules (
      .clk_i, .rst_ni, .valid_i(y_minus_1_valid_o), .vc_i(y_minus_1_vc_o),
      .flit_i(y_minus_1_flit_o), .credit_i(y_minus_1_credit_i)
  );
  terminal_rules #(.CoordW(CoordW), .FlitW(FlitW)) u_terminal (
      .*, .injection_vc_i(injection_valid_i), .consumption_vc_o(consumption_valid_o)
  );

  // A header has no state. It leaves on a high lane if its destination lies above, else on a low one.
  function automatic logic fits(input logic [3:0] vc, input logic [FlitW-1:0] flit, input logic high, input logic low);
    fits = ~|vc | ~flit[FlitW-1] | (~|flit[2*CoordW+:3] & (|vc[1:0] ? high : low));
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      HeadersInFitVcs_A: assert (&{
        fits(x_minus_0_vc_i, x_minus_0_flit_i, 1'b1, 1'b1),
        fits(x_minus_1_vc_i, x_minus_1_flit_i, 1'b1, 1'b1),
        fits(y_minus_0_vc_i, y_minus_0_flit_i, 1'b1, 1'b1),
        fits(y_minus_1_vc_i, y_minus_1_flit_i, 1'b1, 1'b1)
      });
      HeadersOutFitVcs_A: assert (&{
        fits(x_minus_0_vc_o, x_minus_0_flit_o,
             x_i < x_minus_0_flit_o[0+:CoordW], x_i > x_minus_0_flit_o[0+:CoordW]),
        fits(x_minus_1_vc_o, x_minus_1_flit_o,
             x_i < x_minus_1_flit_o[0+:CoordW], x_i > x_minus_1_flit_o[0+:CoordW]),
        fits(y_minus_0_vc_o, y_minus_0_flit_o,
             y_i < y_minus_0_flit_o[CoordW+:CoordW], y_i > y_minus_0_flit_o[CoordW+:CoordW]),
        fits(y_minus_1_vc_o, y_minus_1_flit_o,
             y_i < y_minus_1_flit_o[CoordW+:CoordW], y_i > y_minus_1_flit_o[CoordW+:CoordW])
      });
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
