// Do words of other simulators lead to the keys and values that they mean here?

#include "config/spelling.h"

#include <gtest/gtest.h>

#include <set>

#include "config/config_support.h"
#include "config/schema.h"

namespace noctule {
namespace {

std::string said_of(const std::string& yaml) {
  return testing::all_text(testing::faults_of(yaml));
}

TEST(Synonyms, LeadToKeysThatExist) {
  for (const auto& key : keys_with_synonyms()) {
    std::string nearest;
    EXPECT_FALSE(find_declarations(key, nearest).empty()) << key;
  }
}

TEST(Synonyms, LeadToValuesThatExist) {
  std::set<std::string> values;
  visit_keys([&](const std::string&, const Parameter& p) {
    values.insert(p.choices.begin(), p.choices.end());
    if (p.type == Parameter::Type::kVariant)
      for (const auto& name : entry_names(p)) values.insert(name);
  });
  for (const auto& value : values_with_synonyms()) EXPECT_TRUE(values.contains(value)) << value;
}

TEST(Synonyms, OfKeysAreSuggestedWhereTheyStand) {
  const std::vector<std::pair<std::string, std::string>> kCases{
      {"node: {vcs: 4}", "did you mean 'lanes'?"},
      {"num_vcs: 4", "did you mean 'node.lanes'?"},
      {"lanes: 4", "did you mean 'node.lanes'?"},
      {"node: {vc_buf_size: 8}", "did you mean 'input_depth'?"},
      {"node: {bufferDepth: 8}", "did you mean 'input_depth'?"},
      {"injection_rate: 0.1", "did you mean 'traffic.offered_load'?"},
      {"traffic: {packet_size: 4}", "did you mean 'packet_length'?"},
      {"routing_function: xy", "did you mean 'routing.algorithm'?"},
      {"topology: {k: 8}", "did you mean 'radix'?"},
      {"topology: {more_terminals: [{router: '*'}]}", "did you mean 'routers'?"},
      {"nodes: [{router: '*'}]", "did you mean 'routers'?"},
      {"traffic: {lanes: 2}", "did you mean 'node.lanes'?"},
      {"offered_load: 2", "did you mean 'traffic.offered_load'?"},
      {"sweep: {node.num_vcs: [1, 2]}", "did you mean 'node.lanes'?"},
      {"compare: [{label: a, set: {vcs: 2}}]", "did you mean 'node.lanes'?"}};
  for (const auto& [yaml, hint] : kCases)
    EXPECT_NE(said_of(yaml).find(hint), std::string::npos) << yaml << "\n" << said_of(yaml);
}

TEST(Remedies, AreSaidWhereNoKeyIsTheCounterpart) {
  const std::vector<std::pair<std::string, std::string>> kCases{
      {"node: {speedup: 2}", "'crossbar_per: [lane]'"},
      {"node: {pipeline: 3}", "'routing_delay', 'vc_allocation_delay'"},
      {"sweep: {node.input_speedup: [1, 2]}", "'crossbar_per: [lane]'"},
      {"measurement: {confidence: 0.99}", "intervals are of 95 %"},
      {"measurement: {replications: 5}", "an axis of seeds"},
      {"trace: {packet: 3}", "`noctule run FILE --events EVENTS.csv`"},
      {"trace: {to: 300}", "the window is 'from' and 'cycles'"},
      {"routing: {algorithm: turn_table, file: t.txt}", "'algorithm: table' takes a file"},
      {"routing: {algorithm: dimension_order, vcs: 2}", "'node.lanes' is the number of VCs"},
      {"message_classes: {request: {vnet: 0}}", "'vcs' chooses the VCs of a class"},
      {"nodes: [{routers: ['*'], rtl: {module: m}}]", "the module is 'top'"},
      {"nodes: [{routers: ['*'], rtl: {file: m.sv}}]", "the sources are 'files'"}};
  for (const auto& [yaml, sentence] : kCases)
    EXPECT_NE(said_of(yaml).find(sentence), std::string::npos) << yaml << "\n" << said_of(yaml);
}

TEST(Remedies, AreForTheirSectionsOnly) {
  EXPECT_NE(remedy_for("nodes[0].rtl", "module"), "");
  EXPECT_NE(remedy_for("message_classes.request", "vnet"), "");
  EXPECT_EQ(remedy_for("node", "module"), "");
  EXPECT_EQ(remedy_for("nodes", "speedup"), "");
  EXPECT_EQ(remedy_for("node", "speed"), "");
}

TEST(Shapes, OfValuesAreShown) {
  const std::vector<std::pair<std::string, std::string>> kCases{
      {"traffic: {offered_load: '0.02:0.2'}", "FROM:TO:STEP"},
      {"traffic: {offered_load: 0.02..0.2}", "FROM:TO:STEP"},
      {"nodes: [{routers: ['*'], rtl: my.sv}]", "it is written {top: ..., files: ..."},
      {"traffic: {source: {kind: request_reply, file: f.txt}}", "it is a key of 'kind: flows"},
      {"measurement: {precision: 5%}", "5 % is 0.05"},
      {"message_classes: {request: {vcs: [2, 3]}}", "as {lane: [0, 1]}"},
      {"vnets: 2", "did you mean 'message_classes'?"},
      {"sweep: {crossbar_per: [1, 2]}", "did you mean 'node.crossbar_per'?"},
      {"sweep: {seed: {from: 3, to: 1, step: 1}}", "to a smaller value the step is below 0"}};
  for (const auto& [yaml, sentence] : kCases)
    EXPECT_NE(said_of(yaml).find(sentence), std::string::npos) << yaml << "\n" << said_of(yaml);
}

TEST(Synonyms, AreNotSuggestedWhereTheyAreWhatIsWrong) {
  const auto said = said_of("topology: {kind: butterfly_fat_tree, radix: 4}");
  EXPECT_NE(said.find("unknown key 'radix'"), std::string::npos) << said;
  EXPECT_EQ(said.find("did you mean 'radix'"), std::string::npos) << said;
}

TEST(Synonyms, OfValuesAreSuggestedWhereTheyAreAllowed) {
  const std::vector<std::pair<std::string, std::string>> kCases{
      {"routing: xy", "dimension_order"},
      {"routing: DOR", "dimension_order"},
      {"routing: west-first", "turn_table"},
      {"traffic: {pattern: bitcomp}", "bit_complement"},
      {"traffic: {pattern: uniform_random}", "uniform"},
      {"traffic: {pattern: TRAFFIC_TRANSPOSE1}", "transpose"},
      {"traffic: {source: poisson}", "bernoulli"},
      {"topology: mesh2d", "mesh"},
      {"node: iq", "input_queued"},
      {"node: {arbiter: rr}", "round_robin"},
      {"node: {scan: fcfs}", "first_come"}};
  for (const auto& [yaml, value] : kCases)
    EXPECT_NE(said_of(yaml).find("did you mean '" + value + "'?"), std::string::npos) << yaml << "\n"
                                                                                      << said_of(yaml);
}

TEST(Synonyms, AreNoLegalSpellings) {
  EXPECT_EQ(suggested_value("mesh", {"mesh", "torus"}), "mesh");
  EXPECT_EQ(suggested_value("fcfs", {"round_robin"}), "");
  EXPECT_EQ(key_of_synonym("lanes"), "");
}

}  // namespace
}  // namespace noctule
