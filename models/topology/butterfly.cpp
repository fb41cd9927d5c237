// The k-ary n-fly (Dally and Towles 2004, chapter 4): one-way stages, from the terminals back to them.

#include <fmt/format.h>

#include <algorithm>

#include "topology/builder.h"
#include "topology/butterfly_geometry.h"

namespace noctule {
namespace {

constexpr unsigned kMostFlyArity = 64;
constexpr unsigned kMostStages = 12;
constexpr double kMostFlyTerminals = 1 << 20;

/// A line between stages, its digits 0 and `digit` exchanged.
std::uint32_t exchanged(std::uint32_t line, std::uint32_t arity, std::uint32_t weight) {
  const std::uint32_t low = line % arity;
  const std::uint32_t high = line / weight % arity;
  return line - low - high * weight + high + low * weight;
}

double fly_terminals(const Parameters& keys) {
  double n = 1;
  for (unsigned s = 0; s < keys.get<unsigned>("stages"); ++s) n *= keys.get<double>("arity");
  return n;
}

void fill_fly(const Parameters& keys, TopologyBuilder& builder) {
  const auto arity = keys.get<unsigned>("arity");
  const auto stages = keys.get<unsigned>("stages");
  if (fly_terminals(keys) > kMostFlyTerminals)
    throw ConfigError("topology.stages",
                      fmt::format("{} stages of arity {} have {:.4g} terminals; at most {:.7g} are possible: "
                                  "reduce the stages or topology.arity",
                                  stages, arity, fly_terminals(keys), kMostFlyTerminals));
  const auto fly = std::make_shared<const ButterflyGeometry>(arity, stages);
  std::vector<std::string> ports;
  for (unsigned p = 0; p < arity; ++p) ports.push_back(fmt::format("port_{}", p));
  builder.add_routers(std::size_t{stages} * fly->width(), ports);
  builder.name_routers(
      [fly](RouterId r) { return fmt::format("stage_{}_{}", fly->stage(r), fly->number(r)); });
  builder.place_routers([fly](RouterId r) {
    const double apart = std::max(1.0, fly->width() / 6.0);
    return Position{apart * fly->stage(r), 0.0 - static_cast<double>(fly->number(r))};  // none is -0
  });
  const auto router = [&](unsigned stage, std::uint32_t number) {
    return RouterId{stage * fly->width() + number};
  };
  std::uint32_t weight = fly->width();  // of the digit that the ports of a stage are
  for (unsigned s = 0; s + 1 < stages; ++s, weight /= arity)
    for (std::uint32_t line = 0; line < fly->width() * arity; ++line) {
      const std::uint32_t to = exchanged(line, arity, weight);
      builder.connect(router(s, line / arity), PortId(static_cast<std::uint16_t>(line % arity)),
                      router(s + 1, to / arity), PortId(static_cast<std::uint16_t>(to % arity)));
    }
  for (std::uint32_t t = 0; t < fly->width() * arity; ++t)
    builder.add_terminal(router(0, t / arity), router(stages - 1, t / arity));
  ClosedForms closed;
  closed.diameter = stages - 1;
  closed.mean_distance = stages - 1;
  closed.capacity = 1;  // a link for each terminal between any two stages
  builder.know(std::move(closed));
  builder.add_geometry(fly);
}

const Registration<TopologyRegistry> kFly{
    {{"butterfly",
      "k-ary n-fly: one-way stages of routers; terminals inject at the first and consume at the last",
      {Parameter::integer("arity", 4, 2, kMostFlyArity, "ports", "inputs and outputs of a router, k"),
       Parameter::integer("stages", 3, 1, kMostStages, "",
                          "stages n; k^n terminals, k^(n-1) routers in each stage")}},
     {fill_fly, [](const Parameters& keys) {
        const double n = fly_terminals(keys);
        const double stages = keys.get<double>("stages");
        return NetworkSize{stages * n / keys.get<double>("arity"), (stages - 1) * n};
      }}}};

}  // namespace
}  // namespace noctule
