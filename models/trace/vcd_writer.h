#pragma once
// Value change dump (IEEE 1364-2005, clause 18), written directly: only what changed, at exact times,
// starting anywhere in a run.
//
//   VcdWriter vcd("run.vcd", "1 ns", 1);
//   const auto full = vcd.add("fabric.router_0_0.link_0", "valid", 1, VcdWriter::Kind::kWire);
//   vcd.end_definitions();
//   vcd.begin(7); vcd.set(full, 1); ...   // all values at #7: the first time becomes the $dumpvars section
//   vcd.begin(8); vcd.set(full, 0); ...
//   vcd.finish(9);                        // the values of #8 last until #9
//   vcd.close();

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "trace/output_file.h"

namespace noctule {

/// The scopes that a dotted name stands for, outermost first.
std::vector<std::string> scopes_of(const std::string& dotted);

class VcdWriter {
 public:
  enum class Kind : std::uint8_t { kWire, kReg };
  enum class Variable : std::uint32_t {};
  /// A variable that was never added; setting it does nothing.
  static constexpr Variable kNone{0xffff'ffffU};
  /// Value of a variable that nothing drives ("z").
  static constexpr std::uint64_t kUndriven = ~std::uint64_t{0};
  static constexpr unsigned kMostBits = 63;

  /// `timescale`: unit of the file, e.g. "1 ns"; `step`: units per cycle.
  VcdWriter(std::string path, const std::string& timescale, std::uint64_t step);

  /// Declares a variable of 1 to kMostBits bits in a scope with a dotted name. Scopes are opened and closed
  /// as needed: declare what belongs together in a row. Until it is set a variable is undriven.
  Variable add(const std::string& scope, const std::string& name, unsigned bits, Kind kind);
  void end_definitions();

  /// What is set from now on is so from cycle t on; t never decreases.
  void begin(Cycle t);
  void set(Variable variable, std::uint64_t value) {
    if (variable == kNone) return;
    auto& v = variables_[index(variable)];
    if (v.value == value) return;
    v.value = value;
    if (dumped_) change(v);
  }
  /// Nothing more is set; the last values hold until cycle t.
  void finish(Cycle t);
  /// Throws ConfigError if the file could not be written. May be called again.
  void close() { file_.close(); }

  [[nodiscard]] std::size_t variables() const { return variables_.size(); }
  [[nodiscard]] std::uint64_t step() const { return step_; }
  [[nodiscard]] const std::string& path() const { return file_.path(); }
  /// See OutputFile.
  void discard() noexcept { file_.discard(); }

 private:
  struct Entry {
    std::uint64_t value = kUndriven;
    std::uint32_t id = 0;
    std::uint8_t bits = 1;
  };

  void change(const Entry& entry);
  void write_value(const Entry& entry);
  void write_time(Cycle t);
  void move_to(const std::vector<std::string>& scope);
  void dump();

  OutputFile file_;
  std::uint64_t step_;
  std::vector<Entry> variables_;
  std::vector<std::string> open_;
  Cycle now_ = 0;
  Cycle written_ = kNever;  ///< last time in the file
  bool begun_ = false;
  bool dumped_ = false;
  bool finished_ = false;
};

/// A name as the tools that read value change dumps take it: letters, digits and "_"; "+" and "-" become "p"
/// and "m".
std::string vcd_name(std::string_view name);

/// Bits that hold the numbers below `count`, at least one.
unsigned bits_for(std::uint64_t count);

}  // namespace noctule
