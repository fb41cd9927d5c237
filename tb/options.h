#pragma once
// What a noctule command line says.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace noctule {

/// Options that every command takes. Paths are the user's, relative to his working directory.
struct Options {
  std::string command;                 ///< "run", "check", ...: the function of that name below
  std::string format;                  ///< import: booksim or noxim
  std::string file;                    ///< configuration; list: kind or name; plug-in: C++
  std::vector<std::string> sets;       ///< --set key.path=value
  std::vector<std::string> axes;       ///< --axis key=list or key=from:to:step
  std::string out;                     ///< --out DIR; empty: out/<name of the file>
  std::string events;                  ///< --events FILE
  std::string trace;                   ///< levels --trace FILE
  std::string calibrate;               ///< levels --calibrate OUT
  std::optional<std::string> seed;     ///< as given
  unsigned threads = 0;                ///< points at once; 0: one per core
  std::vector<std::string> libraries;  ///< --load LIB
  bool json = false;
  bool quiet = false;
  bool progress = false;                  ///< --progress: lines where there is no terminal
  bool fresh = false;                     ///< --fresh: do not take over points of an earlier run
  bool reference = false;                 ///< list --reference
  bool pins = false;                      ///< cosim --pins
  bool saturation = false;                ///< explore --saturation
  bool draw = false;                      ///< check --draw
  bool prove = false;                     ///< explain --prove
  bool trials = false;                    ///< explain --try
  std::optional<std::uint64_t> message;   ///< explain --message, flits
  std::optional<std::uint64_t> overhead;  ///< explain --overhead, flits
  std::vector<std::string> words;         ///< import: the file, and KEY=VALUE
};

/// Exit codes of the program (tb/README.md, "Exit codes").
inline constexpr int kDone = 0;
inline constexpr int kDoesNotHold = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInternal = 3;
inline constexpr int kInterrupted = 130;

int run_command(const Options& options);
int sweep_command(const Options& options);
int compare_command(const Options& options);
int explore_command(const Options& options);
int check_command(const Options& options);
int verify_command(const Options& options);
int explain_command(const Options& options);
int list_command(const Options& options);
int levels_command(const Options& options);
int cost_command(const Options& options);
int cosim_command(const Options& options);
int import_command(const Options& options);
int plug_in_command(const Options& options);
int doctor_command(const Options& options);
int completion_command(const Options& options);
int man_command(const Options& options);

}  // namespace noctule
