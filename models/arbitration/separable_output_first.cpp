// Separable output-first: every wanted resource is offered to one group, every group takes one offer. Two
// resources may be offered to the same group while another one gets none. A member can be passed over while
// its resource is offered elsewhere: a matrix remembers that, a round-robin pointer does not.

#include "arbitration/separable.h"

namespace noctule {
namespace {

template <int W>
class SeparableOutputFirst final : public Separable<W, SeparableOutputFirst<W>> {
  using Base = Separable<W, SeparableOutputFirst<W>>;
  friend Base;

 public:
  using typename Allocator<W>::M;

  SeparableOutputFirst(const AllocatorShape& shape, const AllocatorOptions& options)
      : Base(shape, options), arbiters_(*this->grouping_, options) {}

  void reset() override { arbiters_.bank.reset(); }

 private:
  template <bool First>
  std::size_t round(const M& asking, const M* wants, const M& open, std::size_t count) {
    const auto& grouping = *this->grouping_;
    const auto& bank = arbiters_.bank;
    std::uint16_t offered_to[M::kBits];  // [resource]: a group
    std::uint16_t taker[M::kBits];       // [group]: its member
    const M offered = Base::offer(grouping, bank, arbiters_.of_resource, asking, wants, open, offered_to);
    const auto suited = [&](std::size_t r, std::size_t g) {
      M mine;
      (wants[r] & offered).each([&](std::size_t o) { mine.set_if(o, offered_to[o] == g); });
      return mine;
    };
    M taking;
    asking.each([&](std::size_t r) {
      const std::size_t g = grouping.group_of(r);
      if (suited(r, g).none()) return;
      taker[g] = static_cast<std::uint16_t>(taking.test(g) ? bank.pick(g, taker[g], r) : r);
      taking.set(g);
    });
    taking.each([&](std::size_t g) {
      const std::size_t r = taker[g];
      const std::size_t o = bank.pick(arbiters_.of_requester + r, suited(r, g));
      if constexpr (First) arbiters_.served(g, r, o);
      this->grants_[count++] = {taker[g], static_cast<std::uint16_t>(o)};
    });
    return count;
  }

  SeparableArbiters<W> arbiters_;
};

const Registration<AllocatorRegistry> kSeparableOutputFirstRegistered{
    {{"separable_output_first",
      "every wanted resource is offered to one group, then every group takes one offer",
      {}},
     {allocator_factory<SeparableOutputFirst>(), true, true}}};

}  // namespace
}  // namespace noctule
