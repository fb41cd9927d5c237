// PHop (Boppana and Chalasani 1993, section 2): the VC class is the number of hops taken. Fully adaptive
// minimal on any k-ary n-cube, for as many classes as the longest path has hops. The paper provides one more,
// for packets that wait in a buffer of their destination; worms are consumed there and never use it.

#include "routing/buffer_class.h"
#include "routing/cube_relation.h"

namespace noctule {
namespace {

constexpr const char* kName = "positive_hop";

class PositiveHop final : public BufferClasses {
 public:
  explicit PositiveHop(std::shared_ptr<const Topology> topology)
      : topology_(std::move(topology)), cube_(require_cube(*topology_, kName)) {}

  [[nodiscard]] unsigned behind(const Link&, RouterId, unsigned before) const override { return before + 1; }
  [[nodiscard]] std::string class_name(unsigned buffer_class) const override {
    return "hop" + std::to_string(buffer_class);
  }
  [[nodiscard]] std::optional<unsigned> highest_on(const Link& link) const override {
    return most_hops_before(cube_, link);
  }

 private:
  std::shared_ptr<const Topology> topology_;
  const CubeGeometry& cube_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "PHop (Boppana-Chalasani 1993): fully adaptive minimal on any mesh or torus; VC class = hops taken",
      {}},
     [](std::shared_ptr<const Topology> topology, const Parameters&) {
       auto algorithm = std::make_shared<const PositiveHop>(topology);
       return std::make_unique<BufferClassRelation>(std::move(topology), std::move(algorithm), kName);
     }}};

}  // namespace
}  // namespace noctule
