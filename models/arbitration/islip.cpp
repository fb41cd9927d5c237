// iSLIP (McKeown 1999): resources grant, groups accept, both round robin. Their pointers move by what was
// granted and accepted in the first iteration alone: under full load they drift apart until they never clash.

#include "arbitration/separable.h"

namespace noctule {
namespace {

ArbiterKind require_round_robin(ArbiterKind kind) {
  if (kind == ArbiterKind::kRoundRobin) return kind;
  throw ConfigError(
      "node.arbiter",
      "iSLIP is made of round-robin arbiters, by definition: write node.arbiter: round_robin, or use "
      "separable_output_first, which is the same idea with arbiters of either kind");
}

template <int W>
class Islip final : public Separable<W, Islip<W>> {
  using Base = Separable<W, Islip<W>>;
  friend Base;

 public:
  using typename Allocator<W>::M;

  Islip(const AllocatorShape& shape, const AllocatorOptions& options)
      : Base(shape, options),
        bank_(require_round_robin(options.arbiter), options.memory),
        members_(this->grouping_, options),
        of_resource_(this->grouping_->groups()) {
    bank_.reserve(of_resource_ + this->grouping_->resources());
    bank_.add(this->grouping_->groups(), 0, this->grouping_->resources());
    bank_.add(this->grouping_->resources(), 0, this->grouping_->groups());
  }

  void reset() override {
    bank_.reset();
    members_.reset();
  }

 private:
  template <bool First>
  std::size_t round(const M& asking, const M* wants, const M& open, std::size_t count) {
    std::uint16_t granted[M::kBits];   // [resource]: a group
    std::uint16_t accepted[M::kBits];  // [group]: a resource
    M accepting;
    Base::offer(*this->grouping_, bank_, of_resource_, asking, wants, open, granted).each([&](std::size_t o) {
      const std::size_t g = granted[o];
      accepted[g] = static_cast<std::uint16_t>(accepting.test(g) ? bank_.pick(g, accepted[g], o) : o);
      accepting.set(g);
    });
    accepting.each([&](std::size_t g) {
      const std::size_t o = accepted[g];
      if constexpr (First) {
        bank_.served(g, o);
        bank_.served(of_resource_ + o, g);
      }
      this->grants_[count++] = members_.grant(g, o, asking, wants);
    });
    return count;
  }

  ArbiterBank<W> bank_;  ///< of the groups over resources, of the resources over groups
  MemberArbiters<W> members_;
  std::size_t of_resource_;
};

const Registration<AllocatorRegistry> kIslipRegistered{
    {{"islip",
      "iSLIP (McKeown 1999): output-first, with pointers that drift apart under load; round robin only",
      {}},
     {allocator_factory<Islip>()}}};

}  // namespace
}  // namespace noctule
