#pragma once
// Routers in SystemVerilog, compiled by Verilator and loaded at run time: the shipped ones and a user's own
// alike.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rtl/pin_map.h"
#include "rtl/toggles.h"

namespace noctule {

/// What to compile.
struct RtlSource {
  std::string top;  ///< module with the pins of rtl/README.md; empty: the one named like the node model
  std::vector<std::filesystem::path> files;    ///< sources, in order; empty: the shipped router of that name
  std::vector<std::filesystem::path> folders;  ///< searched for modules and included files
  std::map<std::string, long> parameters;      ///< of the top, besides what the fabric says
  friend bool operator==(const RtlSource&, const RtlSource&) = default;
};

/// The parameters that the fabric itself gives a shipped router with these pins: widths, numbers of VCs,
/// depths, selection.
[[nodiscard]] std::map<std::string, long> hardware_parameters(const PinMap& map);

/// What the code of a router has found itself: an assertion that fails, $fatal, $error, $stop, $finish.
struct RtlFinding {
  std::string place;  ///< file:line
  std::string text;
};

/// An RTL router that runs. Once it has found something, its pins stay as they are.
class VerilatedRouter : public PinRouter {
 public:
  /// Null: nothing so far.
  [[nodiscard]] virtual const RtlFinding* finding() const = 0;
  /// Notes the value of every bit inside. Costs about as much as a clock edge.
  virtual void cover() = 0;
  /// Adds what was noted.
  virtual void tell_toggles(Toggles& inside) const = 0;
  /// Without a clock edge: `in` is put on the pins, `out` is what follows from that at once.
  virtual void settle(const std::uint64_t* in, std::uint64_t* out) = 0;
  /// Waveforms of all signals inside, if compiled for that: opened once, then dumped after each step. The
  /// file is whole when it is closed.
  virtual void open_trace(const std::filesystem::path& file) = 0;
  virtual void dump(std::uint64_t time) = 0;
  virtual void close_trace() = 0;
};

/// Told the name of a module that Verilator and a C++ compiler are about to be run for, which takes seconds
/// to a minute; not of one that was compiled before.
using Compiling = std::function<void(const std::string& module)>;

/// The routers that are RTL, in groups that one module serves: of one node and one source. `rtl`: by
/// RouterId. `apart`: one that has a group of its own.
[[nodiscard]] std::vector<std::vector<RouterId>> rtl_groups(const FabricPlan& plan,
                                                            const std::vector<std::optional<RtlSource>>& rtl,
                                                            std::optional<RouterId> apart = {});

/// The source of such a group with all that is not given: where it names no files, those of the shipped
/// router. Throws ConfigError as shipped_obstacle does, and (key "nodes") where there is no such file or
/// router. Compiles nothing.
[[nodiscard]] RtlSource complete_source(RtlSource source, const FabricPlan& plan,
                                        std::span<const RouterId> routers, const PinMap& map);

/// A compiled router; any number of instances.
class Dut {
 public:
  enum class Form : std::uint8_t {
    kFast,
    kTraced,  ///< for waveforms of what is inside; compiles fast, runs slowly
    kBare,    ///< without the harness that holds the position: what Verilator makes of the module alone
  };
  virtual ~Dut() = default;
  /// All that it holds starts at random: by the seed and the names of its signals, so alike in all forms.
  [[nodiscard]] virtual std::unique_ptr<VerilatedRouter> create(const std::string& instance,
                                                                std::uint64_t seed) const = 0;
  [[nodiscard]] virtual const RtlSource& source() const = 0;
  [[nodiscard]] virtual const std::shared_ptr<const PinMap>& pins() const = 0;
  /// Input pins that this router does not have (positions) are ignored.
  [[nodiscard]] virtual const std::vector<std::string>& absent() const = 0;

  /// For these routers, which have one node: compiles, or finds what was compiled before (dut_cache.h).
  /// Throws ConfigError as PinMap and complete_source do, and (key "nodes") where Verilator or a compiler is
  /// not installed, the source has errors, or its pins are not those of the routers.
  static std::shared_ptr<const Dut> build(const RtlSource& source, const FabricPlan& plan,
                                          std::span<const RouterId> routers, Form form = Form::kFast,
                                          const Compiling& compiling = {});
};

/// Is there all that Dut::build needs? Empty: yes; else what to install.
[[nodiscard]] std::string missing_rtl_tools();

}  // namespace noctule
