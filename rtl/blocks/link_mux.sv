`default_nettype none

// Link multiplexer: one flit per link and cycle, round robin over the VCs that hold a flit and have a credit
// at the start of the cycle (Gravano et al. 1994, V.C, link cycle). Keeps the credits: one per VC, as the
// buffers behind the link hold one flit; a pulse on `credit_i` in cycle t counts from t+1 on.
//
// Arbitration is in the order of the VCs on the link, the flits come in that of the buffers: the router turns
// `vc_o` into `select_i`, which is also what empties the buffers.
module link_mux #(
    parameter int Vcs     = 4,
    parameter int Buffers = 4,  // that can send on this link
    parameter int FlitW   = 18
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic [Vcs-1:0]           full_i,    // the VC has a flit to send
    input  logic [Vcs-1:0]           credit_i,
    output logic [Vcs-1:0]           credit_o,  // there is room behind the link
    output logic                     valid_o,
    output logic [Vcs-1:0]           vc_o,      // that sends; one-hot, 0 when not valid
    input  logic [Buffers-1:0]       select_i,  // the buffer of that VC; one-hot, 0 when not valid
    input  logic [Buffers*FlitW-1:0] flit_i,
    output logic [FlitW-1:0]         flit_o     // 0 when not valid
);
  logic [Vcs-1:0] credit_q;

  round_robin_arbiter #(
      .N(Vcs)
  ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(full_i & credit_q),
      .advance_i(1'b1),
      .grant_o(vc_o)
  );
  assign valid_o = |vc_o;

  flit_mux #(
      .N(Buffers),
      .FlitW(FlitW)
  ) u_mux (
      .select_i,
      .flit_i,
      .flit_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) credit_q <= '1;
    else credit_q <= (credit_q & ~vc_o) | credit_i;
  end
  assign credit_o = credit_q;

`ifndef SYNTHESIS
  /* verilator lint_off SYNCASYNCNET */
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OneVc_A: assert ($onehot0(vc_o));
      ValidWithVc_A: assert (valid_o == |vc_o);
      SendsWhatIsThere_A: assert (~|(vc_o & ~full_i));
      SendsWithCredit_A: assert (~|(vc_o & ~credit_q));
      CreditWasSpent_A: assert (~|(credit_i & credit_q));
      OneBuffer_A: assert (valid_o ? $onehot(select_i) : ~|select_i);
      NothingIfNotValid_A: assert (valid_o || ~|flit_o);
    end
  end
  /* verilator lint_on SYNCASYNCNET */
`endif
endmodule

`default_nettype wire
