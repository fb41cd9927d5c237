// The butterfly fat-tree (Greenberg and Oh 1997, section 2; Greenberg and Leiserson 1989): switches of four
// children and two parents, half as many on each level as on the one below.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "topology/builder.h"
#include "topology/tree_geometry.h"

namespace noctule {
namespace {

constexpr unsigned kTreeArity = 4;
constexpr unsigned kMostTreeLevels = 11;

/// Switches of each level, numbered through from level 1 on.
struct Levels {
  explicit Levels(unsigned levels) : first(levels + 2) {
    std::uint32_t here = 1U << (2 * (levels - 1));
    for (unsigned l = 1; l <= levels; ++l, here /= 2) first[l + 1] = first[l] + here;
  }
  [[nodiscard]] std::uint32_t size(unsigned level) const { return first[level + 1] - first[level]; }
  [[nodiscard]] RouterId router(unsigned level, std::uint32_t a) const { return RouterId{first[level] + a}; }
  std::vector<std::uint32_t> first;  ///< by level, and one behind the last
};

/// Switch (l, a) and its parents: of the 2^l switches of level l + 1 above a block of 2^(l+1) of level l, the
/// one of its own number, and the one half a block of its own further.
void connect_up(TopologyBuilder& builder, const Levels& levels, unsigned l, std::uint32_t a) {
  const std::uint32_t first = (a >> (l + 1)) << l;
  const std::uint32_t parents[]{first + (a & ((1U << l) - 1)),
                                first + ((a + (1U << (l - 1))) & ((1U << l) - 1))};
  const auto child = PortId(static_cast<std::uint16_t>((a >> (l - 1)) % kTreeArity));
  const RouterId here = levels.router(l, a);
  for (std::uint16_t p = 0; p < 2; ++p) {
    const RouterId parent = levels.router(l + 1, parents[p]);
    const auto up = PortId(static_cast<std::uint16_t>(kTreeArity + p));
    builder.connect(here, up, parent, child, LinkKind::kUp);
    builder.connect(parent, child, here, up, LinkKind::kDown);
  }
}

void fill_fat_tree(const Parameters& keys, TopologyBuilder& builder) {
  const auto height = keys.get<unsigned>("levels");
  const Levels levels(height);
  std::vector<TreeGeometry::Place> places;
  std::vector<std::pair<unsigned, std::uint32_t>> numbers;  // level, and place in it
  for (unsigned l = 1; l <= height; ++l) {
    std::vector<std::string> ports{"child_0", "child_1", "child_2", "child_3"};
    if (l < height) ports.insert(ports.end(), {"parent_0", "parent_1"});
    builder.add_routers(levels.size(l), ports);
    for (std::uint32_t a = 0; a < levels.size(l); ++a) {
      places.push_back(
          {a >> (l - 1), static_cast<std::uint16_t>(l), static_cast<std::uint16_t>(l < height ? 2 : 0)});
      numbers.emplace_back(l, a);
    }
  }
  for (unsigned l = 1; l < height; ++l)
    for (std::uint32_t a = 0; a < levels.size(l); ++a) connect_up(builder, levels, l, a);
  for (std::uint32_t s = 0; s < levels.size(1); ++s)
    for (unsigned t = 0; t < kTreeArity; ++t) builder.add_terminal(RouterId{s});
  const auto known = std::make_shared<const decltype(numbers)>(std::move(numbers));
  // Each level spread over the width of the lowest one.
  builder.place_routers([known, width = static_cast<double>(levels.size(1)), levels](RouterId router) {
    const auto [level, number] = (*known)[index(router)];
    const double apart = width / levels.size(level);
    return Position{apart * (number + 0.5) - 0.5, (level - 1) * std::max(1.0, width / 12)};
  });
  builder.name_routers([known](RouterId router) {
    const auto [level, number] = (*known)[index(router)];
    return fmt::format("switch_{}_{}", level, number);
  });
  const auto tree = std::make_shared<const TreeGeometry>(kTreeArity, std::move(places));
  ClosedForms closed;
  closed.diameter = 2 * (height - 1);
  // Of the 4^l terminals below 2^l links up the share 1 - 4^l / 4^H sends over them: most at the top.
  closed.capacity = height == 1 ? 1.0 : 8.0 / (3.0 * static_cast<double>(1U << height));
  builder.know(std::move(closed));
  builder.add_geometry(tree);
}

const Registration<TopologyRegistry> kFatTree{
    {{"butterfly_fat_tree",
      "switches of 4 children and 2 parents, 4 terminals at each of the lowest level (Greenberg and Oh 1997)",
      {Parameter::integer("levels", 3, 1, kMostTreeLevels, "",
                          "levels of switches H; 4^H terminals, 4^(H-1) switches on the lowest level")}},
     {fill_fat_tree, [](const Parameters& keys) {
        const Levels levels(keys.get<unsigned>("levels"));
        NetworkSize size{static_cast<double>(levels.first.back()), 0};
        for (std::size_t l = 1; l + 2 < levels.first.size(); ++l)
          size.links += 4.0 * levels.size(static_cast<unsigned>(l));
        return size;
      }}}};

}  // namespace
}  // namespace noctule
