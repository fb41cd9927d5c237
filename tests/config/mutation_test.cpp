// Does decoding give every mutation of the examples its expected verdict, on the right line?

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "config/config_support.h"
#include "support/mutate.h"

namespace noctule {
namespace {

using testing::all_text;
using testing::faults_of;

const std::array<std::string, 4> kExamples{
    "topology: {kind: torus, radix: [4, 4]}\nnode: star_channels\ntraffic: {offered_load: 0.1, "
    "packet_length: 4}\n",
    "topology: {kind: mesh, radix: [4, 4]}\nnode: {model: generic, lanes: 4, connections_per_cycle: 1}\n"
    "traffic:\n  pattern: {kind: hotspot, nodes: [3]}\n  packet_lengths: [{length: 2}, {length: 6, weight: "
    "2}]\n"
    "sweep:\n  traffic.offered_load: {from: 0.01, to: 0.03, step: 0.01}\n",
    "topology: {kind: torus, radix: [5, 5]}\nseed: 3\ntraffic: {pattern: transpose, load_unit: normalized}\n"
    "compare:\n  - {label: a, set: {node: four_classes}}\n  - {label: b, set: {node: linder_harden}}\n",
    "topology: {kind: k_ary_n_cube, radix: [4, 3], wrap: [true, false]}\nrouting: {vc_rule: wrapped_bit}\n"
    "traffic: {source: static}\nmeasurement: {warm_up: 0, cycles: 1000, batches: 10}\n"};

/// The environment sets how many are drawn; config.mutations.all draws 10,000.
std::uint64_t count() {
  const char* text = std::getenv("NOCTULE_FUZZ");
  return text == nullptr ? 1000 : std::strtoull(text, nullptr, 10);
}

bool on_line(const Diagnostic& d, const std::vector<int>& lines) {
  return std::ranges::any_of(
      lines, [&](int line) { return line > 0 && d.place.starts_with("file:" + std::to_string(line) + ":"); });
}

TEST(EveryMutation, GetsItsVerdict) {
  std::map<Legality, std::uint64_t> drawn;
  int wrong = 0;
  for (std::uint64_t n = 0; n < count() && wrong < 10; ++n) {
    Rng rng(n, "mutations");
    const auto m = mutate(kExamples[n % kExamples.size()], rng);
    ++drawn[m.verdict];
    const auto found = faults_of(m.yaml);
    const bool refused = std::ranges::any_of(found, [&](const Diagnostic& d) { return on_line(d, m.lines); });
    const bool right = m.verdict == Legality::kLegal ? found.empty() : refused;
    EXPECT_TRUE(right) << "mutation " << n << " of " << m.key << " is " << to_string(m.verdict) << " in line "
                       << m.lines.front() << " of\n"
                       << m.yaml << "but decoding says\n"
                       << all_text(found);
    wrong += right ? 0 : 1;
  }
  for (const auto verdict : {Legality::kLegal, Legality::kUnknownKey, Legality::kMistyped,
                             Legality::kOutOfRange, Legality::kContradictory})
    EXPECT_GT(drawn[verdict], count() / 20) << to_string(verdict);
}

TEST(EveryMutation, OfOneSeedIsTheSame) {
  Rng first(7, "mutations");
  Rng second(7, "mutations");
  EXPECT_EQ(mutate(kExamples[0], first).yaml, mutate(kExamples[0], second).yaml);
}

/// Text-level noise: no verdict but that there is one.
TEST(Noise, IsSurvived) {
  for (std::uint64_t n = 0; n < count(); ++n) {
    Rng rng(n, "noise");
    std::string text = kExamples[n % kExamples.size()];
    for (std::uint64_t edits = 1 + rng.below(4); edits > 0; --edits) {
      const std::size_t at = rng.below(text.size());
      static constexpr std::string_view kBytes = "[]{}:,-#&*!|>'\"%@`?\n\t 0aZ~<=\\\x01\xff";
      switch (rng.below(3)) {
        case 0:
          text.erase(at, 1 + rng.below(5));
          break;
        case 1:
          text.insert(at, 1, kBytes[rng.below(kBytes.size())]);
          break;
        default:
          text[at] = kBytes[rng.below(kBytes.size())];
      }
      if (text.empty()) text = " ";
    }
    for (const auto& d : faults_of(text)) EXPECT_FALSE(d.message.empty()) << text;
  }
}

}  // namespace
}  // namespace noctule
