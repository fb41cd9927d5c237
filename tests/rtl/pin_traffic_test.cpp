// Are the surroundings legal, and does the reference router get along with them? Traffic and reference check
// each other: each refuses what is illegal on its inputs.

#include "rtl/pin_traffic.h"
#include "core/json.h"

#include <gmock/gmock.h>

#include <bit>
#include <map>

#include "rtl/lockstep.h"
#include "rtl/rtl_support.h"

namespace noctule::rtl_test {
namespace {

struct Scene {
  std::string name;
  Setting setting;
  std::vector<unsigned> at;
};
void PrintTo(const Scene& s, std::ostream* out) {
  *out << s.name;
}

Setting shallow_queues() {
  auto setting = input_queued();
  setting.node.update(Json{{"lanes", 2}, {"input_depth", 1}, {"injection_vcs", 1}, {"consumption_vcs", 1}});
  return setting;
}
Setting matched() {
  auto setting = unit({{"lanes", 3}, {"vc_allocator", "separable_input_first"}});
  setting.node["selection"] = "random";
  return setting;
}

std::vector<Scene> scenes() {
  return {{"star_channels", star_channels(), {1, 2}},
          {"star_channels_corner", star_channels(5), {4, 0}},
          {"four_classes", four_classes(), {0, 3}},
          {"linder_harden", linder_harden(), {3, 3}},
          {"oblivious", oblivious(5), {2, 4}},
          {"input_queued", input_queued(), {1, 1}},
          {"input_queued_edge", input_queued(), {3, 2}},
          {"two_classes", two_classes(), {1, 1}},
          {"shallow_queues", shallow_queues(), {2, 2}},
          {"unit", unit({{"lanes", 2}}), {1, 2}},
          {"tail_left", unit({{"lanes", 2}, {"release", "tail_left"}, {"connections_per_cycle", 2}}), {0, 0}},
          {"matched", matched(), {1, 2}}};
}

/// A router in its surroundings; keeps account of what is on its pins by the rules of the pins alone.
class Arena {
 public:
  Arena(const Scene& scene, PinTrafficOptions options)
      : bench(scene.setting, scene.at),
        traffic(bench.map, bench.plan, bench.id, std::move(options)),
        pins(*bench.map, *bench.plan.routers[index(bench.id)]),
        plan(*bench.plan.routers[index(bench.id)]),
        credits(plan.inputs.size(), bench.plan.common_node().input_depth),
        worms(plan.inputs.size(), -1) {
    traffic.reset(bench.in.data());
  }
  void step() {
    auto next = bench.in;
    traffic.step(bench.out.data(), next.data());
    const auto out = bench.out;
    bench.router->step(bench.in.data(), bench.out.data());
    account(out, bench.in);
    bench.in = next;
    ++bench.cycle;
  }
  void account(const std::vector<std::uint64_t>& out, const std::vector<std::uint64_t>& in) {
    const FlitFormat& format = bench.map->format();
    for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
      const LinkPins& link = *pins.input[i];
      const std::uint64_t bit = std::uint64_t{1} << pins.input_bit[i];
      const std::uint64_t vc = link.vc == LinkPins::kAbsent ? in[link.valid] : in[link.vc];
      ASSERT_LE(std::popcount(vc), 1);
      ASSERT_EQ(std::popcount(vc), static_cast<int>(in[link.valid]));
      if ((vc & bit) != 0) {
        ASSERT_GT(credits[i], 0U) << plan.inputs[i].name;
        --credits[i];
        ++sent[i];
        const auto tag = static_cast<int>(format.packet(in[link.flit]));
        ASSERT_EQ(format.head(in[link.flit]), worms[i] < 0);
        ASSERT_TRUE(worms[i] < 0 || worms[i] == tag);
        worms[i] = format.tail(in[link.flit]) ? -1 : tag;
      }
      if ((out[link.credit] & bit) != 0) ++credits[i];  // counts from the next cycle on
      ASSERT_LE(credits[i], bench.plan.common_node().input_depth);
    }
    for (std::size_t o = 0; o < plan.link_outputs(); ++o) {
      const std::uint64_t bit = std::uint64_t{1} << pins.output_bit[o];
      behind[o] += (out[pins.output[o]->vc] & bit) != 0 ? 1 : 0;
      if (in[pins.output[o]->credit] & bit) --behind[o];
      // What arrives in this cycle cannot have left again in it.
      ASSERT_GE(behind[o], (out[pins.output[o]->vc] & bit) != 0 ? 1 : 0);
    }
  }

  Bench<> bench;
  PinTraffic traffic;
  RouterPins pins;
  const RouterPlan& plan;
  std::vector<unsigned> credits;         ///< [input]
  std::vector<int> worms;                ///< [input]: tag of the one under way
  std::map<std::size_t, unsigned> sent;  ///< flits by input
  std::map<std::size_t, int> behind;     ///< flits in the buffer behind an output
};

class TrafficAtPins : public testing::TestWithParam<Scene> {};

TEST_P(TrafficAtPins, IsLegalReachesEveryInputAndComesOutAgain) {
  for (const double load : {0.1, 0.6, 1.0}) {
    PinTrafficOptions options;
    options.load = load;
    options.seed = 17;
    Arena arena(GetParam(), options);
    for (int c = 0; c < 6000 && !HasFatalFailure(); ++c) arena.step();
    for (std::size_t i = 0; i < arena.plan.inputs.size(); ++i) {
      EXPECT_TRUE(arena.traffic.usable()[i]) << arena.plan.inputs[i].name;
      EXPECT_GT(arena.sent[i], 0U) << arena.plan.inputs[i].name;
    }
    EXPECT_GT(arena.traffic.flits_in(), 1000U);
    arena.traffic.drain();
    for (int c = 0; c < 5000 && !arena.traffic.idle(); ++c) arena.step();
    EXPECT_TRUE(arena.traffic.idle());
    EXPECT_EQ(arena.traffic.flits_in(), arena.traffic.flits_out());
  }
}

TEST_P(TrafficAtPins, DependsOnItsSeedAlone) {
  PinTrafficOptions options;
  Arena one(GetParam(), options);
  Arena two(GetParam(), options);
  options.seed = 2;
  Arena other(GetParam(), options);
  Lockstep step(one.bench.map, one.bench.id, "router");
  bool differs = false;
  for (int c = 0; c < 1000; ++c) {
    ASSERT_EQ(one.bench.in, two.bench.in);
    ASSERT_TRUE(
        step.compare(one.bench.cycle, one.bench.in.data(), one.bench.out.data(), two.bench.out.data()));
    differs = differs || one.bench.in != other.bench.in;
    one.step();
    two.step();
    other.step();
  }
  EXPECT_TRUE(differs);
}

INSTANTIATE_TEST_SUITE_P(Routers, TrafficAtPins, testing::ValuesIn(scenes()),
                         [](const auto& info) { return info.param.name; });

// Headers are such as can arrive: on a mesh with dimension order nothing that has still to go in x comes in
// y.
TEST(TrafficAtPinsOfAMesh, BringsHeadersThatMayArriveThere) {
  Arena arena({"unit", unit(), {1, 1}}, {});
  const FlitFormat& format = arena.bench.map->format();
  int seen = 0;
  for (int c = 0; c < 4000; ++c) {
    arena.step();
    const auto& in = arena.bench.in;
    for (const LinkPins& link : arena.bench.map->inbound()) {
      if (in[link.valid] == 0 || !format.head(in[link.flit])) continue;
      const unsigned x = format.destination(in[link.flit], 0);
      const unsigned y = format.destination(in[link.flit], 1);
      ++seen;
      const bool may = link.name == "x_plus"    ? x >= 1
                       : link.name == "x_minus" ? x <= 1
                       : link.name == "y_plus"  ? x == 1 && y >= 1
                                                : x == 1 && y <= 1;
      EXPECT_TRUE(may) << link.name << " to " << x << ',' << y;
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(TrafficAtPinsOfAMesh, BringsClassesOnTheirLanes) {
  Arena arena({"two_classes", two_classes(), {1, 1}}, {});
  const FlitFormat& format = arena.bench.map->format();
  std::map<std::pair<int, std::uint64_t>, int> seen;  // by class and lane, from links
  std::map<int, std::uint64_t> injected;              // lanes by class
  for (int c = 0; c < 6000; ++c) {
    arena.step();
    const auto& in = arena.bench.in;
    for (const LinkPins& link : arena.bench.map->inbound())
      if (in[link.valid] != 0 && format.head(in[link.flit]))
        ++seen[{format.message_class(in[link.flit]), in[link.vc]}];
    const LinkPins& own = arena.bench.map->injection();
    if (in[own.valid] != 0 && format.head(in[own.flit]))
      injected[format.message_class(in[own.flit])] |= in[own.vc];
  }
  EXPECT_EQ(seen.size(), 4U);
  for (const auto& [what, count] : seen) {
    EXPECT_NE(what.second & (what.first == 0 ? 0b0011U : 0b1100U), 0U);
    EXPECT_GT(count, 100);
  }
  EXPECT_EQ(injected[0], 0b1111U);
  EXPECT_EQ(injected[1], 0b1111U);
}

TEST(TrafficAtPinsOfAMesh, RefusesWhatARouterMustNotDo) {
  Bench<> b(unit(), {1, 1});
  PinTraffic traffic(b.map, b.plan, b.id, {});
  const auto expect_refused = [&](const std::vector<std::pair<std::string, std::uint64_t>>& pins) {
    traffic.reset(b.in.data());
    std::vector<std::uint64_t> out(b.map->outputs().size());
    for (const auto& [name, value] : pins)
      for (std::size_t p = 0; p < out.size(); ++p)
        if (b.map->outputs()[p].name == name) out[p] = value;
    EXPECT_THROW(
        {
          for (int c = 0; c < 2; ++c) traffic.step(out.data(), b.in.data());
        },
        InternalError)
        << pins.front().first;
  };
  const std::uint64_t header = b.flit({1, {3, 1}, 3}, 0);
  const std::uint64_t body = b.flit({1, {3, 1}, 3}, 1);
  expect_refused({{"x_plus_credit_o", 1}});
  expect_refused({{"injection_credit_o", 1}});
  expect_refused({{"x_plus_valid_o", 1}, {"x_plus_vc_o", 0}, {"x_plus_flit_o", header}});
  expect_refused({{"x_plus_valid_o", 1}, {"x_plus_vc_o", 1}, {"x_plus_flit_o", body}});
  expect_refused({{"x_plus_valid_o", 1}, {"x_plus_vc_o", 1}, {"x_plus_flit_o", header}});  // twice
  expect_refused({{"consumption_valid_o", 1}, {"consumption_flit_o", body}});
  PinTrafficOptions none;
  none.lengths = {};
  EXPECT_THROW(PinTraffic(b.map, b.plan, b.id, none), InternalError);
}

// A buffer that nobody empties fills up, and then no flit comes without a credit: 100 cycles of waiting each.
TEST(TrafficAtPinsOfAMesh, GivesCreditsLate) {
  PinTrafficOptions options;
  options.prompt = 0;
  options.longest_wait = 100;
  options.load = 1;
  Arena arena({"input_queued", input_queued(), {1, 1}}, options);
  for (int c = 0; c < 3000 && !testing::Test::HasFatalFailure(); ++c) arena.step();
  int full = 0;
  for (const auto& [output, flits] : arena.behind) full += flits == 8 ? 1 : 0;
  EXPECT_GT(full, 4);
}

}  // namespace
}  // namespace noctule::rtl_test
