#include "rtl/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace noctule {
namespace {

constexpr std::size_t kRecent = 8;  ///< cycles whose pins a report shows in full

/// Do values of this pin stand for flits?
bool is_flit(const PinMap& map, const std::string& pin) {
  const auto in = [&](const std::vector<Pin>& pins, const LinkPins& link) {
    return link.flit != LinkPins::kAbsent && pins[link.flit].name == pin;
  };
  const auto any = [&](const std::vector<Pin>& pins, const std::vector<LinkPins>& links) {
    return std::any_of(links.begin(), links.end(), [&](const LinkPins& link) { return in(pins, link); });
  };
  return any(map.inputs(), map.inbound()) || any(map.outputs(), map.outbound()) ||
         in(map.inputs(), map.injection()) || in(map.outputs(), map.consumption());
}

/// In hexadecimal, flits in words as well.
std::string value_text(const PinMap& map, const std::string& pin, std::uint64_t value) {
  if (value != 0 && is_flit(map, pin)) return fmt::format("{:#x} ({})", value, map.format().describe(value));
  return fmt::format("{:#x}", value);
}

/// The pins that are not as at rest, "x_plus_valid_i=0x1 x_plus_vc_i=0x2".
std::string active_pins(const PinMap& map, const std::vector<Pin>& pins,
                        const std::vector<std::uint64_t>& now, const std::vector<std::uint64_t>& rest) {
  std::string text;
  for (std::size_t p = 0; p < pins.size(); ++p)
    if (now[p] != rest[p])
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", pins[p].name,
                          value_text(map, pins[p].name, now[p]));
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::string describe(const Divergence& d, const PinMap& map) {
  std::string text =
      d.text.empty()
          ? fmt::format("{}: {} differs in cycle {}\n  expected {}\n  actual   {}\n", d.router_name, d.port,
                        d.cycle, value_text(map, d.port, d.expected), value_text(map, d.port, d.actual))
          : fmt::format("{}: the RTL itself stops in cycle {}\n  place {}\n  says  {}\n", d.router_name,
                        d.cycle, d.place, d.text);
  if (d.differences.size() > 1) {
    text += fmt::format("All {} pins that differ in cycle {}:\n", d.differences.size(), d.cycle);
    for (const PinDifference& p : d.differences)
      text += fmt::format("  {}: expected {}, actual {}\n", p.pin, value_text(map, p.pin, p.expected),
                          value_text(map, p.pin, p.actual));
  }
  if (!d.history.empty())
    text += fmt::format("{} in the last {} cycles (those with 0 left out):\n", d.port, d.history.size());
  for (const auto& h : d.history) {
    if (h.expected == 0 && h.actual == 0) continue;
    text += fmt::format("  {:>8}  {}", h.cycle, value_text(map, d.port, h.expected));
    if (h.actual != h.expected) text += fmt::format(", actual {}", value_text(map, d.port, h.actual));
    text += '\n';
  }
  const std::size_t shown = std::min(kRecent, d.cycles.size());
  const auto inputs_at_rest = map.at_rest(d.router);
  const std::vector<std::uint64_t> outputs_at_rest(map.outputs().size());
  text += fmt::format("All pins in the last {} cycles, outputs as expected:\n", shown);
  for (auto c = d.cycles.end() - static_cast<std::ptrdiff_t>(shown); c != d.cycles.end(); ++c)
    text += fmt::format("  {:>8}  in:  {}\n            out: {}\n", c->cycle,
                        active_pins(map, map.inputs(), c->inputs, inputs_at_rest),
                        active_pins(map, map.outputs(), c->expected, outputs_at_rest));
  return text;
}

Lockstep::Lockstep(std::shared_ptr<const PinMap> map, RouterId router, std::string router_name)
    : map_(std::move(map)),
      router_(router),
      router_name_(std::move(router_name)),
      at_(kHistory),
      pins_(kHistory * (map_->inputs().size() + map_->outputs().size())) {}

bool Lockstep::compare(Cycle cycle, const std::uint64_t* inputs, const std::uint64_t* expected,
                       const std::uint64_t* actual) {
  if (divergence_) return false;
  moving_ += flit_moves_in_last() ? 1 : 0;
  const std::size_t in = map_->inputs().size();
  const std::size_t out = map_->outputs().size();
  const std::size_t place = cycles_++ % kHistory;
  std::uint64_t* const row = &pins_[place * (in + out)];
  at_[place] = cycle;
  std::memcpy(row, inputs, in * sizeof *row);
  std::memcpy(row + in, expected, out * sizeof *row);
  if (!ones_.empty()) {
    note(inputs, 0, in);
    note(actual, in, out);
  }
  if (std::memcmp(expected, actual, out * sizeof *row) == 0) [[likely]]
    return true;
  diverge(cycle, expected, actual);
  return false;
}

void Lockstep::inputs_of_last(const std::uint64_t* inputs) {
  if (cycles_ == 0 || divergence_) return;
  const std::size_t in = map_->inputs().size();
  const std::size_t place = (cycles_ - 1) % kHistory;
  std::memcpy(&pins_[place * (in + map_->outputs().size())], inputs, in * sizeof *inputs);
  if (!ones_.empty()) note(inputs, 0, in);
}

void Lockstep::found(Cycle cycle, const std::string& place, const std::string& text) {
  if (divergence_) return;
  Divergence d = divergence_at(cycle, map_->outputs().size());
  d.port = "assertion";
  d.place = place;
  d.text = text;
  divergence_ = std::move(d);
}

void Lockstep::cover() {
  ones_.resize(map_->inputs().size() + map_->outputs().size());
  zeros_.resize(ones_.size());
}

void Lockstep::note(const std::uint64_t* values, std::size_t first, std::size_t count) {
  for (std::size_t p = 0; p < count; ++p) {
    ones_[first + p] |= values[p];
    zeros_[first + p] |= ~values[p];
  }
}

void Lockstep::tell_toggles(Toggles& pins) const {
  if (ones_.empty()) return;
  const std::size_t in = map_->inputs().size();
  const auto tell = [&](const std::vector<Pin>& of, std::size_t first) {
    for (std::size_t p = 0; p < of.size(); ++p)
      pins.add(of[p].name, 0, of[p].width, ones_[first + p], zeros_[first + p]);
  };
  tell(map_->inputs(), 0);
  tell(map_->outputs(), in);
}

bool Lockstep::flit_moves_in_last() const {
  if (cycles_ == 0) return false;
  const std::size_t in = map_->inputs().size();
  const std::uint64_t* const inputs = &pins_[(cycles_ - 1) % kHistory * (in + map_->outputs().size())];
  const std::uint64_t* const outputs = inputs + in;
  const LinkPins& consumption = map_->consumption();
  std::uint64_t any = inputs[map_->injection().valid];
  any |= outputs[consumption.valid] & inputs[consumption.credit];
  for (const LinkPins& link : map_->inbound()) any |= inputs[link.valid];
  for (const LinkPins& link : map_->outbound()) any |= outputs[link.valid];
  return any != 0;
}

LockstepCount Lockstep::count() const {
  return {cycles_, moving_ + (flit_moves_in_last() ? 1 : 0), cycles_ * map_->outputs().size()};
}

/// Without what differs. `port`: an output, or behind the last one for none.
Divergence Lockstep::divergence_at(Cycle cycle, std::size_t port) const {
  const std::size_t in = map_->inputs().size();
  const std::size_t out = map_->outputs().size();
  Divergence d;
  d.router = router_;
  d.router_name = router_name_;
  d.cycle = cycle;
  for (std::uint64_t n = cycles_ - std::min<std::uint64_t>(cycles_, kHistory); n < cycles_; ++n) {
    const std::uint64_t* const row = &pins_[n % kHistory * (in + out)];
    d.cycles.push_back({at_[n % kHistory], {row, row + in}, {row + in, row + in + out}});
    if (port < out) d.history.push_back({at_[n % kHistory], row[in + port], row[in + port]});
  }
  return d;
}

void Lockstep::diverge(Cycle cycle, const std::uint64_t* expected, const std::uint64_t* actual) {
  const std::size_t out = map_->outputs().size();
  std::vector<PinDifference> differences;
  std::size_t port = out;
  for (std::size_t p = 0; p < out; ++p) {
    if (expected[p] == actual[p]) continue;
    port = std::min(port, p);
    differences.push_back({map_->outputs()[p].name, expected[p], actual[p]});
  }
  Divergence d = divergence_at(cycle, port);
  d.differences = std::move(differences);
  d.port = d.differences.front().pin;
  d.expected = expected[port];
  d.actual = actual[port];
  d.history.back().actual = actual[port];
  divergence_ = std::move(d);
}

void Lockstep::reset() {
  cycles_ = 0;
  moving_ = 0;
  divergence_.reset();
}

}  // namespace noctule
