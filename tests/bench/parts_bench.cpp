// What do the plain parts cost that a fabric calls per header and per packet: candidates() of each relation,
// next() of each source?

#include <benchmark/benchmark.h>

#include "bench_support.h"
#include "core/error.h"
#include "core/rng.h"

namespace noctule::bench {
namespace {

struct Header {
  RouterId here;
  RouterId destination;
  RouteState state = 0;
};

/// Headers anywhere on paths that the relation offers.
std::vector<Header> headers_of(const RoutingRelation& relation, const Topology& topology) {
  constexpr std::size_t kHeaders = 4096;
  Rng rng{1, "headers"};
  std::vector<Header> list;
  CandidateList candidates;
  while (list.size() < kHeaders) {
    Header header{RouterId(rng.below(topology.routers())), RouterId(rng.below(topology.routers())), 0};
    if (header.here == header.destination) continue;
    header.state = relation.initial_state(
        header.here, header.destination, rng.below(relation.initial_states(header.here, header.destination)));
    while (header.here != header.destination) {
      if (rng.below(4) == 0) list.push_back(header);
      candidates.clear();
      relation.candidates(header.here, header.destination, header.state, candidates);
      const Candidate taken = candidates[rng.below(candidates.size())];
      header.state = relation.next_state(header.here, header.destination, header.state, taken);
      header.here = topology.outgoing(header.here, taken.port)->to;
    }
  }
  return list;
}

void candidates(benchmark::State& state, const std::string& algorithm) {
  std::shared_ptr<const RoutingRelation> relation;
  const auto topology = torus();
  try {
    relation = relation_of(algorithm, topology);
  } catch (const ConfigError& problem) {
    state.SkipWithError(problem.what());
    return;
  }
  const auto headers = headers_of(*relation, *topology);
  CandidateList list;
  std::size_t offered = 0;
  for (auto _ : state) {
    for (const Header& header : headers) {
      list.clear();
      relation->candidates(header.here, header.destination, header.state, list);
      offered += list.size();
    }
    benchmark::DoNotOptimize(offered);
  }
  const auto calls = static_cast<double>(state.iterations()) * static_cast<double>(headers.size());
  state.SetItemsProcessed(static_cast<std::int64_t>(calls));
  state.counters["candidates"] = static_cast<double>(offered) / calls;
}

void next(benchmark::State& state, const std::string& kind) {
  const auto topology = torus();
  std::unique_ptr<TrafficSource> source;
  try {
    source = source_of(kind, topology, 15, 0.1);
  } catch (const ConfigError& problem) {
    state.SkipWithError(problem.what());
    return;
  }
  const std::size_t terminals = topology->terminals();
  std::uint64_t number = 0;
  for (auto _ : state) {
    bool more = false;
    for (std::size_t t = 0; t < terminals; ++t) {
      const auto packet = source->next(TerminalId(t), number);
      more = more || packet.has_value();
      benchmark::DoNotOptimize(packet);
    }
    number = more ? number + 1 : 0;  // a finite workload starts anew
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(terminals));
}

/// One benchmark per registered relation and source; sources that need a file are left out.
const bool kRegistered = [] {
  for (const auto& algorithm : names(RoutingRegistry::instance().entries()))
    benchmark::RegisterBenchmark(("candidates/" + algorithm).c_str(),
                                 [=](benchmark::State& state) { candidates(state, algorithm); });
  for (const auto* entry : SourceRegistry::instance().entries()) {
    if (std::any_of(entry->parameters.begin(), entry->parameters.end(),
                    [](const Parameter& p) { return p.required; }))
      continue;
    benchmark::RegisterBenchmark(("source_next/" + entry->name).c_str(),
                                 [kind = entry->name](benchmark::State& state) { next(state, kind); });
  }
  return true;
}();

}  // namespace
}  // namespace noctule::bench
