#include "rtl/pin_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "routing/initial_states.h"

namespace noctule {

PinTraffic::PinTraffic(std::shared_ptr<const PinMap> map, const FabricPlan& fabric, RouterId router,
                       PinTrafficOptions options)
    : map_(std::move(map)),
      topology_(fabric.topology),
      relation_(fabric.relation),
      plan_(fabric.routers.at(index(router))),
      id_(router),
      options_(std::move(options)),
      depth_(fabric.nodes[router].input_depth),
      pins_(*map_, *plan_),
      classes_(fabric.message_classes.size()) {
  if (options_.lengths.empty() || std::count(options_.lengths.begin(), options_.lengths.end(), 0U) != 0)
    throw InternalError("traffic at pins needs lengths of worms, in flits, of at least 1");
  if (options_.longest_wait == 0) throw InternalError("traffic at pins: longest_wait is at least 1 cycle");
  can_stall_ = !fabric.nodes[router].direct();
  if (!can_stall_) options_.stall = 0;
  for (const ChannelPlan& channel : plan_->inbound) {
    auto& inputs = inputs_of_.emplace_back();
    for (std::size_t n = 0; n < channel.count; ++n) inputs.push_back(channel.first + n);
  }
  auto& injection = inputs_of_.emplace_back();
  for (std::size_t i = plan_->link_inputs(); i < plan_->inputs.size(); ++i) injection.push_back(i);
  for (std::size_t i = 0; i < plan_->inputs.size(); ++i) {
    const Link* const wire =
        i < plan_->link_inputs() ? topology_->incoming(router, plan_->inputs[i].port) : nullptr;
    const RouterId sender = wire != nullptr ? wire->from : router;
    drained_reuse_.push_back(fabric.nodes[sender].release == VcRelease::kNextBufferEmpty);
  }
  for (std::size_t r = 0; r < topology_->routers(); ++r)
    if (!fabric.injecting[r].empty()) terminals_at_.push_back(RouterId(r));
  if (terminals_at_.size() < 2)
    throw InternalError("traffic at pins needs at least two routers with terminals");
  for (std::size_t o = plan_->link_outputs(); o < plan_->outputs.size(); ++o)
    consumption_at_.push_back(static_cast<std::uint16_t>(o));
  rng_ = Rng(options_.seed, "walks");
  learn_classes(fabric);
  learn_arrivals(fabric);
}

void PinTraffic::reset(std::uint64_t* in) {
  rng_ = Rng(options_.seed, topology_->router_name(id_));
  next_handle_ = 0;
  clear(in);
}

void PinTraffic::restart(std::uint64_t* in) {
  static constexpr double kLoads[] = {0.05, 0.3, 0.6, 1.0};
  static constexpr double kPrompt[] = {0.2, 0.5, 0.9, 1.0};
  static constexpr std::uint32_t kWaits[] = {1, 3, 8, 40};
  static constexpr double kStalls[] = {0.0, 0.25, 0.6};
  const std::vector<std::uint32_t> lengths[] = {{1}, {2}, {1, 2, 5, 16}, {5}, {1, 40}};
  const auto one_of = [&](const auto& list) { return list[rng_.below(std::size(list))]; };
  options_.load = one_of(kLoads);
  options_.prompt = one_of(kPrompt);
  options_.longest_wait = one_of(kWaits);
  options_.stall = can_stall_ ? one_of(kStalls) : 0;
  options_.lengths = one_of(lengths);
  clear(in);
}

void PinTraffic::clear(std::uint64_t* in) {
  senders_.assign(plan_->inputs.size(), {});
  for (Sender& s : senders_) {
    s.credits = depth_;
    s.next = s.packet.length;
  }
  receivers_.assign(plan_->outputs.size(), {});
  flits_in_ = flits_out_ = 0;
  draining_ = false;
  ready_ = true;
  const auto rest = map_->at_rest(id_);
  std::copy(rest.begin(), rest.end(), in);
}

void PinTraffic::step(const std::uint64_t* out, std::uint64_t* in) {
  take_credits(out);
  for (std::size_t l = 0; l < map_->outbound().size(); ++l)
    take_flit(map_->outbound()[l], out, pins_.output_at[l]);
  if (ready_) take_flit(map_->consumption(), out, consumption_at_);

  const auto rest = map_->at_rest(id_);
  std::copy(rest.begin(), rest.end(), in);
  for (const auto& inputs : inputs_of_) send(inputs, in);
  give_credits(in);
  ready_ = !chance(options_.stall);
  in[map_->consumption().credit] = ready_ ? 1 : 0;
}

bool PinTraffic::idle() const {
  return std::all_of(senders_.begin(), senders_.end(),
                     [&](const Sender& s) { return s.next == s.packet.length && s.credits == depth_; }) &&
         std::all_of(receivers_.begin(), receivers_.end(),
                     [](const Receiver& r) { return r.held == 0 && !r.in_worm; }) &&
         flits_in_ == flits_out_;
}

// --- what can arrive
// ------------------------------------------------------------------------------------------

/// Which message classes may hold an input, as the router at the other end of the link knows it.
void PinTraffic::learn_classes(const FabricPlan& fabric) {
  for (std::size_t i = 0; i < plan_->inputs.size(); ++i) {
    const VcPlan& vc = plan_->inputs[i];
    const Link* const wire = i < plan_->link_inputs() ? topology_->incoming(id_, vc.port) : nullptr;
    const RouterPlan* const sender = wire != nullptr ? fabric.routers[index(wire->from)].get() : nullptr;
    auto& classes = may_hold_.emplace_back();
    for (std::size_t c = 0; c < classes_; ++c)
      if (sender == nullptr ||
          sender->choices({wire->out, vc.vc_class, vc.lane}, static_cast<std::uint8_t>(c)) > 0)
        classes.push_back(static_cast<std::uint8_t>(c));
  }
}

void PinTraffic::learn_arrivals(const FabricPlan& fabric) {
  arrivals_.resize(topology_->ports(id_) * std::size_t{plan_->classes} * classes_);
  std::vector<std::uint8_t> all(classes_);
  for (std::size_t c = 0; c < classes_; ++c) all[c] = static_cast<std::uint8_t>(c);
  for (std::uint32_t w = 0; w < options_.walks; ++w) {
    const std::uint8_t message_class = one_of(all);
    // Worms that end here are few among all, and would be missed in large fabrics.
    const RouterId destination =
        w % 2 == 0 ? id_ : terminals_at_[static_cast<std::size_t>(rng_.below(terminals_at_.size()))];
    walk(fabric, other_router(destination), destination, message_class);
  }
  usable_.resize(plan_->inputs.size());
  for (std::size_t i = 0; i < plan_->inputs.size(); ++i) {
    const VcPlan& vc = plan_->inputs[i];
    if (i < plan_->link_inputs())
      std::erase_if(may_hold_[i], [&](std::uint8_t c) { return arrivals(vc.port, vc.vc_class, c).empty(); });
    usable_[i] = !may_hold_[i].empty();
  }
}

/// Notes how the worm arrives here, if it comes by.
void PinTraffic::walk(const FabricPlan& fabric, RouterId source, RouterId destination,
                      std::uint8_t message_class) {
  RouteState state = initial_state(source, destination, message_class);
  CandidateList candidates;
  std::vector<Candidate> offered;
  for (RouterId here = source; here != destination;) {
    candidates.clear();
    relation_->candidates(here, destination, state, candidates);
    offered.assign(candidates.begin(), candidates.end());
    if (const RouterPlan& router = *fabric.routers[index(here)]; !router.of_message_class.empty())
      std::erase_if(offered, [&](Candidate c) { return router.choices(c, message_class) == 0; });
    if (offered.empty()) return;
    const Candidate taken = offered[static_cast<std::size_t>(rng_.below(offered.size()))];
    state = relation_->next_state(here, destination, state, taken);
    const Link* const link = topology_->outgoing(here, taken.port);
    if (link == nullptr) throw InternalError("the routing relation offers a link that is not there");
    here = link->to;
    if (here != id_) continue;
    auto& known = arrivals(link->in, taken.vc_class, message_class);
    if (known.size() < kArrivals)
      known.push_back({destination, state});
    else
      known[static_cast<std::size_t>(rng_.below(kArrivals))] = {destination, state};
  }
}

bool PinTraffic::chance(double probability) {
  constexpr double kOne = 9007199254740992.0;  // 2^53
  return static_cast<double>(rng_.next() >> 11) < probability * kOne;
}

RouterId PinTraffic::other_router(RouterId than) {
  const auto drawn = static_cast<std::size_t>(rng_.below(terminals_at_.size() - 1));
  return terminals_at_[drawn] < than ? terminals_at_[drawn] : terminals_at_[drawn + 1];
}

RouteState PinTraffic::initial_state(RouterId source, RouterId destination, std::uint8_t message_class) {
  const auto states = initial_states_of(*relation_, source, destination, message_class);
  return states[rng_.below(states.size())];
}

// --- towards the router
// ---------------------------------------------------------------------------------------

bool PinTraffic::can_send(std::size_t input) const {
  const Sender& s = senders_[input];
  if (s.credits == 0) return false;
  if (s.next < s.packet.length) return true;
  return !draining_ && usable_[input] && (!drained_reuse_[input] || s.credits == depth_);
}

void PinTraffic::begin_worm(std::size_t input) {
  Sender& s = senders_[input];
  s.packet = {};
  s.packet.message_class = one_of(may_hold_[input]);
  if (input >= plan_->link_inputs()) {
    s.packet.destination_router = other_router(id_);
    s.packet.route_state = initial_state(id_, s.packet.destination_router, s.packet.message_class);
  } else {
    const VcPlan& vc = plan_->inputs[input];
    const auto& known = arrivals(vc.port, vc.vc_class, s.packet.message_class);
    const Arrival& arrival = known[static_cast<std::size_t>(rng_.below(known.size()))];
    s.packet.destination_router = arrival.destination;
    s.packet.route_state = arrival.state;
  }
  s.packet.length = options_.lengths[static_cast<std::size_t>(rng_.below(options_.lengths.size()))];
  s.handle = PacketHandle(next_handle_++);
  s.next = 0;
}

/// One flit at most, of any of the VCs of a link or of the injection channel.
void PinTraffic::send(const std::vector<std::size_t>& inputs, std::uint64_t* in) {
  if (!chance(options_.load)) return;
  std::vector<std::size_t> able;
  std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(able),
               [&](std::size_t i) { return can_send(i); });
  if (able.empty()) return;
  const std::size_t input = able[static_cast<std::size_t>(rng_.below(able.size()))];
  Sender& s = senders_[input];
  if (s.next == s.packet.length) begin_worm(input);
  const LinkPins& pins = *pins_.input[input];
  in[pins.valid] = 1;
  if (pins.vc != LinkPins::kAbsent) in[pins.vc] = std::uint64_t{1} << pins_.input_bit[input];
  in[pins.flit] = map_->format().encode(Flit::of(s.handle, s.next, s.packet.length), s.packet);
  ++s.next;
  --s.credits;
  ++flits_in_;
}

void PinTraffic::take_credits(const std::uint64_t* out) {
  std::vector<std::uint64_t> left;  // [link, then injection]: pulses that belong to no input so far
  for (const LinkPins& pins : map_->inbound()) left.push_back(out[pins.credit]);
  left.push_back(out[map_->injection().credit]);
  for (std::size_t i = 0; i < senders_.size(); ++i) {
    const LinkPins* const pins = pins_.input[i];
    const std::uint64_t bit = std::uint64_t{1} << pins_.input_bit[i];
    if ((out[pins->credit] & bit) == 0) continue;
    const std::size_t link = pins == &map_->injection()
                                 ? map_->inbound().size()
                                 : static_cast<std::size_t>(pins - map_->inbound().data());
    left[link] &= ~bit;
    if (senders_[i].credits++ == depth_) illegal("a credit too many for " + plan_->inputs[i].name);
  }
  for (std::size_t l = 0; l < left.size(); ++l)
    if (left[l] != 0)
      illegal(fmt::format("a credit for a VC that is not there, on {}",
                          l < map_->inbound().size() ? map_->inbound()[l].name : map_->injection().name));
}

// --- from the router
// ------------------------------------------------------------------------------------------

void PinTraffic::take_flit(const LinkPins& pins, const std::uint64_t* out,
                           const std::vector<std::uint16_t>& output_at) {
  if (out[pins.valid] == 0) return;
  const std::uint64_t vc = pins.vc == LinkPins::kAbsent ? 1 : out[pins.vc];
  const auto place = static_cast<std::size_t>(std::countr_zero(vc));
  if (!std::has_single_bit(vc) || place >= output_at.size() || output_at[place] >= receivers_.size())
    illegal(fmt::format("a flit on {} with vc {:#x}, which is no VC there", pins.name, vc));
  const std::size_t o = output_at[place];
  Receiver& r = receivers_[o];
  const FlitFormat& format = map_->format();
  const std::uint64_t flit = out[pins.flit];
  if (format.head(flit) == r.in_worm || (r.in_worm && format.packet(flit) != r.handle))
    illegal(fmt::format("{} on {} {}", format.describe(flit), plan_->outputs[o].name,
                        r.in_worm ? "within another worm" : "without a header"));
  r.in_worm = !format.tail(flit);
  r.handle = format.packet(flit);
  ++flits_out_;
  if (o >= plan_->link_outputs()) return;
  if (r.held == plan_->outbound[plan_->outputs[o].channel].depth)
    illegal("a flit without a credit on " + plan_->outputs[o].name);
  if (r.held++ == 0) r.wait = draw_wait();
}

std::uint32_t PinTraffic::draw_wait() {
  if (chance(options_.prompt)) return 0;
  return static_cast<std::uint32_t>(1 + rng_.below(options_.longest_wait));
}

void PinTraffic::give_credits(std::uint64_t* in) {
  for (std::size_t o = 0; o < plan_->link_outputs(); ++o) {
    Receiver& r = receivers_[o];
    if (r.held == 0) continue;
    if (r.wait > 0) {
      --r.wait;
      continue;
    }
    in[pins_.output[o]->credit] |= std::uint64_t{1} << pins_.output_bit[o];
    if (--r.held > 0) r.wait = draw_wait();
  }
}

void PinTraffic::illegal(const std::string& what) const {
  throw IllegalPins(topology_->router_name(id_) + ": illegal on the output pins: " + what);
}

}  // namespace noctule
