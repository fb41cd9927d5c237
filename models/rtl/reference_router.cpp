#include "rtl/reference_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

#include "core/error.h"
#include "rtl/hardware_rules.h"
#include "topology/cube_geometry.h"

namespace noctule {
namespace {

/// Round robin: the first one at or behind `start`, cyclically. `numbers` ascend and are not empty.
std::size_t first_from(const std::vector<std::size_t>& numbers, std::size_t start) {
  const auto found = std::lower_bound(numbers.begin(), numbers.end(), start);
  return found == numbers.end() ? numbers.front() : *found;
}

std::uint64_t bit(std::size_t n) {
  return std::uint64_t{1} << n;
}

}  // namespace

ReferenceRouter::ReferenceRouter(std::shared_ptr<const PinMap> map, const FabricPlan& fabric, RouterId router)
    : map_(std::move(map)),
      topology_(fabric.topology),
      relation_(fabric.relation),
      plan_(fabric.routers.at(index(router))),
      node_(fabric.nodes[router]),
      id_(router),
      pins_(*map_, *plan_) {
  require_hardware(fabric, std::span(&router, 1));
}

void ReferenceRouter::reset(const std::uint64_t*, std::uint64_t* out) {
  inputs_.assign(plan_->inputs.size(), {});
  outputs_.assign(plan_->outputs.size(), {});
  for (std::size_t o = 0; is_link(o); ++o) outputs_[o].credits = depth_behind(o);
  consumption_.clear();
  pointers_ = {};
  pointers_.scan.resize(plan_->crossbars);
  pointers_.selection.resize(plan_->crossbars);
  pointers_.link.resize(plan_->outbound.size());
  pointers_.vc_input.resize(inputs_.size());
  pointers_.vc_output.resize(outputs_.size());
  pointers_.switch_in.resize(plan_->inbound.size() + 1);
  pointers_.switch_out.resize(plan_->outbound.size() + 1);
  decisions_ = decide();
  show(out);
}

void ReferenceRouter::step(const std::uint64_t* in, std::uint64_t* out) {
  apply(decisions_, in);
  take_arrivals(in);
  take_credits(in);
  decisions_ = decide();
  show(out);
}

// --- decisions
// ------------------------------------------------------------------------------------------------

ReferenceRouter::Decisions ReferenceRouter::decide() const {
  Decisions d;
  d.pointers = pointers_;
  std::vector<bool> headers(inputs_.size());
  std::vector<bool> free(outputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) headers[i] = waiting(i);
  for (std::size_t o = 0; o < outputs_.size(); ++o) free[o] = is_free(o);
  if (node_.vc_allocator == "scan") {
    // A header of the injection channel may go through any crossbar; the first one that can takes it.
    for (std::size_t n = 0; n < plan_->crossbars; ++n)
      scan((pointers_.crossbar + n) % plan_->crossbars, headers, free, d);
  } else {
    match_vcs(headers, free, d);
  }
  if (node_.direct())
    match_ports(d);
  else
    cross_connected(d);
  choose_senders(d);
  return d;
}

/// One crossbar looks at its waiting headers, one after the other, from the one behind the last served on,
/// and gives each what it finds free, until it has made as many connections as it may in a cycle.
void ReferenceRouter::scan(std::size_t crossbar, std::vector<bool>& waiting, std::vector<bool>& free,
                           Decisions& d) const {
  std::vector<bool> mine(outputs_.size());
  for (std::size_t o = 0; o < outputs_.size(); ++o) mine[o] = in_crossbar(plan_->outputs[o], crossbar);
  unsigned made = 0;
  for (std::size_t n = 0; n < inputs_.size(); ++n) {
    const std::size_t i = (pointers_.scan[crossbar] + n) % inputs_.size();
    if (!waiting[i] || !in_crossbar(plan_->inputs[i], crossbar)) continue;
    std::vector<bool> among(outputs_.size());
    for (std::size_t o = 0; o < outputs_.size(); ++o) among[o] = mine[o] && free[o];
    const auto choice = feasible(i, among);
    if (choice.empty()) continue;
    const bool rotates = node_.selection == Selection::kRotating;
    const std::size_t o = first_from(choice, rotates ? d.pointers.selection[crossbar] : 0);
    d.connections.push_back({i, o});
    waiting[i] = false;
    free[o] = false;
    d.pointers.scan[crossbar] = i + 1;
    d.pointers.selection[crossbar] = o + 1;
    if (!is_link(o)) d.pointers.crossbar = (crossbar + 1) % plan_->crossbars;
    if (++made == node_.connections_per_cycle) return;
  }
}

/// Every header bids for one of the free outputs that it may take, every output takes one bid. Pointers move
/// past what they were granted, and only then.
void ReferenceRouter::match_vcs(const std::vector<bool>& waiting, const std::vector<bool>& free,
                                Decisions& d) const {
  std::vector<std::vector<std::size_t>> bids(outputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!waiting[i]) continue;
    const auto choice = feasible(i, free);
    if (!choice.empty()) bids[first_from(choice, pointers_.vc_input[i])].push_back(i);
  }
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    if (bids[o].empty()) continue;
    const std::size_t i = first_from(bids[o], pointers_.vc_output[o]);
    d.connections.push_back({i, o});
    d.pointers.vc_input[i] = o + 1;
    d.pointers.vc_output[o] = i + 1;
  }
}

/// Buffered: all connections, those just made included, move a flit where there is one and room for it.
void ReferenceRouter::cross_connected(Decisions& d) const {
  std::vector<std::uint16_t> output(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) output[i] = inputs_[i].output;
  for (const Connection& c : d.connections) output[c.input] = static_cast<std::uint16_t>(c.output);
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (output[i] != kNone && !inputs_[i].flits.empty() && has_room(output[i])) d.crossing.push_back(i);
}

/// Input-queued: every input port bids with one of its inputs for the port of that one's output, every output
/// port takes one bid. Pointers move past what they were granted, and only then.
void ReferenceRouter::match_ports(Decisions& d) const {
  std::vector<std::vector<std::size_t>> able(pointers_.switch_in.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i].output != kNone && !inputs_[i].flits.empty() && has_room(inputs_[i].output))
      able[input_port(i)].push_back(i);
  std::vector<std::size_t> bidder(able.size());
  std::vector<std::vector<std::size_t>> bids(pointers_.switch_out.size());
  for (std::size_t p = 0; p < able.size(); ++p) {
    if (able[p].empty()) continue;
    bidder[p] = first_from(able[p], pointers_.switch_in[p]);
    bids[output_port(inputs_[bidder[p]].output)].push_back(p);
  }
  for (std::size_t q = 0; q < bids.size(); ++q) {
    if (bids[q].empty()) continue;
    const std::size_t p = first_from(bids[q], pointers_.switch_out[q]);
    d.crossing.push_back(bidder[p]);
    d.pointers.switch_in[p] = bidder[p] + 1;
    d.pointers.switch_out[q] = p + 1;
  }
}

/// Buffered: one output of each link sends, round robin over those that hold a flit and have a credit.
/// Input-queued: what crossed in the last cycle goes; it has its credit already.
void ReferenceRouter::choose_senders(Decisions& d) const {
  for (std::size_t c = 0; c < plan_->outbound.size(); ++c) {
    const ChannelPlan& channel = plan_->outbound[c];
    std::vector<std::size_t> ready;
    for (std::size_t o = channel.first; o < std::size_t{channel.first} + channel.count; ++o)
      if (!outputs_[o].flits.empty() && (node_.direct() || outputs_[o].credits > 0)) ready.push_back(o);
    if (ready.empty()) continue;
    const std::size_t o = first_from(ready, pointers_.link[c]);
    d.sending.push_back(o);
    d.pointers.link[c] = o + 1;
  }
}

// --- the clock edge
// -------------------------------------------------------------------------------------------

void ReferenceRouter::apply(const Decisions& d, const std::uint64_t* in) {
  for (const std::size_t o : d.sending) {
    outputs_[o].flits.erase(outputs_[o].flits.begin());
    if (!node_.direct()) --outputs_[o].credits;
  }
  if (node_.direct() || in[map_->consumption().credit] != 0) consumption_.clear();
  for (const Connection& c : d.connections) {
    inputs_[c.input].output = static_cast<std::uint16_t>(c.output);
    outputs_[c.output].input = static_cast<std::uint16_t>(c.input);
  }
  for (const std::size_t i : d.crossing) cross(inputs_[i]);
  pointers_ = d.pointers;
}

/// The foremost flit crosses; a tail gives the output back.
void ReferenceRouter::cross(Input& input) {
  const FlitFormat& format = map_->format();
  const std::size_t o = input.output;
  std::uint64_t flit = input.flits.front();
  input.flits.erase(input.flits.begin());
  if (!is_link(o)) {
    consumption_.push_back({pins_.output_bit[o], flit});
  } else {
    if (format.head(flit)) {
      const VcPlan& vc = plan_->outputs[o];
      flit = format.with_state(
          flit, relation_->next_state(id_, destination_of(flit), format.state(flit), {vc.port, vc.vc_class}));
    }
    outputs_[o].flits.push_back(flit);
    if (node_.direct()) --outputs_[o].credits;
  }
  if (!format.tail(flit)) return;
  outputs_[o].input = kNone;
  input.output = kNone;
}

void ReferenceRouter::take_arrivals(const std::uint64_t* in) {
  for (std::size_t l = 0; l < map_->inbound().size(); ++l) arrive(map_->inbound()[l], in, pins_.input_at[l]);
  std::vector<std::uint16_t> own;
  for (std::size_t i = plan_->link_inputs(); i < inputs_.size(); ++i)
    own.push_back(static_cast<std::uint16_t>(i));
  arrive(map_->injection(), in, own);
}

void ReferenceRouter::arrive(const LinkPins& pins, const std::uint64_t* in,
                             const std::vector<std::uint16_t>& input_at) {
  if (in[pins.valid] == 0) return;
  const std::uint64_t vc = pins.vc == LinkPins::kAbsent ? 1 : in[pins.vc];
  const auto place = static_cast<std::size_t>(std::countr_zero(vc));
  if (!std::has_single_bit(vc) || place >= input_at.size() || input_at[place] == kNone)
    illegal(fmt::format("a flit on {} with vc {:#x}, which is no VC there", pins.name, vc));
  Input& input = inputs_[input_at[place]];
  const std::string& name = plan_->inputs[input_at[place]].name;
  const std::uint64_t flit = in[pins.flit];
  if (input.flits.size() == node_.input_depth)
    illegal(fmt::format("a flit on {}, where there is no room", name));
  if (map_->format().head(flit) == input.in_worm)
    illegal(fmt::format("{} on {} {}", map_->format().describe(flit), name,
                        input.in_worm ? "within a worm" : "without a header"));
  input.in_worm = !map_->format().tail(flit);
  input.flits.push_back(flit);
}

void ReferenceRouter::take_credits(const std::uint64_t* in) {
  for (std::size_t l = 0; l < map_->outbound().size(); ++l) {
    const LinkPins& pins = map_->outbound()[l];
    for (std::uint64_t left = in [pins.credit]; left != 0; left &= left - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(left));
      const auto& output_at = pins_.output_at[l];
      if (place >= output_at.size() || output_at[place] == kNone)
        illegal(fmt::format("a credit on {} for VC bit {}, which is not there", pins.name, place));
      if (outputs_[output_at[place]].credits++ == depth_behind(output_at[place]))
        illegal(fmt::format("a credit too many on {}", plan_->outputs[output_at[place]].name));
    }
  }
}

void ReferenceRouter::show(std::uint64_t* out) const {
  std::fill_n(out, map_->outputs().size(), std::uint64_t{0});
  for (const std::size_t o : decisions_.sending) {
    const LinkPins& pins = *pins_.output[o];
    out[pins.valid] = 1;
    out[pins.vc] = bit(pins_.output_bit[o]);
    out[pins.flit] = outputs_[o].flits.front();
  }
  for (const std::size_t i : decisions_.crossing) out[pins_.input[i]->credit] |= bit(pins_.input_bit[i]);
  if (consumption_.empty()) return;
  const LinkPins& pins = map_->consumption();
  out[pins.valid] = 1;
  if (pins.vc != LinkPins::kAbsent) out[pins.vc] = bit(consumption_.front().vc);
  out[pins.flit] = consumption_.front().flit;
}

// --- the rules, one by one
// ------------------------------------------------------------------------------------

bool ReferenceRouter::in_crossbar(const VcPlan& vc, std::size_t crossbar) const {
  return vc.crossbar < 0 || static_cast<std::size_t>(vc.crossbar) == crossbar;
}

bool ReferenceRouter::waiting(std::size_t input) const {
  const Input& i = inputs_[input];
  return i.output == kNone && !i.flits.empty();  // what follows a tail is a header: see arrive()
}

bool ReferenceRouter::is_free(std::size_t output) const {
  const Output& o = outputs_[output];
  if (o.input != kNone) return false;
  if (node_.release == VcRelease::kTailCrossed) return true;
  if (!is_link(output)) return consumption_.empty();
  if (!o.flits.empty()) return false;
  return node_.release == VcRelease::kTailLeft || o.credits == depth_behind(output);
}

bool ReferenceRouter::has_room(std::size_t output) const {
  if (!is_link(output)) return node_.direct() || consumption_.empty();
  return node_.direct() ? outputs_[output].credits > 0 : outputs_[output].flits.empty();
}

RouterId ReferenceRouter::destination_of(std::uint64_t header) const {
  const auto& cube = *topology_->geometry<CubeGeometry>();
  std::vector<unsigned> at(cube.dimensions());
  for (unsigned d = 0; d < cube.dimensions(); ++d) {
    at[d] = map_->format().destination(header, d);
    if (at[d] >= cube.radix(d)) illegal(map_->format().describe(header) + ": there is no such position");
  }
  return cube.router_at(at);
}

std::vector<std::size_t> ReferenceRouter::feasible(std::size_t input, const std::vector<bool>& among) const {
  const std::uint64_t header = inputs_[input].flits.front();
  const RouterId destination = destination_of(header);
  std::vector<std::size_t> found;
  if (destination == id_) {
    for (std::size_t o = plan_->link_outputs(); o < outputs_.size(); ++o)
      if (among[o]) found.push_back(o);
    return found;
  }
  CandidateList candidates;
  relation_->candidates(id_, destination, map_->format().state(header), candidates);
  const std::int32_t crossbar = plan_->inputs[input].crossbar;
  const std::uint8_t message_class = map_->format().message_class(header);
  if (!plan_->of_message_class.empty() && message_class >= plan_->of_message_class.size())
    illegal(map_->format().describe(header) + ": there is no such class");
  for (const Candidate& c : candidates)
    for (const std::uint16_t o : plan_->outputs_of[index(c.port) * plan_->classes + index(c.vc_class)]) {
      const VcPlan& vc = plan_->outputs[o];
      const bool lane = c.lane == kAnyLane || c.lane == vc.lane;
      if (among[o] && lane && plan_->may_take(o, message_class) && (crossbar < 0 || crossbar == vc.crossbar))
        found.push_back(o);
    }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::size_t ReferenceRouter::input_port(std::size_t input) const {
  return input < plan_->link_inputs() ? plan_->inputs[input].channel : plan_->inbound.size();
}

std::size_t ReferenceRouter::output_port(std::size_t output) const {
  return is_link(output) ? plan_->outputs[output].channel : plan_->outbound.size();
}

void ReferenceRouter::illegal(const std::string& what) const {
  throw InternalError(topology_->router_name(id_) + ": illegal on the input pins: " + what);
}

}  // namespace noctule
