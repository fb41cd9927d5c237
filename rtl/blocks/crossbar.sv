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
endmodule

`default_nettype wire
