// Store and forward: do packets take what Symons and Narasimhan 1997 say, repaired, with two packets behind a
// link, one more than a packet, exactly one, and one that has to leave first? What is refused?

#include <gtest/gtest.h>

#include "analytic/packetised.h"
#include "core/error.h"
#include "fabric_support.h"

namespace noctule::fabric_test {
namespace {

/// A node of the paper: nothing takes time but the links, and the ends are always free.
Json paper_node(unsigned depth, const Json& more = Json::object()) {
  Json keys{{"output_depth", 0},
            {"forwarding", "store_and_forward"},
            {"input_depth", depth},
            {"traversal_delay", 0},
            {"injection_delay", 0},
            {"injection_channels", "unlimited"},
            {"scan", "first_come"},
            {"ties", "port"},
            {"consumption_channels", "unlimited"}};
  keys.update(more);
  return keys;
}

/// Packets of these lengths, one behind the other, over a line of `links` links.
struct Chain {
  Chain(unsigned links, std::vector<std::uint64_t> packets, const Json& node, Cycle flit_delay = 1)
      : flits(std::move(packets)), hops(links) {
    LinkedOptions options;
    options.flit_delay = flit_delay;
    fabric = make_fabric(plan_of({"dimension_order", "generic"}, mesh({links + 1}), node), options);
    for (const auto length : flits) source->add(0, links, static_cast<std::uint32_t>(length), 0);
    fabric->attach(source);
  }
  /// Cycles from the first flit's departure to the last one's arrival.
  [[nodiscard]] Cycle cycles() const {
    Cycle last = 0;
    for (const auto& d : source->deliveries) last = std::max(last, d.consumed);
    return last;
  }
  std::vector<std::uint64_t> flits;
  unsigned hops;
  std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
  std::unique_ptr<Fabric> fabric;
};

void run(const std::vector<std::unique_ptr<Chain>>& chains, Cycle cycles) {
  run_cycles(*chains[0]->fabric, cycles);
  for (const auto& chain : chains) {
    ASSERT_EQ(chain->source->deliveries.size(), chain->flits.size());
    EXPECT_NO_THROW(chain->fabric->check_conservation());
    EXPECT_TRUE(chain->fabric->drained());
  }
}

std::vector<std::uint64_t> packets_of(std::uint64_t flits, std::uint64_t payload, std::uint64_t overhead) {
  const PacketCut cut = cut_into_packets(flits, payload);
  std::vector<std::uint64_t> lengths(cut.packets, payload + overhead);
  lengths.back() = cut.last + overhead;
  return lengths;
}

TEST(StoredPackets, TakeTheSumOfTheirLengthsAndTheLongestForEveryHopBetween) {
  std::vector<std::unique_ptr<Chain>> chains;
  std::vector<Cycle> expected;
  for (const unsigned hops : {1U, 2U, 3U, 7U})
    for (const unsigned delay : {0U, 1U, 3U})
      for (const auto& lengths :
           {packets_of(40, 5, 3), packets_of(41, 10, 3), packets_of(40, 40, 3), packets_of(9, 1, 0)}) {
        const auto longest = static_cast<unsigned>(*std::max_element(lengths.begin(), lengths.end()));
        for (const unsigned depth : {longest + delay + 1, 3 * longest + delay}) {
          const Json node = paper_node(depth, {{"routing_delay", delay}});
          chains.push_back(std::make_unique<Chain>(hops, lengths, node));
          // At the source all headers find their way at once.
          expected.push_back(stored_cycles(lengths, hops, delay) + delay);
        }
      }
  run(chains, 700);
  for (std::size_t n = 0; n < chains.size(); ++n)
    EXPECT_EQ(chains[n]->cycles(), expected[n]) << "case " << n << ", " << chains[n]->hops << " links";
}

TEST(StoredPackets, NeedAPlaceMoreThanThePacketOrLoseACycleForEach) {
  std::vector<std::unique_ptr<Chain>> chains;
  for (const unsigned depth : {328U, 165U, 164U})
    chains.push_back(std::make_unique<Chain>(3, packets_of(1000, 125, 39), paper_node(depth)));
  // One packet, which leaves before the next one starts.
  chains.push_back(std::make_unique<Chain>(3, packets_of(1000, 125, 39),
                                           paper_node(164, {{"release", "next_buffer_empty"}})));
  run(chains, 3000);
  EXPECT_EQ(chains[0]->cycles(), 1640U);
  EXPECT_EQ(chains[1]->cycles(), 1640U);
  EXPECT_EQ(chains[2]->cycles(), 1647U);
  EXPECT_EQ(chains[3]->cycles(), 2788U);
}

TEST(StoredPackets, WaitBehindOthersForTheirOwnTails) {
  // Two packets for one link: the header of the first is there in time, but its tail is not.
  auto fabric = make_fabric(plan_of({"dimension_order", "generic"}, mesh({3, 2}),
                                    paper_node(8, {{"consumption_channels", 1}, {"lanes", 2}})));
  auto source = std::make_shared<ListSource>();
  source->add(0, 2, 8, 0);
  source->add(1, 2, 8, 0);
  fabric->attach(source);
  run_cycles(*fabric, 60);
  ASSERT_EQ(source->deliveries.size(), 2U);
  EXPECT_EQ(index(source->deliveries[0].source), 1U) << "a stored packet holds no link while its tail is out";
  EXPECT_EQ(source->deliveries[0].consumed, 8U);
  EXPECT_EQ(source->deliveries[1].consumed, 16U);
}

TEST(StoredPackets, LongerThanTheBufferAreRefusedByName) {
  auto fabric = make_fabric(plan_of({"dimension_order", "generic"}, mesh({3}), paper_node(8)));
  try {
    fabric->inject(TerminalId{0}, {0, TerminalId{2}, 9, 0, nullptr});
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("store_and_forward hold 8 flits"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(fabric->inject(TerminalId{0}, {0, TerminalId{2}, 8, 0, nullptr}));
}

/// The message of the plan, or nothing.
std::string refusal_of(const Json& node, unsigned credit_delay = 1) {
  try {
    auto topology = mesh({3});
    FabricParts parts{topology, relation_on(topology, "dimension_order"), node_of("generic", node)};
    parts.links = LinkDescription{1, credit_delay};
    static_cast<void>(plan_fabric(std::move(parts)));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(StoreAndForward, IsRefusedWhereItMeansNothing) {
  EXPECT_EQ(refusal_of(paper_node(8)), "");
  EXPECT_NE(refusal_of({{"forwarding", "store_and_forward"}}).find("output_depth 0"), std::string::npos);
  EXPECT_NE(refusal_of(paper_node(8, {{"routing_delay", 1}, {"early_routing", true}})).find("early_routing"),
            std::string::npos);
  EXPECT_NE(refusal_of(paper_node(8, {{"link_sharing", "fixed_slot"}, {"release", "next_buffer_empty"}}), 0)
                .find("forwarding wormhole"),
            std::string::npos);
}

}  // namespace
}  // namespace noctule::fabric_test
