#pragma once
// Resets in mid-run: when, and how a fabric is told.

#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "kernel/systemc.h"

namespace noctule {

/// `count` different cycles from 1 to cycles - 1 at most, ascending, drawn from the seed; fewer where there
/// are not so many.
[[nodiscard]] std::vector<Cycle> draw_resets(std::uint64_t seed, std::uint64_t count, Cycle cycles);

/// What is bound to Fabric::rst_ni: low, for one cycle of the period, in each of the cycles given.
class ResetLine final : public sc_core::sc_signal_in_if<bool> {
 public:
  ResetLine(std::vector<Cycle> cycles, const sc_core::sc_time& period)
      : cycles_(std::move(cycles)), period_(period) {}
  [[nodiscard]] const bool& read() const override;
  [[nodiscard]] const bool& get_data_ref() const override { return read(); }
  // A fabric reads the level in every cycle; nobody waits for edges.
  [[nodiscard]] const sc_core::sc_event& value_changed_event() const override { return never_; }
  [[nodiscard]] const sc_core::sc_event& posedge_event() const override { return never_; }
  [[nodiscard]] const sc_core::sc_event& negedge_event() const override { return never_; }
  [[nodiscard]] const sc_core::sc_event& default_event() const override { return never_; }
  [[nodiscard]] bool event() const override { return false; }
  [[nodiscard]] bool posedge() const override { return false; }
  [[nodiscard]] bool negedge() const override { return false; }

 private:
  std::vector<Cycle> cycles_;
  sc_core::sc_time period_;
  mutable bool level_ = true;
  sc_core::sc_event never_;
};

}  // namespace noctule
