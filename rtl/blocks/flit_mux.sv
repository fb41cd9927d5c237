`default_nettype none

// Multiplexer with a one-hot select; 0 if nothing is selected.
module flit_mux #(
    parameter int N     = 4,
    parameter int FlitW = 18
) (
    input  logic [N-1:0]       select_i,
    input  logic [N*FlitW-1:0] flit_i,
    output logic [FlitW-1:0]   flit_o
);
  always_comb begin
    flit_o = '0;
    for (int n = 0; n < N; n++) flit_o = flit_o | ({FlitW{select_i[n]}} & flit_i[n*FlitW+:FlitW]);
  end
endmodule

`default_nettype wire
