`default_nettype none

// One flit per cycle, of a VC that has a flit and a credit, and its flit; whenever there is one; fair among these.
// Credits and flits behind the link are one per VC at all times: none is lost, none is made.
module link_mux_proof #(
    parameter int  Vcs   = 4,
    localparam int FlitW = 3
) (
    input  logic                 clk_i,
    input  logic [Vcs-1:0]       choice_i,
    input  logic [Vcs-1:0]       full_i,
    input  logic [Vcs-1:0]       credit_i,
    input  logic [Vcs*FlitW-1:0] flit_i,
    output logic                 goal_longest_wait_o,
    output logic                 goal_all_spent_o,
    output logic                 goal_spent_again_o
);
  logic rst_ni;
  initial rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  (* tap = "u_mux.u_arbiter.pointer_q" *) logic [Vcs-1:0] pointer;
  logic [Vcs-1:0] credit, vc;
  logic valid;
  logic [FlitW-1:0] flit;
  link_mux #(
      .Vcs(Vcs),
      .Buffers(Vcs),
      .FlitW(FlitW)
  ) u_mux (
      .clk_i,
      .rst_ni,
      .full_i,
      .credit_i,
      .credit_o(credit),
      .valid_o(valid),
      .vc_o(vc),
      .select_i(vc),
      .flit_i,
      .flit_o(flit)
  );
  fairness_monitor #(
      .N(Vcs)
  ) u_fairness (
      .clk_i,
      .rst_ni,
      .choice_i,
      .request_i(full_i & credit),
      .served_i(vc),
      .pointer_i(pointer),
      .longest_o(goal_longest_wait_o)
  );

  // Flits behind the link, per VC: 0, 1, 2 and more. Only these give credits back.
  logic [Vcs-1:0] one_q, more_q, returned_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      one_q <= '0;
      more_q <= '0;
      returned_q <= '0;
    end else begin
      one_q <= (one_q & ~credit_i) | vc;
      more_q <= more_q | (one_q & vc & ~credit_i);
      returned_q <= returned_q | credit_i;
    end
  end

  always_comb begin
    assume (~|(credit_i & ~one_q));
    if (rst_ni) begin
      assert ($onehot0(vc));
      assert (valid == |vc);
      assert (~|(vc & ~full_i));
      assert (~|(vc & one_q));   // only with a credit, counted by those who gave it
      assert (~|(vc & ~credit));
      assert (valid == |(full_i & ~one_q));
      assert (~|more_q);
      assert (credit == ~one_q);
      if (!valid) assert (flit == '0);
    end
  end
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    always_comb if (rst_ni && vc[v]) assert (flit == flit_i[v*FlitW+:FlitW]);
  end

  assign goal_all_spent_o = rst_ni && ~|credit;
  assign goal_spent_again_o = rst_ni && |(returned_q & vc);
endmodule

`default_nettype wire
