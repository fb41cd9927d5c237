`default_nettype none

// Writes the routing state into headers: new state = (old & keep) | set. Other flits pass unchanged.
module header_state #(
    parameter int CoordW = 5,
    parameter int DataW  = 16,
    parameter int StateW = 3
) (
    input  logic [DataW+1:0]  flit_i,
    input  logic [StateW-1:0] keep_i,
    input  logic [StateW-1:0] set_i,
    output logic [DataW+1:0]  flit_o
);
  localparam int StateLsb = 2 * CoordW;

  logic [StateW-1:0] state;
  assign state = flit_i[StateLsb+:StateW];

  assign flit_o[DataW+1:StateLsb+StateW] = flit_i[DataW+1:StateLsb+StateW];
  assign flit_o[StateLsb+:StateW] = flit_i[DataW+1] ? (state & keep_i) | set_i : state;
  assign flit_o[StateLsb-1:0] = flit_i[StateLsb-1:0];
endmodule

`default_nettype wire
