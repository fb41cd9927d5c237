#include "cosim/shadow.h"

#include <algorithm>
#include <bit>

namespace noctule {

/// One router, twice: what the model's is seen to have on its pins, and the RTL.
struct ShadowRouters::Shadow {
  Shadow(const Fabric& fabric, const std::shared_ptr<const PinMap>& map, RouterId id, const Dut* of,
         std::uint64_t seed, std::size_t ring)
      : pins(*map, fabric.plan(), *fabric.plan().routers[index(id)]),
        rest(map->at_rest(id)),
        in(ring, rest),
        expected(ring, std::vector<std::uint64_t>(map->outputs().size())),
        touched(ring),
        actual(map->outputs().size()),
        dut(of) {
    if (dut == nullptr) return;
    const std::string name = fabric.plan().topology->router_name(id);
    rtl = dut->create(name, seed);
    rtl->reset(rest.data(), actual.data());
    lockstep.emplace(map, id, name);
  }

  /// Nothing is on the way to or from the router any more.
  void reset() {
    for (auto& pins : in) pins = rest;
    for (auto& pins : expected) std::fill(pins.begin(), pins.end(), 0);
    std::fill(touched.begin(), touched.end(), 0);
    holds = comes = taken = false;
    if (rtl) rtl->reset(rest.data(), actual.data());
  }

  RouterPins pins;
  std::vector<std::uint64_t> rest;
  std::vector<std::vector<std::uint64_t>> in;        ///< [ring]: input pins in a cycle
  std::vector<std::vector<std::uint64_t>> expected;  ///< [ring]: output pins in a cycle
  std::vector<char> touched;                         ///< [ring]: something is on the pins in the cycle
  std::vector<std::uint64_t> actual;
  const Dut* dut;                        ///< null: not shadowed
  std::unique_ptr<VerilatedRouter> rtl;  ///< the same
  std::optional<Lockstep> lockstep;
  // The consumption buffer: its flit is on the pins until the terminal takes it.
  std::uint64_t held = 0;
  std::uint64_t held_vc = 0;
  bool holds = false;
  std::uint64_t coming = 0;
  std::uint64_t coming_vc = 0;
  bool comes = false;
  bool taken = false;
};

ShadowRouters::ShadowRouters(const Fabric& fabric, std::shared_ptr<const PinMap> map,
                             const std::vector<std::shared_ptr<const Dut>>& duts, std::uint64_t seed,
                             std::vector<Cycle> resets)
    : fabric_(fabric), map_(std::move(map)), resets_(std::move(resets)) {
  const FabricPlan& plan = fabric.plan();
  out_after_ = plan.common_node().direct() ? plan.common_node().pipeline.behind_switch_allocation() : 0;
  credit_after_ = plan.links.kinds().front().credit_delay - 1;
  flight_ = fabric.zero_load().usual_flight();
  ring_ = std::bit_ceil(static_cast<std::size_t>(std::max({out_after_, flight_, credit_after_}) + 2));
  for (std::size_t r = 0; r < plan.routers.size(); ++r)
    shadows_.push_back(std::make_unique<Shadow>(fabric, map_, RouterId(r), duts[r].get(), seed, ring_));
  const Topology& topology = *plan.topology;
  ahead_.resize(shadows_.size());
  behind_.resize(shadows_.size());
  for (std::size_t r = 0; r < shadows_.size(); ++r) ahead_[r].resize(plan.routers[r]->link_outputs());
  for (std::size_t r = 0; r < shadows_.size(); ++r) behind_[r].resize(plan.routers[r]->link_inputs());
  for (const Link& link : topology.links()) {
    const std::size_t from = index(link.from);
    const std::size_t to = index(link.to);
    const RouterPlan& sender = *plan.routers[from];
    const RouterPlan& receiver = *plan.routers[to];
    for (const ChannelPlan& out : sender.outbound) {
      if (out.port != link.out) continue;
      const auto in =
          std::find_if(receiver.inbound.begin(), receiver.inbound.end(),
                       [&](const ChannelPlan& c) { return c.port == link.in && c.replica == out.replica; });
      for (std::uint16_t v = 0; v < out.count; ++v) {
        const std::size_t o = out.first + v;
        const std::size_t i = in->first + v;
        const RouterPins& sending = shadows_[from]->pins;
        const RouterPins& receiving = shadows_[to]->pins;
        ahead_[from][o] = {static_cast<std::uint32_t>(to), receiving.input[i], receiving.input_bit[i]};
        behind_[to][i] = {static_cast<std::uint32_t>(from), sending.output[o], sending.output_bit[o]};
      }
    }
  }
}

ShadowRouters::~ShadowRouters() = default;

void ShadowRouters::on_cycle_start(Cycle t) {
  for (; next_ < t && !divergence_; ++next_) {  // in which the model had nothing to do
    compare(next_);
    step(next_);
  }
  if (next_reset_ < resets_.size() && resets_[next_reset_] == t) {
    ++next_reset_;
    reset(t);
  }
}

/// The fabric has been, at the start of cycle t.
void ShadowRouters::reset(Cycle t) {
  if (divergence_) return;
  for (const auto& shadow : shadows_) shadow->reset();
  look_for_findings(t);
}

void ShadowRouters::look_for_findings(Cycle t) {
  for (const auto& shadow : shadows_) {
    if (divergence_ || !shadow->rtl || shadow->rtl->finding() == nullptr) continue;
    shadow->lockstep->found(t, shadow->rtl->finding()->place, shadow->rtl->finding()->text);
    divergence_ = shadow->lockstep->divergence();
  }
}

void ShadowRouters::on_flit(Cycle t, RouterId router, FlitEvent event, std::uint16_t place,
                            std::uint16_t input, Flit flit, const Packet& packet) {
  Shadow& shadow = *shadows_[index(router)];
  const FlitFormat& format = map_->format();
  const auto show = [&](std::vector<std::uint64_t>& pins, const LinkPins& link, std::uint64_t bit) {
    pins[link.valid] = 1;
    if (link.vc != LinkPins::kAbsent) pins[link.vc] = std::uint64_t{1} << bit;
    pins[link.flit] = format.encode(flit, packet);
  };
  switch (event) {
    case FlitEvent::kInject: {
      const std::size_t slot = at(t);
      const std::size_t first = fabric_.plan().routers[index(router)]->injection(0);
      show(shadow.in[slot], map_->injection(), place - first);
      shadow.touched[slot] = 1;
      break;
    }
    case FlitEvent::kLink: {
      const std::size_t out = at(t + out_after_);
      show(shadow.expected[out], *shadow.pins.output[place], shadow.pins.output_bit[place]);
      shadow.touched[out] = 1;
      const Way& way = ahead_[index(router)][place];
      const std::size_t in = at(t + flight_ - 1);
      show(shadows_[way.router]->in[in], *way.pins, way.bit);
      shadows_[way.router]->touched[in] = 1;
      break;
    }
    case FlitEvent::kCross: {
      const LinkPins& from = *shadow.pins.input[input];
      shadow.expected[at(t)][from.credit] |= std::uint64_t{1} << shadow.pins.input_bit[input];
      shadow.touched[at(t)] = 1;
      if (input < behind_[index(router)].size()) {
        const Way& way = behind_[index(router)][input];
        const std::size_t slot = at(t + credit_after_);
        shadows_[way.router]->in[slot][way.pins->credit] |= std::uint64_t{1} << way.bit;
        shadows_[way.router]->touched[slot] = 1;
      }
      if (place >= ahead_[index(router)].size()) {
        shadow.comes = true;
        shadow.coming = format.encode(flit, packet);
        shadow.coming_vc = std::uint64_t{1} << shadow.pins.output_bit[place];
      }
      break;
    }
    case FlitEvent::kConsume:
      shadow.taken = true;
      break;
    default:
      break;
  }
}

void ShadowRouters::on_cycle_end(Cycle t) {
  if (divergence_) return;
  compare(t);
  step(t);
  next_ = t + 1;
}

void ShadowRouters::compare(Cycle t) {
  const std::size_t slot = at(t);
  const LinkPins& consumption = map_->consumption();
  for (std::size_t r = 0; r < shadows_.size(); ++r) {
    Shadow& s = *shadows_[r];
    auto& expected = s.expected[slot];
    if (s.holds) {
      expected[consumption.valid] = 1;
      if (consumption.vc != LinkPins::kAbsent) expected[consumption.vc] = s.held_vc;
      expected[consumption.flit] = s.held;
      s.touched[slot] = 1;
      if (!s.taken) s.in[slot][consumption.credit] = 0;
    }
    if (s.lockstep) {
      if (!s.lockstep->compare(t, s.in[slot].data(), expected.data(), s.actual.data()) && !divergence_)
        divergence_ = s.lockstep->divergence();
      if (recorder_ != nullptr && r == index(recorded_))
        recorder_->record(t, s.in[slot].data(), expected.data(), s.actual.data(), *s.rtl);
    }
    if (s.taken) s.holds = s.taken = false;
    if (s.comes) {
      s.holds = true;
      s.held = s.coming;
      s.held_vc = s.coming_vc;
      s.comes = false;
    }
  }
}

void ShadowRouters::step(Cycle t) {
  const std::size_t slot = at(t);
  bool found = false;
  for (const auto& shadow : shadows_) {
    Shadow& s = *shadow;
    if (s.rtl) {
      s.rtl->step(s.in[slot].data(), s.actual.data());
      found |= s.rtl->finding() != nullptr;
      if (covered_) s.rtl->cover();
    }
    if (s.touched[slot] == 0) continue;
    s.in[slot] = s.rest;
    std::fill(s.expected[slot].begin(), s.expected[slot].end(), 0);
    s.touched[slot] = 0;
  }
  if (found) [[unlikely]]
    look_for_findings(t);
}

void ShadowRouters::cover() {
  covered_ = true;
  for (const auto& s : shadows_)
    if (s->lockstep) s->lockstep->cover();
}

void ShadowRouters::tell_toggles(const Dut& dut, Toggles& pins, Toggles& inside) const {
  for (const auto& s : shadows_) {
    if (s->dut != &dut) continue;
    s->lockstep->tell_toggles(pins);
    s->rtl->tell_toggles(inside);
  }
}

LockstepCount ShadowRouters::count() const {
  LockstepCount sum;
  for (const auto& s : shadows_)
    if (s->lockstep) sum += s->lockstep->count();
  return sum;
}

void ShadowRouters::record(RouterId router, PinRecorder& recorder) {
  recorded_ = router;
  recorder_ = &recorder;
}

}  // namespace noctule
