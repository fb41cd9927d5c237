"""Faults that hide: in resets, in data that nobody looks at, at positions and after numbers of packets that a small bench
never sees, in widths. Each is one text `old` of a file in rtl/, which is there once, and what it becomes.

faults_test.py wants every one found by a shipped bench. None of them is equivalent.
"""
import dataclasses

from mutants import (ALLOCATOR, ARBITER, CROSSBAR, FIFO, FLIT_MUX, FOUR, HEADER, INPUT, LINDER, LINK, OBLIVIOUS, OUTPUT,
                     QUEUED, STAR)

RESET, PAYLOAD, POSITION, COUNT, WIDTH = "reset", "payload", "position", "count", "width"
HOP = "routing/minimal_hop.sv"
NODE = "nodes/{}.sv"


@dataclasses.dataclass
class Fault:
    name: str
    kind: str
    file: str
    model: str
    old: str
    new: str


def reset(name, file, model, register, value, rest=""):
    """A register that reset does not change: its branch of the reset goes. `rest`: how the other one begins."""
    return Fault(name, RESET, file, model, f"if (!rst_ni) {register} <= {value};\n    else {rest}", rest)


def line(name, file, model, old):
    """A line of a reset that goes."""
    return Fault(name, RESET, file, model, old, "")


def counter(limit, event, width=12):
    """Declarations of a counter of events, and the condition that it has come to its end."""
    return (f"  logic [{width - 1}:0] events_q;\n"
            f"  always_ff @(posedge clk_i or negedge rst_ni)\n    if (!rst_ni) events_q <= '0;\n"
            f"    else if (({event}) && events_q != {width}'d{limit}) events_q <= events_q + {width}'d1;\n",
            f"(events_q == {width}'d{limit})")


def counted(name, file, model, old, new, limit, event, width=12):
    """`new` stands for `old`; STUCK in it is the counter's condition."""
    declared, stuck = counter(limit, event, width)
    return Fault(name, COUNT, file, model, old, declared + new.replace("STUCK", stuck))


def payload(name, file, model, old, new):
    return Fault(name, PAYLOAD, file, model, old, new)


def position(name, file, model, old, new):
    return Fault(name, POSITION, file, model, old, new)


def width(name, file, model, old, new):
    return Fault(name, WIDTH, file, model, old, new)


KEEPS = "if (push_i) flit_q <= flit_i;"
INJECTS = "injection_valid_i && injection_flit_i[FlitW-1]"

FAULTS = [
    # Registers that reset forgets, or half of them
    reset("output-full", OUTPUT, FOUR, "full_q", "1'b0"),
    reset("output-full-of-star", OUTPUT, STAR, "full_q", "1'b0"),
    reset("input-full", INPUT, LINDER, "full_q", "1'b0"),
    reset("input-full-of-oblivious", INPUT, OBLIVIOUS, "full_q", "1'b0"),
    reset("connections", CROSSBAR, STAR, "connected_q", "'0"),
    reset("connections-of-four-classes", CROSSBAR, FOUR, "connected_q", "'0"),
    reset("credits", LINK, OBLIVIOUS, "credit_q", "'1"),
    reset("credits-of-linder-harden", LINK, LINDER, "credit_q", "'1"),
    reset("pointers", ARBITER, FOUR, "pointer_q", "'1", "if (adv"),
    reset("pointers-of-oblivious", ARBITER, OBLIVIOUS, "pointer_q", "'1", "if (adv"),
    reset("pointers-of-input-queued", ARBITER, QUEUED, "pointer_q", "'1", "if (adv"),
    reset("scan", ALLOCATOR, STAR, "scan_q", "'1", "if (|s"),
    reset("scan-of-linder-harden", ALLOCATOR, LINDER, "scan_q", "'1", "if (|s"),
    line("queue-head", FIFO, QUEUED, "        head_q  <= '0;\n"),
    line("queue-tail", FIFO, QUEUED, "        tail_q  <= '0;\n"),
    line("queue-count", FIFO, QUEUED, "        count_q <= '0;\n"),
    line("connected-inputs", NODE.format(QUEUED), QUEUED, "      connected_q <= '0;\n"),
    line("busy-vcs", NODE.format(QUEUED), QUEUED, "      busy_q      <= '0;\n"),
    line("room-behind-links", NODE.format(QUEUED), QUEUED, "      credits_q   <= {Links * Vcs{CreditW'(Depth)}};\n"),
    line("valid-on-links", NODE.format(QUEUED), QUEUED, "      out_valid_q <= '0;\n"),
    line("vc-on-links", NODE.format(QUEUED), QUEUED, "      link_vc_q   <= '0;\n"),
    line("flit-on-links", NODE.format(QUEUED), QUEUED, "      link_flit_q <= '0;\n"),
    Fault("one-credit-kept", RESET, LINK, FOUR, "credit_q <= '1;", "credit_q <= credit_q | {Vcs{1'b1}} << 1;"),
    Fault("one-connection-kept", RESET, CROSSBAR, OBLIVIOUS, "connected_q <= '0;", "connected_q <= connected_q & 1;"),
    Fault("scan-half-reset", RESET, ALLOCATOR, FOUR, "scan_q <= '1;", "scan_q <= scan_q | 1;"),
    Fault("queues-half-reset", RESET, FIFO, QUEUED, "count_q <= '0;\n", "count_q <= count_q & 1;\n"),
    Fault("injection-buffer-kept", RESET, NODE.format(LINDER), LINDER,
          "  ) u_injection (\n      .clk_i,\n      .rst_ni,", "  ) u_injection (\n      .clk_i,\n      .rst_ni(1'b1),"),
    Fault("turn-kept", RESET, NODE.format(FOUR), FOUR, "  ) u_consumption_turn (\n      .clk_i,\n      .rst_ni,",
          "  ) u_consumption_turn (\n      .clk_i,\n      .rst_ni(1'b1),"),
    Fault("one-link-kept", RESET, NODE.format(STAR), STAR, "  ) u_y_minus (\n      .clk_i,\n      .rst_ni,",
          "  ) u_y_minus (\n      .clk_i,\n      .rst_ni(1'b1),"),
    # Data
    payload("input-keeps-24-bits", INPUT, STAR, KEEPS,
            "if (push_i) flit_q <= {flit_i[FlitW-1:FlitW-2], {(FlitW - 26) {1'b0}}, flit_i[23:0]};"),
    payload("output-loses-the-top-bit", OUTPUT, FOUR, KEEPS,
            "if (push_i) flit_q <= {flit_i[FlitW-1:FlitW-2], 1'b0, flit_i[FlitW-4:0]};"),
    payload("output-bit-stuck-at-1", OUTPUT, OBLIVIOUS, KEEPS, "if (push_i) flit_q <= flit_i | (FlitW'(1) << 30);"),
    payload("mux-swaps-two-bits", FLIT_MUX, LINDER, "flit_i[n*FlitW+:FlitW]);",
            "{flit_i[n*FlitW+FlitW-2+:2], flit_i[n*FlitW+FlitW-4], flit_i[n*FlitW+FlitW-3], "
            "flit_i[n*FlitW+:FlitW-4]});"),
    payload("last-place-loses-a-bit", FIFO, QUEUED, "flits_q[n*Width+:Width] <= flit_i;",
            "flits_q[n*Width+:Width] <= n == Depth - 1 ? flit_i & ~(Width'(1) << (Width - 4)) : flit_i;"),
    payload("header-loses-the-lowest-payload-bit", HEADER, FOUR, "= flit_i[DataW+1:StateLsb+StateW];",
            "= flit_i[DataW+1] ? {flit_i[DataW+1:StateLsb+StateW+1], 1'b0} : flit_i[DataW+1:StateLsb+StateW];"),
    payload("body-loses-a-bit-at-the-state", HEADER, LINDER, "| set_i : state;", "| set_i : {state[StateW-1:1], 1'b1};"),
    payload("first-buffer-of-links-loses-a-bit", LINK, STAR, "      .flit_i,\n",
            "      .flit_i(flit_i & ~((Buffers * FlitW)'(1) << 25)),\n"),
    payload("one-pattern-in-256-flips-a-bit", INPUT, FOUR, KEEPS,
            "if (push_i) flit_q <= flit_i ^ (flit_i[30:23] == 8'ha5 ? FlitW'(1) << 14 : '0);"),
    payload("high-bits-of-body-flits-are-old", INPUT, OBLIVIOUS, KEEPS,
            "if (push_i) flit_q <= flit_i[FlitW-1] ? flit_i : "
            "{flit_i[FlitW-1:FlitW-2], flit_q[FlitW-3:FlitW-10], flit_i[FlitW-11:0]};"),
    payload("delivered-without-the-top-bit", NODE.format(LINDER), LINDER, "= consumption_flit & {FlitW{consumption_full}};",
            "= consumption_flit & {2'b11, 1'b0, {(FlitW - 3) {1'b1}}} & {FlitW{consumption_full}};"),
    payload("injected-without-a-bit", NODE.format(FOUR), FOUR, ".flit_i(injection_flit_i),\n      .pop_i",
            ".flit_i(injection_flit_i & ~(FlitW'(1) << 40)),\n      .pop_i"),
    payload("one-link-without-a-bit", NODE.format(OBLIVIOUS), OBLIVIOUS, "arriving = {injection_flit_i, y_minus_1_flit_i,",
            "arriving = {injection_flit_i, y_minus_1_flit_i & ~(FlitW'(1) << 33),"),
    payload("switch-loses-a-bit", NODE.format(QUEUED), QUEUED, "| chosen_flit[g*FlitW+:FlitW];",
            "| (chosen_flit[g*FlitW+:FlitW] & ~(FlitW'(1) << 38));"),
    payload("old-flit-shown", NODE.format(FOUR), FOUR, "consumption_flit & {FlitW{consumption_full}}", "consumption_flit"),
    payload("old-flit-shown-by-oblivious", NODE.format(OBLIVIOUS), OBLIVIOUS,
            "out_flit[Slots*FlitW+:FlitW] & {FlitW{out_full[Slots]}}", "out_flit[Slots*FlitW+:FlitW]"),
    payload("tails-lose-two-bits", OUTPUT, STAR, KEEPS,
            "if (push_i) flit_q <= flit_i[FlitW-1] | ~flit_i[FlitW-2] ? flit_i : flit_i & ~(FlitW'(3) << 20);"),
    # Positions and sizes
    position("ring-of-16", HOP, STAR, "(to_i < at_i ? radix : '0)", "(to_i < at_i ? {2'b00, radix[3:0]} : '0)"),
    position("x-beyond-15", "routing/dimension_order_route.sv", QUEUED, "dst_x_i > x_i", "dst_x_i[3:0] > x_i[3:0]"),
    position("y-beyond-15", "routing/dimension_order_route.sv", QUEUED, "dst_y_i > y_i", "dst_y_i[3:0] > y_i[3:0]"),
    position("x-15-apart", "routing/four_classes_route.sv", FOUR, "x_i != dst_x_i", "x_i[3:0] != dst_x_i[3:0]"),
    position("high-beyond-15", "routing/oblivious_route.sv", OBLIVIOUS, "x_i < dst_x_i", "x_i[3:0] < dst_x_i[3:0]"),
    position("half-of-an-even-ring", NODE.format(STAR), STAR, "half_x = ({1'b0, last_x_i} + 1'b1) >> 1",
             "half_x = {1'b0, last_x_i} >> 1"),
    position("half-of-a-long-ring", NODE.format(STAR), STAR, "half_y = ({1'b0, last_y_i} + 1'b1) >> 1",
             "half_y = ({2'b00, last_y_i[3:0]} + 1'b1) >> 1"),
    position("tie-goes-one-way-in-minus", HOP, LINDER, "twice >= {1'b0, radix}", "twice > {1'b0, radix}"),
    position("wraps-but-in-the-corner", NODE.format(FOUR), FOUR, "x_plus_wraps = x_i == last_x_i",
             "x_plus_wraps = x_i == last_x_i && y_i != last_y_i"),
    position("first-but-in-the-corner", NODE.format(LINDER), LINDER, "y_first = y_i == '0", "y_first = y_i == '0 && x_i != '0"),
    position("last-but-in-column-13", NODE.format(STAR), STAR, "y_last = y_i == last_y_i",
             "y_last = y_i == last_y_i && x_i != CoordW'(13)"),
    position("row-2-of-column-17", "routing/oblivious_route.sv", OBLIVIOUS, "arrived_o = x_done && y_i == dst_y_i",
             "arrived_o = x_done && y_i == dst_y_i && !(x_i == CoordW'(17) && y_i == CoordW'(1))"),
    position("ring-of-two", HOP, LINDER, "plus_o = at_i != to_i &&", "plus_o = at_i != to_i && last_i != CoordW'(1) &&"),
    position("ring-of-four", HOP, STAR, "minus_o = at_i != to_i &&",
             "minus_o = at_i != to_i && !(last_i == CoordW'(3) && to_i == '0 && at_i == CoordW'(2)) &&"),
    # Numbers of packets
    counted("injection-of-four-classes", NODE.format(FOUR), FOUR, "  assign injection_credit_o = |injection_pop;",
            "  assign injection_credit_o = |injection_pop && !STUCK;", 4095, INJECTS),
    counted("injection-of-star-channels", NODE.format(STAR), STAR, "  assign injection_credit_o = in_pop[Slots];",
            "  assign injection_credit_o = in_pop[Slots] && !STUCK;", 4095, INJECTS),
    counted("injection-of-linder-harden", NODE.format(LINDER), LINDER, "  assign injection_credit_o = |injection_pop;",
            "  assign injection_credit_o = |injection_pop && !STUCK;", 4095, INJECTS),
    counted("injection-of-oblivious", NODE.format(OBLIVIOUS), OBLIVIOUS, "  assign consumption_valid_o = out_full[Slots];",
            "  assign consumption_valid_o = out_full[Slots] && !STUCK;", 4095, INJECTS),
    counted("injection-of-input-queued", NODE.format(QUEUED), QUEUED, "  assign credit = {y_minus_credit_i,",
            "  assign credit = {Links * Vcs{!STUCK}} & {y_minus_credit_i,", 4095, INJECTS),
    counted("deliveries-of-star-channels", NODE.format(STAR), STAR, "  assign out_pop[Slots] = consumption_ready_i;",
            "  assign out_pop[Slots] = consumption_ready_i && !STUCK;", 2047, "consumption_valid_o && consumption_ready_i", 11),
    Fault("turns-of-an-arbiter", COUNT, ARBITER, FOUR, "else if (advance_i && |request_i) pointer_q <= pointer_d;",
          "else if (advance_i && |request_i) pointer_q <= turns_q == '1 ? '1 : pointer_d;\n  end\n"
          "  logic [8:0] turns_q;\n  always_ff @(posedge clk_i or negedge rst_ni) begin\n"
          "    if (!rst_ni) turns_q <= '0;\n    else if (advance_i && |request_i) turns_q <= turns_q + 9'd1;"),
    counted("flits-of-a-queue", FIFO, QUEUED, "    assign valid_o = count_q != '0;", "    assign valid_o = count_q != '0 && !STUCK;",
            1500, "push_i", 11),
    counted("worms-of-a-crossbar", CROSSBAR, OBLIVIOUS, "  assign connected = connected_q | connect_i;",
            "  assign connected = connected_q | (STUCK ? '0 : connect_i);", 4000, "|connect_i"),
    # Widths
    width("count-of-a-full-queue", FIFO, QUEUED, "CountW = $clog2(Depth + 1)", "CountW = $clog2(Depth)"),
    width("count-of-credits", NODE.format(QUEUED), QUEUED, "CreditW = $clog2(Depth + 1)", "CreditW = $clog2(Depth)"),
    width("pointer-of-a-queue", FIFO, QUEUED, "PointerW = $clog2(Depth);", "PointerW = $clog2(Depth) - 1;"),
    width("hops-of-a-long-ring", HOP, STAR, "logic [CoordW:0]   forward;", "logic [CoordW-2:0]   forward;"),
    width("twice-the-hops", HOP, LINDER, "logic [CoordW+1:0] twice;", "logic [CoordW-1:0] twice;"),
    width("coordinates-of-a-route", "routing/star_channels_route.sv", STAR,
          "  minimal_hop #(\n      .CoordW(CoordW)\n  ) u_y", "  minimal_hop #(\n      .CoordW(4)\n  ) u_y"),
    width("turns-for-seven", NODE.format(FOUR), FOUR, ".N(Crossbars)", ".N(Crossbars - 1)"),
    width("one-vc-less-on-links", LINK, LINDER, ".N(Vcs)", ".N(Vcs - 1)"),
    width("level-of-one-bit", NODE.format(LINDER), LINDER, "{2'(Level) + {1'b0, wraps[o]}, Minus}",
          "{1'b0, 1'(Level) + wraps[o], Minus}"),
]
