// Does every registered relation keep the contract of RoutingRelation and what it claims, on every shape
// that it accepts? The registry and the parameter declarations give the cases.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "routing/initial_states.h"
#include "verify/verify_support.h"

namespace noctule::routing_test {
namespace {

/// Above it a network takes seconds; of relations that draw routers in between the smaller ones say it all.
constexpr std::uint64_t kManyHeaderStates = 1'000'000;

/// About: as from the first terminal to the last one.
std::uint64_t header_states(const Topology& network, const RoutingRelation& relation) {
  const std::uint64_t terminals = network.terminals();
  const RouterId first = network.injection_router(TerminalId{0});
  const RouterId last = network.consumption_router(TerminalId{static_cast<std::uint32_t>(terminals - 1)});
  return terminals * terminals * (first != last ? relation.initial_states(first, last) : 1);
}

class EveryRelation : public testing::TestWithParam<Variant> {
 protected:
  /// Runs a check on every network that the relation accepts.
  template <class Check>
  void on_every_network(Check check) {
    std::string tried;
    unsigned accepted = 0;
    for (const auto& sample : every_network()) {
      std::shared_ptr<const RoutingRelation> relation;
      try {
        relation = relation_on(sample.topology, GetParam().algorithm, GetParam().set);
      } catch (const ConfigError&) {
        tried += "  " + sample.text + "\n";
        continue;
      }
      ++accepted;
      if (header_states(*sample.topology, *relation) > kManyHeaderStates) continue;
      SCOPED_TRACE(sample.text);
      check(sample, *sample.topology, *relation);
    }
    EXPECT_GE(accepted, 3U) << "refused:\n" << tried;
  }
};

TEST_P(EveryRelation, DeliversEveryWormWithinWhatItClaims) {
  on_every_network([&](const Sample& sample, const Topology& network, const RoutingRelation& relation) {
    const Surveyed surveyed(sample.topology, relation);
    const auto& seen = surveyed.facts;
    EXPECT_TRUE(seen.always_arrives);
    EXPECT_TRUE(seen.hops_exact);
    EXPECT_GE(seen.longest_path, network.diameter());

    const auto claims = relation.claims();
    EXPECT_TRUE(seen.fully_adaptive || !claims.fully_adaptive);
    EXPECT_TRUE(seen.minimal || !claims.minimal);
    if (sample.tight_minimal) {
      EXPECT_EQ(claims.minimal, seen.minimal);
    }
    if (sample.tight_adaptive) {
      EXPECT_EQ(claims.fully_adaptive, seen.fully_adaptive);
    }
    if (claims.deadlock_free == "acyclic") {
      EXPECT_TRUE(seen.direct.acyclic());
    }
    if (claims.deadlock_free == "escape") {
      EXPECT_TRUE(seen.escape_always_offered);
      EXPECT_TRUE(surveyed.escape_acyclic());
      if (sample.tight_adaptive) {
        EXPECT_FALSE(seen.direct.acyclic()) << "a stronger claim would hold";
      }
    }
  });
}

TEST_P(EveryRelation, HasExactlyTheChannelsThatItUses) {
  on_every_network([&](const Sample& sample, const Topology& network, const RoutingRelation& relation) {
    const Surveyed surveyed(sample.topology, relation);
    std::size_t existing = 0;
    std::size_t idle = 0;
    for (const auto& link : network.links())
      for (unsigned c = 0; c <= relation.classes(link); ++c) {
        const bool exists = relation.exists(link, VcClass(c));
        const bool used =
            c < relation.classes(link) && surveyed.facts.used[surveyed.channels.of(link.id, VcClass(c))] != 0;
        EXPECT_TRUE(exists || !used) << "link " << index(link.id) << " class " << c;
        existing += exists ? 1 : 0;
        idle += exists && !used ? 1 : 0;
      }
    EXPECT_GT(existing, 0U);
    // Radix 2 is all ties: a relation may keep a few channels there for simplicity.
    EXPECT_LE(idle, sample.tight_minimal ? 0 : existing / 3);
  });
}

TEST_P(EveryRelation, NamesAndLabelsItsChannels) {
  on_every_network([&](const Sample&, const Topology& network, const RoutingRelation& relation) {
    const auto fields = relation.fields();
    const auto legal = [&](const VcLabel& label) {
      if (label.size() != fields.size()) return false;
      for (std::size_t f = 0; f < fields.size(); ++f)
        if (label[f] >= fields[f].values.size()) return false;
      return true;
    };
    for (const auto& link : network.links()) {
      std::set<std::string> names;
      std::set<VcLabel> labels;
      for (unsigned c = 0; c < relation.classes(link); ++c) {
        names.insert(relation.class_name(link, VcClass(c)));
        labels.insert(relation.output_label(link, VcClass(c)));
        EXPECT_TRUE(legal(relation.output_label(link, VcClass(c))));
        EXPECT_TRUE(legal(relation.input_label(link, VcClass(c))));
      }
      EXPECT_EQ(names.size(), relation.classes(link));
      EXPECT_EQ(labels.size(), relation.classes(link)) << "two classes of a link share a label";
      EXPECT_EQ(names.count(""), 0U);
    }
  });
}

TEST_P(EveryRelation, KeepsItsStateWithinTheHeaderBits) {
  on_every_network([&](const Sample&, const Topology& network, const RoutingRelation& relation) {
    std::size_t most = 0;
    for (std::uint32_t a = 0; a < network.terminals(); ++a)
      for (std::uint32_t b = 0; b < network.terminals(); ++b) {
        const RouterId s = network.injection_router(TerminalId{a});
        const RouterId d = network.consumption_router(TerminalId{b});
        if (s == d) continue;
        std::set<RouteState> of_all;
        for (unsigned c = 0; c < (relation.sees_message_classes() ? kMostMessageClasses : 1); ++c) {
          std::set<RouteState> states;
          for (const RouteState state : initial_states_of(relation, s, d, c)) states.insert(state);
          EXPECT_EQ(states.size(), relation.initial_states_of_class(s, d, c));
          of_all.merge(states);
        }
        most = std::max(most, of_all.size());
        if (!relation.has_state() && !relation.sees_message_classes()) {
          EXPECT_EQ(of_all, std::set<RouteState>{0});
        }
      }
    ASSERT_LT(relation.header_bits(), 64U);
    EXPECT_LE(most, std::uint64_t{1} << relation.header_bits());
    EXPECT_EQ(relation.header_bits() > 0, relation.has_state() || relation.sees_message_classes());
  });
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryRelation, testing::ValuesIn(every_variant()), [](const auto& info) {
  std::string name = info.param.algorithm;
  for (const auto& [key, value] : info.param.set.items())
    name += "_" + key + "_" + (value.is_string() ? value.template get<std::string>() : value.dump());
  return name;
});

TEST(RoutingRegistration, HoldsThePapersRelationsAndReportsNoProblem) {
  for (const char* name : {"dimension_order", "oblivious", "star_channels", "four_classes", "linder_harden"})
    EXPECT_NE(RoutingRegistry::instance().find(name), nullptr) << name;
  EXPECT_TRUE(Catalog::instance().problems().empty());
}

}  // namespace
}  // namespace noctule::routing_test
