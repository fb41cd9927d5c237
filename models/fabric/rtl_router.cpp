#include "fabric/rtl_router.h"

#include <fmt/format.h>

#include <bit>

#include "blocks/consumption_channel.h"
#include "core/packet_name.h"
#include "rtl/registered_outputs.h"

namespace noctule {

RtlFault::RtlFault(RouterId router, std::string pin, Cycle cycle, const std::string& message)
    : ConfigError("nodes", message), router_(router), pin_(std::move(pin)), cycle_(cycle) {}

std::shared_ptr<RtlNodes> build_rtl_nodes(const FabricPlan& plan,
                                          const std::vector<std::optional<RtlSource>>& rtl,
                                          std::optional<RouterId> traced) {
  auto nodes = std::make_shared<RtlNodes>();
  nodes->pins = std::make_shared<const PinMap>(plan);
  std::vector<std::pair<RtlSource, std::shared_ptr<const Dut>>> built;
  for (std::size_t r = 0; r < rtl.size(); ++r) {
    nodes->duts.emplace_back();
    if (!rtl[r]) continue;
    if (traced == RouterId(r)) {
      nodes->duts.back() = Dut::build(*rtl[r], plan, *nodes->pins, Dut::Form::kTraced);
      continue;
    }
    auto known =
        std::find_if(built.begin(), built.end(), [&](const auto& dut) { return dut.first == *rtl[r]; });
    if (known == built.end()) {
      auto dut = Dut::build(*rtl[r], plan, *nodes->pins);
      check_registered_outputs(*dut, plan, nodes->pins, RouterId(r));
      known = built.insert(built.end(), {*rtl[r], std::move(dut)});
    }
    nodes->duts.back() = known->second;
  }
  return nodes;
}

class RtlRouter::LinkEnd final : public flit_if {
 public:
  LinkEnd(RtlRouter& router, std::uint16_t first) : router_(router), first_(first) {}
  void put(std::uint16_t vc, Flit flit, Cycle effect) override {
    router_.arrive(static_cast<std::size_t>(first_) + vc, flit, effect);
  }

 private:
  RtlRouter& router_;
  std::uint16_t first_;
};

class RtlRouter::CreditEnd final : public credit_if {
 public:
  CreditEnd(RtlRouter& router, const ChannelPlan& channel) : router_(router) {
    for (std::uint16_t v = 0; v < channel.count; ++v)
      bits_.push_back(std::uint64_t{1} << router.pins_.output_bit[channel.first + v]);
    pin_ = router.pins_.output[channel.first]->credit;
  }
  void credit(std::uint16_t vc, Cycle effect) override { router_.pins_before(effect)[pin_] |= bits_[vc]; }

 private:
  RtlRouter& router_;
  std::vector<std::uint64_t> bits_;  ///< [VC of the plan's channel]
  std::uint16_t pin_;
};

RtlRouter::RtlRouter(sc_core::sc_module_name name, const FabricPlan& fabric, FabricContext& context,
                     RouterId id, const RtlNodes& nodes)
    : RouterBase(name),
      plan_(*fabric.routers[index(id)]),
      context_(context),
      id_(id),
      map_(nodes.pins),
      pins_(*map_, fabric, plan_),
      dut_(nodes.duts[index(id)]),
      rtl_(dut_->create(fabric.topology->router_name(id), nodes.seed)),
      tap_(nodes.tap),
      link_(fabric.links.kinds().front()),
      input_depth_(fabric.common_node().input_depth),
      terminal_(static_cast<std::uint32_t>(fabric.injecting[index(id)].front().terminal)),
      rest_(map_->at_rest(id)),
      out_(map_->outputs().size()),
      mail_(std::bit_ceil(context.horizon + 2)),
      passages_(plan_.inputs.size()),
      comes_from_(plan_.outputs.size(), kNoSlot),
      receivers_(map_->consumption().vcs) {
  flit_o_.init(plan_.outbound.size());
  credit_o_.init(plan_.inbound.size());
  for (const auto& channel : plan_.inbound)
    link_ends_.push_back(std::make_unique<LinkEnd>(*this, channel.first));
  for (const auto& channel : plan_.outbound)
    credit_ends_.push_back(std::make_unique<CreditEnd>(*this, channel));
  const auto number = [](const std::vector<LinkPins>& all, const LinkPins* one) {
    return static_cast<std::size_t>(one - all.data());
  };
  for (const LinkPins* pins : pins_.inbound)
    inbound_.push_back({pins, pins_.input_at[number(map_->inbound(), pins)].data(), nullptr});
  for (const LinkPins* pins : pins_.outbound)
    outbound_.push_back({pins, pins_.output_at[number(map_->outbound(), pins)].data(), nullptr});
  reset();
}

void RtlRouter::end_of_elaboration() {
  for (std::size_t c = 0; c < inbound_.size(); ++c) inbound_[c].sender = credit_o_[c].operator->();
  for (std::size_t c = 0; c < outbound_.size(); ++c) outbound_[c].receiver = flit_o_[c].operator->();
}

RtlRouter::~RtlRouter() = default;

flit_if& RtlRouter::link_receiver(std::size_t inbound) {
  return *link_ends_[inbound];
}
credit_if& RtlRouter::credit_receiver(std::size_t outbound) {
  return *credit_ends_[outbound];
}

void RtlRouter::reset() {
  values_.clear();
  for (Slot& slot : mail_) {
    slot = {};
    values_.insert(values_.end(), rest_.begin(), rest_.end());
  }
  passages_.assign(passages_.size(), {});
  comes_from_.assign(comes_from_.size(), kNoSlot);
  injector_ = {};
  injector_.credits.assign(map_->injection().vcs, input_depth_);
  receivers_.assign(receivers_.size(), {});
  performed_ = kNever;
}

// --- what comes in ---

void RtlRouter::arrive(std::size_t input, Flit flit, Cycle effect) {
  Passage& passage = passages_[input];
  if (!flit.follows(passage.last)) [[unlikely]]
    worm_error(id_, plan_.inputs[input].name, flit, passage.last);
  passage.last = flit;
  const LinkPins& pins = *pins_.input[input];
  std::uint64_t* const in = pins_before(effect);
  in[pins.valid] = 1;
  in[pins.vc] = std::uint64_t{1} << pins_.input_bit[input];
  in[pins.flit] = map_->format().encode(flit, context_.packets[flit.packet]);
  mail_[slot(effect)].arrivals.push_back({static_cast<std::uint16_t>(input), flit});
}

void RtlRouter::packet_pending(std::size_t slot, Cycle born) {
  (void)slot;
  const NetworkInterface& source = context_.interfaces[terminal_];
  const bool alone = source.queue_size == 1 && source.sending == 0;
  if (born != kNever && alone && has_empty_buffer()) born_at_ = born;
}

bool RtlRouter::injection_idle(std::size_t) const {
  return !context_.interfaces[terminal_].pending() && has_empty_buffer();
}

bool RtlRouter::has_empty_buffer() const {
  const auto& credits = injector_.credits;
  return std::any_of(credits.begin(), credits.end(), [&](unsigned n) { return n == input_depth_; });
}

bool RtlRouter::injection_was_idle(std::size_t slot, Cycle t) const {
  return performed_ == t ? idle_at_start_ : injection_idle(slot);
}

// --- the cycle ---

bool RtlRouter::evaluate(Cycle t) {
  idle_at_start_ = born_at_ == t || injection_idle(0);
  if (!advance(t)) return true;
  send_flits(t);
  consume(t);
  inject(t);
  send_credits(t);
  return true;
}

/// Clock edges up to the start of cycle t. False: what it does then is not to count.
bool RtlRouter::advance(Cycle t) {
  const bool first = performed_ == kNever;
  Slot& before = mail_[slot(t)];
  std::uint64_t* const in = &values_[slot(t) * rest_.size()];
  if (first) {
    rtl_->reset(rest_.data(), out_.data());
  } else {
    for (; performed_ + 1 < t; ++performed_) rtl_->step(rest_.data(), out_.data());
    rtl_->step(in, out_.data());
    for (const Arrival& arrival : before.arrivals) {
      passages_[arrival.input].flits.push_back(arrival.flit);
      ++passages_[arrival.input].taken;
    }
  }
  performed_ = t;
  const bool counts = tap_ == nullptr || tap_->stepped(id_, t, first ? nullptr : in, out_.data(), *rtl_);
  if (tap_ == nullptr && rtl_->finding() != nullptr) [[unlikely]]
    stopped(t);
  if (before.used) std::copy(rest_.begin(), rest_.end(), in);
  before.used = false;
  before.arrivals.clear();
  return counts;
}

void RtlRouter::send_flits(Cycle t) {
  for (Outbound& link : outbound_) {
    const LinkPins& pins = *link.pins;
    if (out_[pins.valid] == 0) continue;
    const std::size_t bit = vc_on(pins, t);
    const std::uint16_t output = bit < pins.vcs ? link.output_at[bit] : kNoSlot;
    if (output == kNoSlot)
      fault(pins, "vc", t, fmt::format("names VC {}, which does not exist on this link", bit));
    const std::uint64_t value = out_[pins.flit];
    const Flit flit = take(pins, value, output, t);
    if (flit.head()) {
      Packet& packet = context_.packets[flit.packet];
      ++packet.hops;
      if (context_.relation_has_state) packet.route_state = map_->format().state(value);
    }
    ++link.flits;
    if (context_.observer != nullptr)
      context_.observer->on_flit(t, id_, FlitEvent::kLink, output, kNoSlot, flit,
                                 context_.packets[flit.packet]);
    link.receiver->put(plan_.outputs[output].vc, flit, t + link_.flit_delay);
  }
}

std::size_t RtlRouter::vc_on(const LinkPins& pins, Cycle t) const {
  if (pins.vc == LinkPins::kAbsent) return 0;
  const std::uint64_t bits = out_[pins.vc];
  if (!std::has_single_bit(bits)) fault(pins, "vc", t, fmt::format("is {:#b}: not one-hot", bits));
  return static_cast<std::size_t>(std::countr_zero(bits));
}

Flit RtlRouter::take(const LinkPins& pins, std::uint64_t value, std::size_t output, Cycle t) {
  const FlitFormat& format = map_->format();
  const PacketHandle packet = format.packet(value);
  const auto first_of = [&](Passage& passage) {
    return std::find_if(passage.flits.begin(), passage.flits.end(),
                        [&](Flit flit) { return flit.packet == packet; });
  };
  const bool head = format.head(value);
  std::uint16_t& from = comes_from_[output];
  if (head) {
    from = kNoSlot;
    for (std::size_t i = 0; i < passages_.size() && from == kNoSlot; ++i)
      if (first_of(passages_[i]) != passages_[i].flits.end()) from = static_cast<std::uint16_t>(i);
    ++context_.connections;
  }
  if (from != kNoSlot) {
    Passage& passage = passages_[from];
    const auto it = first_of(passage);
    if (it != passage.flits.end()) {
      const Flit flit = *it;
      // The state that a header carries may change here, nothing else.
      const std::uint64_t in = format.encode(flit, context_.packets[packet]);
      if (head ? flit.head() && format.with_state(in, 0) == format.with_state(value, 0) : in == value) {
        passage.flits.erase(it);
        return flit;
      }
    }
  }
  fault(pins, "flit", t,
        fmt::format("shows the {}, which is not next to leave the router there", format.describe(value)));
}

void RtlRouter::send_credits(Cycle t) {
  const auto check = [&](const LinkPins& pins, Passage& passage) {
    if (passage.taken == 0) fault(pins, "credit", t, "gives a credit for a buffer slot that was not taken");
    --passage.taken;
  };
  for (const Inbound& link : inbound_) {
    const LinkPins& pins = *link.pins;
    for (std::uint64_t bits = out_[pins.credit]; bits != 0; bits &= bits - 1) {
      const std::uint16_t input = link.input_at[std::countr_zero(bits)];
      if (input == kNoSlot)
        fault(pins, "credit", t, "gives a credit for a VC that does not exist on this link");
      check(pins, passages_[input]);
      link.sender->credit(plan_.inputs[input].vc, t + link_.credit_delay);
    }
  }
  const LinkPins& injection = map_->injection();
  for (std::uint64_t bits = out_[injection.credit]; bits != 0; bits &= bits - 1) {
    const auto vc = static_cast<std::size_t>(std::countr_zero(bits));
    check(injection, passages_[plan_.injection(0) + vc]);
    ++injector_.credits[vc];
  }
}

// --- the terminal ---

/// As InjectionChannel::inject: one flit per cycle, if its buffer had room at the start of the cycle.
void RtlRouter::inject(Cycle t) {
  NetworkInterface& source = context_.interfaces[terminal_];
  if (!source.pending()) return;
  Injector& sender = injector_;
  if (sender.packet == kNoPacket) {
    const std::size_t vcs = sender.credits.size();
    std::size_t vc = sender.next_vc;
    std::size_t tried = 0;
    while (tried < vcs && sender.credits[vc] == 0) {
      vc = vc + 1 == vcs ? 0 : vc + 1;
      ++tried;
    }
    if (tried == vcs) return;
    sender.vc = static_cast<std::uint16_t>(vc);
    sender.next_vc = static_cast<std::uint16_t>(vc + 1 == vcs ? 0 : vc + 1);
    begin_worm(source, t);
  } else if (sender.credits[sender.vc] == 0) {
    return;
  }
  const Flit flit = Flit::of(sender.packet, sender.next_flit, sender.length);
  const std::size_t input = plan_.injection(0) + sender.vc;
  const Packet& packet = context_.packets[sender.packet];
  const LinkPins& pins = map_->injection();
  std::uint64_t* const in = pins_before(t + 1);
  in[pins.valid] = 1;
  if (pins.vc != LinkPins::kAbsent) in[pins.vc] = std::uint64_t{1} << sender.vc;
  in[pins.flit] = map_->format().encode(flit, packet);
  --sender.credits[sender.vc];
  passages_[input].flits.push_back(flit);
  ++passages_[input].taken;
  ++context_.flits_injected;
  if (context_.observer != nullptr)
    context_.observer->on_flit(t, id_, FlitEvent::kInject, static_cast<std::uint16_t>(input), kNoSlot, flit,
                               packet);
  if (++sender.next_flit == sender.length) {
    sender.packet = kNoPacket;
    --source.sending;
  }
}

void RtlRouter::begin_worm(NetworkInterface& source, Cycle t) {
  injector_.packet = source.dequeue();
  ++source.sending;
  Packet& packet = context_.packets[injector_.packet];
  packet.injected = t;
  injector_.length = packet.length;
  injector_.next_flit = 0;
  if (context_.begun != nullptr) context_.begun->push_back(injector_.packet);
  ++context_.packets_injected;
  context_.injection_cycles += t;
}

void RtlRouter::consume(Cycle t) {
  const LinkPins& pins = map_->consumption();
  // The pin is read before the flit is known: a terminal that takes headers takes all.
  const bool stalled =
      context_.refusals != nullptr && !context_.refusals->takes(TerminalId{terminal_}, 0, true, t);
  if (stalled) pins_before(t + 1)[pins.credit] = 0;
  if (out_[pins.valid] == 0 || stalled) return;
  const std::size_t vc = vc_on(pins, t);
  if (vc >= receivers_.size()) fault(pins, "vc", t, fmt::format("names VC {}, which does not exist", vc));
  const std::size_t output = plan_.consumption(0) + vc;
  const Flit flit = take(pins, out_[pins.flit], output, t);
  if (context_.observer != nullptr)
    context_.observer->on_flit(t, id_, FlitEvent::kConsume, static_cast<std::uint16_t>(output), kNoSlot, flit,
                               context_.packets[flit.packet]);
  accept(vc, flit, t);
}

/// As ConsumptionChannel::accept.
void RtlRouter::accept(std::size_t vc, Flit flit, Cycle t) {
  Receiver& due = receivers_[vc];
  const Packet& packet = context_.packets[flit.packet];
  if (flit.head() && due.packet == kNoPacket) due = {flit.packet, 0};
  const TerminalId terminal{terminal_};
  if (flit.packet != due.packet || flit.number() != due.expected || packet.destination != terminal)
    fault(map_->consumption(), "flit", t,
          fmt::format("delivers flit {} of packet {} to terminal {}: not what is due there", flit.number(),
                      packet_name(packet), index(packet.destination)));
  ++due.expected;
  ++context_.flits_delivered;
  ++context_.terminal_flits[terminal_];
  if (context_.refusals != nullptr) context_.refusals->took(terminal, flit, packet);
  if (!flit.tail()) return;
  due.packet = kNoPacket;
  context_.sink->packet_delivered(flit.packet, t);
}

void RtlRouter::fault(const LinkPins& pins, const char* pin, Cycle t, const std::string& message) const {
  const bool credit = pin[0] == 'c';
  const std::string full = fmt::format("{}_{}_o", pins.name, credit ? "credit" : pin);
  throw RtlFault(
      id_, full, t,
      fmt::format("{} (RTL, module {}), cycle {}: {} {}; `noctule cosim` shows where it leaves the model",
                  name(), dut_->source().top, t, full, message));
}

void RtlRouter::stopped(Cycle t) const {
  throw RtlFault(id_, "", t,
                 fmt::format("{} (RTL, module {}), cycle {}: the RTL itself stops at {}: {}", name(),
                             dut_->source().top, t, rtl_->finding()->place, rtl_->finding()->text));
}

// --- view ---

void RtlRouter::input_flits(std::size_t input, std::vector<Flit>& flits) const {
  flits = passages_[input].flits;
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
