#include "tb/cosim_draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/json.h"
#include "core/rng.h"

namespace noctule {
namespace {

constexpr std::uint64_t kLargestRadix = 20;

std::uint64_t routers_of(const Json& topology) {
  std::uint64_t product = 1;
  for (const auto& radix : topology.at("radix")) product *= radix.get<std::uint64_t>();
  return product;
}

}  // namespace

std::vector<std::string> draw_settings(const PointConfig& point, std::uint64_t number) {
  static constexpr const char* kModes[] = {"shadow", "swapped", "plain"};
  static constexpr const char* kLengths[] = {"[{length: 1}]", "[{length: 2}]", "[{length: 1}, {length: 40}]",
                                             "[{length: 5}]", "[{length: 1}, {length: 2}, {length: 15}]"};
  static constexpr double kLoads[] = {0.05, 0.2, 0.5, 1.0};
  static constexpr double kStalls[] = {0.0, 0.1, 0.3, 0.6};
  static constexpr std::uint64_t kAreas[] = {12, 25, 64};
  Rng rng(Rng(point.seed, "draws").next(), number);
  const auto one_of = [&](const auto& list) { return list[rng.below(std::size(list))]; };

  const Json& all = point.resolved;
  if (!all.at("topology").contains("radix") || all.at("topology").at("radix").size() != 2)
    throw ConfigError("cosim.draws", "sizes are drawn for fabrics of two dimensions, by topology.radix; 0");
  const std::uint64_t budget =
      routers_of(all.at("topology")) * all.at("cosim").at("cycles").get<std::uint64_t>();

  // Every fourth one is small, and short packets fill it for long: what counts packets counts far.
  const bool many = number % 4 == 3;
  const std::uint64_t area = many ? 9 : one_of(kAreas);
  std::uint64_t x = 2 + rng.below(std::min(kLargestRadix, area / 2) - 1);
  std::uint64_t y = 2 + rng.below(std::max<std::uint64_t>(area / x, 2) - 1);
  if (rng.below(2) == 1) std::swap(x, y);
  if (number == 0) x = kLargestRadix, y = 3;  // long and narrow, then the other way round
  if (number == 1) x = 3, y = kLargestRadix;

  std::vector<std::string> sets{
      fmt::format("topology.radix=[{}, {}]", x, y),
      "traffic.pattern=uniform",
      fmt::format("traffic.packet_lengths={}", many ? kLengths[0] : one_of(kLengths)),
      fmt::format("traffic.offered_load={}", many ? 1.0 : one_of(kLoads)),
      fmt::format("cosim.mode={}", kModes[number % 3]),
      fmt::format("cosim.cycles={}", std::max<std::uint64_t>(budget / (x * y), 100)),
      fmt::format("cosim.resets={}", many ? rng.below(2) : rng.below(6))};
  if (all.at("traffic").value("stall", 0.0) > 0)
    sets.push_back(fmt::format("traffic.stall={}", one_of(kStalls)));
  return sets;
}

}  // namespace noctule
