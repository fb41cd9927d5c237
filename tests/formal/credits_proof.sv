`default_nettype none

// Credits of a link whose buffers hold one flit: sender and receiver as they are in rtl/, wires of some cycles between
// them. On every VC the credit is in one place: with the sender, on the wires with a flit, in the buffer behind them, or
// on the way back. None is lost, none is made, and no flit comes to a full buffer.
//
// The environment pushes where there is room, packets whole, and empties the buffers behind the link as it likes.
module credits_proof #(
    parameter int  Vcs       = 3,
    parameter int  Delay     = 1,  // cycles that flits and pulses are under way, besides that in which they are sent
    localparam int FlitW     = 3
) (
    input  logic             clk_i,
    input  logic [  Vcs-1:0] push_i,
    input  logic [FlitW-1:0] flit_i,
    input  logic [  Vcs-1:0] pop_i,
    output logic             goal_all_behind_o,
    output logic             goal_both_ways_o,
    output logic             goal_again_o
);
  logic rst_ni;
  initial rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  (* tap = "gen_vc[Vcs].u_output_buffer.u_rules.within_q" *) logic [Vcs-1:0] sender_within;
  (* tap = "gen_vc[Vcs].u_input_buffer.u_rules.within_q" *) logic [Vcs-1:0] receiver_within;
  (* tap = "u_rules_there.within_q" *) logic [Vcs-1:0] there_within;
  (* tap = "u_rules_here.within_q" *) logic [Vcs-1:0] here_within;
  (* tap = "u_rules_there.gen_one.held_q" *) logic [Vcs-1:0] there_held;
  (* tap = "u_rules_here.gen_one.held_q" *) logic [Vcs-1:0] here_held;

  // Sender
  logic [Vcs-1:0] out_full, credit, sent, returned;
  logic [Vcs*FlitW-1:0] out_flit;
  logic valid;
  logic [FlitW-1:0] flit;
  link_mux #(
      .Vcs(Vcs),
      .Buffers(Vcs),
      .FlitW(FlitW)
  ) u_mux (
      .clk_i,
      .rst_ni,
      .full_i(out_full),
      .credit_i(returned),
      .credit_o(credit),
      .valid_o(valid),
      .vc_o(sent),
      .select_i(sent),
      .flit_i(out_flit),
      .flit_o(flit)
  );

  // Wires: stage 0 is nearest to the sender.
  logic [Delay*Vcs-1:0] vcs_q, pulses_q;
  logic [Delay*FlitW-1:0] flits_q;
  logic [Vcs-1:0] arrived, freed, in_full;
  logic [FlitW-1:0] arriving;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vcs_q <= '0;
      flits_q <= '0;
      pulses_q <= '0;
    end else begin
      vcs_q <= (Delay * Vcs)'({vcs_q, sent});
      flits_q <= (Delay * FlitW)'({flits_q, flit});
      pulses_q <= (Delay * Vcs)'({pulses_q, freed});
    end
  end
  assign arrived = vcs_q[(Delay-1)*Vcs+:Vcs];
  assign arriving = flits_q[(Delay-1)*FlitW+:FlitW];
  assign returned = pulses_q[(Delay-1)*Vcs+:Vcs];
  assign freed = pop_i & in_full;

  // The same rules at both ends
  link_rules #(.Vcs(Vcs), .FlitW(FlitW)) u_rules_here (
      .clk_i, .rst_ni, .valid_i(valid), .vc_i(sent), .flit_i(flit), .credit_i(returned)
  );
  link_rules #(.Vcs(Vcs), .FlitW(FlitW)) u_rules_there (
      .clk_i, .rst_ni, .valid_i(|arrived), .vc_i(arrived), .flit_i(arriving), .credit_i(freed)
  );

  // Receiver
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [FlitW-1:0] unused_flit;
    output_buffer #(
        .FlitW(FlitW)
    ) u_output_buffer (
        .clk_i,
        .rst_ni,
        .push_i(push_i[v]),
        .flit_i,
        .pop_i(sent[v]),
        .full_o(out_full[v]),
        .flit_o(out_flit[v*FlitW+:FlitW])
    );
    input_buffer #(
        .FlitW(FlitW)
    ) u_input_buffer (
        .clk_i,
        .rst_ni,
        .push_i(arrived[v]),
        .flit_i(arriving),
        .pop_i(freed[v]),
        .full_o(in_full[v]),
        .flit_o(unused_flit)
    );
  end

  // Where the credit of each VC is
  logic [Vcs-1:0] within_q, returned_q, wrong;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      within_q <= '0;
      returned_q <= '0;
    end else begin
      within_q <= (within_q & ~push_i) | (push_i & {Vcs{~flit_i[FlitW-2]}});
      returned_q <= returned_q | returned;
    end
  end
  function automatic logic [31:0] count(input logic [Delay*Vcs-1:0] stages, input int vc);
    count = '0;
    for (int n = 0; n < Delay; n++) count = count + 32'(stages[n*Vcs+vc]);
  endfunction
  always_comb begin
    for (int v = 0; v < Vcs; v++)
      wrong[v] = 32'(credit[v]) + count(vcs_q, v) + 32'(in_full[v]) + count(pulses_q, v) != 1;
  end

  always_comb begin
    assume ($onehot0(push_i));
    assume (~|(push_i & out_full));
    assume (~|(push_i & ({Vcs{flit_i[FlitW-1]}} ~^ within_q)));
    if (rst_ni) begin
      assert (~|wrong);
      assert (~|(arrived & in_full));
      assert (~|(returned & credit));
    end
  end

`ifdef INVARIANTS
  // A flit under way is the header of its packet if none of it has come there, on every place of the way: the flits of
  // one VC are never more than one behind the sender.
  logic [Vcs-1:0] out_head, out_tail, way_head, way_tail, way, way_there;
  logic way_empty;
  always_comb begin
    way = '0;
    way_there = '0;
    way_head = '0;
    way_tail = '0;
    way_empty = 1'b1;
    for (int v = 0; v < Vcs; v++) begin
      out_head[v] = out_flit[v*FlitW+FlitW-1];
      out_tail[v] = out_flit[v*FlitW+FlitW-2];
    end
    for (int n = 0; n < Delay; n++) begin
      way = way | vcs_q[n*Vcs+:Vcs];
      way_head = way_head | (vcs_q[n*Vcs+:Vcs] & {Vcs{flits_q[n*FlitW+FlitW-1]}});
      way_tail = way_tail | (vcs_q[n*Vcs+:Vcs] & {Vcs{flits_q[n*FlitW+FlitW-2]}});
      if (!$onehot0(vcs_q[n*Vcs+:Vcs])) way_empty = 1'b0;
      if (~|vcs_q[n*Vcs+:Vcs] && |flits_q[n*FlitW+:FlitW]) way_empty = 1'b0;
    end
    if (rst_ni) begin
      assert (way_empty);
      assert (here_held == ~credit);
      assert (there_held == in_full);
      assert (sender_within == within_q);
      assert (there_within == receiver_within);
      for (int v = 0; v < Vcs; v++) begin
        // The buffer, then the way: each carries on where the one before it is.
        if (out_full[v]) assert (within_q[v] == ~out_tail[v] && here_within[v] == ~out_head[v]);
        else assert (within_q[v] == here_within[v]);
        if (way[v]) assert (here_within[v] == ~way_tail[v] && there_within[v] == ~way_head[v]);
        else assert (here_within[v] == there_within[v]);
      end
    end
  end
`endif

  assign goal_all_behind_o = rst_ni && &in_full && &out_full;
  assign goal_both_ways_o = rst_ni && |vcs_q && |pulses_q;
  assign goal_again_o = rst_ni && |(returned_q & sent);
endmodule

`default_nettype wire
