#pragma once
// Separable input-first: every group bids for one resource, every resource takes one bid. Two groups may bid
// for the same resource while another one goes begging. The allocator of the textbook router, and the
// cheapest one: routers call it without a detour.

#include "arbitration/separable.h"

namespace noctule {

template <int W>
class SeparableInputFirst final : public Separable<W, SeparableInputFirst<W>> {
  using Base = Separable<W, SeparableInputFirst<W>>;
  friend Base;

 public:
  static constexpr const char* kName = "separable_input_first";
  using typename Allocator<W>::M;
  using typename Allocator<W>::Grant;

  SeparableInputFirst(const AllocatorShape& shape, const AllocatorOptions& options)
      : Base(shape, options), arbiters_(*this->grouping_, options) {}

  /// The first round, which is the only one unless `iterations` says otherwise: give(requester, resource) for
  /// every grant.
  template <class Give>
  [[gnu::always_inline]] void match(const M& asking, const M* wants, Give&& give) {
    assign<true>(asking, wants, ~M{}, give);
  }

  void reset() override { arbiters_.bank.reset(); }

 private:
  template <bool First, class Give>
  [[gnu::always_inline]] void assign(const M& asking, const M* wants, const M& open, Give&& give) {
    const auto& grouping = *this->grouping_;
    const auto& bank = arbiters_.bank;
    if (asking.single()) {  // nobody to lose against
      const std::size_t r = asking.lowest();
      const std::size_t o = bank.pick(arbiters_.of_requester + r, wants[r] & open);
      if constexpr (First) arbiters_.served(grouping.group_of(r), r, o);
      return give(r, o);
    }
    std::uint16_t bidder[M::kBits];  // [group]: its member
    std::uint16_t winner[M::kBits];  // [resource]: a group
    M bidden;
    for (M rest = asking; rest.any();) {
      const std::size_t g = grouping.group_of(rest.lowest());
      const M mine = rest & grouping.members(g);
      rest &= ~mine;
      const std::size_t r = bank.pick(g, mine);
      const std::size_t o = bank.pick(arbiters_.of_requester + r, wants[r] & open);
      bidder[g] = static_cast<std::uint16_t>(r);
      winner[o] =
          static_cast<std::uint16_t>(bidden.test(o) ? bank.pick(arbiters_.of_resource + o, winner[o], g) : g);
      bidden.set(o);
    }
    bidden.each([&](std::size_t o) {
      const std::size_t g = winner[o];
      const std::size_t r = bidder[g];
      if constexpr (First) arbiters_.served(g, r, o);
      give(r, o);
    });
  }
  template <bool First>
  std::size_t round(const M& asking, const M* wants, const M& open, std::size_t count) {
    assign<First>(asking, wants, open, [&](std::size_t r, std::size_t o) {
      this->grants_[count++] = {static_cast<std::uint16_t>(r), static_cast<std::uint16_t>(o)};
    });
    return count;
  }
  /// Who was next in its group and lost, but got another resource after all, has had its turn.
  void granted_later(const M& asking, Grant grant) {
    const std::size_t g = this->grouping_->group_of(grant.requester);
    if (arbiters_.bank.pick(g, asking & this->grouping_->members(g)) == grant.requester)
      arbiters_.bank.served(g, grant.requester);
  }

  SeparableArbiters<W> arbiters_;
};

}  // namespace noctule
