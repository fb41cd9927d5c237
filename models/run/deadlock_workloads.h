#pragma once
// What is simulated to bring about a deadlock: the traffic of each attempt, from the most pointed to the most
// general.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "verify/certificate.h"

namespace noctule {

struct DeadlockWorkload {
  std::string how;                 ///< for people: "overload with packets of 4 flits"
  Json traffic;                    ///< section `traffic`; without a source where `trace` says what is sent
  std::string trace;               ///< content of a trace file; empty: none
  Cycle cycles = 0;                ///< at most
  Cycle interval = 0;              ///< cycles between two looks for a deadlock
  std::uint64_t seed = 0;          ///< added to that of the point
  std::vector<WitnessWorm> worms;  ///< of the witness, if these are what is sent
};

/// The attempts in their order; each call of `next` gives those that may run at once. Same certificate, same
/// attempts.
class DeadlockWorkloads {
 public:
  explicit DeadlockWorkloads(const Certificate& certificate);

  /// Empty: there are no more.
  [[nodiscard]] std::vector<DeadlockWorkload> next();

 private:
  void add_witness();
  void add_messages(unsigned first, unsigned end);
  void add_overload(std::uint64_t round, Cycle cycles);
  void add_closed_loops(std::uint64_t round, Cycle cycles);
  void add_all(std::vector<DeadlockWorkload> all);

  const Certificate& certificate_;
  std::vector<std::vector<DeadlockWorkload>> rounds_;
  std::size_t at_ = 0;
};

}  // namespace noctule
