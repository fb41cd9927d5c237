#pragma once
// What allocators share: the groups of their requesters, and the arbiters inside the groups.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "arbitration/allocator.h"
#include "core/error.h"

namespace noctule {

/// An AllocatorShape in masks. Allocators of the same shape have the same object: thousands of routers, one
/// copy in the cache.
template <int W>
class Grouping {
 public:
  using M = Mask<W>;
  struct Range {
    std::size_t first, end;
  };

  static std::shared_ptr<const Grouping> of(const AllocatorShape& shape) {
    static std::mutex mutex;
    static std::map<std::pair<std::vector<std::uint16_t>, std::size_t>, std::weak_ptr<const Grouping>> known;
    const std::scoped_lock lock(mutex);
    auto& place = known[{shape.group_of, shape.resources}];
    auto grouping = place.lock();
    if (!grouping) place = grouping = std::make_shared<const Grouping>(shape);
    return grouping;
  }
  explicit Grouping(const AllocatorShape& shape) : group_of_(shape.group_of), resources_(shape.resources) {
    if (group_of_.size() > M::kBits || resources_ > M::kBits)
      throw InternalError("an allocator of more requesters or resources than its masks have bits");
    for (std::size_t r = 0; r < group_of_.size(); ++r) {
      if (group_of_[r] >= members_.size()) members_.resize(group_of_[r] + std::size_t{1});
      members_[group_of_[r]].set(r);
    }
    for (const M& m : members_) {
      if (m.none()) throw InternalError("an allocator with an empty group of requesters");
      if (m.count() > 1) lone_ = false;
    }
    grants_.resize(std::min(groups(), resources_));
  }

  [[nodiscard]] std::size_t requesters() const { return group_of_.size(); }
  [[nodiscard]] std::size_t resources() const { return resources_; }
  [[nodiscard]] std::size_t groups() const { return members_.size(); }
  [[nodiscard]] std::size_t group_of(std::size_t requester) const { return group_of_[requester]; }
  [[nodiscard]] const M& members(std::size_t group) const { return members_[group]; }
  /// Room for the grants of an allocation, for all allocators of this shape: as many as there can be.
  [[nodiscard]] typename Allocator<W>::Grant* grants() const { return grants_.data(); }
  /// Every requester is a group of its own.
  [[nodiscard]] bool lone() const { return lone_; }
  /// The numbers of a group's members, and perhaps of others.
  [[nodiscard]] Range range(std::size_t group) const {
    std::size_t end = members_[group].lowest();
    members_[group].each([&](std::size_t r) { end = r + 1; });
    return {members_[group].lowest(), end};
  }

 private:
  std::vector<std::uint16_t> group_of_;
  std::vector<M> members_;
  std::size_t resources_;
  bool lone_ = true;
  mutable std::vector<typename Allocator<W>::Grant> grants_;
};

/// For allocators that match groups with resources: which member of a group gets the group's resource? With
/// round robin there is an arbiter per group and resource: a pointer that other resources moved too could
/// pass a member over for ever. A matrix cannot, and there is one per group.
template <int W>
class MemberArbiters {
 public:
  using M = Mask<W>;
  using Grant = typename Allocator<W>::Grant;

  MemberArbiters(std::shared_ptr<const Grouping<W>> grouping, const AllocatorOptions& options)
      : grouping_(std::move(grouping)),
        stride_(options.arbiter == ArbiterKind::kRoundRobin ? grouping_->resources() : 1),
        bank_(options.arbiter, options.memory) {
    if (grouping_->lone()) return;
    bank_.reserve(grouping_->groups() * stride_);
    for (std::size_t g = 0; g < grouping_->groups(); ++g) {
      const auto [first, end] = grouping_->range(g);
      bank_.add(stride_, first, end);
    }
  }

  /// The grant to a member of `group` that wants `resource`; there is one.
  Grant grant(std::size_t group, std::size_t resource, const M& asking, const M* wants) {
    const M& members = grouping_->members(group);
    const auto o = static_cast<std::uint16_t>(resource);
    if (grouping_->lone()) return {static_cast<std::uint16_t>(members.lowest()), o};
    M suited;
    (members & asking).each([&](std::size_t r) { suited.set_if(r, wants[r].test(resource)); });
    const std::size_t arbiter = group * stride_ + (stride_ == 1 ? 0 : resource);
    const std::size_t r = bank_.pick(arbiter, suited);
    bank_.served(arbiter, r);
    return {static_cast<std::uint16_t>(r), o};
  }
  void reset() { bank_.reset(); }

 private:
  std::shared_ptr<const Grouping<W>> grouping_;
  std::size_t stride_;  ///< arbiters per group
  ArbiterBank<W> bank_;
};

}  // namespace noctule
