#include "cosim/shadow.h"

#include <algorithm>
#include <bit>

namespace noctule {

/// One router, twice: what the model's is seen to have on its pins, and the RTL.
struct ShadowRouters::Shadow {
  Shadow(const FabricPlan& fabric, RouterId id, const Dut& of, std::uint64_t seed)
      : router(id),
        map(of.pins()),
        plan(*fabric.routers[index(id)]),
        pins(*map, plan),
        out_after(map->node().direct() ? map->node().pipeline.behind_switch_allocation() : 0),
        rest(map->at_rest(id)),
        actual(map->outputs().size()),
        dut(of),
        rtl(of.create(fabric.topology->router_name(id), seed)),
        lockstep(map, id, fabric.topology->router_name(id)) {
    rtl->reset(rest.data(), actual.data());
  }

  void keep(std::size_t ring) {
    in.assign(ring, rest);
    expected.assign(ring, std::vector<std::uint64_t>(map->outputs().size()));
    touched.assign(ring, 0);
  }
  /// Nothing is on the way to or from the router any more.
  void reset() {
    for (auto& pins : in) pins = rest;
    for (auto& pins : expected) std::fill(pins.begin(), pins.end(), 0);
    std::fill(touched.begin(), touched.end(), 0);
    holds = comes = taken = false;
    rtl->reset(rest.data(), actual.data());
  }

  RouterId router;
  std::shared_ptr<const PinMap> map;
  const RouterPlan& plan;
  RouterPins pins;
  Cycle out_after;  ///< cycles from the kLink event to the flit's being on the pins
  std::vector<std::uint64_t> rest;
  std::vector<std::vector<std::uint64_t>> in;        ///< [ring]: input pins in a cycle
  std::vector<std::vector<std::uint64_t>> expected;  ///< [ring]: output pins in a cycle
  std::vector<char> touched;                         ///< [ring]: something is on the pins in the cycle
  std::vector<std::uint64_t> actual;
  const Dut& dut;
  std::unique_ptr<VerilatedRouter> rtl;
  Lockstep lockstep;
  // The consumption buffer: its flit is on the pins until the terminal takes it.
  std::uint64_t held = 0;
  std::uint64_t held_vc = 0;
  bool holds = false;
  std::uint64_t coming = 0;
  std::uint64_t coming_vc = 0;
  bool comes = false;
  bool taken = false;
};

ShadowRouters::ShadowRouters(const Fabric& fabric, const std::vector<std::shared_ptr<const Dut>>& duts,
                             std::uint64_t seed, std::vector<Cycle> resets)
    : resets_(std::move(resets)) {
  const FabricPlan& plan = fabric.plan();
  at_.resize(plan.routers.size());
  ahead_.resize(plan.routers.size());
  behind_.resize(plan.routers.size());
  for (std::size_t r = 0; r < plan.routers.size(); ++r) {
    if (!duts[r]) continue;
    shadows_.push_back(std::make_unique<Shadow>(plan, RouterId(r), *duts[r], seed));
    at_[r] = shadows_.back().get();
  }
  for (const Link& link : plan.topology->links()) join(plan, link, fabric.zero_load().flight(link.id));
  Cycle longest = 0;
  for (const auto& shadow : shadows_) longest = std::max(longest, shadow->out_after);
  for (const auto* ways : {&ahead_, &behind_})
    for (const auto& of_router : *ways)
      for (const Way& way : of_router) longest = std::max(longest, way.after);
  ring_ = std::bit_ceil(static_cast<std::size_t>(longest + 2));
  for (const auto& shadow : shadows_) shadow->keep(ring_);
}

/// What crosses the link comes onto the pins of the shadows at its ends. `flight`: cycles from the sending of
/// a flit to its being in the next buffer.
void ShadowRouters::join(const FabricPlan& plan, const Link& link, Cycle flight) {
  const std::size_t from = index(link.from);
  const std::size_t to = index(link.to);
  const RouterPlan& sender = *plan.routers[from];
  const RouterPlan& receiver = *plan.routers[to];
  if (at_[to] != nullptr) ahead_[from].resize(sender.link_outputs());
  if (at_[from] != nullptr) behind_[to].resize(receiver.link_inputs());
  for (const ChannelPlan& out : sender.outbound) {
    if (out.port != link.out) continue;
    const auto in = std::find_if(receiver.inbound.begin(), receiver.inbound.end(), [&](const ChannelPlan& c) {
      return c.port == link.in && c.replica == out.replica;
    });
    for (std::uint16_t v = 0; v < out.count; ++v) {
      const std::size_t o = out.first + v;
      const std::size_t i = in->first + v;
      if (Shadow* const s = at_[to]; s != nullptr)
        ahead_[from][o] = {s, s->pins.input[i], s->pins.input_bit[i], flight - 1};
      if (Shadow* const s = at_[from]; s != nullptr)
        behind_[to][i] = {s, s->pins.output[o], s->pins.output_bit[o], plan.links[link.id].credit_delay - 1};
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
    if (divergence_ || shadow->rtl->finding() == nullptr) continue;
    shadow->lockstep.found(t, shadow->rtl->finding()->place, shadow->rtl->finding()->text);
    divergence_ = shadow->lockstep.divergence();
  }
}

void ShadowRouters::on_flit(Cycle t, RouterId router, FlitEvent event, std::uint16_t place,
                            std::uint16_t input, Flit flit, const Packet& packet) {
  Shadow* const shadow = at_[index(router)];
  const auto& ahead = ahead_[index(router)];
  const auto& behind = behind_[index(router)];
  // All formats of a fabric are the same.
  const auto encoded = [&](const Shadow& s) { return s.map->format().encode(flit, packet); };
  const auto show = [&](Shadow& s, auto& pins, Cycle when, const LinkPins& link, std::uint64_t bit) {
    auto& values = pins[at(when)];
    values[link.valid] = 1;
    if (link.vc != LinkPins::kAbsent) values[link.vc] = std::uint64_t{1} << bit;
    values[link.flit] = encoded(s);
    s.touched[at(when)] = 1;
  };
  switch (event) {
    case FlitEvent::kInject:
      if (shadow != nullptr)
        show(*shadow, shadow->in, t, shadow->map->injection(), place - shadow->plan.injection(0));
      break;
    case FlitEvent::kLink:
      if (shadow != nullptr)
        show(*shadow, shadow->expected, t + shadow->out_after, *shadow->pins.output[place],
             shadow->pins.output_bit[place]);
      if (place < ahead.size() && ahead[place].shadow != nullptr) {
        const Way& way = ahead[place];
        show(*way.shadow, way.shadow->in, t + way.after, *way.pins, way.bit);
      }
      break;
    case FlitEvent::kCross:
      if (input < behind.size() && behind[input].shadow != nullptr) {
        const Way& way = behind[input];
        way.shadow->in[at(t + way.after)][way.pins->credit] |= std::uint64_t{1} << way.bit;
        way.shadow->touched[at(t + way.after)] = 1;
      }
      if (shadow == nullptr) break;
      shadow->expected[at(t)][shadow->pins.input[input]->credit] |= std::uint64_t{1}
                                                                    << shadow->pins.input_bit[input];
      shadow->touched[at(t)] = 1;
      if (place >= shadow->plan.link_outputs()) {
        shadow->comes = true;
        shadow->coming = encoded(*shadow);
        shadow->coming_vc = std::uint64_t{1} << shadow->pins.output_bit[place];
      }
      break;
    case FlitEvent::kConsume:
      if (shadow != nullptr) shadow->taken = true;
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
  for (const auto& shadow : shadows_) {
    Shadow& s = *shadow;
    auto& expected = s.expected[slot];
    if (s.holds) {
      const LinkPins& consumption = s.map->consumption();
      expected[consumption.valid] = 1;
      if (consumption.vc != LinkPins::kAbsent) expected[consumption.vc] = s.held_vc;
      expected[consumption.flit] = s.held;
      s.touched[slot] = 1;
      if (!s.taken) s.in[slot][consumption.credit] = 0;
    }
    if (!s.lockstep.compare(t, s.in[slot].data(), expected.data(), s.actual.data()) && !divergence_)
      divergence_ = s.lockstep.divergence();
    if (recorder_ != nullptr && s.router == recorded_)
      recorder_->record(t, s.in[slot].data(), expected.data(), s.actual.data(), *s.rtl);
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
    s.rtl->step(s.in[slot].data(), s.actual.data());
    found |= s.rtl->finding() != nullptr;
    if (covered_) s.rtl->cover();
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
  for (const auto& s : shadows_) s->lockstep.cover();
}

void ShadowRouters::tell_toggles(const Dut& dut, Toggles& pins, Toggles& inside) const {
  for (const auto& s : shadows_) {
    if (&s->dut != &dut) continue;
    s->lockstep.tell_toggles(pins);
    s->rtl->tell_toggles(inside);
  }
}

LockstepCount ShadowRouters::count() const {
  LockstepCount sum;
  for (const auto& s : shadows_) sum += s->lockstep.count();
  return sum;
}

void ShadowRouters::record(RouterId router, PinWaveform& recorder) {
  recorded_ = router;
  recorder_ = &recorder;
}

}  // namespace noctule
