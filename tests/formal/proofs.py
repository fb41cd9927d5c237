"""What is proved, and for which sizes; and the mutants that these proofs must refute."""
import dataclasses

from engines import REFUTED, VACUOUS


@dataclasses.dataclass(frozen=True)
class Proof:
    name: str
    top: str        # module, and file of that name in this folder
    sources: tuple  # others, in rtl/ or in this folder
    cases: tuple    # parameters
    depth: int      # steps within which goals must be reached, and mutants refuted
    goals: tuple = ()  # these alone; none: all
    engine: str = "sat"
    quick: bool = True


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    proof: str
    source: str
    old: str        # occurs once
    new: str
    expected: str = REFUTED
    parameters: tuple = ()  # in which it differs from the first case of the proof
    asserts: str = ""       # an assertion in rtl/ that refutes it alone


ARBITER = ("rtl/arbitration/priority_select.sv", "rtl/arbitration/round_robin_pick.sv",
           "rtl/arbitration/round_robin_arbiter.sv")
SEPARABLE = (*ARBITER, "rtl/arbitration/separable_input_first.sv")
VC_ALLOCATOR = (*ARBITER, "rtl/blocks/vc_allocator.sv")
MONITOR = ("tests/formal/fairness_monitor.sv",)
BUFFERS = tuple(f"rtl/blocks/{name}.sv" for name in ("input_buffer", "output_buffer", "buffer_rules"))
CROSSBAR = (*SEPARABLE, "rtl/blocks/vc_allocator.sv", "rtl/blocks/flit_mux.sv", "rtl/blocks/crossbar.sv", *BUFFERS)


def square(n, **others):
    return {"Inputs": n, "Outputs": n, **others}


def matching(requesters, resources, groups):
    return {"Requesters": requesters, "Resources": resources, "Groups": groups}


ROTATING, LOWEST = {"Rotating": 1}, {"Rotating": 0}
AT_ONCE = {"Separable": 1}
BOUND = {"Ordered": 0}  # nothing of the order, so that it is the bound that refutes

LINK = (*ARBITER, *MONITOR, "rtl/blocks/flit_mux.sv", "rtl/blocks/link_mux.sv")
CREDITS = (*ARBITER, *(f"rtl/blocks/{name}.sv" for name in ("flit_mux", "link_mux", "link_rules")), *BUFFERS)

# Mutants are made of the first case of a proof.
PROOFS = {proof.name: proof for proof in (
    Proof("round_robin_arbiter", "round_robin_arbiter_proof", ARBITER + MONITOR,
          tuple({"N": n} for n in (4, 2, 3, 5, 8)), depth=12),
    Proof("round_robin_arbiter_z3", "round_robin_arbiter_proof", ARBITER + MONITOR,
          tuple({"N": n, **BOUND} for n in (4, 2, 3, 5)), depth=10, engine="z3"),
    Proof("link_mux", "link_mux_proof", LINK, tuple({"Vcs": n} for n in (4, 3, 6)), depth=12),
    Proof("vc_allocator", "vc_allocator_proof", VC_ALLOCATOR + MONITOR,
          (square(3, **ROTATING), square(3, **LOWEST), square(4, **ROTATING)), depth=12),
    Proof("separable_input_first", "separable_input_first_proof", SEPARABLE + MONITOR,
          (matching(4, 4, 4), matching(6, 5, 2)), depth=10),
    Proof("separable_members", "separable_members_proof", SEPARABLE + MONITOR,
          (matching(4, 4, 2), matching(6, 3, 2)), depth=10),
    Proof("input_fifo", "input_fifo_proof", ("rtl/blocks/input_fifo.sv",),
          tuple({"Depth": n} for n in (3, 2, 5, 8)), depth=14),
    Proof("credits", "credits_proof", CREDITS, tuple({"Vcs": v, "Delay": d} for v, d in ((3, 1), (3, 2), (2, 3))),
          depth=14),
    Proof("star_maps", "star_maps_proof",
          ("rtl/blocks/star_vcs_to_slots.sv", "rtl/blocks/star_slots_to_vcs.sv", "rtl/routing/minimal_hop.sv",
           "rtl/routing/star_channels_route.sv"), ({},), depth=3),
    Proof("crossbar", "crossbar_proof", CROSSBAR, (square(3, **ROTATING), square(4, **ROTATING)), depth=12),
    Proof("crossbar_separable", "crossbar_proof", CROSSBAR, (square(4, **AT_ONCE),), depth=10),
    # Those that take longer
    Proof("round_robin_arbiter_more", "round_robin_arbiter_proof", ARBITER + MONITOR, ({"N": 17},), depth=20,
          quick=False),
    Proof("round_robin_arbiter_z3_more", "round_robin_arbiter_proof", ARBITER + MONITOR, ({"N": 8, **BOUND},),
          depth=10, engine="z3", quick=False),
    Proof("vc_allocator_more", "vc_allocator_proof", VC_ALLOCATOR + MONITOR,
          (square(4, **LOWEST), square(17, **ROTATING)), depth=3, goals=("goal_refused_o", "goal_passed_on_o"),
          quick=False),
    Proof("separable_input_first_more", "separable_input_first_proof", SEPARABLE + MONITOR,
          (matching(3, 5, 3), matching(8, 4, 4), matching(17, 17, 17)), depth=4, goals=("goal_lost_bid_o",), quick=False),
    Proof("crossbar_more", "crossbar_proof", CROSSBAR,
          (square(3, **LOWEST), square(4, **LOWEST), square(5, **ROTATING),
           square(3, **AT_ONCE), square(5, **AT_ONCE)),
          depth=14, quick=False),
)}

PICK, TURN, LOW = (f"rtl/arbitration/{name}.sv"
                   for name in ("round_robin_pick", "round_robin_arbiter", "priority_select"))
INPUT_FIRST = "rtl/arbitration/separable_input_first.sv"
MUX, SWITCH, ALLOCATOR = (f"rtl/blocks/{name}.sv" for name in ("link_mux", "crossbar", "vc_allocator"))
INPUT, OUTPUT = "rtl/blocks/input_buffer.sv", "rtl/blocks/output_buffer.sv"
FIFO, TO_SLOTS, TO_VCS = (f"rtl/blocks/{name}.sv" for name in ("input_fifo", "star_vcs_to_slots", "star_slots_to_vcs"))
GRANT, NEXT = "grant_o = wrap ? any_grant : late_grant;", "next_o = wrap ? any_above : late_above;"
SERVED, SCANNED = "served = refused ? first_for_links : first;", "scan_d = refused ? first_for_links_next : first_next;"
MOVES = "connected[i*Outputs+:Outputs] & {Outputs{in_full_i[i]}} & ~out_full_i;"
CONNECT = "{Outputs{served[i]}} & chosen;"
FULL = "full_q <= push_i | (full_q & ~pop_i);"
CREDIT = "credit_q <= (credit_q & ~vc_o) | credit_i;"
UNFAIR = tuple(BOUND.items())
GROUPED = tuple(matching(4, 4, 2).items())

MUTANTS = {mutant.name: mutant for mutant in (
    # Arbiter
    Mutant("frozen_pointer", "round_robin_arbiter", TURN, "pointer_q <= pointer_d;", "pointer_q <= pointer_q;",
           parameters=UNFAIR),
    Mutant("frozen_pointer_z3", "round_robin_arbiter_z3", TURN, "pointer_q <= pointer_d;", "pointer_q <= pointer_q;"),
    Mutant("pointer_on_winner", "round_robin_arbiter", PICK, NEXT,
           "next_o = wrap ? any_above | any_grant : late_above | late_grant;", parameters=UNFAIR),
    Mutant("pointer_one_too_far", "round_robin_arbiter", PICK, NEXT,
           "next_o = wrap ? any_above << 1 : late_above << 1;", parameters=UNFAIR),
    Mutant("pointer_without_service", "round_robin_arbiter", TURN, "if (advance_i && |request_i)", "if (|request_i)",
           parameters=UNFAIR),
    Mutant("double_grant", "round_robin_arbiter", PICK, GRANT, "grant_o = any_grant | late_grant;",
           asserts="OneGrant_A"),
    Mutant("all_granted", "round_robin_arbiter", LOW, "grant_o = request_i & ~above_o;", "grant_o = request_i;"),
    Mutant("no_wrap", "round_robin_arbiter", PICK, GRANT, "grant_o = late_grant;", asserts="GrantIfRequested_A"),
    Mutant("fixed_priority", "round_robin_arbiter", PICK, "late = request_i & pointer_i;", "late = request_i;",
           parameters=UNFAIR),
    # Link multiplexer
    Mutant("credit_ignored", "link_mux", MUX, ".request_i(full_i & credit_q)", ".request_i(full_i)",
           asserts="SendsWithCredit_A"),
    Mutant("credit_lost", "link_mux", MUX, CREDIT, "credit_q <= credit_q & ~vc_o;"),
    Mutant("credit_lost_when_busy", "link_mux", MUX, CREDIT,
           "credit_q <= (credit_q & ~vc_o) | (credit_i & {Vcs{~valid_o}});"),
    Mutant("credit_not_spent", "link_mux", MUX, CREDIT, "credit_q <= credit_q | credit_i;"),
    Mutant("link_pointer_frozen", "link_mux", MUX, ".advance_i(1'b1)", ".advance_i(1'b0)"),
    # VC allocator
    Mutant("consumption_unasked", "vc_allocator", ALLOCATOR, SERVED, "served = first;",
           asserts="ConsumptionIsGranted_A"),
    Mutant("scan_not_as_served", "vc_allocator", ALLOCATOR, SCANNED, "scan_d = first_next;"),
    Mutant("scan_frozen", "vc_allocator", ALLOCATOR, "scan_q <= scan_d;", "scan_q <= scan_q;"),
    Mutant("taken_outputs_bid_for", "vc_allocator", ALLOCATOR,
           "free = wanted_i[i*Outputs+:Outputs] & available_i;", "free = wanted_i[i*Outputs+:Outputs];",
           asserts="ServedIsConnected_A"),
    Mutant("two_outputs", "vc_allocator", ALLOCATOR, CONNECT, "{Outputs{served[i]}} & options;"),
    # Crossbar
    Mutant("double_request", "crossbar", SWITCH, "in_connected_o[i] = |connected_q[i*Outputs+:Outputs];",
           "in_connected_o[i] = 1'b0;", asserts="FreeBeforeConnected_A"),
    Mutant("stolen_output", "crossbar", SWITCH, "out_busy_o[o] = |held;", "out_busy_o[o] = 1'b0;",
           asserts="FreeBeforeConnected_A"),
    Mutant("push_into_full", "crossbar", SWITCH, MOVES, "connected[i*Outputs+:Outputs] & {Outputs{in_full_i[i]}};",
           asserts="PushIntoEmpty_A"),
    Mutant("pop_from_empty", "crossbar", SWITCH, MOVES, "connected[i*Outputs+:Outputs] & ~out_full_i;",
           asserts="PopFromFull_A"),
    Mutant("stale_mux", "crossbar", SWITCH, ".select_i(source)", ".select_i(held)"),
    Mutant("unmasked_row", "crossbar", ALLOCATOR, CONNECT, "chosen;"),
    Mutant("tail_does_not_release", "crossbar", SWITCH,
           "connected[i*Outputs+:Outputs] & ~(moves[i*Outputs+:Outputs] & {Outputs{tail}});",
           "connected[i*Outputs+:Outputs];"),
    Mutant("header_releases", "crossbar", SWITCH, "tail = in_flit_i[i*FlitW+FlitW-2];",
           "tail = in_flit_i[i*FlitW+FlitW-1];", asserts="PacketsAreWhole_A"),
    Mutant("flit_doubled", "crossbar", INPUT, FULL, "full_q <= push_i | full_q;"),
    Mutant("flit_lost", "crossbar", OUTPUT, FULL, "full_q <= (push_i | full_q) & ~pop_i;"),
    Mutant("flit_changed", "crossbar", INPUT, "if (push_i) flit_q <= flit_i;", "flit_q <= flit_i;"),
    # Separable allocator
    Mutant("bids_all_win", "separable_input_first", INPUT_FIRST, "bid[m] & wins[s*Groups+g];", "bid[m];",
           asserts="OneGroupPerResource_A"),
    Mutant("picks_all_wanted", "separable_input_first", INPUT_FIRST, "bid[m] = forward[R] & picks[R*Resources+s];",
           "bid[m] = forward[R] & request_i[R*Resources+s];", asserts="OneResourcePerGroup_A"),
    Mutant("members_all_forward", "separable_input_first", INPUT_FIRST, "bid[m] = forward[R] & picks[R*Resources+s];",
           "bid[m] = picks[R*Resources+s];", parameters=GROUPED),
    Mutant("requester_turn_tied_off", "separable_input_first", INPUT_FIRST, ".advance_i(served[r])", ".advance_i(1'b0)"),
    Mutant("requester_turn_always", "separable_input_first", INPUT_FIRST, ".advance_i(served[r])", ".advance_i(1'b1)"),
    Mutant("resource_turn_tied_off", "separable_input_first", INPUT_FIRST, ".advance_i(1'b1)", ".advance_i(1'b0)"),
    Mutant("member_turn_tied_off", "separable_members", INPUT_FIRST, ".advance_i(|served[g*Members+:Members])",
           ".advance_i(1'b0)"),
    # Queue and maps
    Mutant("queue_wraps_late", "input_fifo", FIFO, "head_d = (head_q == Last)", "head_d = (&head_q)",
           asserts="PointersArePlaces_A"),
    Mutant("queue_forgets_one", "input_fifo", FIFO, "if (push_i && !pop_i) count_d", "if (push_i && !pop_i && count_q != 2) count_d"),
    Mutant("queue_counts_push_with_pop", "input_fifo", FIFO, "if (push_i && !pop_i)", "if (push_i)",
           asserts="CountIsTailLessHead_A"),
    Mutant("queue_loses_a_bit", "input_fifo", FIFO, "flits_q[n*Width+:Width] <= flit_i;",
           "flits_q[n*Width+:Width] <= flit_i & ~Width'(n == 2);"),
    Mutant("slot_of_two_classes", "star_maps", TO_SLOTS, "minus_first = minus_wraps_i ? minus_star1 : minus_star0",
           "minus_first = minus_star0"),
    Mutant("class_of_no_slot", "star_maps", TO_VCS, "plus_star1 = plus_wraps_i ? slots_i[0+:W] : plus_second",
           "plus_star1 = plus_second"),
    Mutant("stolen_output_separable", "crossbar_separable", SWITCH, "out_busy_o[o] = |held;", "out_busy_o[o] = 1'b0;"),
    Mutant("bids_all_win_separable", "crossbar_separable", INPUT_FIRST, "bid[m] & wins[s*Groups+g];", "bid[m];"),
    # What else the assertions in rtl/ say, some of it about those around: then it is the proof that is changed
    Mutant("granted_unasked", "round_robin_arbiter", PICK, GRANT, "grant_o = wrap ? any_grant | N'(~|request_i) : late_grant;",
           asserts="GrantIsRequested_A"),
    Mutant("pointer_begins_with_a_gap", "round_robin_arbiter", TURN, "pointer_q <= '1;", "pointer_q <= N'(1);",
           asserts="PointerIsThermometer_A"),
    Mutant("granted_to_all_members", "separable_input_first", INPUT_FIRST, "bid[m] & wins[s*Groups+g];", "wins[s*Groups+g];",
           parameters=GROUPED, asserts="GrantIsRequested_A"),
    Mutant("two_inputs", "vc_allocator", PICK, GRANT, "grant_o = any_grant | late_grant;", asserts="OneInput_A"),
    Mutant("two_lowest", "vc_allocator", LOW, "grant_o = request_i & ~above_o;", "grant_o = request_i;",
           parameters=tuple(LOWEST.items()), asserts="OneOutput_A"),
    Mutant("taken_output", "vc_allocator", ALLOCATOR, "wanted_i[i*Outputs+:Outputs] & available_i);",
           "wanted_i[i*Outputs+:Outputs]);", asserts="OutputIsAvailable_A"),
    Mutant("nobody_waits", "vc_allocator", ALLOCATOR, "arrived[i] = waiting_i[i] & free", "arrived[i] = free",
           asserts="InputIsWaiting_A"),
    Mutant("wants_all", "vc_allocator", "tests/formal/vc_allocator_proof.sv",
           "assume (~wanted[Outputs-1] | ~|wanted[Outputs-2:0]);", "", asserts="HeaderWantsOneKind_A"),
    Mutant("nothing_connects", "crossbar", "tests/formal/crossbar_proof.sv", "in_full & in_head & ~in_connected",
           "~in_connected", asserts="HeaderConnects_A"),
    Mutant("connected_to_all", "crossbar", ALLOCATOR, CONNECT, "{Outputs{served[i]}};", asserts="OneOutputPerInput_A"),
    Mutant("connected_from_all", "crossbar", ALLOCATOR, CONNECT, "{Outputs{|served}} & chosen;",
           asserts="OneInputPerOutput_A"),
    Mutant("sent_without_room", "crossbar", "tests/formal/crossbar_proof.sv", "assume (~in_full[i] && push_head",
           "assume (push_head", asserts="PushIntoEmpty_A"),
    Mutant("sent_in_parts", "crossbar", "tests/formal/crossbar_proof.sv", "~in_full[i] && push_head[i] != inside_q[i]",
           "~in_full[i]", asserts="PacketsAreWhole_A"),
    Mutant("two_vcs_send", "link_mux", PICK, GRANT, "grant_o = any_grant | late_grant;", asserts="OneVc_A"),
    Mutant("valid_for_nothing", "link_mux", MUX, "valid_o = |vc_o;", "valid_o = |full_i;", asserts="ValidWithVc_A"),
    Mutant("sends_what_is_not_there", "link_mux", MUX, ".request_i(full_i & credit_q)", ".request_i(credit_q)",
           asserts="SendsWhatIsThere_A"),
    Mutant("credit_twice", "link_mux", "tests/formal/link_mux_proof.sv", "assume (~|(credit_i & ~one_q));", "",
           asserts="CreditWasSpent_A"),
    Mutant("all_selected", "link_mux", "tests/formal/link_mux_proof.sv", ".select_i(vc)", ".select_i(full_i)",
           asserts="OneBuffer_A"),
    Mutant("flit_on_an_idle_link", "link_mux", MUX, "      .select_i,", "      .select_i('1),", asserts="NothingIfNotValid_A"),
    Mutant("pushed_without_room", "input_fifo", "tests/formal/input_fifo_proof.sv", "rst_ni && held_q != CountW'(Depth)",
           "rst_ni", asserts="PushHasRoom_A"),
    Mutant("popped_from_nothing", "input_fifo", "tests/formal/input_fifo_proof.sv", "rst_ni && held_q != '0", "rst_ni",
           asserts="PopIsValid_A"),
    # Credits on their way
    Mutant("credit_lost_on_the_way", "credits", "tests/formal/credits_proof.sv", "{pulses_q, freed}",
           "{pulses_q, freed & {Vcs{~valid}}}"),
    Mutant("credit_lost_by_the_sender", "credits", MUX, CREDIT, "credit_q <= credit_q & ~vc_o;"),
    Mutant("credit_made_on_the_way", "credits", "tests/formal/credits_proof.sv", "{pulses_q, freed}",
           "{pulses_q, freed | (pop_i & {Vcs{in_full[0]}})}", asserts="CreditForAFlit_A"),
    Mutant("credit_made_by_the_receiver", "credits", "tests/formal/credits_proof.sv", "freed = pop_i & in_full;",
           "freed = pop_i;", asserts="CreditForAFlit_A"),
    Mutant("credit_spent_twice", "credits", MUX, CREDIT, "credit_q <= credit_q | credit_i;", asserts="FlitHasRoom_A"),
    Mutant("flit_kept_by_the_sender", "credits", OUTPUT, FULL, "full_q <= push_i | full_q;", asserts="PacketsAreWhole_A"),
    Mutant("link_of_two_vcs", "credits", PICK, GRANT, "grant_o = any_grant | late_grant;", asserts="OneVc_A"),
    Mutant("noise_on_the_link", "credits", "tests/formal/credits_proof.sv", "({flits_q, flit})",
           "({flits_q, flit | {FlitW{pop_i[0]}}})", asserts="NothingIfNotValid_A"),
    # Proofs of nothing: what is assumed leaves no room.
    Mutant("vacuous_arbiter", "round_robin_arbiter", "tests/formal/fairness_monitor.sv", "assume ($onehot(choice_i));",
           "assume ($onehot(choice_i) && choice_i == '0);", VACUOUS),
    Mutant("vacuous_link_mux", "link_mux", "tests/formal/link_mux_proof.sv", "assume (~|(credit_i & ~one_q));",
           "assume (~|credit_i);", VACUOUS),
    Mutant("vacuous_credits", "credits", "tests/formal/credits_proof.sv", "freed = pop_i & in_full;", "freed = '0;", VACUOUS),
    Mutant("vacuous_crossbar", "crossbar", "tests/formal/crossbar_proof.sv", "assume (~in_full[i] &&",
           "assume (~|out_full && ~in_full[i] &&", VACUOUS),
)}

SAMPLE = ("frozen_pointer", "credit_ignored", "double_request", "sent_in_parts", "credit_made_by_the_receiver")
VACUITY = tuple(name for name, mutant in MUTANTS.items() if mutant.expected == VACUOUS)
