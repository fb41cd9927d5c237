// Random transactions of four initiators, by both interfaces, against flat memory.

#include "tlm/random_support.h"

#include <cstdlib>

namespace noctule::tlm::tlm_test {
namespace {

/// Transactions in all: NOCTULE_TLM_TRANSACTIONS, or what every day has time for.
std::uint64_t transactions() {
  const char* const given = std::getenv("NOCTULE_TLM_TRANSACTIONS");
  return given == nullptr ? 100'000 : std::strtoull(given, nullptr, 10);
}

class RandomTransactions : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(At, RandomTransactions, testing::ValuesIn(kLevels));

TEST_P(RandomTransactions, LeaveWhatFlatMemoryLeaves) {
  Platform platform = random_platform();
  const bool grants_dmi = std::string(GetParam()) != "approximate";
  platform.more = fmt::format("  level: {}\n  dmi: {}\n", GetParam(), grants_dmi ? "granted" : "by_level");
  CheckedSystem system(platform);
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  system.network->rst_ni(rst_n);
  FlatModel model;
  model.grants_dmi = grants_dmi;
  Payloads payloads;
  bool requesting[kInitiators] = {};
  std::deque<MoodyMemory> moods;
  for (std::size_t t = 0; t < 3; ++t) moods.emplace_back(unique("moods").c_str(), *system.memories[t], t);
  for (auto& memory : system.memories) {
    memory->latency = sc_time(6, SC_NS);
    memory->waits = true;
    memory->dmi_last = 0xffff;
  }
  std::deque<Worker> workers;
  for (unsigned i = 0; i < kInitiators; ++i)
    for (unsigned w = 0; w < 3; ++w)
      workers.emplace_back(unique("worker").c_str(), *system.initiators[i], i, w != 0, model, payloads,
                           requesting[i], i * 3 + w);
  const auto busy = [&] {
    return model.left > 0 || system.network->open() > 0 ||
           std::ranges::any_of(workers, [](const Worker& w) { return w.open() > 0; });
  };
  const std::uint64_t all = transactions();
  constexpr std::uint64_t kRound = 5000;
  Rng rng(1, "resets");
  for (std::uint64_t begun = 0, round = 0; begun < all; ++round) {
    model.left = std::min(kRound, all - begun);
    begun += model.left;
    if (round % 4 == 3) {
      sc_core::sc_start(sc_time(static_cast<double>(5000 + rng.below(5000)), SC_NS));
      ++model.resets;
      model.dirty = true;
      rst_n.write(false);
      sc_core::sc_start(sc_time(static_cast<double>(2 + rng.below(30)), SC_NS));
      rst_n.write(true);
    }
    for (int n = 0; n < 5000 && busy(); ++n) sc_core::sc_start(sc_time(1, sc_core::SC_US));
    ASSERT_FALSE(busy()) << "round " << round << ": " << system.network->open() << " transactions do not end";
    // All of memory, past the fabric, through one socket.
    for (const auto& range : kRanges) {
      std::vector<unsigned char> bytes(range.size + 8);
      Payload p;
      Payloads::fill(p, false, range.base, bytes.data(), static_cast<unsigned>(range.size));
      ASSERT_EQ(system.initiators[round % kInitiators]->socket->transport_dbg(p), range.size);
      for (std::uint64_t i = 0; i < range.size; ++i) {
        unsigned char& known = model.bytes[range.base + i];
        if (model.dirty) {
          known = bytes[i];
        } else if (known != bytes[i]) {
          ++model.differences;
        }
        model.ever[range.base + i].reset();
        model.ever[range.base + i].set(known);
      }
    }
    model.dirty = false;
    ASSERT_EQ(model.differences, 0U) << "round " << round;
  }
  EXPECT_EQ(model.done, all);
  EXPECT_GT(model.compared, all / 2);
  EXPECT_GT(model.debug, all / 1000);
  EXPECT_EQ(model.dmi > all / 1000, grants_dmi);
  if (all >= 40'000) {
    EXPECT_GT(model.errors, 0U);
  }
  EXPECT_GT(system.network->counters().packets, 2 * all);
  EXPECT_GT(system.network->counters().refused, all / 500);
  system.expect_clean(payloads);
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
