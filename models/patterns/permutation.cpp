#include "patterns/permutation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace noctule {

Permutation::Permutation(std::vector<std::uint32_t> partner, bool fixed_points_inject)
    : partner_(std::move(partner)) {
  std::vector<bool> taken(partner_.size(), false);
  for (std::uint32_t s = 0; s < partner_.size(); ++s) {
    const std::uint32_t d = partner_[s];
    if (d == kSilent) continue;
    if (d >= partner_.size() || taken[d])
      throw InternalError(fmt::format("not a permutation: terminal {} sends to {}", s, d));
    taken[d] = true;
    if (d == s && !fixed_points_inject) partner_[s] = kSilent;
  }
}

std::vector<std::pair<TerminalId, double>> Permutation::distribution(TerminalId source) const {
  if (!injects(source)) return {};
  return {{TerminalId(partner_[index(source)]), 1.0}};
}

std::vector<Parameter> permutation_parameters(std::vector<Parameter> own) {
  own.push_back(Parameter::choice("fixed_points", "silent", {"silent", "inject"},
                                  "terminals that are their own destination: silent, or send to themselves"));
  return own;
}

std::unique_ptr<TrafficPattern> make_permutation(const std::string& name, std::vector<std::uint32_t> partner,
                                                 const Parameters& keys) {
  const bool inject = keys.get<std::string>("fixed_points", "silent") == "inject";
  const auto terminals = partner.size();
  auto pattern = std::make_unique<Permutation>(std::move(partner), inject);
  for (std::uint32_t s = 0; s < terminals; ++s)
    if (pattern->injects(TerminalId{s})) return pattern;
  throw ConfigError(kPatternKey,
                    fmt::format("{} maps every terminal of this network to itself, so that none would send; "
                                "choose another pattern or network, or set fixed_points: inject",
                                name));
}

std::vector<std::uint32_t> permutation_table(std::size_t terminals,
                                             const std::function<std::uint32_t(std::uint32_t)>& partner) {
  std::vector<std::uint32_t> table(terminals);
  for (std::uint32_t s = 0; s < terminals; ++s) table[s] = partner(s);
  return table;
}

unsigned address_bits(const Topology& topology, const std::string& name) {
  const std::size_t n = topology.terminals();
  if (!std::has_single_bit(n))
    throw ConfigError(kPatternKey,
                      fmt::format("{} permutes the bits of terminal numbers and needs a power of "
                                  "two of terminals; this network has {}",
                                  name, n));
  return static_cast<unsigned>(std::countr_zero(n));
}

const CubeGeometry* square_cube(const Topology& topology) {
  const auto* cube = topology.geometry<CubeGeometry>();
  return cube != nullptr && cube->dimensions() == 2 && cube->radix(0) == cube->radix(1) ? cube : nullptr;
}

std::vector<std::uint32_t> router_table(const Topology& topology, const std::string& name,
                                        const std::function<RouterId(RouterId)>& partner) {
  std::vector<std::vector<std::uint32_t>> at(topology.routers());
  std::vector<std::size_t> place(topology.terminals());
  for (std::uint32_t t = 0; t < topology.terminals(); ++t) {
    auto& here = at[index(topology.injection_router(TerminalId{t}))];
    place[t] = here.size();
    here.push_back(t);
  }
  return permutation_table(topology.terminals(), [&](std::uint32_t s) {
    const RouterId from = topology.injection_router(TerminalId{s});
    const RouterId to = partner(from);
    if (place[s] >= at[index(to)].size())
      throw ConfigError(
          kPatternKey,
          fmt::format("{} would send from terminal {} at {} to {}, which has {} terminals; give "
                      "every router as many, or choose another pattern",
                      name, s, topology.router_name(from), topology.router_name(to), at[index(to)].size()));
    return at[index(to)][place[s]];
  });
}

std::vector<std::uint32_t> coordinate_table(const Topology& topology, const std::string& name,
                                            const std::function<unsigned(unsigned, unsigned)>& partner) {
  const auto* cube = topology.geometry<CubeGeometry>();
  if (cube == nullptr)
    throw ConfigError(kPatternKey, name +
                                       " is defined by coordinates; it needs a mesh, torus, ring, hypercube "
                                       "or k_ary_n_cube");
  std::vector<unsigned> at(cube->dimensions());
  return router_table(topology, name, [&](RouterId router) {
    for (unsigned d = 0; d < cube->dimensions(); ++d)
      at[d] = partner(cube->coordinate(router, d), cube->radix(d));
    return cube->router_at(at);
  });
}

}  // namespace noctule
