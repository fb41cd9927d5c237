#include "trace/waveform_signals.h"

#include <algorithm>

namespace noctule {
namespace {

std::string numbered(const std::string& block, std::size_t n, std::size_t count) {
  return count == 1 ? block : block + "_" + std::to_string(n);
}

bool belongs(const VcPlan& vc, std::size_t crossbar) {
  return vc.crossbar < 0 || vc.crossbar == static_cast<std::int32_t>(crossbar);
}

}  // namespace

std::size_t crossbar_between(const RouterPlan& plan, std::size_t input, std::size_t output) {
  const auto in = plan.inputs[input].crossbar;
  const auto out = plan.outputs[output].crossbar;
  return static_cast<std::size_t>(in >= 0 ? in : std::max(out, 0));
}

std::string vc_scope(const VcPlan& vc, bool terminal) {
  if (terminal) return vcd_name(vc.name);
  const auto [port, rest] = vc.parts();
  return vcd_name(port) + "." + vcd_name(rest);
}

bool SignalBuilder::concerns(RouterId router) const {
  return globs_.may_concern(fabric_.name(), fabric_.plan().topology->router_name(router));
}

VcdWriter::Variable SignalBuilder::add(const std::string& scope, const std::string& name, unsigned bits,
                                       SignalMeaning meaning, Kind kind, bool rests_undriven,
                                       std::uint16_t channel) {
  const std::string below = router_name_ + "." + scope;
  const std::string full = std::string(fabric_.name()) + "." + below;
  const bool relative_match = globs_.matches(below + "." + name);
  const bool full_match = globs_.matches(full + "." + name);
  if (!relative_match && !full_match) return VcdWriter::kNone;
  const Variable variable = vcd_.add(full, name, bits, kind);
  if (!rests_undriven) vcd_.set(variable, 0);
  declared_.push_back({router_, full, name, bits, meaning, channel});
  return variable;
}

FlitSignals SignalBuilder::flit(const std::string& scope, Kind kind) {
  const unsigned terminal = bits_for(fabric_.plan().topology->terminals());
  FlitSignals f;
  f.valid = add(scope, kind == Kind::kReg ? "flit_valid" : "valid", 1, SignalMeaning::kFlag, kind);
  f.packet = add(scope, "packet", 32, SignalMeaning::kNumber, kind, true);
  f.type = add(scope, "type", bits_for(kFlitTypeNames.size()), SignalMeaning::kFlitType, kind);
  f.source = add(scope, "source", terminal, SignalMeaning::kNumber, kind, true);
  f.destination = add(scope, "destination", terminal, SignalMeaning::kNumber, kind, true);
  f.number = add(scope, "number", 30, SignalMeaning::kNumber, kind, true);
  if (const auto& classes = fabric_.plan().message_classes; classes.named())
    f.message_class =
        add(scope, "message_class", bits_for(classes.size()), SignalMeaning::kMessageClass, kind, true);
  return f;
}

std::string SignalBuilder::channel_scope(const std::string& block, std::size_t terminals, std::size_t n,
                                         unsigned channels) {
  std::string scope = block;
  if (terminals > 1) scope += ".terminal_" + std::to_string(n / channels);
  if (channels > 1) scope += ".channel_" + std::to_string(n % channels);
  return scope;
}

RouterSignals SignalBuilder::build(RouterId router, bool& any_chosen) {
  router_ = router;
  router_name_ = fabric_.plan().topology->router_name(router);
  RouterSignals signals;
  signals.id = router;
  signals.view = &fabric_.router(router);
  plan_ = &signals.view->plan();
  const std::size_t before = declared_.size();
  const bool unlimited = node().injection_channels == kUnlimited;
  const unsigned injection = unlimited ? plan_->injection_vcs : node().injection_channels;
  const unsigned again = node().retransmission_buffers;
  const unsigned channels = injection + again;
  for (std::size_t n = 0; n < std::size_t{plan_->injecting} * channels; ++n) {
    const std::size_t terminal = n / channels;
    const std::size_t within = n % channels;
    const std::string scope =
        within < injection
            ? channel_scope("injection", plan_->injecting, terminal * injection + within, injection)
            : channel_scope("retransmission", plan_->injecting, terminal * again + within - injection, again);
    InjectionSignals s;
    if (n % channels == 0) {  // packets are the terminal's
      s.generate = add(scope, "generate", 1, SignalMeaning::kFlag, Kind::kWire);
      s.discard = add(scope, "discard", 1, SignalMeaning::kFlag, Kind::kWire);
    }
    s.flit = flit(scope, Kind::kWire);
    signals.injection.push_back(s);
  }
  buffers_in(signals);
  allocators(signals);
  crossbars(signals);
  buffers_out(signals);
  links(signals);
  consumption(signals);
  any_chosen = declared_.size() > before;
  return signals;
}

void SignalBuilder::consumption(RouterSignals& signals) {
  const unsigned channels = node().consumption_channels;
  if (channels == kUnlimited)
    for (std::size_t i = 0; i < plan_->inputs.size(); ++i)
      signals.consumption.push_back(
          flit("consumption." + vc_scope(plan_->inputs[i], i >= plan_->link_inputs()), Kind::kWire));
  for (std::size_t n = 0; n < std::size_t{plan_->consuming} * channels; ++n)
    signals.consumption.push_back(
        flit(channel_scope("consumption", plan_->consuming, n, channels), Kind::kWire));
}

void SignalBuilder::buffers_in(RouterSignals& signals) {
  const unsigned depth = node().input_depth;
  for (std::size_t i = 0; i < plan_->inputs.size(); ++i) {
    const bool terminal = i >= plan_->link_inputs();
    const std::string scope = "input_buffers." + vc_scope(plan_->inputs[i], terminal);
    const std::size_t before = declared_.size();
    InputSignals s;
    s.input = static_cast<std::uint16_t>(i);
    s.flit = flit(scope, Kind::kReg);
    const bool waiting_place = terminal && node().injection_channels == kUnlimited &&
                               (i - plan_->link_inputs()) % plan_->injection_vcs == 0;
    if (waiting_place)
      s.flits = add(scope, "flits", 32, SignalMeaning::kNumber, Kind::kReg);
    else if (depth > 1)
      s.flits = add(scope, "flits", bits_for(depth + 1), SignalMeaning::kNumber, Kind::kReg);
    s.state = add(scope, "state", bits_for(kInputStateNames.size()), SignalMeaning::kInputState, Kind::kReg);
    s.output = add(scope, "output", bits_for(plan_->outputs.size()), SignalMeaning::kOutput, Kind::kReg);
    if (declared_.size() > before) signals.inputs.push_back(s);
  }
}

void SignalBuilder::allocators(RouterSignals& signals) {
  const auto count = [](const std::vector<VcPlan>& vcs, std::size_t x) {
    return static_cast<std::size_t>(
        std::count_if(vcs.begin(), vcs.end(), [x](const VcPlan& vc) { return belongs(vc, x); }));
  };
  const unsigned most = node().connections_per_cycle;
  for (std::size_t x = 0; x < plan_->crossbars; ++x) {
    // Worms with several destinations take several outputs in a cycle.
    std::size_t slots = count(plan_->outputs, x);
    if (!fabric_.plan().multicast) slots = std::min(slots, count(plan_->inputs, x));
    if (most != 0 && !fabric_.plan().multicast) slots = std::min<std::size_t>(slots, most);
    const std::string scope = numbered("vc_allocator", x, plan_->crossbars);
    auto& grants = signals.grants.emplace_back();
    for (std::size_t n = 0; n < slots; ++n) {
      const std::string prefix = numbered("grant", n, slots);
      GrantSignals g;
      g.valid =
          add(scope, prefix + "_valid", 1, SignalMeaning::kFlag, Kind::kWire, !signals.view->shows_inside());
      g.input = add(scope, prefix + "_input", bits_for(plan_->inputs.size()), SignalMeaning::kInput,
                    Kind::kWire, true);
      g.output = add(scope, prefix + "_output", bits_for(plan_->outputs.size()), SignalMeaning::kOutput,
                     Kind::kWire, true);
      grants.push_back(g);
    }
  }
}

void SignalBuilder::crossbars(RouterSignals& signals) {
  for (std::size_t x = 0; x < plan_->crossbars; ++x) {
    auto& connections = signals.crossbar.emplace_back();
    for (std::size_t i = 0; i < plan_->inputs.size(); ++i) {
      if (!belongs(plan_->inputs[i], x)) continue;
      const bool terminal = i >= plan_->link_inputs();
      const std::string scope =
          numbered("crossbar", x, plan_->crossbars) + "." + vc_scope(plan_->inputs[i], terminal);
      ConnectionSignals c;
      c.input = static_cast<std::uint16_t>(i);
      c.connected = add(scope, "connected", 1, SignalMeaning::kFlag, Kind::kReg);
      c.output = add(scope, "output", bits_for(plan_->outputs.size()), SignalMeaning::kOutput, Kind::kReg);
      c.transfer =
          add(scope, "transfer", 1, SignalMeaning::kFlag, Kind::kWire, !signals.view->shows_inside());
      connections.push_back(c);
    }
  }
}

void SignalBuilder::buffers_out(RouterSignals& signals) {
  const std::string block = node().direct() ? "output_credits." : "output_buffers.";
  for (std::size_t o = 0; o < plan_->outputs.size(); ++o) {
    const bool terminal = o >= plan_->link_outputs();
    const unsigned depth = node().direct() ? 0 : terminal ? node().consumption_depth : node().output_depth;
    const std::string scope = block + vc_scope(plan_->outputs[o], terminal);
    const std::size_t before = declared_.size();
    OutputSignals s;
    s.output = static_cast<std::uint16_t>(o);
    if (depth > 0) s.flit = flit(scope, Kind::kReg);
    if (depth > 1) s.flits = add(scope, "flits", bits_for(depth + 1), SignalMeaning::kNumber, Kind::kReg);
    s.busy = add(scope, "busy", 1, SignalMeaning::kFlag, Kind::kReg);
    s.input = add(scope, "input", bits_for(plan_->inputs.size()), SignalMeaning::kInput, Kind::kReg);
    if (!terminal)
      s.credits = add(scope, "credits", bits_for(plan_->outbound[plan_->outputs[o].channel].depth + 1U),
                      SignalMeaning::kNumber, Kind::kReg);
    if (declared_.size() > before) signals.outputs.push_back(s);
  }
}

void SignalBuilder::links(RouterSignals& signals) {
  for (std::size_t l = 0; l < plan_->outbound.size(); ++l) {
    const std::string scope = "link_" + std::to_string(l);
    LinkSignals s;
    s.flit = flit(scope, Kind::kWire);
    s.vc = add(scope, "vc", bits_for(plan_->outbound[l].count), SignalMeaning::kVc, Kind::kWire, true,
               static_cast<std::uint16_t>(l));
    signals.links.push_back(s);
  }
}

}  // namespace noctule
