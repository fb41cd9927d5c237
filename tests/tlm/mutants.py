"""Deliberate faults of the network between TLM-2.0 sockets, as changes of its sources.

A fault is (name, file, old, new): `old` stands once in models/tlm/FILE and is replaced. A statement ends with ';' or
'}'; anything else is an expression. All faults are compiled into one program, which asks for the one that is on
(NOCTULE_TLM_FAULT); the shipped sources know nothing of it.
"""
import pathlib
import re
import sys

INITIATOR, TARGET, BLOCKING, CORE, DIRECT, SUB, LEVELS, TRANSIT = (
    "initiator_side.cpp", "target_side.cpp", "blocking.cpp", "core.cpp", "direct.cpp", "sub_payload.cpp", "levels.cpp",
    "transit.cpp")

FAULTS = [
    ("early END_REQ", INITIATOR, "side.waiting.push_back(number);",
     "side.waiting.push_back(number); end_request(side, number);"),
    ("no END_REQ", INITIATOR, "t.blocking || side.requesting != transactions_.token(number)", "true"),
    ("END_REQ twice", INITIATOR, "transactions_[number].stage = Stage::kMoving;",
     "transactions_[number].stage = Stage::kMoving; { const auto again = side.requesting; end_request(side, number);"
     " side.requesting = again; }"),
    ("annotated BEGIN_REQ at once", INITIATOR, "agenda_.add({What::kArrive, transactions_.token(number)}, delay);",
     "agenda_.add({What::kArrive, transactions_.token(number)});"),
    ("b_transport does not wait for its delay", BLOCKING,
     "sc_core::wait(delay);\n    delay = sc_core::SC_ZERO_TIME;", "delay = sc_core::SC_ZERO_TIME;"),
    ("b_transport leaves the delay", BLOCKING,
     "sc_core::wait(delay);\n    delay = sc_core::SC_ZERO_TIME;", "sc_core::wait(delay);"),
    ("BEGIN_RESP twice", INITIATOR, "t.stage = Stage::kResponding;",
     "t.stage = Stage::kResponding; { Phase again = ::tlm::BEGIN_RESP; sc_time zero; "
     "(void)side.backward->nb_transport_bw(payload, again, zero); }"),
    ("release before erase", INITIATOR, "side.known.erase(found);\n  close_transaction(side, number);\n  payload.release();",
     "payload.release(); side.known.erase(&payload); close_transaction(side, number);"),
    ("no release", INITIATOR, "side.known.erase(found);\n  close_transaction(side, number);\n  payload.release();",
     "side.known.erase(found); close_transaction(side, number);"),
    ("no acquire", INITIATOR, "payload.acquire();", ";"),
    ("status touched", INITIATOR, "payload.set_response_status(t.status);\n  side.responding = true;",
     "payload.set_response_status(::tlm::TLM_OK_RESPONSE); side.responding = true;"),
    ("status of b_transport touched", BLOCKING, "payload.set_response_status(t.status);\n  close_transaction(side, number);",
     "payload.set_response_status(::tlm::TLM_OK_RESPONSE); close_transaction(side, number);"),
    ("exclusion of responses broken", INITIATOR, "side.responding && !t.blocking", "false"),
    ("order broken", INITIATOR, "settings.reorder == Reorder::kNone || !t.counted", "true"),
    ("order of ids broken", INITIATOR, "other.id == t.id", "false"),
    ("all kept in order", INITIATOR, "settings.reorder == Reorder::kBuffer", "true"),
    ("one outstanding more", INITIATOR, "side.open.size() >= limits.max_outstanding",
     "side.open.size() > limits.max_outstanding"),
    ("request queue without end", INITIATOR, "side.queued < settings.request_queue", "true"),
    ("open transactions stay", INITIATOR,
     "if (side.open.back() == number)\n      side.open.pop_back();\n    else\n      std::erase(side.open, number);", ";"),
    ("place of a response kept", INITIATOR, "if (side.held > 0) --side.held;", ";"),
    ("place of a part kept", INITIATOR, "--side.held;  // its place is free; the last part's is kept until the end", ";"),
    ("errors of addresses and bursts mixed up", INITIATOR, "*fault == CutFault::kUnmapped", "*fault == CutFault::kTooLarge"),
    ("b and nb overtake each other", INITIATOR, "order_kept_ && a.blocking == b.blocking", "true"),
    ("reset ignored at the start", INITIATOR, "in_reset()", "false"),
    ("packets of requests and responses mixed up", INITIATOR, "packetizer.request_flits(piece_of(t, piece))",
     "packetizer.response_flits(piece_of(t, piece))"),
    ("address not translated", TARGET, "payload.set_address(part.piece.address);", ";"),
    ("address not restored", TARGET, "t.payload->set_address(t.burst.address);", ";"),
    ("streaming width not restored", TARGET, "t.payload->set_streaming_width(t.burst.streaming_width);", ";"),
    ("streaming width 0 passed on", TARGET, "payload.get_streaming_width() == 0", "false"),
    ("status passed on to the target", TARGET,
     "payload.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);", ";"),
    ("DMI hint passed on", TARGET, "if (!settings.grants_dmi) t.payload->set_dmi_allowed(false);", ";"),
    ("exclusion of requests broken", TARGET, "side.requesting == 0 && !side.arrived.empty()", "!side.arrived.empty()"),
    ("no END_RESP", TARGET, "!part.early", "false"),
    ("END_RESP after completion", TARGET, "!part.early", "true"),
    ("END_RESP twice", TARGET, "side.answered.push_back(parts_.token(n));",
     "side.answered.push_back(parts_.token(n)); leave_target(side, n);"),
    ("delay of an early completion lost", TARGET, "part.early = true;\n    agenda_.add({What::kAnswer, token}, delay);",
     "part.early = true; agenda_.add({What::kAnswer, token});"),
    ("delay of the target's b_transport lost", BLOCKING,
     "side_of(part).forward->b_transport(payload_of(part), delay);",
     "side_of(part).forward->b_transport(payload_of(part), delay); delay = sc_core::SC_ZERO_TIME;"),
    ("END_REQ of targets does not let the next one in", TARGET, "side.requesting = 0;\n  feed(side);",
     "side.requesting = 0;"),
    ("BEGIN_RESP does not imply END_REQ", TARGET, "if (freed) side.requesting = 0;", ";"),
    ("response queue without end", TARGET, "side.queued < settings.response_queue", "true"),
    ("worst status lost", TARGET, "badness(status) > badness(t.status)", "false"),
    ("response of the wrong length", TARGET, "packetizer.response_flits(piece_of(t, part.piece))",
     "packetizer.request_flits(piece_of(t, part.piece))"),
    ("failed parts leave their status", TARGET, "t.status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;",
     "t.status = ::tlm::TLM_OK_RESPONSE;"),
    ("abandoned transactions stay open", BLOCKING, "agenda_.add({What::kAbandoned, token});", ";"),
    ("abandoned transactions send the rest", BLOCKING, "t.pieces.resize(t.parts.size());", ";"),
    ("abandoned transactions wait for what is not sent", BLOCKING, "t.counted && !t.failed", "false"),
    ("abandoned transactions wait for their turn", BLOCKING, "std::erase(side.waiting, number) > 0", "false"),
    ("abandoned parts stay at their targets", BLOCKING,
     "if (parts_.alive(t.arrived.front())) answer_abandoned(Slots<Part>::number_of(t.arrived.front()));", ";"),
    ("parts of abandoned transactions reach their targets", TARGET, "t.abandoned()", "false"),
    ("address of an abandoned payload not restored", BLOCKING, "payload.set_address(t.burst.address);", ";"),
    ("what is abandoned is no error", BLOCKING, "t.status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;",
     "t.status = ::tlm::TLM_OK_RESPONSE;"),
    ("status of an abandoned payload untouched", BLOCKING,
     "payload.set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);\n    abandon(token);", "abandon(token);"),
    ("payload that is open taken", BLOCKING, "side.known.contains(&payload)", "false"),
    ("one class for both", CORE, "request ? request_class_ : response_class_", "request_class_"),
    ("terminals never refuse", CORE, "held < limit ? limit - held : 0", "kAll"),
    ("taken requests not counted", CORE, "++targets_[target_at_[noctule::index(flit.terminal)]]->held;", ";"),
    ("taken responses not counted", CORE, "++initiators_[initiator_at_[noctule::index(flit.terminal)]]->held;", ";"),
    ("room of requests not given back", CORE, "--side.queued;\n    if (moves_flits()) --side.held;", "--side.queued;"),
    ("source queue of targets not given back", CORE,
     "--side.queued;\n    if (moves_flits()) --side.held;", "if (moves_flits()) --side.held;"),
    ("source queue of initiators not given back", CORE,
     "--side.queued;\n    if (!side.waiting.empty()) agenda_.add({What::kAdvance, noctule::index(side.id)});",
     "if (!side.waiting.empty()) agenda_.add({What::kAdvance, noctule::index(side.id)});"),
    ("leak on reset", CORE, "if (t.left == 0) make_ready(side, n);", ";"),
    ("reset keeps what waits", CORE,
     "side->queued = 0;\n    side->held = 0;\n    side->waiting.clear();", "side->queued = 0; side->held = 0;"),
    ("reset keeps the room of targets", CORE, "side->held = 0;\n    side->arrived.clear();", "side->arrived.clear();"),
    ("reset keeps the queues", CORE, "side->queued = 0;\n    side->held = 0;\n    side->waiting.clear();",
     "side->held = 0; side->waiting.clear();"),
    ("reset is no error", CORE, "t.status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;", "t.status = ::tlm::TLM_OK_RESPONSE;"),
    ("response channel never free", CORE, "initiators_[side]->responding = false;", ";"),
    ("debug pointer not moved", DIRECT, "payload.set_data_ptr(data + done);", "payload.set_data_ptr(data);"),
    ("debug address not restored", DIRECT,
     "payload.set_address(address);\n  payload.set_data_ptr(data);", "payload.set_data_ptr(data);"),
    ("debug says nothing moved", DIRECT, "return done;", "return 0;"),
    ("debug goes on after a gap", DIRECT, "moved == part && done < length", "done < length"),
    ("DMI granted against the settings", DIRECT, "!settings.grants_dmi || !range.target", "!range.target"),
    ("DMI pointer not moved", DIRECT,
     "dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (first - dmi.get_start_address()));", ";"),
    ("DMI not clipped", DIRECT, "std::min<std::uint64_t>(dmi.get_end_address(), last_local)", "dmi.get_end_address()"),
    ("DMI read latency lost", DIRECT,
     "dmi.set_read_latency(dmi.get_read_latency() + dmi_latency(side.id, *range.target, Access::kRead));", ";"),
    ("DMI holders told for ever", DIRECT, "side.dmi.erase(holder);", ";"),
    ("all holders told", DIRECT, "holder.second.first <= to && holder.second.second >= from", "true"),
    ("loose waits", LEVELS, "delay = end - now;", "sc_core::wait(end - now); delay = sc_core::SC_ZERO_TIME;"),
    ("delay of the caller lost", LEVELS, "settings.keep_delay ? now : now + delay", "now"),
    ("approximate does not wait", LEVELS, "if (!t.failed) sc_core::wait(end - now, *t.wake);", ";"),
    ("approximate leaves the delay", LEVELS, "if (!settings.keep_delay) delay = sc_core::SC_ZERO_TIME;", ";"),
    ("response takes no time", LEVELS, "return std::max(start, start_of(part.times.arrived));", "return start;"),
    ("responses of pieces take no time", LEVELS, "last = std::max(part.times.arrived, last + answer.flits);",
     "last = 0 * (part.times.arrived + answer.flits);"),
    ("responses in the order of pieces", LEVELS,
     "std::ranges::stable_sort(answers, {}, [](const auto& one) { return one.first.born; });", ";"),
    ("time goes on unseen", LEVELS, "now = then;", ";"),
    ("address not translated at once", LEVELS, "localise(part);", ";"),
    ("address not restored at once", LEVELS, "restore(part);", ";"),
    ("delay of a target called at once lost", LEVELS, "birth(now + delay)", "birth(now)"),
    ("touched accesses overtaken", LEVELS,
     "std::ranges::any_of(side.open, touched) || std::ranges::any_of(side.waiting, touched)", "false"),
    ("limits ignored at once", LEVELS, "!side.waiting.empty() || side.open.size() >= limits.max_outstanding", "false"),
    ("reset forgotten at once", LEVELS, "if (t.failed) t.status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;", ";"),
    ("pieces all at a time", LEVELS, "born = there.injected + flits;", ";"),
    ("refused at once without a count", LEVELS, "if (!t.failed) ++counters.refused;", ";"),
    ("source queues never left", LEVELS, "agenda_.add({What::kLeftQueue, token}, start_of(part.times.injected) - now);", ";"),
    ("nobody is put off", TRANSIT,
     "if (due > times.arrived || (in_order && times.turn != pair.arrived)) return times.arrived = due;",
     "if (in_order && times.turn != pair.arrived) return times.arrived = due;"),
    ("packets of a pair overtake each other", TRANSIT, "std::max(times.arrived, pair.last)", "times.arrived"),
    ("nobody waits at links", TRANSIT, "times.arrived += waits.all;", ";"),
    ("data pointer of a part not moved", SUB, "whole.get_data_ptr() + piece.first", "whole.get_data_ptr()"),
    ("byte enables of a part not turned", SUB, "sub.enables.begin() + piece.first % enables", "sub.enables.begin()"),
]


def is_statement(old):
    return old.rstrip().endswith((";", "}")) or "//" in old


def pattern(old):
    """`old` with any white space where it has some."""
    return re.compile(r"\s+".join(re.escape(word) for word in old.split()))


def mutate(file, text):
    """The source with every fault of this file, each behind its number (from 1)."""
    by_place = {}
    for number, (name, where, old, new) in enumerate(FAULTS, 1):
        if where != file:
            continue
        found = list(pattern(old).finditer(text))
        if len(found) != 1:
            raise SystemExit(f"mutants.py: '{name}': {file} has {len(found)} of: {old}")
        by_place.setdefault(found[0].span(), []).append((number, new, is_statement(old)))
    out, last = [], 0
    for start, end in sorted(by_place):
        if start < last:
            raise SystemExit(f"mutants.py: two faults of {file} overlap: {text[start:end]}")
        old = text[start:end]
        for number, new, statement in by_place[start, end]:
            if statement:
                old = f"if (noctule_fault({number})) {{ {new} }} else {{ {old}\n }}"
            else:
                old = f"(noctule_fault({number}) ? ({new}) : ({old}))"
        out += [text[last:start], old]
        last = end
    return '#include "tlm/systemc_tlm.h"\nbool noctule_fault(int number);\n' + "".join(out) + text[last:]


def main():
    """mutants.py SOURCES TARGET: the sources of the folder with all faults, into another folder."""
    source, target = (pathlib.Path(argument) for argument in sys.argv[1:3])
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        if any(fault[1] == path.name for fault in FAULTS):
            text = mutate(path.name, text)
        written = target / path.name
        if not written.exists() or written.read_text(encoding="utf-8") != text:
            written.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
