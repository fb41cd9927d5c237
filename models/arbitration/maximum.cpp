// Maximum matching of groups and resources by shortest augmenting paths: not hardware, but what hardware is
// measured against. The group and the resource to start from rotate, so that none is preferred by its place;
// but a member of a group whose wish stands in the way of a larger matching may never be served.

#include "arbitration/grouping.h"

namespace noctule {
namespace {

template <int W>
class Maximum final : public Allocator<W> {
 public:
  using typename Allocator<W>::M;
  using typename Allocator<W>::Grant;

  Maximum(const AllocatorShape& shape, const AllocatorOptions& options)
      : grouping_(Grouping<W>::of(shape)),
        members_(grouping_, options),
        wanted_(grouping_->groups(), options.memory),
        resource_of_(grouping_->groups(), options.memory),
        queue_(grouping_->groups(), options.memory),
        holder_(grouping_->resources(), options.memory),
        reached_by_(grouping_->resources(), options.memory),
        grants_(grouping_->grants()) {}

  std::span<const Grant> allocate(const M& asking, const M* wants) override {
    if (asking.none()) return {};
    M groups;
    asking.each([&](std::size_t r) {
      const std::size_t g = grouping_->group_of(r);
      wanted_[g] = groups.test(g) ? wanted_[g] | wants[r] : wants[r];
      groups.set(g);
    });
    M held;
    M matched;
    each_from(first_group_, groups, [&](std::size_t g) { matched.set_if(g, augment(g, held)); });
    std::size_t count = 0;
    matched.each(
        [&](std::size_t g) { grants_[count++] = members_.grant(g, resource_of_[g], asking, wants); });
    if (++first_group_ == grouping_->groups()) {
      first_group_ = 0;
      if (++first_resource_ == grouping_->resources()) first_resource_ = 0;
    }
    return {grants_, count};
  }

  void reset() override {
    first_group_ = first_resource_ = 0;
    members_.reset();
  }

 private:
  template <class F>
  static void each_from(std::size_t first, const M& set, F&& f) {
    const M late = M::from(first);
    (set & late).each(f);
    (set & ~late).each(f);
  }

  /// Adds `root` to the matching, breadth first; whoever was in it stays in it. `held`: resources in it.
  bool augment(std::size_t root, M& held) {
    M seen;
    std::size_t head = 0;
    std::size_t tail = 0;
    queue_[tail++] = static_cast<std::uint16_t>(root);
    while (head < tail) {
      const std::uint16_t g = queue_[head++];
      const M fresh = wanted_[g] & ~seen;
      seen |= fresh;
      fresh.each([&](std::size_t o) { reached_by_[o] = g; });
      if (const M free = fresh & ~held; free.any()) {
        const std::size_t end = free.next_from(first_resource_);
        held.set(end);
        flip(root, static_cast<std::uint16_t>(end));
        return true;
      }
      each_from(first_resource_, fresh, [&](std::size_t o) { queue_[tail++] = holder_[o]; });
    }
    return false;
  }
  void flip(std::size_t root, std::uint16_t resource) {
    for (;;) {
      const std::uint16_t g = reached_by_[resource];
      holder_[resource] = g;
      std::swap(resource_of_[g], resource);
      if (g == root) return;
    }
  }

  std::shared_ptr<const Grouping<W>> grouping_;
  MemberArbiters<W> members_;
  std::size_t first_group_ = 0;
  std::size_t first_resource_ = 0;  ///< moves when all groups were first
  std::pmr::vector<M> wanted_;      ///< [group]
  std::pmr::vector<std::uint16_t> resource_of_;
  std::pmr::vector<std::uint16_t> queue_;
  std::pmr::vector<std::uint16_t> holder_;      ///< [resource]: group
  std::pmr::vector<std::uint16_t> reached_by_;  ///< [resource]: group that the search came from
  Grant* grants_;                               ///< of the grouping
};

const Registration<AllocatorRegistry> kMaximumRegistered{
    {{"maximum",
      "a largest matching there is, by augmenting paths: a reference, not hardware, and not fair",
      {}},
     {allocator_factory<Maximum>(), false}}};

}  // namespace
}  // namespace noctule
