"""Faults in the SystemVerilog of the routers, one each. The text `old`, which is in the file once, becomes `new`.

`model` says in which router the fault is tried, `places` at which routers of the fabric it can show, `settings` what
the fabric has to have for that. None of them is equivalent: mutants_test.py wants every one caught.
"""
import dataclasses

ANYWHERE = ("router_*",)
X_FIRST, X_LAST = ("router_0_*",), ("router_3_*",)
WRAPS = X_FIRST + X_LAST  # x wraps around on one side
SHADOW, SWAPPED, PLAIN = "shadow", "swapped", "plain"
STAR, FOUR, LINDER, OBLIVIOUS, QUEUED = "star_channels", "four_classes", "linder_harden", "oblivious", "input_queued"


@dataclasses.dataclass
class Mutant:
    name: str
    file: str   # in rtl/
    model: str
    old: str
    new: str
    mode: str = SHADOW
    places: tuple = ANYWHERE
    settings: dict = dataclasses.field(default_factory=dict)


ARBITER = "arbitration/round_robin_arbiter.sv"
PICK = "arbitration/round_robin_pick.sv"
PRIORITY = "arbitration/priority_select.sv"
SEPARABLE = "arbitration/separable_input_first.sv"
CROSSBAR = "blocks/crossbar.sv"
FLIT_MUX = "blocks/flit_mux.sv"
HEADER = "blocks/header_state.sv"
INPUT, OUTPUT = "blocks/input_buffer.sv", "blocks/output_buffer.sv"
FIFO = "blocks/input_fifo.sv"
LINK = "blocks/link_mux.sv"
TO_SLOTS, TO_VCS = "blocks/star_vcs_to_slots.sv", "blocks/star_slots_to_vcs.sv"
ALLOCATOR = "blocks/vc_allocator.sv"
DEEP = {"node.input_depth": 5}  # no power of two
CLASSES = {"message_classes": {"request": {"vcs": {"lane": ["0", "1"]}, "interface": "shared"},
                               "response": {"vcs": {"lane": ["2", "3"]}, "interface": "shared"}},
           "traffic.source": {"kind": "request_reply", "outstanding": 6, "service_time": 10, "lengths": [1, 5],
                              "chain": ["request", "response"]},
           "traffic.offered_load": None, "traffic.packet_lengths": None}
SHORT = {"traffic.packet_lengths": [{"length": 1}, {"length": 2}], "traffic.offered_load": 0.7}

MUTANTS = [
    # Round robin
    Mutant("pointer-frozen", ARBITER, FOUR, "else if (advance_i && |request_i)", "else if (1'b0)"),
    Mutant("pointer-moves-without-request", ARBITER, STAR, "advance_i && |request_i", "advance_i", SWAPPED),
    Mutant("pointer-moves-without-service", ARBITER, OBLIVIOUS, "advance_i && |request_i", "|request_i", PLAIN),
    Mutant("pointer-reset-at-1", ARBITER, LINDER, "pointer_q <= '1", "pointer_q <= {{N - 1{1'b1}}, 1'b0}"),
    Mutant("pointer-at-the-winner", PICK, LINDER, "next_o = wrap ? any_above : late_above",
           "next_o = wrap ? any_above | any_grant : late_above | late_grant", SWAPPED),
    Mutant("pointer-ignored", PICK, STAR, "late = request_i & pointer_i", "late = request_i", PLAIN),
    Mutant("no-turn-after-the-last", PICK, FOUR, "grant_o = wrap ? any_grant : late_grant", "grant_o = late_grant"),
    Mutant("prefix-one-step-short", PRIORITY, QUEUED, "n < $clog2(N)", "n < $clog2(N) - 1"),
    Mutant("grants-not-one-hot", PRIORITY, OBLIVIOUS, "grant_o = request_i & ~above_o", "grant_o = request_i"),
    # Separable allocator
    Mutant("requester-pointer-moves-without-grant", SEPARABLE, OBLIVIOUS, ".advance_i(served[r])", ".advance_i(1'b1)"),
    Mutant("group-pointer-moves-without-grant", SEPARABLE, QUEUED, ".advance_i(|served[g*Members+:Members])",
           ".advance_i(1'b1)"),
    Mutant("group-puts-all-forward", SEPARABLE, QUEUED, "bid[m] = forward[R] & picks", "bid[m] = picks"),
    Mutant("resource-granted-twice", SEPARABLE, OBLIVIOUS, "bid[m] & wins[s*Groups+g]", "bid[m]", SWAPPED),
    # VC allocation by scan
    Mutant("scan-frozen", ALLOCATOR, FOUR, "else if (|served) scan_q <= scan_d", "else if (1'b0) scan_q <= scan_d"),
    Mutant("scan-moves-without-connection", ALLOCATOR, LINDER, "else if (|served) scan_q", "else scan_q"),
    Mutant("scan-counts-the-refused", ALLOCATOR, LINDER, "scan_d = refused ? first_for_links_next : first_next",
           "scan_d = first_next", SWAPPED, settings=SHORT),
    Mutant("busy-output-asked-for", ALLOCATOR, STAR, "free = wanted_i[i*Outputs+:Outputs] & available_i",
           "free = wanted_i[i*Outputs+:Outputs]"),
    Mutant("busy-output-given", ALLOCATOR, LINDER, "wanted_i[i*Outputs+:Outputs] & available_i);",
           "wanted_i[i*Outputs+:Outputs]);"),
    Mutant("selection-frozen", ALLOCATOR, STAR, ".advance_i(1'b1)", ".advance_i(1'b0)", PLAIN),
    Mutant("consumption-without-grant", ALLOCATOR, LINDER, "consumption_request_o & ~consumption_grant_i", "1'b0"),
    # Crossbar
    Mutant("tail-release-lost", CROSSBAR, STAR, " & ~(moves[i*Outputs+:Outputs] & {Outputs{tail}})", ""),
    Mutant("header-releases", CROSSBAR, FOUR, "in_flit_i[i*FlitW+FlitW-2]", "in_flit_i[i*FlitW+FlitW-1]"),
    Mutant("full-output-ignored", CROSSBAR, LINDER, " & ~out_full_i", "", PLAIN),
    Mutant("empty-input-moves", CROSSBAR, OBLIVIOUS, "connected[i*Outputs+:Outputs] & {Outputs{in_full_i[i]}}",
           "connected[i*Outputs+:Outputs]", SWAPPED),
    Mutant("new-connection-waits", CROSSBAR, STAR, "moves[i*Outputs+:Outputs] = connected[",
           "moves[i*Outputs+:Outputs] = connected_q["),
    Mutant("busy-output-masked", CROSSBAR, OBLIVIOUS, "out_busy_o[o] = |held", "out_busy_o[o] = |held[Inputs-1:1]",
           places=X_LAST),  # input 0 has the high lanes: not in use everywhere
    Mutant("mux-bit-not-masked", FLIT_MUX, FOUR, "{FlitW{select_i[n]}}", "{{FlitW - 1{select_i[n]}}, 1'b1}"),
    Mutant("mux-forgets-the-last", FLIT_MUX, STAR, "n < N;", "n < N - 1;"),
    # Buffers and links
    Mutant("input-never-empty", INPUT, LINDER, "push_i | (full_q & ~pop_i)", "push_i | full_q", SWAPPED),
    Mutant("input-overwritten", INPUT, STAR, "if (push_i) flit_q", "flit_q"),
    Mutant("output-lost-unless-sent-at-once", OUTPUT, FOUR, "push_i | (full_q & ~pop_i)", "push_i"),
    Mutant("link-without-credit", LINK, LINDER, "full_i & credit_q", "full_i"),
    Mutant("credit-lost", LINK, OBLIVIOUS, "(credit_q & ~vc_o) | credit_i", "credit_q & ~vc_o"),
    Mutant("credit-twice", LINK, STAR, "(credit_q & ~vc_o) | credit_i", "credit_q | credit_i", SWAPPED),
    Mutant("link-arbitration-stuck", LINK, FOUR, ".advance_i(1'b1)", ".advance_i(1'b0)"),
    Mutant("valid-without-flit", LINK, FOUR, "valid_o = |vc_o", "valid_o = |full_i", PLAIN),
    # Headers and routes
    Mutant("state-in-body-flits", HEADER, LINDER, "flit_i[DataW+1] ? (state & keep_i) | set_i : state",
           "(state & keep_i) | set_i"),
    Mutant("wrapped-bit-not-set", HEADER, STAR, "(state & keep_i) | set_i", "state & keep_i", places=WRAPS),
    Mutant("tie-goes-one-way", "routing/minimal_hop.sv", LINDER, "twice <= {1'b0, radix}", "twice < {1'b0, radix}"),
    Mutant("wrong-radix", "routing/minimal_hop.sv", STAR, "{1'b0, last_i} + 1'b1", "{1'b0, last_i}"),
    Mutant("y-before-x", "routing/star_channels_route.sv", STAR, "star_y = x_i == dst_x_i", "star_y = 1'b1"),
    Mutant("wrapped-bit-not-read", "routing/star_channels_route.sv", STAR, "x_plus_class = wrapped_i[0] | ",
           "x_plus_class = ", places=X_FIRST),
    Mutant("arrived-by-x-alone", "routing/four_classes_route.sv", FOUR, "arrived_o = ~x_o & ~y_o", "arrived_o = ~x_o"),
    Mutant("high-and-low-at-once", "routing/oblivious_route.sv", OBLIVIOUS, "x_i > dst_x_i", "x_i != dst_x_i", SWAPPED),
    Mutant("y-not-after-x", "routing/dimension_order_route.sv", QUEUED, "same_x && dst_y_i > y_i", "dst_y_i > y_i",
           places=("router_0_*", "router_1_*", "router_2_0", "router_2_1")),
    # What the routers themselves add
    Mutant("slot-of-the-wrong-class", TO_SLOTS, STAR, "minus_wraps_i ? minus_star1 : minus_star0", "minus_star0",
           places=X_FIRST),
    Mutant("class-of-the-wrong-slot", TO_VCS, STAR, "plus_wraps_i ? slots_i[0+:W] : plus_second", "plus_second",
           places=X_LAST),
    Mutant("room-behind-the-link-ignored", "nodes/star_channels.sv", STAR, "~out_busy & ~out_full & {1'b1, room}",
           "~out_busy & ~out_full"),
    Mutant("terminal-always-ready", "nodes/star_channels.sv", STAR, "out_pop[Slots] = consumption_ready_i",
           "out_pop[Slots] = 1'b1"),
    Mutant("prefix-kept-around-the-ring", "nodes/four_classes.sv", FOUR, "Prefix ^ x_wraps", "Prefix", places=WRAPS),
    Mutant("consumption-of-two-crossbars", "nodes/four_classes.sv", FOUR, "{~|consumption_busy, ~busy[1:0]}", "~busy"),
    Mutant("consumption-turn-frozen", "nodes/linder_harden.sv", LINDER, ".advance_i(1'b1)", ".advance_i(1'b0)"),
    Mutant("level-not-raised", "nodes/linder_harden.sv", LINDER, "raised = wraps ? {levels[1:0], 1'b0} : levels",
           "raised = levels", places=WRAPS),
    Mutant("lanes-high-for-low", "nodes/oblivious.sv", OBLIVIOUS, "{2{{2{x_low}}, {2{x_high}}}}",
           "{2{{2{x_high}}, {2{x_low}}}}"),
    # The router with queues
    Mutant("queue-wraps-late", FIFO, QUEUED, "head_q == Last", "&head_q", settings=DEEP),
    Mutant("queue-counts-push-with-pop", FIFO, QUEUED, "push_i && !pop_i", "push_i", PLAIN),
    Mutant("vc-never-free", "nodes/input_queued.sv", QUEUED, "busy_q & ~released", "busy_q"),
    Mutant("vc-free-before-the-tail", "nodes/input_queued.sv", QUEUED, "if (sent_flit[p*FlitW+TailBit]) released",
           "released", SWAPPED),
    Mutant("connection-outlives-the-tail", "nodes/input_queued.sv", QUEUED,
           "if (granted[i] && front[i*FlitW+TailBit]) connected_d[i] = 1'b0;", ""),
    Mutant("class-on-all-lanes", "nodes/input_queued.sv", QUEUED, "vc_request & vc_allowed", "vc_request",
           settings=CLASSES),
    Mutant("class-a-bit-too-low", "nodes/input_queued.sv", QUEUED, "ClassBit = 2 * CoordW + StateW",
           "ClassBit = 2 * CoordW + StateW - 1", settings=CLASSES),
    Mutant("lanes-of-the-class-before", "nodes/input_queued.sv", QUEUED, "ClassVcs[c*Vcs+o%Vcs]",
           "ClassVcs[(c == 0 ? 0 : c - 1)*Vcs+o%Vcs]", settings=CLASSES),
    Mutant("busy-vc-asked-for", "nodes/input_queued.sv", QUEUED, " & ~busy_q[o]", ""),
    Mutant("switch-without-room", "nodes/input_queued.sv", QUEUED,
           "((out_vc_q[i*Vcs+:Vcs] & room[p*Vcs+:Vcs]) != '0)", "1'b1", PLAIN),
    Mutant("credit-twice-while-sending", "nodes/input_queued.sv", QUEUED, "credit[o] && !sent_vc[o]", "credit[o]"),
    Mutant("one-credit-too-few", "nodes/input_queued.sv", QUEUED, "CreditW'(Depth)}", "CreditW'(Depth - 1)}"),
]
