// Is the waveform of a lone worm the cycle diagram of the paper's rules? (Gravano et al. 1994, V.C.)
//
// A header injected in cycle t0 is seen in the injection buffer at t0+1; every crossbar and every link takes
// it one buffer further and costs a cycle: d links mean 2(d+1) buffers. A buffer that was emptied takes a
// flit one cycle later, so flits follow each other every 2 cycles, and the tail of b flits is consumed 2(d+b)
// cycles after t0.

#include <set>

#include "support/vcd_reader.h"
#include "trace/trace_support.h"

namespace noctule::trace_test {
namespace {

struct Worm {
  std::string routing;
  unsigned x, y;  ///< destination; the source is (0, 0)
  std::uint32_t length;
};

class LoneWorm : public TraceTest, public testing::WithParamInterface<Worm> {};

/// (router, "input_buffers" | "output_buffers", port) of every buffer on the way, X first, the short way
/// round.
std::vector<std::array<std::string, 3>> dimension_order_path(unsigned k, unsigned x, unsigned y) {
  std::vector<std::array<std::string, 3>> path;
  unsigned at[2] = {0, 0};
  const unsigned to[2] = {x, y};
  const auto name = [&] { return "router_" + std::to_string(at[0]) + "_" + std::to_string(at[1]); };
  path.push_back({name(), "input_buffers", "injection"});
  for (int d = 0; d < 2; ++d) {
    const bool plus = (to[d] + k - at[d]) % k * 2 < k;
    const std::string port = std::string(d == 0 ? "x" : "y") + (plus ? "_plus" : "_minus");
    while (at[d] != to[d]) {
      path.push_back({name(), "output_buffers", port});
      at[d] = (at[d] + (plus ? 1 : k - 1)) % k;
      path.push_back({name(), "input_buffers", port});
    }
  }
  path.push_back({name(), "output_buffers", "consumption"});
  return path;
}

/// Buffer signals "flit_valid": (router, block, port) from their names.
std::array<std::string, 3> place_of(const std::string& name) {
  std::array<std::string, 3> place;
  std::stringstream parts(name.substr(name.find('.') + 1));
  for (auto& part : place) std::getline(parts, part, '.');
  return place;
}

TEST_P(LoneWorm, IsTheDiagramOfTheRules) {
  const Worm worm = GetParam();
  const Cycle t0 = 7;
  constexpr unsigned kRadix = 4;
  Fabric fabric("fabric", plan(kRadix, true, worm.routing), observed());
  auto source = std::make_shared<ListSource>();
  source->add(t0, 0, worm.x + kRadix * worm.y, worm.length);
  fabric.attach(source);
  TraceSession session({file("a.vcd"), "", file("e.csv"), {"*"}, {}}, fabric);
  run(100);
  session.close();
  ASSERT_TRUE(fabric.drained());

  const test::VcdFile vcd(file("a.vcd"));
  const unsigned d = fabric.plan().relation->hops(RouterId{0}, RouterId{worm.x + kRadix * worm.y});
  // Which flit is in a buffer of the given stage (0: injection, 2d+1: consumption) at which time.
  std::map<Cycle, std::multiset<std::pair<std::string, unsigned>>> expected;
  for (unsigned f = 0; f < worm.length; ++f)
    for (unsigned stage = 0; stage < 2 * (d + 1); ++stage)
      expected[t0 + 1 + stage + 2 * f].insert({stage % 2 == 0 ? "input_buffers" : "output_buffers", f});
  std::map<Cycle, std::multiset<std::pair<std::string, unsigned>>> shown;
  std::map<std::pair<Cycle, unsigned>, std::array<std::string, 3>> where;
  const std::string suffix = ".flit_valid";
  for (const auto& [name, signal] : vcd.signals) {
    if (!name.ends_with(suffix)) continue;
    const std::string stem = name.substr(0, name.size() - suffix.size());
    const auto valid = signal.dense(0, 100);
    for (Cycle t = 0; t < 100; ++t) {
      if (valid[t] != 1U) {
        EXPECT_EQ(vcd[stem + ".packet"].text_at(t), "z");
        EXPECT_EQ(vcd[stem + ".type"].at(t), 0U);
        EXPECT_EQ(vcd[stem + ".number"].text_at(t), "z");
        continue;
      }
      const auto f = static_cast<unsigned>(*vcd[stem + ".number"].at(t));
      shown[t].insert({place_of(name)[1], f});
      where[{t, f}] = place_of(name);
      EXPECT_EQ(vcd[stem + ".packet"].at(t), 0U);  // the first packet of terminal 0
      EXPECT_EQ(vcd[stem + ".source"].at(t), 0U);
      EXPECT_EQ(vcd[stem + ".destination"].at(t), worm.x + kRadix * worm.y);
      const unsigned type = worm.length == 1 ? 4 : f == 0 ? 1 : f + 1 == worm.length ? 3 : 2;
      EXPECT_EQ(vcd[stem + ".type"].at(t), type);
    }
  }
  EXPECT_EQ(shown, expected);
  if (worm.routing == "dimension_order") {
    const auto path = dimension_order_path(kRadix, worm.x, worm.y);
    ASSERT_EQ(path.size(), 2 * (d + 1));
    for (unsigned f = 0; f < worm.length; ++f)
      for (unsigned stage = 0; stage < path.size(); ++stage)
        EXPECT_EQ((where[{t0 + 1 + stage + 2 * f, f}]), path[stage]) << "flit " << f << " stage " << stage;
  }
  // The wires: one grant per router on the way, in the cycle in which the header is first seen there.
  std::set<Cycle> grants, consumed;
  for (const auto& [name, signal] : vcd.signals)
    for (Cycle t = 0; t < 100; ++t) {
      if (signal.at(t) != 1U) continue;
      const bool grant = name.find("grant_") != std::string::npos && name.ends_with("valid");
      EXPECT_TRUE(!grant || grants.insert(t).second);
      EXPECT_TRUE(!name.ends_with(".consumption.valid") || consumed.insert(t).second);
    }
  std::set<Cycle> expected_grants, expected_consumed;
  for (unsigned r = 0; r <= d; ++r) expected_grants.insert(t0 + 1 + 2 * r);
  for (unsigned f = 0; f < worm.length; ++f) expected_consumed.insert(t0 + 2 * (d + 1 + f));
  EXPECT_EQ(grants, expected_grants);
  EXPECT_EQ(consumed, expected_consumed);
  EXPECT_EQ(*consumed.rbegin(), t0 + 2 * (d + worm.length));
}

INSTANTIATE_TEST_SUITE_P(Torus4x4, LoneWorm,
                         testing::Values(Worm{"dimension_order", 1, 0, 1}, Worm{"dimension_order", 1, 1, 5},
                                         Worm{"dimension_order", 3, 1, 3}, Worm{"dimension_order", 0, 3, 2},
                                         Worm{"star_channels", 1, 3, 5}, Worm{"star_channels", 2, 2, 4},
                                         Worm{"four_classes", 3, 1, 5}, Worm{"four_classes", 2, 1, 1},
                                         Worm{"linder_harden", 1, 1, 6}, Worm{"linder_harden", 2, 3, 3},
                                         Worm{"oblivious", 1, 2, 4}),
                         [](const auto& test) {
                           const Worm& w = test.param;
                           return w.routing + "_" + std::to_string(w.x) + "_" + std::to_string(w.y) + "_" +
                                  std::to_string(w.length);
                         });

}  // namespace
}  // namespace noctule::trace_test
