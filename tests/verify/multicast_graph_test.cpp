// Does the dependency graph of messages with at most two destinations have exactly the edges of all messages?

#include <gtest/gtest.h>

#include <algorithm>

#include "verify/multicast_support.h"
#include "verify/naive_dependencies.h"

namespace noctule::multicast_test {
namespace {

/// The edges of a survey, to be compared.
NaiveDependencies::Edges edges_of(const DependencyGraph& graph) {
  NaiveDependencies::Edges edges;
  for (ChannelId c = 0; c < graph.vertices(); ++c)
    for (const ChannelId next : graph.successors(c)) edges.emplace(c, next);
  return edges;
}

void expect_same_edges(const Scheme& scheme, const NodeDescriptions& nodes, const Fabric& fabric,
                       unsigned random) {
  const auto plan = multicast_plan(scheme, nodes, fabric);
  const ChannelIndex channels(*plan);
  const auto survey = survey_planned(*plan, channels, 10'000'000);
  EXPECT_FALSE(survey.certain.has_value());
  NaiveDependencies naive(*plan, channels);
  naive.send_everything(random);
  const auto found = edges_of(survey.graph);
  std::vector<std::pair<ChannelId, ChannelId>> differ;
  std::set_symmetric_difference(found.begin(), found.end(), naive.edges().begin(), naive.edges().end(),
                                std::back_inserter(differ));
  EXPECT_EQ(differ.size(), 0U) << found.size() << " and " << naive.edges().size();
  for (std::size_t i = 0; i < std::min<std::size_t>(5, differ.size()); ++i)
    ADD_FAILURE() << channels.name(differ[i].first) << " -> " << channels.name(differ[i].second)
                  << (found.count(differ[i]) > 0 ? " is not real" : " was missed");
}

std::vector<Scheme> all_schemes() {
  auto schemes = path_schemes();
  schemes.push_back({"individual"});
  schemes.push_back({"dual_path", {{"labelling", "columns"}}});
  schemes.push_back({"multipath", {{"labelling", "columns"}}});
  return schemes;
}

/// What the acquisition of channels may be like.
std::vector<std::pair<const char*, NodeDescription>> every_acquisition() {
  std::vector<std::pair<const char*, NodeDescription>> all;
  all.emplace_back("one class", multicast_node(1, one_class()));
  all.emplace_back("by incoming", multicast_node(4, by_incoming()));
  all.emplace_back("by outgoing", multicast_node(5, by_outgoing()));
  const auto add = [&](const char* name, NodeDescription node, auto&& change) {
    change(node);
    all.emplace_back(name, std::move(node));
  };
  const auto outgoing = [] { return multicast_node(5, by_outgoing()); };
  const auto incoming = [](unsigned channels = 4) { return multicast_node(channels, by_incoming()); };
  add("output first, by outgoing", outgoing(), [](auto& n) { n.acquisition = Acquisition::kOutputFirst; });
  add("output first, by incoming", incoming(), [](auto& n) { n.acquisition = Acquisition::kOutputFirst; });
  add("output first, shared", incoming(6), [](auto& n) { n.acquisition = Acquisition::kOutputFirst; });
  add("retransmission", incoming(), [](auto& n) { n.retransmission_buffers = 2; });
  add("shared", incoming(6), [](auto&) {});
  add("any", incoming(), [](auto& n) { n.consumption_access = ConsumptionAccess::kAny; });
  add("committed", incoming(6), [](auto& n) { n.consumption_wait = ConsumptionWait::kCommitted; });
  add("own", incoming(8), [](auto& n) { n.consumption_access = n.unicast_access = ConsumptionAccess::kOwn; });
  return all;
}

class Graph : public testing::TestWithParam<Scheme> {};

TEST_P(Graph, HasTheEdgesOfAllMessages) {
  for (const auto& [name, node] : every_acquisition()) {
    SCOPED_TRACE(name);
    expect_same_edges(GetParam(), node, {mesh({4, 4}), ""}, 20'000);
  }
}

TEST_P(Graph, HasTheEdgesOfAllMessagesThroughRoutersThatDiffer) {
  for (const auto& [name, node] : every_acquisition()) {
    SCOPED_TRACE(name);
    constexpr std::size_t kRouters = 12;
    NodeDescriptions nodes = node;
    for (std::uint32_t r = 0; r < kRouters; r += 3) {
      NodeDescription other = node;
      other.lanes = 1 + r % 2;
      other.input_depth = 2 + r;
      other.release = VcRelease::kNextBufferEmpty;
      nodes.set(RouterId{r}, other, kRouters, "nodes");
    }
    expect_same_edges(GetParam(), nodes, {mesh({4, 3}), ""}, 20'000);
  }
}

TEST_P(Graph, HasTheEdgesOfAllMessagesOnOddAndOblongMeshes) {
  for (const auto& shape : {mesh({5, 3}), mesh({2, 4}), mesh({5, 5}), mesh({2, 2})})
    for (const auto& [name, node] : {every_acquisition()[2], every_acquisition()[4]}) {
      SCOPED_TRACE(shape.text() + " " + name);
      expect_same_edges(GetParam(), node, {shape, ""}, 1000);
    }
}

INSTANTIATE_TEST_SUITE_P(Planners, Graph, testing::ValuesIn(all_schemes()), [](const auto& scheme) {
  std::string name = scheme.param.planner;
  for (const auto& [key, value] : scheme.param.set.items()) name += "_" + value.template get<std::string>();
  return name;
});

}  // namespace
}  // namespace noctule::multicast_test
