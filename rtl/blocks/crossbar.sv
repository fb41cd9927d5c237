`default_nettype none

// Crossbar: every connection, one just made included, moves one flit from its input to its output buffer if
// that was empty at the start of the cycle; a tail releases the connection (Gravano et al. 1994, V.C, task
// FreeBuffers). The connections are kept one-hot.
module crossbar #(
    parameter int Inputs  = 3,
    parameter int Outputs = 3,
    parameter int FlitW   = 18  // {head, tail, data}
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [Inputs*Outputs-1:0] connect_i,      // new connections; a row per input
    input  logic [Inputs-1:0]         in_full_i,
    input  logic [Inputs*FlitW-1:0]   in_flit_i,
    input  logic [Outputs-1:0]        out_full_i,
    output logic [Inputs-1:0]         in_connected_o, // since an earlier cycle
    output logic [Outputs-1:0]        out_busy_o,     // the same
    output logic [Inputs-1:0]         in_pop_o,
    output logic [Outputs-1:0]        out_push_o,
    output logic [Outputs*FlitW-1:0]  out_flit_o      // 0 where nothing is connected
);
  logic [Inputs*Outputs-1:0] connected_q, connected_d;
  logic [Inputs*Outputs-1:0] connected;  // now
  logic [Inputs*Outputs-1:0] moves;

  assign connected = connected_q | connect_i;

  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    logic tail;
    assign tail = in_flit_i[i*FlitW+FlitW-2];
    assign moves[i*Outputs+:Outputs] = connected[i*Outputs+:Outputs] & {Outputs{in_full_i[i]}} & ~out_full_i;
    assign in_pop_o[i] = |moves[i*Outputs+:Outputs];
    assign in_connected_o[i] = |connected_q[i*Outputs+:Outputs];
    assign connected_d[i*Outputs+:Outputs] =
        connected[i*Outputs+:Outputs] & ~(moves[i*Outputs+:Outputs] & {Outputs{tail}});
  end

  for (genvar o = 0; o < Outputs; o++) begin : gen_output
    logic [Inputs-1:0] source, moved, held;
    for (genvar i = 0; i < Inputs; i++) begin : gen_column
      assign source[i] = connected[i*Outputs+o];
      assign moved[i] = moves[i*Outputs+o];
      assign held[i] = connected_q[i*Outputs+o];
    end
    assign out_push_o[o] = |moved;
    assign out_busy_o[o] = |held;
    flit_mux #(
        .N(Inputs),
        .FlitW(FlitW)
    ) u_mux (
        .select_i(source),
        .flit_i(in_flit_i),
        .flit_o(out_flit_o[o*FlitW+:FlitW])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) connected_q <= '0;
    else connected_q <= connected_d;
  end

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  function automatic logic [Inputs-1:0] rows(input logic [Inputs*Outputs-1:0] matrix);
    for (int i = 0; i < Inputs; i++) rows[i] = |matrix[i*Outputs+:Outputs];
  endfunction
  function automatic logic [Outputs-1:0] columns(input logic [Inputs*Outputs-1:0] matrix);
    columns = '0;
    for (int i = 0; i < Inputs; i++) columns = columns | matrix[i*Outputs+:Outputs];
  endfunction
  function automatic logic two_outputs(input logic [Inputs*Outputs-1:0] matrix);
    two_outputs = 1'b0;
    for (int i = 0; i < Inputs; i++) two_outputs = two_outputs | ~$onehot0(matrix[i*Outputs+:Outputs]);
  endfunction
  function automatic logic two_inputs(input logic [Inputs*Outputs-1:0] matrix);
    logic [Outputs-1:0] seen;
    seen = '0;
    two_inputs = 1'b0;
    for (int i = 0; i < Inputs; i++) begin
      two_inputs = two_inputs | |(seen & matrix[i*Outputs+:Outputs]);
      seen = seen | matrix[i*Outputs+:Outputs];
    end
  endfunction
  // An input or an output of the one is in use in the other.
  function automatic logic taken(input logic [Inputs*Outputs-1:0] by, input logic [Inputs*Outputs-1:0] held);
    taken = |(rows(by) & rows(held)) | |(columns(by) & columns(held));
  endfunction
  function automatic logic [Inputs-1:0] heads(input logic [Inputs*FlitW-1:0] flits);
    for (int i = 0; i < Inputs; i++) heads[i] = flits[i*FlitW+FlitW-1];
  endfunction
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OneOutputPerInput_A: assert (!two_outputs(connected));
      OneInputPerOutput_A: assert (!two_inputs(connected));
      FreeBeforeConnected_A: assert (!taken(connect_i, connected_q));
      HeaderConnects_A: assert (~|(rows(connect_i) & ~(in_full_i & heads(in_flit_i))));
      PopFromFull_A: assert (~|(in_pop_o & ~in_full_i));
      PushIntoEmpty_A: assert (~|(out_push_o & out_full_i));
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
