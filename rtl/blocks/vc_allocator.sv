`default_nettype none

// VC allocation of one crossbar (Gravano et al. 1994, V.C, task Connect): scans the inputs, from the one after
// the last served, for the first header with a free output that it may take. One new connection per cycle.
//
// The last output is the consumption channel, which the crossbars of a router may share: `consumption_request_o`
// says that the header found wants it; without `consumption_grant_i` the scan goes on as if it were taken. A
// header wants either the consumption channel or links, never both.
module vc_allocator #(
    parameter int Inputs   = 3,
    parameter int Outputs  = 3,
    parameter bit Rotating = 1'b1  // among several outputs: 1: first after the one chosen last; 0: lowest
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [Inputs-1:0]         waiting_i,    // a header that has no connection
    input  logic [Inputs*Outputs-1:0] wanted_i,     // a row per input: the outputs that its header may take
    input  logic [Outputs-1:0]        available_i,  // may be taken now
    output logic                      consumption_request_o,
    input  logic                      consumption_grant_i,
    output logic [Inputs*Outputs-1:0] connect_o     // the new connection; rows as above
);
  logic [Inputs-1:0] bids, bids_for_links, arrived;
  logic [Inputs-1:0] scan_q, scan_d;
  logic [Inputs-1:0] first, first_next;
  logic [Inputs-1:0] first_for_links, first_for_links_next;
  logic [Inputs-1:0] served;
  logic              refused;
  logic [Outputs-1:0] options, chosen;

  // What the headers could take.
  for (genvar i = 0; i < Inputs; i++) begin : gen_bid
    logic [Outputs-1:0] free;
    assign free = wanted_i[i*Outputs+:Outputs] & available_i;
    assign arrived[i] = waiting_i[i] & free[Outputs-1];
    assign bids_for_links[i] = waiting_i[i] & |free[Outputs-2:0];
    assign bids[i] = arrived[i] | bids_for_links[i];
  end

  // The scan, with the consumption channel and without it.
  round_robin_pick #(
      .N(Inputs)
  ) u_scan (
      .request_i(bids),
      .pointer_i(scan_q),
      .grant_o(first),
      .next_o(first_next)
  );
  round_robin_pick #(
      .N(Inputs)
  ) u_scan_for_links (
      .request_i(bids_for_links),
      .pointer_i(scan_q),
      .grant_o(first_for_links),
      .next_o(first_for_links_next)
  );

  assign consumption_request_o = |(first & arrived);
  assign refused = consumption_request_o & ~consumption_grant_i;
  assign served = refused ? first_for_links : first;
  assign scan_d = refused ? first_for_links_next : first_next;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) scan_q <= '1;
    else if (|served) scan_q <= scan_d;
  end

  // Its output.
  always_comb begin
    options = '0;
    for (int i = 0; i < Inputs; i++)
      options = options | ({Outputs{served[i]}} & wanted_i[i*Outputs+:Outputs] & available_i);
  end

  if (Rotating) begin : gen_rotating
    round_robin_arbiter #(
        .N(Outputs)
    ) u_select (
        .clk_i,
        .rst_ni,
        .request_i(options),
        .advance_i(1'b1),
        .grant_o(chosen)
    );
  end else begin : gen_first
    logic [Outputs-1:0] unused_above;
    priority_select #(
        .N(Outputs)
    ) u_select (
        .request_i(options),
        .grant_o(chosen),
        .above_o(unused_above)
    );
  end

  for (genvar i = 0; i < Inputs; i++) begin : gen_connect
    assign connect_o[i*Outputs+:Outputs] = {Outputs{served[i]}} & chosen;
  end

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      HeaderWantsOneKind_A: assert (~|(arrived & bids_for_links));
      OneInput_A: assert ($onehot0(served));
      OneOutput_A: assert ($onehot0(chosen));
      OutputIsAvailable_A: assert (~|(chosen & ~available_i));
      InputIsWaiting_A: assert (~|(served & ~waiting_i));
      ServedIsConnected_A: assert (|served == |chosen);
      ConsumptionIsGranted_A: assert (!chosen[Outputs-1] || (consumption_request_o && consumption_grant_i));
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
