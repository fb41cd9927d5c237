#include "fabric/rtl_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "blocks/consumption_channel.h"
#include "rtl/hardware_rules.h"
#include "rtl/registered_outputs.h"

namespace noctule {

RtlFault::RtlFault(RouterId router, std::string pin, Cycle cycle, Cycle since, const std::string& message)
    : ConfigError("nodes", message), router_(router), pin_(std::move(pin)), cycle_(cycle), since_(since) {}

std::shared_ptr<RtlNodes> build_rtl_nodes(const FabricPlan& plan,
                                          const std::vector<std::optional<RtlSource>>& rtl,
                                          std::optional<RouterId> traced, const Compiling& compiling) {
  auto nodes = std::make_shared<RtlNodes>();
  nodes->duts.resize(rtl.size());
  for (const auto& group : rtl_groups(plan, rtl, traced)) {
    const RouterId first = group.front();
    const bool trace = traced == first;
    const auto dut =
        Dut::build(*rtl[index(first)], plan, group, trace ? Dut::Form::kTraced : Dut::Form::kFast, compiling);
    if (!trace) check_registered_outputs(*dut, plan, first);
    for (const RouterId router : group) nodes->duts[index(router)] = dut;
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
      message_classes_(fabric.message_classes),
      context_(context),
      id_(id),
      map_(nodes.duts[index(id)]->pins()),
      pins_(*map_, plan_),
      dut_(nodes.duts[index(id)]),
      rtl_(dut_->create(fabric.topology->router_name(id), nodes.seed)),
      tap_(nodes.tap),
      input_depth_(fabric.nodes[id].input_depth),
      terminal_(static_cast<std::uint32_t>(fabric.injecting[index(id)].front().terminal)),
      rest_(map_->at_rest(id)),
      out_(map_->outputs().size()),
      mail_(std::bit_ceil(context.horizon + 2)),
      passages_(plan_.inputs.size()),
      comes_from_(plan_.outputs.size(), kNoSlot),
      last_out_(plan_.outputs.size()),
      places_(plan_.outputs.size()),
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
  for (const LinkPins* pins : pins_.inbound) {
    const Link& link = *fabric.topology->incoming(id, pins->port);
    inbound_.push_back({pins, pins_.input_at[number(map_->inbound(), pins)].data(),
                        fabric.links[link.id].credit_delay, nullptr});
  }
  for (const LinkPins* pins : pins_.outbound) {
    const Link& link = *fabric.topology->outgoing(id, pins->port);
    outbound_.push_back({pins, pins_.output_at[number(map_->outbound(), pins)].data(),
                         fabric.links[link.id].flit_delay, link.id, nullptr});
    for (std::size_t bit = 0; bit < pins->vcs; ++bit)
      if (const std::uint16_t output = outbound_.back().output_at[bit]; output != kNoSlot)
        places_[output] = fabric.nodes[link.to].input_depth;
  }
  const auto absent = [](const std::vector<LinkPins>& all, const std::vector<const LinkPins*>& there) {
    std::vector<const LinkPins*> rest;
    for (const LinkPins& pins : all)
      if (std::ranges::find(there, &pins) == there.end()) rest.push_back(&pins);
    return rest;
  };
  no_inbound_ = absent(map_->inbound(), pins_.inbound);
  no_outbound_ = absent(map_->outbound(), pins_.outbound);
  most_between_ = 64 + 2 * static_cast<std::int64_t>(plan_.inputs.size()) * input_depth_;
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
  between_ = 0;
  comes_from_.assign(comes_from_.size(), kNoSlot);
  last_out_.assign(last_out_.size(), {});
  credits_ = places_;
  injector_ = {};
  injector_.credits.assign(map_->injection().vcs, input_depth_);
  receivers_.assign(receivers_.size(), {});
  performed_ = kNever;
}

// --- what comes in ---

void RtlRouter::arrive(std::size_t input, Flit flit, Cycle effect) {
  Passage& passage = passages_[input];
  if (!flit.follows(passage.last.due())) [[unlikely]]
    worm_error(id_, plan_.inputs[input].name, flit, passage.last);
  flit = flit.counted_after(passage.last);
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
  check_absent_links(t);
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
    count_credits(in);
    if (!before.arrivals.empty() && !silent_since()) sent_ = t;
    for (const Arrival& arrival : before.arrivals) {
      passages_[arrival.input].flits.push_back({arrival.flit, t});
      ++passages_[arrival.input].taken;
    }
  }
  performed_ = t;
  const bool counts = tap_ == nullptr || tap_->stepped(id_, t, first ? nullptr : in, out_.data(), *rtl_);
  if (counts && rtl_->finding() != nullptr) [[unlikely]]
    stopped(t);
  if (before.used) std::copy(rest_.begin(), rest_.end(), in);
  before.used = false;
  before.arrivals.clear();
  return counts;
}

/// That came in by these pins: they count from this edge on.
void RtlRouter::count_credits(const std::uint64_t* in) {
  for (const Outbound& link : outbound_)
    for (std::uint64_t bits = in [link.pins->credit]; bits != 0; bits &= bits - 1)
      if (const std::uint16_t output = link.output_at[std::countr_zero(bits)]; output != kNoSlot)
        ++credits_[output];
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
    if (credits_[output] == 0)
      fault(pins, "flit", t,
            fmt::format("shows the {}, but it has no credit for {}: all {} places behind the link are taken",
                        map_->format().describe(value), plan_.outputs[output].name, places_[output]));
    --credits_[output];
    const Flit flit = take(pins, value, output, t);
    if (flit.head()) {
      Packet& packet = context_.packets[flit.packet];
      if (!plan_.may_take(output, packet.message_class))
        fault(pins, "vc", t,
              fmt::format("names {}, which packets of class '{}' may not take", plan_.outputs[output].name,
                          message_classes_[packet.message_class].name));
      check_route(pins, value, output, packet, t);
      ++packet.hops;
      if (context_.paths != nullptr) context_.add_to_path(flit.packet, packet.hops == 1, link.link);
      if (context_.relation_has_state) packet.route_state = map_->format().state(value);
    }
    ++link.flits;
    if (context_.observer != nullptr)
      context_.observer->on_flit(t, id_, FlitEvent::kLink, output, kNoSlot, flit,
                                 context_.packets[flit.packet]);
    link.receiver->put(plan_.outputs[output].vc, flit, t + link.flit_delay);
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
                        [&](const Inside& inside) { return inside.flit.packet == packet; });
  };
  const bool head = format.head(value);
  std::uint16_t& from = comes_from_[output];
  if (const Flit& before = last_out_[output]; !before.tail() && (head || packet != before.packet))
      [[unlikely]]
    interleaved(pins, value, before, t);
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
      const Flit flit = it->flit;
      // The state that a header carries may change here, nothing else.
      const std::uint64_t in = format.encode(flit, context_.packets[packet]);
      if (head ? flit.head() && format.with_state(in, 0) == format.with_state(value, 0) : in == value) {
        passage.flits.erase(it);
        passage.left_last = sent_ = t;
        last_out_[output] = flit;
        --between_;
        return flit;
      }
    }
  }
  wrong_flit(pins, value, t);
}

void RtlRouter::send_credits(Cycle t) {
  const auto check = [&](const LinkPins& pins, Passage& passage) {
    if (passage.taken == 0) fault(pins, "credit", t, "gives a credit for a buffer slot that was not taken");
    --passage.taken;
    passage.left_last = t;
    if (++between_ > most_between_)
      fault(pins, "credit", t,
            fmt::format(
                "gives a credit, and {} flits have given back their slots that never left the router: more "
                "than it can hold behind its input buffers, so it loses flits",
                between_),
            Hint::kQueues, oldest(false)->flits.front().came);
  };
  for (const Inbound& link : inbound_) {
    const LinkPins& pins = *link.pins;
    for (std::uint64_t bits = out_[pins.credit]; bits != 0; bits &= bits - 1) {
      const std::uint16_t input = link.input_at[std::countr_zero(bits)];
      if (input == kNoSlot)
        fault(pins, "credit", t, "gives a credit for a VC that does not exist on this link");
      check(pins, passages_[input]);
      link.sender->credit(plan_.inputs[input].vc, t + link.credit_delay);
    }
  }
  const LinkPins& injection = map_->injection();
  for (std::uint64_t bits = out_[injection.credit]; bits != 0; bits &= bits - 1) {
    const auto vc = static_cast<std::size_t>(std::countr_zero(bits));
    check(injection, passages_[plan_.injection(0) + vc]);
    ++injector_.credits[vc];
  }
}

}  // namespace noctule
