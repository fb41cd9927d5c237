#pragma once
// Shared by the tests of closed loops: plans with message classes, and the source that keeps transactions
// open.

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fabric_support.h"
#include "nodes/message_class.h"
#include "topology/builder.h"
#include "traffic/drawn_sink.h"

namespace noctule::fabric_test {

inline FabricPlan plan_with(const MessageClasses& classes, std::shared_ptr<const Topology> topology,
                            const std::string& algorithm, const Json& node_set = Json::object(),
                            const std::string& model = "input_queued") {
  FabricParts parts{topology, relation_on(topology, algorithm), node_of(model, node_set)};
  parts.message_classes = classes;
  return plan_fabric(std::move(parts));
}

/// Classes that cause each other in their order, as `depends: {request: [response]}` does.
inline MessageClasses chain_of(std::vector<MessageClass> classes) {
  const std::size_t steps = classes.size();
  MessageClasses all(std::move(classes));
  for (std::size_t c = 0; c + 1 < steps; ++c)
    all.add_dependence(static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c + 1));
  return all;
}

/// A mesh whose terminal t has a second attachment at router t + shift, the first router behind the last.
inline std::shared_ptr<const Topology> mesh_with_two_places(unsigned radix, std::size_t shift) {
  const auto& kind = TopologyRegistry::instance().at("mesh");
  Parameters keys = Parameters::defaults(kind.parameters);
  keys.set("radix", Json{radix, radix});
  TopologyBuilder builder;
  kind.make.fill(keys, builder);
  std::vector<Attachment> further;
  for (std::size_t t = 0; t < builder.terminals(); ++t) {
    const auto router = RouterId(static_cast<std::uint32_t>((t + shift) % builder.routers()));
    further.push_back({router, router});
  }
  builder.attach(further);
  return std::make_shared<const Topology>(std::move(builder).build());
}

/// request_reply over a registered pattern, or the one that is given.
inline std::shared_ptr<TrafficSource> closed_loop(const FabricPlan& plan, const Json& set,
                                                  std::uint32_t length,
                                                  std::shared_ptr<const TrafficPattern> pattern = nullptr) {
  SourceContext context;
  context.topology = plan.topology;
  const auto& uniform = PatternRegistry::instance().at("uniform");
  context.pattern =
      pattern ? std::move(pattern) : uniform.make(plan.topology, Parameters::defaults(uniform.parameters), 1);
  context.lengths = {{length, std::uint64_t{1} << 32}};
  context.classes.clear();
  for (std::size_t c = 0; c < plan.message_classes.size(); ++c)
    context.classes.push_back(
        {plan.message_classes[c].name, plan.message_classes[c].buffer, plan.message_classes.causes(c)});
  const auto& entry = SourceRegistry::instance().at("request_reply");
  auto parameters = Parameters::defaults(entry.parameters);
  for (const auto& [key, value] : set.items()) parameters.set(key, value);
  return entry.make(context, parameters);
}

/// Each of the 16 terminals of a 4x4 network sends 5 flits to drawn others, of one of two classes, with drawn
/// gaps of at most `gap` cycles, in the first `cycles`.
inline void send_of_two_classes(ListSource& source, Cycle cycles, std::uint64_t gap) {
  Rng rng(5);
  for (std::size_t s = 0; s < 16; ++s)
    for (Cycle t = 0; t < cycles; t += 1 + rng.below(gap))
      source.add(s, {t, TerminalId(static_cast<std::uint32_t>((s + 1 + rng.below(15)) % 16)), 5,
                     static_cast<std::uint8_t>(rng.below(2))});
}

/// Four objects with `fabric` and `source`, as `make(options)` gives them, that are built and evaluated in
/// different orders, the last one observed, behind terminals that refuse a share `refused` of the cycles.
/// They get the same traffic, and have run for `cycles` and until all was delivered.
template <class Make>
auto run_in_every_order(double refused, Cycle cycles, Make&& make) {
  std::vector<std::invoke_result_t<Make&, LinkedOptions>> all;
  Recorder recorder;
  for (std::uint64_t n = 0; n < 4; ++n) {
    LinkedOptions options;
    options.order_seed = n;
    options.construction_seed = 10 + n;
    options.observed = n == 3;
    options.sink = drawn_sink(refused, 3);
    all.push_back(make(options));
    if (options.observed) all.back()->fabric->observe(recorder);
    send_of_two_classes(*all.back()->source, cycles, 30);
  }
  run_cycles(*all[0]->fabric, cycles);
  EXPECT_TRUE(drain(*all[0]->fabric, 50'000));
  for (const auto& one : all) {
    EXPECT_EQ(one->fabric->digest(), all[0]->fabric->digest());
    one->fabric->check_conservation();
  }
  return all;
}

/// The options of a fabric whose terminals take what the source's sink takes.
inline LinkedOptions options_for(const std::shared_ptr<TrafficSource>& source, LinkedOptions options = {}) {
  if (TerminalSink* const sink = source->sink()) options.sink = std::shared_ptr<TerminalSink>(source, sink);
  return options;
}

}  // namespace noctule::fabric_test
