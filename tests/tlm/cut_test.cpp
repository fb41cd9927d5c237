// Do the levels at which no flit moves come near to the time of a transaction that meets its own pieces?

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tlm/blocking_support.h"
#include "tlm/levels_support.h"

namespace noctule::tlm::tlm_test {
namespace {

/// Transactions over several granules of two targets: what each took at the level, over what it takes in the
/// fabric. Reads and writes of each length, from each of the addresses on.
std::vector<double> cut_transactions(const std::string& level, std::vector<unsigned> targets,
                                     unsigned granule = 64,
                                     const std::vector<unsigned>& lengths = {65, 100, 128, 200, 256, 600,
                                                                             1000},
                                     const std::vector<unsigned>& addresses = {0, 8, 60}) {
  Platform platform;
  platform.targets = std::move(targets);
  platform.map = "  map:\n    - {base: 0, size: 64KiB, interleave: {granule: " + std::to_string(granule) +
                 ", over: [t0, t1]}}\n";
  Blocking exact(platform, {});
  platform.more = level;
  Blocking coarse(platform, {});
  for (Blocking* const one : {&exact, &coarse}) {
    one->data.resize(lengths.back());
    one->system.initiators[0]->body = [&, one](Initiator&) {
      for (const unsigned length : lengths)
        for (const unsigned local : addresses)
          for (const bool write : {false, true}) one->run({0, 0, length, write, local, sc_time(5, SC_NS)});
    };
  }
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  EXPECT_EQ(coarse.took.size(), 2 * lengths.size() * addresses.size());
  std::vector<double> ratios;
  for (std::size_t n = 0; n < coarse.took.size(); ++n) ratios.push_back(coarse.took[n] / exact.took[n]);
  return ratios;
}

/// Ratios of transactions of up to 256 bytes, which are up to six pieces, and of longer ones.
void expect_ratios(const std::vector<double>& ratios, double least, double most, double least_long,
                   double most_long) {
  constexpr std::size_t kLong = 30;
  for (std::size_t n = 0; n < ratios.size(); ++n) {
    EXPECT_GE(ratios[n], n < kLong ? least : least_long) << n;
    EXPECT_LE(ratios[n], n < kLong ? most : most_long) << n;
  }
}

TEST(LevelApproximate, ToldOfACutTransactionIsRight) {
  for (const double ratio : cut_transactions(key("approximate"), {15, 12})) EXPECT_EQ(ratio, 1);
}
TEST(LevelApproximate, ToldOfACutTransactionThatMeetsOthersOnOneLinkIsRight) {
  for (const double ratio : cut_transactions(key("approximate"), {1, 10})) EXPECT_EQ(ratio, 1);
}
TEST(LevelLoose, ToldOfACutTransactionIsRoughlyRight) {
  expect_ratios(cut_transactions(key("loose"), {15, 12}), 0.83, 1.12, 0.65, 1.1);
}

/// The response of a target that is near is there long before that of one that is far, which is asked first.
TEST(LevelApproximate, ToldOfACutTransactionOfANearAndAFarTarget) {
  for (const double ratio : cut_transactions(key("approximate"), {15, 1}, 256, {512, 1024, 1536}, {0, 40}))
    EXPECT_EQ(ratio, 1);
}
TEST(LevelLoose, ToldOfACutTransactionOfANearAndAFarTarget) {
  for (const double ratio : cut_transactions(key("loose"), {15, 1}, 256, {512, 1024, 1536}, {0, 40})) {
    EXPECT_GE(ratio, 0.8);
    EXPECT_LE(ratio, 1.005);
  }
}

/// The same platform once in the fabric, and once at each level without flits.
struct AllLevels {
  explicit AllLevels(const Platform& platform)
      : exact(platform, {}), approximate(at("approximate", platform), {}), loose(at("loose", platform), {}) {}
  static Platform at(const char* level, Platform platform) {
    platform.more = key(level);
    return platform;
  }
  Blocking exact;
  Blocking approximate;
  Blocking loose;
};

/// Targets in turns, and bytes of a granule: beats are cut where it ends.
class StreamsOverTwoTargets : public testing::TestWithParam<std::pair<std::array<unsigned, 2>, unsigned>> {};
INSTANTIATE_TEST_SUITE_P(
    Of, StreamsOverTwoTargets,
    testing::Values(std::pair(std::array{15U, 12U}, 256U), std::pair(std::array{15U, 1U}, 256U),
                    std::pair(std::array{1U, 10U}, 256U), std::pair(std::array{15U, 12U}, 64U),
                    std::pair(std::array{15U, 1U}, 64U), std::pair(std::array{1U, 10U}, 64U)));
TEST_P(StreamsOverTwoTargets, TakeNearlyTheSameAtLevelApproximate) {
  const auto& [targets, granule] = GetParam();
  Platform platform;
  platform.targets = {targets[0], targets[1]};
  platform.map = fmt::format(
      "  map:\n    - {{base: 0, size: 64KiB, interleave: {{granule: {}, over: [t0, t1]}}}}\n", granule);
  AllLevels levels(platform);
  for (Blocking* const one : {&levels.exact, &levels.approximate, &levels.loose}) {
    one->data.resize(10'000);
    one->system.initiators[0]->body = [one](Initiator&) {
      for (const unsigned width : {2U, 24U, 256U})
        for (const bool write : {false, true})
          for (const unsigned length : {256U, 1000U, 10'000U})
            for (const unsigned local : {0U, 40U})
              one->run({0, 0, length, write, local, sc_time(5, SC_NS), width});
    };
  }
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  ASSERT_EQ(levels.loose.took.size(), 36U);
  const bool fine = granule == 64;
  for (std::size_t n = 0; n < levels.exact.took.size(); ++n) {
    const double ratio = levels.approximate.took[n] / levels.exact.took[n];
    const bool write = n / 6 % 2 == 1;
    EXPECT_GE(ratio, write ? 1 : fine ? 0.84 : 0.96) << n;
    EXPECT_LE(ratio, write || !fine ? 1 : 1.37) << n;
    EXPECT_GE(levels.loose.took[n] / levels.exact.took[n], 0.6) << n;
    EXPECT_LE(levels.loose.took[n] / levels.exact.took[n], 1) << n;
  }
}

/// A byte more than a packet carries is one packet more, and nothing else.
TEST(AStream, BeyondAPacketTakesTheTimeOfItsBeatsAtEveryLevel) {
  Platform platform;
  AllLevels levels(platform);
  for (Blocking* const one : {&levels.exact, &levels.approximate, &levels.loose}) {
    one->data.resize(20000);
    one->system.initiators[0]->body = [one](Initiator&) {
      for (const unsigned width : {8U, 64U})
        for (const bool write : {false, true})
          for (const unsigned length : {4096U, 4097U, 20000U})
            one->run({0, 0, length, write, 0x40, sc_time(5, SC_NS), width});
    };
  }
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  ASSERT_EQ(levels.loose.took.size(), 12U);
  for (std::size_t n = 0; n < levels.loose.took.size(); ++n) {
    EXPECT_EQ(levels.approximate.took[n], levels.exact.took[n]) << n;
    EXPECT_NEAR(levels.loose.took[n] / levels.exact.took[n], 1, 0.03) << n;
    if (n % 3 == 1) {
      EXPECT_LT(levels.exact.took[n] / levels.exact.took[n - 1], 1.03) << n;
    }
  }
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
