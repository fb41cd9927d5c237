#pragma once
// What a command does now, where that may take long: a line on a terminal that the next one replaces, nothing
// elsewhere.

#include <cstdio>
#include <string>

#include "rtl/dut.h"

namespace noctule {

/// Writes a line that stays for each module that Verilator is run for; nothing if `quiet`.
[[nodiscard]] Compiling say_compiling(bool quiet);

class StageLine {
 public:
  /// `quiet`: says nothing.
  explicit StageLine(bool quiet);
  ~StageLine() { clear(); }
  StageLine(const StageLine&) = delete;
  StageLine& operator=(const StageLine&) = delete;

  void say(const std::string& text);
  /// Takes the line away, before anything else is written.
  void clear();

 private:
  bool shown_;
  bool on_screen_ = false;
};

}  // namespace noctule
