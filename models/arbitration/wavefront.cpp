// Wavefront (Tamir and Chi 1993): the matrix of groups and resources is matched diagonal by diagonal; two
// places of a diagonal share neither group nor resource. The diagonal that comes first moves on by one with
// every allocation. Maximal; the shorter side of the matrix is padded.

#include "arbitration/grouping.h"

namespace noctule {
namespace {

template <int W>
class Wavefront final : public Allocator<W> {
 public:
  using typename Allocator<W>::M;
  using typename Allocator<W>::Grant;

  Wavefront(const AllocatorShape& shape, const AllocatorOptions& options)
      : grouping_(Grouping<W>::of(shape)),
        members_(grouping_, options),
        side_(std::max(grouping_->groups(), grouping_->resources())),
        diagonals_(side_, options.memory),
        grants_(grouping_->grants()) {}

  std::span<const Grant> allocate(const M& asking, const M* wants) override {
    if (asking.none()) return {};
    M used;  // diagonals
    asking.each([&](std::size_t r) {
      const std::size_t g = grouping_->group_of(r);
      wants[r].each([&](std::size_t o) {
        const std::size_t d = wrapped(wrapped(g + o) + side_ - first_);
        diagonals_[d].set(g);
        used.set(d);
      });
    });
    std::size_t count = 0;
    M unmatched = ~M{};
    M open = ~M{};
    used.each([&](std::size_t d) {
      (diagonals_[d] & unmatched).each([&](std::size_t g) {
        const std::size_t o = wrapped(wrapped(d + first_) + side_ - g);
        if (!open.test(o)) return;
        unmatched.clear(g);
        open.clear(o);
        grants_[count++] = members_.grant(g, o, asking, wants);
      });
      diagonals_[d] = {};
    });
    first_ = wrapped(first_ + 1);
    return {grants_, count};
  }

  void reset() override {
    first_ = 0;
    members_.reset();
  }

 private:
  [[nodiscard]] std::size_t wrapped(std::size_t i) const { return i < side_ ? i : i - side_; }

  std::shared_ptr<const Grouping<W>> grouping_;
  MemberArbiters<W> members_;
  std::size_t side_;
  std::size_t first_ = 0;  ///< the places of group g and resource o = first - g come first
  std::pmr::vector<M>
      diagonals_;  ///< [in order of priority]: groups that ask there; empty between allocations
  Grant* grants_;  ///< of the grouping
};

const Registration<AllocatorRegistry> kWavefrontRegistered{
    {{"wavefront",
      "diagonal by diagonal, from one that rotates (Tamir and Chi 1993); maximal, one iteration does it",
      {}},
     {allocator_factory<Wavefront>()}}};

}  // namespace
}  // namespace noctule
