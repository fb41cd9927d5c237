#pragma once
// Separable allocators choose twice, once for a group and once for a resource. One choice may spoil the
// other: what is left unmatched can go another round.

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "arbitration/grouping.h"

namespace noctule {

/// The arbiters of a separable allocator: of each group over requesters, of each resource over groups, of
/// each requester over resources.
template <int W>
struct SeparableArbiters {
  SeparableArbiters(const Grouping<W>& grouping, const AllocatorOptions& options)
      : bank(options.arbiter, options.memory),
        of_resource(grouping.groups()),
        of_requester(of_resource + grouping.resources()) {
    bank.reserve(of_requester + grouping.requesters());
    for (std::size_t g = 0; g < grouping.groups(); ++g) {
      const auto [first, end] = grouping.range(g);
      bank.add(1, first, end);
    }
    bank.add(grouping.resources(), 0, grouping.groups());
    bank.add(grouping.requesters(), 0, grouping.resources());
  }
  void served(std::size_t group, std::size_t requester, std::size_t resource) {
    bank.served(group, requester);
    bank.served(of_resource + resource, group);
    bank.served(of_requester + requester, resource);
  }
  ArbiterBank<W> bank;
  std::size_t of_resource;   ///< number of the first one
  std::size_t of_requester;  ///< number of the first one
};

/// `Self::round<First>(asking, wants, open, count)` matches requesters, each of which wants some resource of
/// `open`, writes to grants_[count ...], and returns the new count. Only grants of the first round move
/// arbiters (McKeown 1999): who lost the first round would have been next, and must not be passed over by a
/// later one, time after time. `Self::granted_later(asking, grant)` is called for the grants of later rounds.
template <int W, class Self>
class Separable : public Allocator<W> {
 public:
  using typename Allocator<W>::M;
  using typename Allocator<W>::Grant;

  std::span<const Grant> allocate(const M& asking, const M* wants) final {
    Self& self = static_cast<Self&>(*this);
    M open = ~M{};
    std::size_t count = self.template round<true>(asking, wants, open, 0);
    if (iterations_ > 1) {
      M left = asking;
      std::size_t done = 0;
      for (unsigned i = 1; i < iterations_; ++i) {
        for (; done < count; ++done) {
          left &= ~grouping_->members(grouping_->group_of(grants_[done].requester));
          open.clear(grants_[done].resource);
        }
        M able;
        left.each([&](std::size_t r) { able.set_if(r, (wants[r] & open).any()); });
        if (able.none()) break;
        left = able;
        count = self.template round<false>(left, wants, open, count);
        for (std::size_t n = done; n < count; ++n) self.granted_later(asking, grants_[n]);
      }
    }
    return {grants_, count};
  }

 protected:
  Separable(const AllocatorShape& shape, const AllocatorOptions& options)
      : grouping_(Grouping<W>::of(shape)), grants_(grouping_->grants()), iterations_(options.iterations) {}

  void granted_later(const M&, Grant) {}
  /// The resources wanted; offered_to[o]: the group that arbiter `first` + o chooses for resource o.
  static M offer(const Grouping<W>& grouping, const ArbiterBank<W>& bank, std::size_t first, const M& asking,
                 const M* wants, const M& open, std::uint16_t* offered_to) {
    M offered;
    asking.each([&](std::size_t r) {
      const std::size_t g = grouping.group_of(r);
      (wants[r] & open).each([&](std::size_t o) {
        const std::size_t winner = offered.test(o) ? bank.pick(first + o, offered_to[o], g) : g;
        offered_to[o] = static_cast<std::uint16_t>(winner);
        offered.set(o);
      });
    });
    return offered;
  }

  std::shared_ptr<const Grouping<W>> grouping_;
  Grant* grants_;  ///< of the grouping

 private:
  unsigned iterations_;
};

}  // namespace noctule
