// A router in hardware: what none may do, and what of it can be seen from outside.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "fabric/rtl_router.h"

namespace noctule {

namespace {
/// Cycles after which a credit is missing whose flit has left.
constexpr Cycle kLongestCredit = 1000;
/// Of a flit that is shown instead of another one and is still taken for it.
constexpr int kFewBits = 2;
}  // namespace

void RtlRouter::check_absent_links(Cycle t) const {
  for (const LinkPins* pins : no_outbound_)
    if (out_[pins->valid] != 0)
      fault(*pins, "valid", t,
            fmt::format("sends the {}, but no link leaves the router there",
                        map_->format().describe(out_[pins->flit])));
  for (const LinkPins* pins : no_inbound_)
    if (out_[pins->credit] != 0)
      fault(*pins, "credit", t, "gives a credit, but no link comes to the router there");
}

void RtlRouter::check_route(const LinkPins& pins, std::uint64_t value, std::size_t output,
                            const Packet& packet, Cycle t) {
  const FlitFormat& format = map_->format();
  const auto each_offered = [&](auto&& f) {
    for (const Candidate candidate : context_.candidates)
      plan_.each_choice(candidate, packet.message_class, f);
  };
  context_.candidates.clear();
  if (packet.destination_router != id_)
    context_.relation->candidates(id_, packet.destination_router, packet.route_state, context_.candidates);
  bool may = false;
  each_offered([&](std::uint16_t o) { may = may || o == output; });
  if (!may) [[unlikely]] {
    std::vector<std::string> offered;
    each_offered([&](std::uint16_t o) { offered.push_back(plan_.outputs[o].name); });
    fault(pins, "flit", t,
          fmt::format("shows the {}, a header that may not leave by {}: {}", format.describe(value),
                      plan_.outputs[output].name,
                      offered.empty()
                          ? "this router is its destination"
                          : fmt::format("the routing relation offers it {}", fmt::join(offered, ", "))));
  }
  if (!context_.relation_has_state) return;
  const VcPlan& vc = plan_.outputs[output];
  const RouteState due = context_.relation->next_state(id_, packet.destination_router, packet.route_state,
                                                       {vc.port, vc.vc_class});
  if (format.state(value) != due)
    fault(pins, "flit", t,
          fmt::format("shows the {}; its header came with state {}, and behind {} it is {}",
                      format.describe(value), packet.route_state, vc.name, due));
}

std::optional<Cycle> RtlRouter::silent_since() const {
  const bool holds = std::ranges::any_of(passages_, [](const Passage& p) { return !p.flits.empty(); });
  return holds ? std::optional(sent_) : std::nullopt;
}

void RtlRouter::check_credits(Cycle t) const {
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    const Passage& passage = passages_[i];
    if (passage.taken == 0 || !passage.flits.empty() || t < passage.left_last + kLongestCredit) continue;
    const bool injection = i >= plan_.link_inputs();
    const LinkPins& pins = injection ? map_->injection() : *pins_.input[i];
    fault(pins, "credit", t,
          fmt::format("has not given back {} slots of input {}, {} cycles after the last flit left them",
                      passage.taken, plan_.inputs[i].name, t - passage.left_last),
          Hint::kQueues, passage.left_last);
  }
}

const RtlRouter::Passage* RtlRouter::oldest(bool all) const {
  const Passage* found = nullptr;
  for (const Passage& passage : passages_)
    if (passage.flits.size() > (all ? 0 : passage.taken) &&
        (found == nullptr || passage.flits.front().came < found->flits.front().came))
      found = &passage;
  return found;
}

void RtlRouter::check_left(Cycle t) const {
  const Passage* const passage = oldest(true);
  if (passage == nullptr || credits_ != places_) return;
  std::size_t flits = 0;
  for (const Passage& each : passages_) flits += each.flits.size();
  const auto& [first, came] = passage->flits.front();
  const FlitFormat& format = map_->format();
  throw RtlFault(
      id_, "", t, came,
      fmt::format("{} (RTL, module {}), cycle {}: {} flit{} came in and never left, although nothing "
                  "else moves and there is room behind all outputs: it loses flits, or has stopped. "
                  "The first is the {}, which came in cycle {} by {}; {}",
                  name(), dut_->source().top, t, flits, flits == 1 ? "" : "s",
                  format.describe(format.encode(first, context_.packets[first.packet])), came,
                  plan_.inputs[static_cast<std::size_t>(passage - passages_.data())].name,
                  advice(Hint::kRules)));
}

void RtlRouter::changed_flit(const LinkPins& pins, std::uint64_t value, Cycle t) const {
  const FlitFormat& format = map_->format();
  for (const Passage& passage : passages_)
    for (const auto& [flit, since] : passage.flits) {
      const std::uint64_t came = format.encode(flit, context_.packets[flit.packet]);
      const std::uint64_t bits =
          flit.head() ? format.with_state(value, 0) ^ format.with_state(came, 0) : value ^ came;
      // Another flit differs in its payload, too.
      if (bits != 0 && std::popcount(bits) <= kFewBits)
        fault(pins, "flit", t,
              fmt::format("shows the {}; the {} came in: bits {:#x} are wrong", format.describe(value),
                          format.describe(came), bits),
              Hint::kChangedFlit);
    }
}

void RtlRouter::interleaved(const LinkPins& pins, std::uint64_t value, Flit before, Cycle t) const {
  changed_flit(pins, value, t);
  const FlitFormat& format = map_->format();
  fault(pins, "flit", t,
        fmt::format("shows {} behind the {}: the tail of that packet has not left there", shown(value),
                    format.describe(format.encode(before, context_.packets[before.packet]))),
        Hint::kQueues);
}

/// The next flit of this packet to leave; null: none is here.
const Flit* RtlRouter::next_of(PacketHandle packet) const {
  for (const Passage& passage : passages_)
    for (const Inside& inside : passage.flits)
      if (inside.flit.packet == packet) return &inside.flit;
  return nullptr;
}

/// What is on the pins, for people. The fields of a flit of no packet that is here say nothing.
std::string RtlRouter::shown(std::uint64_t value) const {
  const FlitFormat& format = map_->format();
  if (next_of(format.packet(value)) != nullptr) return "the " + format.describe(value);
  return fmt::format("{:#x}, a {} of no packet that is in the router,", value,
                     format.head(value) ? "header" : "flit");
}

void RtlRouter::wrong_flit(const LinkPins& pins, std::uint64_t value, Cycle t) const {
  changed_flit(pins, value, t);
  const FlitFormat& format = map_->format();
  const auto packet = format.packet(value);
  const Flit* const next = next_of(packet);
  if (next == nullptr)
    fault(pins, "flit", t, fmt::format("shows {} which never came in, or left before", shown(value)),
          Hint::kQueues);
  const std::uint64_t due = format.encode(*next, context_.packets[packet]);
  if (due == value)
    fault(pins, "flit", t, fmt::format("shows {}, whose header did not leave there", shown(value)));
  fault(pins, "flit", t,
        fmt::format("shows {}; next of that packet is the {}", shown(value), format.describe(due)),
        Hint::kQueues);
}

std::string RtlRouter::advice(Hint hint) const {
  if (dut_->source().files.empty()) return "`noctule cosim` shows where it leaves the model";
  if (hint == Hint::kChangedFlit) return "what came in has to leave as it came (rtl/README.md, \"Flits\")";
  return fmt::format(
      "{}does it keep to the rules of the pins (rtl/README.md)?",
      hint == Hint::kQueues
          ? fmt::format("are the queues of its inputs {} flits deep (node.input_depth), and ", input_depth_)
          : "");
}

void RtlRouter::fault(const LinkPins& pins, const char* pin, Cycle t, const std::string& message, Hint hint,
                      Cycle since) const {
  const bool credit = pin[0] == 'c';
  const std::string full = fmt::format("{}_{}_o", pins.name, credit ? "credit" : pin);
  throw RtlFault(id_, full, t, std::min(since, t),
                 fmt::format("{} (RTL, module {}), cycle {}: {} {}; {}", name(), dut_->source().top, t, full,
                             message, advice(hint)));
}

void RtlRouter::stopped(Cycle t) const {
  throw RtlFault(id_, "", t, t,
                 fmt::format("{} (RTL, module {}), cycle {}: the RTL itself stops at {}: {}", name(),
                             dut_->source().top, t, rtl_->finding()->place, rtl_->finding()->text));
}

void RtlRouter::input_flits(std::size_t input, std::vector<Flit>& flits) const {
  flits.clear();
  for (const Inside& inside : passages_[input].flits) flits.push_back(inside.flit);
}

bool RtlRouter::arriving(std::size_t input, Cycle t) const {
  Flit flit;
  return arriving_flit(input, t, flit);
}

bool RtlRouter::arriving_flit(std::size_t input, Cycle t, Flit& flit) const {
  for (const Arrival& arrival : mail_[slot(t)].arrivals)
    if (arrival.input == input) {
      flit = arrival.flit;
      return true;
    }
  return false;
}

bool RtlRouter::credit_arriving(std::size_t output, Cycle t) const {
  if (output >= pins_.output.size() || output >= plan_.link_outputs()) return false;
  const std::uint64_t credits = values_[slot(t) * rest_.size() + pins_.output[output]->credit];
  return (credits >> pins_.output_bit[output] & 1) != 0;
}

Occupancy RtlRouter::occupancy(Cycle t) const {
  Occupancy sum;
  for (std::size_t i = 0; i < plan_.link_inputs(); ++i)
    sum.input_vcs += passages_[i].taken > 0 || arriving(i, t) ? 1 : 0;
  return sum;
}

}  // namespace noctule
