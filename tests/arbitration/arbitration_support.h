#pragma once
// Allocators with their problem beside them, so that tests can speak in numbers.

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arbitration/allocator.h"
#include "core/rng.h"

namespace noctule::arbitration_test {

/// (requester, resource)
using Grants = std::set<std::pair<unsigned, unsigned>>;

/// `groups` groups of `members` requesters each, group by group.
inline AllocatorShape shape(std::size_t groups, std::size_t members, std::size_t resources) {
  AllocatorShape s;
  for (std::size_t r = 0; r < groups * members; ++r)
    s.group_of.push_back(static_cast<std::uint16_t>(r / members));
  s.resources = resources;
  return s;
}

inline std::vector<std::string> allocators() {
  std::vector<std::string> names;
  for (const auto* entry : AllocatorRegistry::instance().entries()) names.push_back(entry->name);
  return names;
}
inline bool takes(const std::string& allocator, ArbiterKind arbiter) {
  return allocator != "islip" || arbiter == ArbiterKind::kRoundRobin;
}

template <int W>
class Bench {
 public:
  using M = Mask<W>;
  Bench(const std::string& allocator, AllocatorShape shape, AllocatorOptions options = {})
      : shape_(std::move(shape)),
        wants_(shape_.group_of.size()),
        allocator_(AllocatorRegistry::instance().at(allocator).make.factory.make<W>(shape_, options)) {}

  /// From now on. Nothing: does not ask.
  void ask(std::size_t requester, const M& resources) {
    wants_[requester] = resources;
    asking_.clear(requester);
    asking_.set_if(requester, resources.any());
  }
  void ask(std::size_t requester, std::initializer_list<std::size_t> resources) {
    M m;
    for (const auto o : resources) m.set(o);
    ask(requester, m);
  }
  void ask_all(std::initializer_list<std::size_t> resources) {
    for (std::size_t r = 0; r < wants_.size(); ++r) ask(r, resources);
  }
  /// Every requester asks with this probability, for each resource with that one.
  void ask_randomly(Rng& rng, double asking, double wanting) {
    for (std::size_t r = 0; r < wants_.size(); ++r) ask(r, draw(rng, asking) ? resources(rng, wanting) : M{});
  }
  /// At least one, each with this probability.
  M resources(Rng& rng, double probability) const {
    M m = M::bit(rng.below(shape_.resources));
    for (std::size_t o = 0; o < shape_.resources; ++o) m.set_if(o, draw(rng, probability));
    return m;
  }

  Grants allocate() {
    Grants grants;
    last_size_ = 0;
    for (const auto& grant : allocator_->allocate(asking_, wants_.data())) {
      grants.insert({grant.requester, grant.resource});
      ++last_size_;
    }
    return grants;
  }
  void reset() { allocator_->reset(); }

  /// Of the last allocation, repetitions counted.
  [[nodiscard]] std::size_t last_size() const { return last_size_; }
  [[nodiscard]] const AllocatorShape& shape() const { return shape_; }
  [[nodiscard]] std::size_t groups() const {
    return 1 + *std::max_element(shape_.group_of.begin(), shape_.group_of.end());
  }
  [[nodiscard]] bool asks(std::size_t requester) const { return asking_.test(requester); }
  [[nodiscard]] const M& wants(std::size_t requester) const { return wants_[requester]; }
  /// What the members of a group want.
  [[nodiscard]] std::vector<M> wants_of_groups() const {
    std::vector<M> wants(groups());
    for (std::size_t r = 0; r < wants_.size(); ++r)
      if (asks(r)) wants[shape_.group_of[r]] |= wants_[r];
    return wants;
  }

  static bool draw(Rng& rng, double probability) {
    return static_cast<double>(rng.below(1U << 20)) < probability * (1U << 20);
  }

 private:
  AllocatorShape shape_;
  std::vector<M> wants_;
  M asking_;
  AllocatorPtr<W> allocator_;
  std::size_t last_size_ = 0;
};

}  // namespace noctule::arbitration_test
