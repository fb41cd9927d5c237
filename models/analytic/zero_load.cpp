#include "analytic/zero_load.h"

#include <fmt/format.h>

#include <algorithm>

namespace noctule {

namespace {

/// FabricPlan::slots by the kind of a link's sender, and of itself.
std::vector<std::uint64_t> slots_by_kind(const FabricPlan& plan) {
  const std::size_t kinds = plan.links.kinds().size();
  std::vector<std::uint64_t> slots(plan.nodes.kinds().size() * kinds, 1);
  for (const Link& link : plan.topology->links())
    slots[plan.nodes.kind(link.from) * kinds + plan.links.kind(link.id)] = plan.slots(link.id);
  return slots;
}

/// Before a header bids for the switch, besides routing.
std::uint64_t vc_cycles(const Pipeline& pipeline) {
  return pipeline.speculative ? 0 : pipeline.vc_allocation;
}

/// Cycles of a header before it gets the switch.
std::uint64_t header_cycles(const Pipeline& pipeline) {
  return pipeline.before_vc_allocation() + vc_cycles(pipeline);
}

/// A place of an output buffer is filled at the end of one cycle, emptied at the end of the next.
constexpr std::uint64_t kFillAndEmpty = 2;

constexpr std::uint64_t kTabulated = 64;        ///< lengths that are known from the start
constexpr std::uint64_t kMostTabulated = 4096;  ///< longer packets are few

}  // namespace

ZeroLoad::ZeroLoad(const FabricPlan& plan) : plan_(plan), slots_(slots_by_kind(plan)) {
  const NodeDescription& node = plan.common_node();
  router_ = header_cycles(node.pipeline) + node.pipeline.behind_switch_allocation();
  link_ = wire_cycles(Kind{});
  ends_ = ends_of(node, node).sum();
  stores_ = node.stores();
  for (const bool over_links : {false, true}) body(over_links, kTabulated);
}

ZeroLoad::HopParts ZeroLoad::hop(LinkId link) const {
  const Pipeline& pipeline = plan_.sender(link).pipeline;
  return {pipeline.before_vc_allocation(), vc_cycles(pipeline),
          pipeline.switch_allocation,      pipeline.traversal,
          slot_cycles(link) - 1,           plan_.links[link].flit_delay};
}

ZeroLoad::EndParts ZeroLoad::ends_of(const NodeDescription& first, const NodeDescription& last) {
  if (last.consumption_channels == kUnlimited) return {first.injection_delay, 0, 0};
  return {first.injection_delay, header_cycles(last.pipeline) + last.pipeline.behind_switch_allocation(),
          last.consumption_delay};
}

ZeroLoad::EndParts ZeroLoad::ends(RouterId source, RouterId destination) const {
  return ends_of(plan_.nodes[source], plan_.nodes[destination]);
}

void ZeroLoad::add_hop(std::vector<Buffer>& all, const NodeDescription& node, std::uint64_t flown,
                       const Buffer& link) {
  const std::uint64_t header = flown + header_cycles(node.pipeline);
  // Without output buffers flits leave an input buffer in the cycle in which they get there, if the next one
  // has room.
  if (node.direct()) return all.push_back({header, flown, link.apart, link.places, link.again});
  const std::uint64_t crossing = node.pipeline.behind_switch_allocation();
  all.push_back({header, flown, 1, node.output_depth, kFillAndEmpty - 1});
  all.push_back({crossing, crossing, link.apart, link.places, link.again});
}

void ZeroLoad::add_end(std::vector<Buffer>& all, const NodeDescription& node, std::uint64_t flown) {
  if (node.consumption_channels == kUnlimited) return all.push_back({flown, flown, 1, 0, 0});
  if (node.direct()) {
    const std::uint64_t crossing = node.pipeline.behind_switch_allocation() + node.consumption_delay;
    const std::uint64_t places = node.consumption_buffered() ? node.consumption_depth : 0;
    add_hop(all, node, flown, {0, 0, 1, places, 1});
    return all.push_back({crossing, crossing, 1, 0, 0});
  }
  add_hop(all, node, flown, {0, 0, 1, 0, 0});
  all[all.size() - 2].places = node.consumption_depth;
}

/// The flits of a packet, one behind the other.
class ZeroLoad::Train {
 public:
  Train(const std::vector<Buffer>& way, std::uint64_t length) : way_(way) {
    for (const Buffer& buffer : way) before_ = std::max(before_, std::min(buffer.places, length));
    entered_.assign(before_ + 1, std::vector<std::uint64_t>(way.size()));
  }
  /// Cycle in which the next flit leaves the last buffer.
  std::uint64_t next() {
    auto& now = of(flits_);
    for (std::size_t k = 0; k < way_.size(); ++k) {
      const Buffer& buffer = way_[k];
      std::uint64_t at = (k == 0 ? 0 : now[k - 1]) + (flits_ == 0 ? buffer.header : buffer.follower);
      if (flits_ > 0) at = std::max(at, of(flits_ - 1)[k] + buffer.apart);
      if (buffer.places > 0 && flits_ >= buffer.places)
        at = std::max(at, of(flits_ - buffer.places)[k + 1] + buffer.again);
      now[k] = at;
    }
    ++flits_;
    return now.back();
  }
  /// Is what decides about all flits to come as it was at the mark, but later? Then so is what comes. The
  /// mark is set anew from time to time, ever more seldom, so that any period is found.
  [[nodiscard]] bool repeats() {
    if (flits_ <= before_) return false;  // some buffer has not been full yet
    const std::uint64_t end = of(flits_ - 1).back();
    if (marked_ > 0 && is_as_marked(end)) return true;
    if (flits_ < 2 * marked_) return false;
    marked_ = flits_;
    marked_end_ = end;
    mark_.clear();
    for (std::uint64_t n = 1; n <= before_; ++n)
      for (const std::uint64_t at : of(flits_ - n)) mark_.push_back(end - at);
    return false;
  }
  [[nodiscard]] std::uint64_t flits_since_mark() const { return flits_ - marked_; }
  [[nodiscard]] std::uint64_t cycles_since_mark() const {
    return entered_[(flits_ - 1) % entered_.size()].back() - marked_end_;
  }

 private:
  [[nodiscard]] std::vector<std::uint64_t>& of(std::uint64_t flit) {
    return entered_[flit % entered_.size()];
  }
  [[nodiscard]] bool is_as_marked(std::uint64_t end) {
    std::size_t place = 0;
    for (std::uint64_t n = 1; n <= before_; ++n)
      for (const std::uint64_t at : of(flits_ - n))
        if (end - at != mark_[place++]) return false;
    return true;
  }

  const std::vector<Buffer>& way_;
  std::uint64_t before_ = 1;                         ///< flits that decide about the next one
  std::uint64_t flits_ = 0;                          ///< so far
  std::vector<std::vector<std::uint64_t>> entered_;  ///< ring of flits, by buffer
  std::uint64_t marked_ = 0;                         ///< flits at the mark; 0: there is none
  std::uint64_t marked_end_ = 0;
  std::vector<std::uint64_t> mark_;  ///< by flit, the last one first, and buffer: cycles before marked_end_
};

std::uint64_t ZeroLoad::through(const std::vector<Buffer>& way, std::uint64_t length) {
  Train train(way, length);
  std::uint64_t end = 0;
  std::uint64_t skipped = 0;  // cycles
  for (std::uint64_t left = length; left > 0; --left) {
    end = train.next();
    if (skipped > 0 || !train.repeats()) continue;
    const std::uint64_t flits = train.flits_since_mark();
    skipped = (left - 1) / flits * train.cycles_since_mark();
    left -= (left - 1) / flits * flits;
  }
  return end + skipped;
}

std::uint64_t ZeroLoad::until_stored(std::vector<Buffer> way, std::uint64_t length, std::uint64_t flown) {
  way.back().places = 0;  // the packet fits
  return through(way, length) + flown;
}

std::uint64_t ZeroLoad::latency(RouterId source, std::span<const LinkId> path, std::uint64_t length) const {
  RouterId last = source;
  way_.assign(1, length);
  for (const LinkId id : path) {
    const Kind k = kind(id);
    way_.insert(way_.end(), {k.sender, k.link});
    last = link_of(id).to;
  }
  way_.push_back(plan_.nodes.kind(last));
  const auto known = by_way_.find(way_);
  if (known != by_way_.end()) return known->second;
  kept_ += way_.size();
  if (kept_ > kMostKept) {
    by_way_.clear();
    kept_ = way_.size();
  }
  return by_way_.emplace(way_, follow(source, path, length)).first->second;
}

std::uint64_t ZeroLoad::follow(RouterId source, std::span<const LinkId> path, std::uint64_t length) const {
  const NodeDescription* node = &plan_.nodes[source];
  std::vector<Buffer> way{first_buffer(*node)};
  std::uint64_t flown = 0;   // from the buffer before a router into it
  std::uint64_t stored = 0;  // cycles until the packet was stored last
  for (const LinkId id : path) {
    if (node->stores() && way.size() > 1) {
      stored += until_stored(std::move(way), length, flown);
      way = {stored_buffer()};
      flown = 0;
    }
    const NodeDescription& next = plan_.nodes[link_of(id).to];
    add_hop(way, *node, flown, {0, 0, slot_cycles(id), next.input_depth, plan_.links[id].credit_delay});
    flown = flight(id);
    node = &next;
  }
  add_end(way, *node, flown);
  return stored + through(way, length);
}

std::uint64_t ZeroLoad::stored(std::uint64_t hops, std::uint64_t length) const {
  Stored& known = stored_[length];
  if (known.last == 0) {
    const NodeDescription& node = plan_.common_node();
    const Buffer link{0, 0, slot_cycles(Kind{}), node.input_depth, plan_.links.kinds().front().credit_delay};
    std::vector<Buffer> way{first_buffer(node)};
    add_hop(way, node, 0, link);
    known.first = until_stored(std::move(way), length, usual_flight());
    way = {stored_buffer()};
    add_hop(way, node, 0, link);
    known.next = until_stored(way, length, usual_flight());
    add_end(way, node, usual_flight());
    known.last = through(way, length);
  }
  return known.first + (hops - 2) * known.next + known.last;
}

std::vector<ZeroLoad::Buffer> ZeroLoad::short_way(bool over_links) const {
  const NodeDescription& node = plan_.common_node();
  const unsigned credit_delay = plan_.links.kinds().front().credit_delay;
  std::vector<Buffer> way{first_buffer(node)};
  if (over_links) add_hop(way, node, 0, {0, 0, slot_cycles(Kind{}), node.input_depth, credit_delay});
  add_end(way, node, over_links ? usual_flight() : 0);
  return way;
}

std::uint64_t ZeroLoad::body(bool over_links, std::uint64_t length) const {
  if (length > kMostTabulated) {
    const auto [known, fresh] = long_body_[over_links].try_emplace(length);
    if (fresh) {
      const auto way = short_way(over_links);
      known->second = through(way, length) - through(way, 1);
    }
    return known->second;
  }
  auto& known = body_[over_links];
  if (length >= known.size()) {
    const auto way = short_way(over_links);
    const std::uint64_t longest = std::max<std::uint64_t>(length, 2 * known.size());
    Train train(way, longest);
    known.assign(1, 0);
    const std::uint64_t first = train.next();
    known.push_back(0);
    while (known.size() <= longest) known.push_back(train.next() - first);
  }
  return known[length];
}

std::uint64_t ZeroLoad::longest_flight() const {
  std::uint64_t longest = 0;
  for (const Link& link : plan_.topology->links()) longest = std::max(longest, flight(link.id));
  return longest;
}

std::string ZeroLoad::formula() const {
  if (!by_hops()) {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    for (const Link& link : plan_.topology->links()) {
      const std::uint64_t cycles = hop(link.id).sum();
      least = std::min(least, cycles);
      most = std::max(most, cycles);
    }
    return fmt::format(
        "T0 = the sum over the routers and links of a path, {} to {} cycles for a hop of the "
        "header, and the flits behind it as the slowest part lets them",
        least, most);
  }
  const std::uint64_t each = latency(1, 2) - latency(1, 1);
  const bool steady = latency(1, 65) - latency(1, 1) == 64 * each;
  if (stores_)
    return fmt::format(
        "T0 = {} + {} d + {} cycles for d hops, one or more, and L flits; each router between two links "
        "stores the packet; router {}, link {}",
        ends_, per_hop(), each == 1 ? "d (L - 1)" : fmt::format("{} d (L - 1)", each), router_, link_);
  std::string text = "T0 = ";
  if (ends_ > 0) text += fmt::format("{} + ", ends_);
  text += fmt::format("{} d", per_hop());
  if (steady)
    text += each == 1 ? " + (L - 1)" : fmt::format(" + {} (L - 1)", each);
  else
    text +=
        fmt::format(" + the cycles in which L - 1 flits follow, {} every {}", plan_.common_node().input_depth,
                    usual_flight() + plan_.links.kinds().front().credit_delay);
  return text + fmt::format(" cycles for d hops and L flits; router {}, link {}", router_, link_);
}

}  // namespace noctule
