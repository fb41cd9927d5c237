#include "trace/waveform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "trace/flit_destination.h"

namespace noctule {
namespace {

constexpr std::uint64_t kUndriven = VcdWriter::kUndriven;

/// Time unit of the file and units per cycle: the largest power of ten that divides the period.
struct Timescale {
  std::string unit;
  std::uint64_t step = 1;
};

Timescale timescale_of(const sc_core::sc_time& period) {
  static constexpr const char* kUnits[] = {"s", "ms", "us", "ns", "ps", "fs"};
  std::uint64_t step = period.value();
  int exponent = static_cast<int>(std::lround(std::log10(sc_core::sc_get_time_resolution().to_seconds())));
  while (step % 10 == 0 && exponent < 0) {
    step /= 10;
    ++exponent;
  }
  const int unit = (-exponent + 2) / 3;
  const char* const factor[] = {"1", "10", "100"};
  return {fmt::format("{} {}", factor[exponent + 3 * unit], kUnits[unit]), step};
}

FlitType type_of(Flit flit) {
  if (flit.head()) return flit.tail() ? FlitType::kSingle : FlitType::kHead;
  return flit.tail() ? FlitType::kTail : FlitType::kBody;
}

/// The second part of the packet's name, as many bits of it as the signal has.
std::uint64_t number_of(const Packet& packet) {
  return packet.number & 0xffff'ffffU;
}

}  // namespace

Waveform::Waveform(std::string path, const Fabric& fabric, const std::vector<std::string>& globs,
                   CycleWindow window)
    : fabric_(fabric),
      window_(window),
      vcd_(std::move(path), timescale_of(fabric.options().period).unit,
           timescale_of(fabric.options().period).step),
      next_(window.from) {
  try {
    declare(globs);
  } catch (const ConfigError&) {
    vcd_.discard();
    throw;
  }
}

void Waveform::declare(const std::vector<std::string>& globs) {
  const std::size_t routers = fabric_.plan().topology->routers();
  GlobSet set(globs);
  SignalBuilder builder(vcd_, fabric_, set);
  chosen_.assign(routers, kNotChosen);
  for (std::size_t r = 0; r < routers; ++r) {
    const RouterId id{static_cast<std::uint32_t>(r)};
    if (!builder.concerns(id)) continue;
    bool any = false;
    auto signals = builder.build(id, any);
    if (!any) continue;
    chosen_[r] = static_cast<std::uint32_t>(routers_.size());
    granted_.emplace_back(signals.grants.size(), 0U);
    routers_.push_back(std::move(signals));
  }
  if (const auto unused = set.unused(); !unused.empty() || globs.empty())
    throw ConfigError(
        "trace.scope",
        fmt::format("nothing in the fabric is called '{}'; names look like {}.input_buffers, {}.link_0.valid "
                    "or {}.vc_allocator*; '*' stands for any text, dots included",
                    fmt::join(unused, "', '"), fabric_.plan().topology->router_name(RouterId{0}),
                    fabric_.plan().topology->router_name(RouterId{0}),
                    fabric_.plan().topology->router_name(RouterId{0})));
  vcd_.end_definitions();
  declared_ = builder.declared();
  driven_.resize(vcd_.variables());
}

// --- cycles ---

void Waveform::on_cycle_start(Cycle t) {
  if (finished_ || t < window_.from) return;
  const Cycle end = window_.end();
  if (t > next_ && next_ < end) show_quiet(next_);
  if (t >= end) return finish(end);
  vcd_.begin(t);
  sample(true, t);
  next_ = t;
  in_cycle_ = true;
}

void Waveform::on_cycle_end(Cycle t) {
  if (!in_cycle_) return;
  drive_wires();
  in_cycle_ = false;
  next_ = t + 1;
}

/// The fabric has jumped over cycle t: nothing arrived, nothing moved.
void Waveform::show_quiet(Cycle t) {
  vcd_.begin(t);
  sample(false, t);
  drive_wires();
}

void Waveform::finish(Cycle end) {
  if (finished_) return;
  finished_ = true;
  vcd_.finish(end);
}

void Waveform::close() {
  if (!finished_) {
    if (in_cycle_) on_cycle_end(next_);
    const Cycle end = std::min(window_.end(), fabric_.cycles());
    if (end > next_) show_quiet(next_);
    finish(end);
  }
  vcd_.close();
}

// --- registers ---

void Waveform::set_unknown(const FlitSignals& signals) {
  for (const auto variable : {signals.valid, signals.packet, signals.type, signals.source,
                              signals.destination, signals.number, signals.message_class})
    vcd_.set(variable, kUndriven);
}

void Waveform::set_flit(const FlitSignals& signals, const Flit* flit) {
  vcd_.set(signals.valid, flit != nullptr ? 1 : 0);
  if (flit == nullptr) {
    vcd_.set(signals.packet, kUndriven);
    vcd_.set(signals.type, static_cast<std::uint64_t>(FlitType::kNone));
    vcd_.set(signals.source, kUndriven);
    vcd_.set(signals.destination, kUndriven);
    vcd_.set(signals.number, kUndriven);
    vcd_.set(signals.message_class, kUndriven);
    return;
  }
  const Packet& packet = fabric_.packets()[flit->packet];
  vcd_.set(signals.packet, number_of(packet));
  vcd_.set(signals.type, static_cast<std::uint64_t>(type_of(*flit)));
  vcd_.set(signals.source, index(packet.source));
  vcd_.set(signals.destination, index(packet.destination));
  vcd_.set(signals.number, flit->number());
  vcd_.set(signals.message_class, packet.message_class);
}

/// Registers at the start of cycle t. `arrivals`: something may arrive then.
void Waveform::sample(bool arrivals, Cycle t) {
  for (const RouterSignals& router : routers_) {
    sample_inputs(router, arrivals, t);
    sample_crossbars(router);
    sample_outputs(router, arrivals, t);
  }
}

void Waveform::sample_inputs(const RouterSignals& router, bool arrivals, Cycle t) {
  const RouterView& view = *router.view;
  const NodeDescription& node = fabric_.plan().nodes[router.id];
  const std::size_t link_outputs = view.plan().link_outputs();
  const auto full = [&](std::uint16_t output) {
    if (node.direct())
      return output < link_outputs && view.credits(output) == 0 &&
             !(arrivals && view.credit_arriving(output, t));
    view.output_flits(output, flits_);
    return flits_.size() == (output < link_outputs ? node.output_depth : node.consumption_depth);
  };
  for (const InputSignals& s : router.inputs) {
    view.input_flits(s.input, flits_);
    if (Flit flit; arrivals && view.arriving_flit(s.input, t, flit)) flits_.push_back(flit);
    const bool any = !flits_.empty();
    set_flit(s.flit, any ? &flits_.front() : nullptr);
    vcd_.set(s.flits, flits_.size());
    if (any && !view.shows_inside()) {
      vcd_.set(s.state, kUndriven);
      vcd_.set(s.output, kUndriven);
      continue;
    }
    const std::uint16_t output = view.connected_output(s.input);
    InputState state = any ? InputState::kWaiting : InputState::kIdle;
    if (output != kNoSlot) state = any && full(output) ? InputState::kBlocked : InputState::kConnected;
    vcd_.set(s.state, static_cast<std::uint64_t>(state));
    vcd_.set(s.output, output == kNoSlot ? kUndriven : output);
  }
}

void Waveform::sample_crossbars(const RouterSignals& router) {
  for (std::size_t x = 0; x < router.crossbar.size(); ++x)
    for (const ConnectionSignals& c : router.crossbar[x]) {
      if (!router.view->shows_inside()) {
        vcd_.set(c.connected, kUndriven);
        vcd_.set(c.output, kUndriven);
        continue;
      }
      const std::uint16_t output = router.view->connected_output(c.input);
      const bool mine = output != kNoSlot && crossbar_between(router.view->plan(), c.input, output) == x;
      vcd_.set(c.connected, mine ? 1 : 0);
      vcd_.set(c.output, mine ? output : kUndriven);
    }
}

void Waveform::sample_outputs(const RouterSignals& router, bool arrivals, Cycle t) {
  const RouterView& view = *router.view;
  for (const OutputSignals& s : router.outputs) {
    if (view.shows_inside()) {
      view.output_flits(s.output, flits_);
      set_flit(s.flit, flits_.empty() ? nullptr : &flits_.front());
      vcd_.set(s.flits, flits_.size());
      const std::uint16_t input = view.connected_input(s.output);
      vcd_.set(s.busy, input != kNoSlot ? 1 : 0);
      vcd_.set(s.input, input != kNoSlot ? input : kUndriven);
    } else {
      set_unknown(s.flit);
      for (const auto variable : {s.flits, s.busy, s.input}) vcd_.set(variable, kUndriven);
    }
    if (s.credits != VcdWriter::kNone)
      vcd_.set(s.credits, view.credits(s.output) + (arrivals && view.credit_arriving(s.output, t) ? 1U : 0U));
  }
}

// --- wires ---

void Waveform::pulse(VcdWriter::Variable variable, std::uint64_t value, std::uint64_t rest) {
  if (variable == VcdWriter::kNone) return;
  driven_[index(variable)] = {value, round_};
  now_.push_back({variable, rest});
}

void Waveform::pulse_flit(const FlitSignals& signals, Flit flit, const Packet& packet,
                          TerminalId destination) {
  pulse(signals.valid, 1, 0);
  pulse(signals.packet, number_of(packet), kUndriven);
  pulse(signals.type, static_cast<std::uint64_t>(type_of(flit)), 0);
  pulse(signals.source, index(packet.source), kUndriven);
  pulse(signals.destination, index(destination), kUndriven);
  pulse(signals.number, flit.number(), kUndriven);
  pulse(signals.message_class, packet.message_class, kUndriven);
}

void Waveform::pulse_grant(const RouterSignals& router, std::size_t input, std::size_t output) {
  const std::size_t x = crossbar_between(router.view->plan(), input, output);
  const auto r = static_cast<std::size_t>(&router - routers_.data());
  const unsigned n = granted_[r][x]++;
  if (n >= router.grants[x].size()) return;
  const GrantSignals& grant = router.grants[x][n];
  pulse(grant.valid, 1, 0);
  pulse(grant.input, input, kUndriven);
  pulse(grant.output, output, kUndriven);
}

void Waveform::pulse_transfer(const RouterSignals& router, std::size_t input, std::size_t output) {
  for (const ConnectionSignals& c : router.crossbar[crossbar_between(router.view->plan(), input, output)])
    if (c.input == input) pulse(c.transfer, 1, 0);
}

void Waveform::on_flit(Cycle /*t*/, RouterId id, FlitEvent event, std::uint16_t place, std::uint16_t input,
                       Flit flit, const Packet& packet) {
  if (!in_cycle_ || chosen_[index(id)] == kNotChosen) return;
  const TerminalId destination = flit_destination(fabric_.plan(), id, event, place, packet);
  const RouterSignals& router = routers_[chosen_[index(id)]];
  const RouterPlan& plan = router.view->plan();
  switch (event) {
    case FlitEvent::kGenerate:
      return pulse(router.injection[plan.inputs[place].channel].generate, 1, 0);
    case FlitEvent::kDiscard:
      return pulse(router.injection[plan.inputs[place].channel].discard, 1, 0);
    case FlitEvent::kInject:
      return pulse_flit(router.injection[plan.inputs[place].channel].flit, flit, packet, destination);
    case FlitEvent::kGrant:
      return pulse_grant(router, input, place);
    case FlitEvent::kCross:
      return pulse_transfer(router, input, place);
    case FlitEvent::kLink: {
      const LinkSignals& link = router.links[plan.outputs[place].channel];
      pulse_flit(link.flit, flit, packet, destination);
      return pulse(link.vc, plan.outputs[place].vc, kUndriven);
    }
    case FlitEvent::kConsume:
      return pulse_flit(router.consumption[place == kNoSlot ? input : plan.outputs[place].channel], flit,
                        packet, destination);
  }
}

/// Wires take the values of this cycle; those that were driven and are not any more go to rest. In the order
/// of the variables, so that the file does not depend on the order of evaluation.
void Waveform::drive_wires() {
  before_.insert(before_.end(), now_.begin(), now_.end());
  std::sort(before_.begin(), before_.end(),
            [](const Wire& a, const Wire& b) { return index(a.variable) < index(b.variable); });
  for (const Wire& wire : before_) {
    const Driven& driven = driven_[index(wire.variable)];
    vcd_.set(wire.variable, driven.round == round_ ? driven.value : wire.rest);
  }
  before_.swap(now_);
  now_.clear();
  ++round_;
  for (auto& router : granted_) router.assign(router.size(), 0U);
}

}  // namespace noctule
