`default_nettype none

// One new connection at most, for a header that waits, to an output that it wants and that is available; one
// whenever there is one to make; fair among the headers that could be connected. The consumption channel is
// taken only as granted.
module vc_allocator_proof #(
    parameter int Inputs   = 3,
    parameter int Outputs  = 3,
    parameter bit Rotating = 1'b1
) (
    input  logic                      clk_i,
    input  logic [Inputs-1:0]         choice_i,
    input  logic [Inputs-1:0]         waiting_i,
    input  logic [Inputs*Outputs-1:0] wanted_i,
    input  logic [Outputs-1:0]        available_i,
    input  logic                      consumption_grant_i,
    output logic                      goal_longest_wait_o,
    output logic                      goal_refused_o,
    output logic                      goal_passed_on_o
);
  logic rst_ni;
  initial rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  (* tap = "u_allocator.scan_q" *) logic [Inputs-1:0] scan;
  logic consumption_request;
  logic [Inputs*Outputs-1:0] connect;
  vc_allocator #(
      .Inputs(Inputs),
      .Outputs(Outputs),
      .Rotating(Rotating)
  ) u_allocator (
      .clk_i,
      .rst_ni,
      .waiting_i,
      .wanted_i,
      .available_i,
      .consumption_request_o(consumption_request),
      .consumption_grant_i,
      .connect_o(connect)
  );

  logic [Inputs-1:0] arrived, for_links, possible, connects, consumes;
  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    logic [Outputs-1:0] wanted, row;
    assign wanted = wanted_i[i*Outputs+:Outputs];
    assign row = connect[i*Outputs+:Outputs];
    assign arrived[i] = waiting_i[i] & wanted[Outputs-1] & available_i[Outputs-1];
    assign for_links[i] = waiting_i[i] & |(wanted[Outputs-2:0] & available_i[Outputs-2:0]);
    assign connects[i] = |row;
    assign consumes[i] = row[Outputs-1];
    always_comb begin
      assume (~wanted[Outputs-1] | ~|wanted[Outputs-2:0]);
      assert (~|(row & ~(wanted & available_i & {Outputs{waiting_i[i]}})));
    end
  end
  assign possible = for_links | (arrived & {Inputs{consumption_grant_i}});

  fairness_monitor #(
      .N(Inputs)
  ) u_fairness (
      .clk_i,
      .rst_ni,
      .choice_i,
      .request_i(possible),
      .served_i(connects),
      .pointer_i(scan),
      .longest_o(goal_longest_wait_o)
  );

  always_comb begin
    assert ($onehot0(connect));
    assert (|connect == |possible);
    if (|consumes) assert (consumption_request && consumption_grant_i);
    if (consumption_request) assert (|arrived);
    if (|arrived && ~|for_links) assert (consumption_request);
  end

  assign goal_refused_o = rst_ni && consumption_request && ~consumption_grant_i && |for_links;
  assign goal_passed_on_o = rst_ni && goal_refused_o && &(arrived | for_links);
endmodule

`default_nettype wire
