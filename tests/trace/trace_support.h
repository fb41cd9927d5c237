#pragma once
// Shared by the trace tests: small fabrics with given packets, event logs read back.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "support/cube_network.h"
#include "trace/trace_session.h"

namespace noctule::trace_test {

/// Sends given packets.
class ListSource final : public TrafficSource {
 public:
  void add(Cycle birth, unsigned source, unsigned destination, std::uint32_t length) {
    GeneratedPacket packet;
    packet.birth = birth;
    packet.destination = TerminalId{destination};
    packet.length = length;
    packets_[source].push_back(packet);
  }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    const auto it = packets_.find(static_cast<unsigned>(source));
    if (it == packets_.end() || number >= it->second.size()) return std::nullopt;
    return it->second[number];
  }
  [[nodiscard]] bool finite() const override { return true; }
  [[nodiscard]] std::uint32_t length(unsigned source, std::uint64_t number) const {
    return packets_.at(source).at(number).length;
  }

 private:
  std::map<unsigned, std::vector<GeneratedPacket>> packets_;
};

/// About `count` packets of 1 to 5 flits per terminal, one in `gap` cycles on average.
inline std::shared_ptr<ListSource> random_packets(unsigned terminals, unsigned count, unsigned gap,
                                                  std::uint64_t seed) {
  auto source = std::make_shared<ListSource>();
  Rng rng(seed, "packets");
  for (unsigned s = 0; s < terminals; ++s) {
    Cycle t = rng.below(gap);
    for (unsigned n = 0; n < count; ++n, t += 1 + rng.below(2 * gap)) {
      const auto other = static_cast<unsigned>((s + 1 + rng.below(terminals - 1)) % terminals);
      source->add(t, s, other, static_cast<std::uint32_t>(1 + rng.below(5)));
    }
  }
  return source;
}

/// A k x k torus or mesh with a registered relation, and the node that the paper's models would use for it.
inline FabricPlan plan(unsigned k, bool wrap, const std::string& routing, NodeDescription node = {}) {
  auto cube = std::make_shared<CubeNetwork>(std::vector<unsigned>{k, k}, std::vector<bool>{wrap, wrap});
  const auto& entry = RoutingRegistry::instance().at(routing);
  std::shared_ptr<const RoutingRelation> relation = entry.make(cube, Parameters::defaults(entry.parameters));
  if (routing == "star_channels") node.release = VcRelease::kNextBufferEmpty;
  if (routing == "four_classes") node.crossbar_per = {"sign_x", "sign_y", "prefix"};
  if (routing == "linder_harden") node.crossbar_per = {"network", "level"};
  if (routing == "oblivious") node.parallel_links = 2, node.lanes = 2;
  if (routing != "oblivious" && node.connections_per_cycle == 0) node.connections_per_cycle = 1;
  return plan_fabric({cube, relation, node});
}

/// The plan with links that are alike.
inline FabricPlan linked(FabricPlan plan, unsigned flit_delay, unsigned credit_delay) {
  plan.links = LinkDescription{flit_delay, credit_delay};
  return plan;
}

inline FabricOptions observed() {
  FabricOptions options;
  options.observed = true;
  return options;
}

inline void run(Cycle cycles) {
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS) * static_cast<double>(cycles));
}

/// A folder of its own for every test, gone afterwards.
class TraceTest : public testing::Test {
 protected:
  TraceTest() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    folder_ = std::filesystem::temp_directory_path() / ("noctule_" + name + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~TraceTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::filesystem::path folder_;
};

struct Event {
  Cycle cycle = 0;
  std::string router;
  std::string port;
  std::string vc;
  std::string event;
  std::string packet;
  unsigned flit = 0;
  unsigned source = 0;
  unsigned destination = 0;
  [[nodiscard]] std::uint64_t number() const { return std::stoull(packet.substr(packet.find(':') + 1)); }
};

inline std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::vector<Event> read_events(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "cycle,router,port,vc,event,packet,flit,source,destination");
  std::vector<Event> events;
  while (std::getline(in, line)) {
    std::vector<std::string> f;
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) f.push_back(cell);
    if (f.size() != 9) throw std::runtime_error("not 9 columns: " + line);
    events.push_back({std::stoull(f[0]), f[1], f[2], f[3], f[4], f[5],
                      static_cast<unsigned>(std::stoul(f[6])), static_cast<unsigned>(std::stoul(f[7])),
                      static_cast<unsigned>(std::stoul(f[8]))});
  }
  return events;
}

}  // namespace noctule::trace_test
