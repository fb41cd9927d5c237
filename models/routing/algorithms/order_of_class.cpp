// Dimension order whose order depends on the message class: requests go xy and responses yx, say, so that
// they load other links. Each order has VCs of its own, on each of them the two classes per wrapped dimension
// of Dally and Seitz 1987; two orders on the same VCs would make all eight turns of a mesh.
//
// The shortest relation that looks at the message class: what a packet starts with says it, and stays in the
// header.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/json.h"
#include "core/key_effect.h"
#include "routing/cube_relation.h"
#include "routing/ring_rule.h"

namespace noctule {
namespace {

constexpr const char* kName = "order_of_class";
const std::vector<std::string>& orders() {
  static const std::vector<std::string> names{"xy", "yx"};
  return names;
}

class OrderOfClass final : public CubeRelation {
 public:
  OrderOfClass(std::shared_ptr<const Topology> topology, std::vector<std::string> order_by_class)
      : CubeRelation(std::move(topology), kName),
        order_by_class_(std::move(order_by_class)),
        both_(std::ranges::count(order_by_class_, orders()[0]) % order_by_class_.size() != 0),
        fields_{{{"order", orders()}, {"class", {"0", "1"}}}} {
    for (unsigned d = 0; d < cube().dimensions(); ++d)
      if (cube().wraps(d) && cube().both_ways() && cube().radix(d) % 2 == 0) ++tied_dimensions_;
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link& link) const override {
    return (both_ ? 2 : 1) * ring_classes(CubeGeometry::dimension_of(link.out));
  }
  [[nodiscard]] std::string class_name(const Link& link, VcClass vc_class) const override {
    const VcLabel label = output_label(link, vc_class);
    return orders()[label[0]] + fields_[1].values[label[1]];
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    const unsigned d = CubeGeometry::dimension_of(link.out);
    if (index(vc_class) >= classes(link)) return false;
    return !cube().wraps(d) ||
           ring_class_used(RingRule::kWrapAhead, CubeGeometry::is_plus(link.out), cube().radix(d),
                           cube().reach(d), cube().coordinate(link.from, d), index(vc_class) % 2);
  }
  [[nodiscard]] VcLabel output_label(const Link& link, VcClass vc_class) const override {
    const unsigned rings = ring_classes(CubeGeometry::dimension_of(link.out));
    const auto order = both_ ? index(vc_class) / rings : number_of(order_by_class_[0]);
    return {static_cast<std::uint8_t>(order), static_cast<std::uint8_t>(index(vc_class) % rings)};
  }

  [[nodiscard]] bool sees_message_classes() const override { return true; }
  /// Half way round, in every dimension where that can be, a header draws the direction.
  [[nodiscard]] std::uint64_t initial_states_of_class(RouterId source, RouterId destination,
                                                      unsigned) const override {
    return std::uint64_t{1} << std::popcount(ties(source, destination));
  }
  [[nodiscard]] RouteState initial_state_of_class(RouterId source, RouterId destination,
                                                  unsigned message_class, std::uint64_t n) const override {
    const auto known = std::min<std::size_t>(message_class, order_by_class_.size() - 1);
    RouteState state = number_of(order_by_class_[known]);
    for (std::uint64_t left = ties(source, destination); left != 0; left &= left - 1, n /= 2)
      state |= (n % 2) << (1 + std::countr_zero(left));
    return state;
  }

  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override {
    const bool last_first = (state & kLastFirst) != 0;
    for (unsigned i = 0; i < cube().dimensions(); ++i) {
      const unsigned d = last_first ? cube().dimensions() - 1 - i : i;
      const unsigned at = cube().coordinate(here, d);
      const unsigned to = cube().coordinate(destination, d);
      if (at == to) continue;
      const auto way = cube().minimal(d, at, to);
      const bool plus = way.tie() ? (state & minus_at_tie(d)) == 0 : way.plus;
      const unsigned ring =
          cube().wraps(d) ? ring_class(RingRule::kWrapAhead, plus, at, to, false, false) : 0;
      list.add(port_of(d, !plus), VcClass((both_ && last_first ? ring_classes(d) : 0) + ring));
      return;
    }
  }
  /// A drawn direction means nothing after the first hop.
  [[nodiscard]] RouteState next_state(RouterId, RouterId, RouteState state, Candidate taken) const override {
    return state & ~minus_at_tie(CubeGeometry::dimension_of(taken.port));
  }
  [[nodiscard]] bool has_state() const override { return tied_dimensions_ > 0; }
  [[nodiscard]] unsigned header_bits() const override { return 1 + tied_dimensions_; }

  [[nodiscard]] std::string remark() const override {
    return fmt::format("by message class: {}", fmt::join(order_by_class_, ", "));
  }
  [[nodiscard]] RoutingClaims claims() const override { return {true, false, "acyclic"}; }

 private:
  static constexpr RouteState kLastFirst = 1;
  [[nodiscard]] static RouteState minus_at_tie(unsigned d) { return RouteState{2} << d; }
  [[nodiscard]] static std::size_t number_of(const std::string& order) {
    return order == orders()[1] ? 1 : 0;
  }
  [[nodiscard]] unsigned ring_classes(unsigned d) const { return cube().wraps(d) ? 2 : 1; }
  /// Bit d: both directions of dimension d are as short.
  [[nodiscard]] std::uint64_t ties(RouterId source, RouterId destination) const {
    std::uint64_t found = 0;
    for (unsigned d = 0; d < cube().dimensions() && tied_dimensions_ > 0; ++d)
      if (cube().minimal(d, cube().coordinate(source, d), cube().coordinate(destination, d)).tie())
        found |= std::uint64_t{1} << d;
    return found;
  }

  std::vector<std::string> order_by_class_;
  bool both_;  ///< some classes have the one order, some the other
  std::array<VcField, 2> fields_;
  unsigned tied_dimensions_ = 0;
};

const EffectOf kOrders{{{"routing.orders"}, kName, "message_classes names several", [](const Json& resolved) {
                          return resolved.at("message_classes").size() > 1;
                        }}};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "minimal, in dimension order, on any mesh or torus, in an order of its own for each message class: "
      "requests xy, responses yx; VCs of their own for each order",
      {Parameter::list("orders", Json(orders()), Parameter::choice("order", nullptr, orders(), "of a class"),
                       1, 16,
                       "order of each message class, in the order of message_classes, of further classes the "
                       "last one; xy = dimension 0 first, yx = the last dimension first")}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       for (const auto& order : parameters.get<std::vector<std::string>>("orders"))
         if (std::ranges::find(orders(), order) == orders().end())
           throw ConfigError("routing.orders", fmt::format("'{}' is no order; use xy or yx", order));
       return std::make_unique<OrderOfClass>(std::move(topology),
                                             parameters.get<std::vector<std::string>>("orders"));
     }}};

}  // namespace
}  // namespace noctule
