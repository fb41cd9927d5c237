`default_nettype none

// The virtual-channel router of a 2-D mesh in its basic form: input queues, dimension order, separable allocators,
// no output buffers. The same as node model input_queued with
//
//   lanes, injection_vcs, consumption_vcs: Vcs (at least 2)   input_depth: Depth   output_depth: 0
//   routing_delay: 0   vc_allocation_delay: 1   switch_allocation_delay: 0   traversal_delay: 1
//   vc_allocator, switch_allocator: separable_input_first, 1 iteration   arbiter: round_robin
//   release: tail_crossed
//
// on links of flit_delay 1 and credit_delay 1. A header at the front of its queue is routed and asks for every free
// VC of its output port. From the cycle after it got one on, its flits ask for the switch as long as there is room
// behind; a flit that gets it is on the link in the next cycle. Everything is decided on the state at the start of
// the cycle: a VC that a tail leaves, a place that a flit leaves, are free from the next cycle on.
//
// The terminal takes a flit in every cycle: consumption_ready_i is not looked at.
//
// Message classes: the ClassW bits of a header behind its state name the class of its packet, and ClassVcs which VCs
// of a link a class may take: Vcs bits each, those of class 0 first, 32 in all at most. Without classes (ClassW = 0)
// headers may take all.
module input_queued #(
    parameter int CoordW = 5,
    parameter int DataW = 16,
    parameter int Vcs = 4,
    parameter int Depth = 8,
    parameter int ClassW = 0,
    parameter int unsigned ClassVcs = 0,
    localparam int FlitW = DataW + 2
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [CoordW-1:0] x_i,
    input logic [CoordW-1:0] y_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input logic [CoordW-1:0] last_x_i,  // no link wraps: not needed
    input logic [CoordW-1:0] last_y_i,
    /* verilator lint_on UNUSEDSIGNAL */

    input  logic             x_plus_valid_i,
    input  logic [  Vcs-1:0] x_plus_vc_i,
    input  logic [FlitW-1:0] x_plus_flit_i,
    output logic [  Vcs-1:0] x_plus_credit_o,
    output logic             x_plus_valid_o,
    output logic [  Vcs-1:0] x_plus_vc_o,
    output logic [FlitW-1:0] x_plus_flit_o,
    input  logic [  Vcs-1:0] x_plus_credit_i,

    input  logic             x_minus_valid_i,
    input  logic [  Vcs-1:0] x_minus_vc_i,
    input  logic [FlitW-1:0] x_minus_flit_i,
    output logic [  Vcs-1:0] x_minus_credit_o,
    output logic             x_minus_valid_o,
    output logic [  Vcs-1:0] x_minus_vc_o,
    output logic [FlitW-1:0] x_minus_flit_o,
    input  logic [  Vcs-1:0] x_minus_credit_i,

    input  logic             y_plus_valid_i,
    input  logic [  Vcs-1:0] y_plus_vc_i,
    input  logic [FlitW-1:0] y_plus_flit_i,
    output logic [  Vcs-1:0] y_plus_credit_o,
    output logic             y_plus_valid_o,
    output logic [  Vcs-1:0] y_plus_vc_o,
    output logic [FlitW-1:0] y_plus_flit_o,
    input  logic [  Vcs-1:0] y_plus_credit_i,

    input  logic             y_minus_valid_i,
    input  logic [  Vcs-1:0] y_minus_vc_i,
    input  logic [FlitW-1:0] y_minus_flit_i,
    output logic [  Vcs-1:0] y_minus_credit_o,
    output logic             y_minus_valid_o,
    output logic [  Vcs-1:0] y_minus_vc_o,
    output logic [FlitW-1:0] y_minus_flit_o,
    input  logic [  Vcs-1:0] y_minus_credit_i,

    input  logic             injection_valid_i,
    input  logic [  Vcs-1:0] injection_vc_i,
    input  logic [FlitW-1:0] injection_flit_i,
    output logic [  Vcs-1:0] injection_credit_o,

    output logic             consumption_valid_o,
    output logic [  Vcs-1:0] consumption_vc_o,
    output logic [FlitW-1:0] consumption_flit_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic             consumption_ready_i
    /* verilator lint_on UNUSEDSIGNAL */
);

  // Ports in the order x_plus, x_minus, y_plus, y_minus, injection or consumption; input and output VC v of port p
  // is bit p*Vcs + v.
  localparam int Links = 4;
  localparam int Ports = Links + 1;
  localparam int N = Ports * Vcs;
  localparam int CreditW = $clog2(Depth + 1);
  localparam int HeadBit = DataW + 1;
  localparam int TailBit = DataW;
  localparam int StateW = 3;
  localparam int ClassBit = 2 * CoordW + StateW;
  localparam int Classes = 1 << ClassW;

  logic [      Ports-1:0] in_valid;
  logic [          N-1:0] in_vc;
  logic [Ports*FlitW-1:0] in_flit;
  assign in_valid = {
    injection_valid_i, y_minus_valid_i, y_plus_valid_i, x_minus_valid_i, x_plus_valid_i
  };
  assign in_vc = {injection_vc_i, y_minus_vc_i, y_plus_vc_i, x_minus_vc_i, x_plus_vc_i};
  assign in_flit = {injection_flit_i, y_minus_flit_i, y_plus_flit_i, x_minus_flit_i, x_plus_flit_i};

  // Input buffers and route computation
  logic [      N-1:0] full;     // holds a flit
  logic [N*FlitW-1:0] front;    // the foremost one
  logic [      N-1:0] granted;  // and it leaves in this cycle
  logic [N*Ports-1:0] route;    // where to, if it is a header: one-hot
  for (genvar i = 0; i < N; i++) begin : gen_input
    input_fifo #(
        .Width(FlitW),
        .Depth(Depth)
    ) u_input_fifo (
        .clk_i,
        .rst_ni,
        .push_i (in_valid[i/Vcs] & in_vc[i]),
        .flit_i (in_flit[(i/Vcs)*FlitW+:FlitW]),
        .pop_i  (granted[i]),
        .valid_o(full[i]),
        .flit_o (front[i*FlitW+:FlitW])
    );
    dimension_order_route #(
        .CoordW(CoordW)
    ) u_route (
        .x_i,
        .y_i,
        .dst_x_i(front[i*FlitW+:CoordW]),
        .dst_y_i(front[i*FlitW+CoordW+:CoordW]),
        .port_o (route[i*Ports+:Ports])
    );
  end
  assign {injection_credit_o, y_minus_credit_o, y_plus_credit_o, x_minus_credit_o, x_plus_credit_o} = granted;

  // VC allocation: input VCs and output VCs
  logic [      N-1:0] connected_q, connected_d;      // the input has an output VC,
  logic [N*Ports-1:0] out_port_q, out_port_d;        // of this port,
  logic [  N*Vcs-1:0] out_vc_q, out_vc_d;            // with this number; both one-hot
  logic [      N-1:0] busy_q, busy_d;                // the output VC belongs to a worm
  logic [      N-1:0] released;                      // whose tail leaves in this cycle
  logic [    N*N-1:0] vc_request, vc_grant;          // [input * N + output]
  always_comb begin
    vc_request = '0;
    for (int i = 0; i < N; i++) begin
      for (int o = 0; o < N; o++) begin
        vc_request[i*N+o] = full[i] & front[i*FlitW+HeadBit] & ~connected_q[i] & route[i*Ports+o/Vcs] & ~busy_q[o];
      end
    end
  end
  // VCs of a link that the class of a header may take; where it ends it may take all.
  logic [N*N-1:0] vc_allowed;
  if (ClassW == 0) begin : gen_one_class
    assign vc_allowed = '1;
  end else begin : gen_classes
    always_comb begin
      vc_allowed = '1;
      for (int i = 0; i < N; i++) begin
        for (int o = 0; o < Links * Vcs; o++) begin
          for (int c = 0; c < Classes; c++) begin
            if (front[i*FlitW+ClassBit+:ClassW] == ClassW'(c)) vc_allowed[i*N+o] = ClassVcs[c*Vcs+o%Vcs];
          end
        end
      end
    end
  end
  separable_input_first #(
      .Requesters(N),
      .Resources (N),
      .Groups    (N)
  ) u_vc_allocator (
      .clk_i,
      .rst_ni,
      .request_i(vc_request & vc_allowed),
      .grant_o  (vc_grant)
  );
  always_comb begin
    connected_d = connected_q;
    out_port_d  = out_port_q;
    out_vc_d    = out_vc_q;
    busy_d      = busy_q & ~released;
    for (int i = 0; i < N; i++) begin
      if (granted[i] && front[i*FlitW+TailBit]) connected_d[i] = 1'b0;
      if (vc_grant[i*N+:N] != '0) begin
        connected_d[i] = 1'b1;
        out_port_d[i*Ports+:Ports] = '0;
        out_vc_d[i*Vcs+:Vcs] = '0;
        for (int o = 0; o < N; o++) begin
          if (vc_grant[i*N+o]) begin
            out_port_d[i*Ports+o/Vcs] = 1'b1;
            out_vc_d[i*Vcs+o%Vcs] = 1'b1;
            busy_d[o] = 1'b1;
          end
        end
      end
    end
  end

  // Switch allocation: input ports and output ports, for flits with room behind their output VC
  logic [          N-1:0] room;
  logic [    N*Ports-1:0] switch_request, switch_grant;  // [input * Ports + output port]
  logic [Ports*Ports-1:0] switch;                        // [input port * Ports + output port]
  always_comb begin
    switch_request = '0;
    for (int i = 0; i < N; i++) begin
      for (int p = 0; p < Ports; p++) begin
        switch_request[i*Ports+p] = full[i] & connected_q[i] & out_port_q[i*Ports+p] &
            ((out_vc_q[i*Vcs+:Vcs] & room[p*Vcs+:Vcs]) != '0);
      end
    end
  end
  separable_input_first #(
      .Requesters(N),
      .Resources (Ports),
      .Groups    (Ports)
  ) u_switch_allocator (
      .clk_i,
      .rst_ni,
      .request_i(switch_request),
      .grant_o  (switch_grant)
  );
  always_comb begin
    granted = '0;
    switch  = '0;
    for (int i = 0; i < N; i++) begin
      granted[i] = switch_grant[i*Ports+:Ports] != '0;
      for (int p = 0; p < Ports; p++) begin
        if (switch_grant[i*Ports+p]) switch[(i/Vcs)*Ports+p] = 1'b1;
      end
    end
  end

  // Crossbar: of an input port the VC that got the switch, of an output port the input port that did
  logic [Ports*FlitW-1:0] chosen_flit;
  logic [          N-1:0] chosen_vc;
  logic [Ports*FlitW-1:0] sent_flit;
  logic [          N-1:0] sent_vc;
  always_comb begin
    chosen_flit = '0;
    chosen_vc   = '0;
    for (int i = 0; i < N; i++) begin
      if (granted[i]) begin
        chosen_flit[(i/Vcs)*FlitW+:FlitW] = chosen_flit[(i/Vcs)*FlitW+:FlitW] | front[i*FlitW+:FlitW];
        chosen_vc[(i/Vcs)*Vcs+:Vcs] = chosen_vc[(i/Vcs)*Vcs+:Vcs] | out_vc_q[i*Vcs+:Vcs];
      end
    end
    sent_flit = '0;
    sent_vc   = '0;
    for (int g = 0; g < Ports; g++) begin
      for (int p = 0; p < Ports; p++) begin
        if (switch[g*Ports+p]) begin
          sent_flit[p*FlitW+:FlitW] = sent_flit[p*FlitW+:FlitW] | chosen_flit[g*FlitW+:FlitW];
          sent_vc[p*Vcs+:Vcs] = sent_vc[p*Vcs+:Vcs] | chosen_vc[g*Vcs+:Vcs];
        end
      end
    end
    released = '0;
    for (int p = 0; p < Ports; p++) begin
      if (sent_flit[p*FlitW+TailBit]) released[p*Vcs+:Vcs] = sent_vc[p*Vcs+:Vcs];
    end
  end

  // Credits: places behind the output VCs of the links; the terminal always has room
  logic [        Links*Vcs-1:0] credit;
  logic [Links*Vcs*CreditW-1:0] credits_q, credits_d;
  assign credit = {y_minus_credit_i, y_plus_credit_i, x_minus_credit_i, x_plus_credit_i};
  always_comb begin
    credits_d = credits_q;
    room      = '1;
    for (int o = 0; o < Links * Vcs; o++) begin
      room[o] = credits_q[o*CreditW+:CreditW] != '0;
      if (credit[o] && !sent_vc[o]) credits_d[o*CreditW+:CreditW] = credits_q[o*CreditW+:CreditW] + CreditW'(1);
      if (sent_vc[o] && !credit[o]) credits_d[o*CreditW+:CreditW] = credits_q[o*CreditW+:CreditW] - CreditW'(1);
    end
  end

  // Traversal: the registers of the links
  logic [      Ports-1:0] out_valid_q, out_valid_d;
  logic [          N-1:0] link_vc_q;
  logic [Ports*FlitW-1:0] link_flit_q;
  always_comb begin
    out_valid_d = '0;
    for (int p = 0; p < Ports; p++) out_valid_d[p] = sent_vc[p*Vcs+:Vcs] != '0;
  end
  assign {consumption_valid_o, y_minus_valid_o, y_plus_valid_o, x_minus_valid_o, x_plus_valid_o} = out_valid_q;
  assign {consumption_vc_o, y_minus_vc_o, y_plus_vc_o, x_minus_vc_o, x_plus_vc_o} = link_vc_q;
  assign {consumption_flit_o, y_minus_flit_o, y_plus_flit_o, x_minus_flit_o, x_plus_flit_o} = link_flit_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      connected_q <= '0;
      out_port_q  <= '0;
      out_vc_q    <= '0;
      busy_q      <= '0;
      credits_q   <= {Links * Vcs{CreditW'(Depth)}};
      out_valid_q <= '0;
      link_vc_q   <= '0;
      link_flit_q <= '0;
    end else begin
      connected_q <= connected_d;
      out_port_q  <= out_port_d;
      out_vc_q    <= out_vc_d;
      busy_q      <= busy_d;
      credits_q   <= credits_d;
      out_valid_q <= out_valid_d;
      link_vc_q   <= sent_vc;
      link_flit_q <= sent_flit;
    end
  end

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  direction_rules #(.FlitW(FlitW), .XVcs(Vcs), .YVcs(Vcs), .Depth(Depth)) u_directions (.*);
  terminal_rules #(.CoordW(CoordW), .FlitW(FlitW), .Vcs(Vcs), .Depth(Depth)) u_terminal (
      .*, .consumption_ready_i(1'b1)
  );

  // The output VC of each input that has one, and whether two have the same.
  function automatic logic [N:0] owned(input logic [N-1:0] connected, input logic [N*Ports-1:0] ports,
                                       input logic [N*Vcs-1:0] vcs);
    logic [N-1:0] mine;
    owned = '0;
    for (int i = 0; i < N; i++) begin
      for (int p = 0; p < Ports; p++) begin
        mine[p*Vcs+:Vcs] = vcs[i*Vcs+:Vcs] & {Vcs{connected[i] & ports[i*Ports+p]}};
      end
      owned = {owned[N] | |(owned[N-1:0] & mine), owned[N-1:0] | mine};
    end
  endfunction
  function automatic logic one_each(input logic [N-1:0] connected, input logic [N*Ports-1:0] ports,
                                    input logic [N*Vcs-1:0] vcs);
    one_each = 1'b1;
    for (int i = 0; i < N; i++)
      one_each = one_each & (~connected[i] | ($onehot(ports[i*Ports+:Ports]) & $onehot(vcs[i*Vcs+:Vcs])));
  endfunction
  function automatic logic [N-1:0] heads(input logic [N*FlitW-1:0] flits);
    for (int i = 0; i < N; i++) heads[i] = flits[i*FlitW+HeadBit];
  endfunction
  function automatic logic in_range(input logic [Links*Vcs*CreditW-1:0] counts);
    in_range = 1'b1;
    for (int o = 0; o < Links * Vcs; o++) in_range = in_range & (32'(counts[o*CreditW+:CreditW]) <= Depth);
  endfunction
  function automatic logic [Links*Vcs-1:0] all_home(input logic [Links*Vcs*CreditW-1:0] counts);
    for (int o = 0; o < Links * Vcs; o++) all_home[o] = 32'(counts[o*CreditW+:CreditW]) == Depth;
  endfunction
  // A header has no state, and leaves where its destination is: in y only if that is in this column.
  function automatic logic fits(input logic [FlitW-1:0] flit, input logic right);
    fits = ~flit[HeadBit] | (right & ~|flit[2*CoordW+:3]);
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OutputVcOfOneInput_A: assert (owned(connected_q, out_port_q, out_vc_q) == {1'b0, busy_q});
      OneOutputVc_A: assert (one_each(connected_q, out_port_q, out_vc_q));
      BodyIsConnected_A: assert (~|(full & ~heads(front) & ~connected_q));
      CreditsInRange_A: assert (in_range(credits_q));
      CreditWasSpent_A: assert (~|(credit & all_home(credits_q)));
      SendsWithCredit_A: assert (~|(sent_vc & ~room));
      PopFromFull_A: assert (~|(granted & ~full));
      HeadersGoRight_A: assert (&{
        fits(x_plus_flit_o, x_plus_flit_o[0+:CoordW] > x_i),
        fits(x_minus_flit_o, x_minus_flit_o[0+:CoordW] < x_i),
        fits(y_plus_flit_o, y_plus_flit_o[0+:2*CoordW] > {y_i, x_i} && y_plus_flit_o[0+:CoordW] == x_i),
        fits(y_minus_flit_o, y_minus_flit_o[0+:2*CoordW] < {y_i, x_i} && y_minus_flit_o[0+:CoordW] == x_i)
      });
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
