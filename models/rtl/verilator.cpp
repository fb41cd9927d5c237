#include "rtl/verilator.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>

#include "core/child_program.h"
#include "core/error.h"
#include "rtl/dut_cache.h"
#include "rtl/dut_compiler.h"
#include "rtl/dut_shim.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// To the words of a call: these files, what they look for in the folders of `source`, and -G parameters.
void add_design(const RtlSource& source, const std::vector<fs::path>& files,
                const std::map<std::string, long>& parameters, std::vector<std::string>& words) {
  for (const auto& [name, value] : parameters)
    words.push_back(fmt::format("-G{}={}", name, parameter_literal(value)));
  for (const auto& path : source.folders)
    words.insert(words.end(), {"-y", path.string(), "+incdir+" + path.string()});
  for (const auto& file : files) words.push_back(file.string());
}

struct Warning {
  std::string place;  ///< file:line:column
  std::string text;
};
/// Of one kind, "UNOPTFLAT", in what Verilator says.
std::vector<Warning> warnings(const std::string& said, const char* kind) {
  const std::string begins = fmt::format("%Warning-{}: ", kind);
  std::vector<Warning> found;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);)
    if (const auto end = line.find(": ", begins.size()); line.starts_with(begins) && end != std::string::npos)
      found.push_back({line.substr(begins.size(), end - begins.size()), line.substr(end + 2)});
  return found;
}

}  // namespace

std::string verilate(const RtlSource& source, const std::string& top, const std::vector<fs::path>& files,
                     const std::map<std::string, long>& parameters, const fs::path& folder, bool trace) {
  std::vector<std::string> words{"verilator",  "--cc",         "--Mdir", folder.string(), "--prefix",
                                 "Vdut",       "--top-module", top,      "-O3",           "--x-assign",
                                 "unique",     "--x-initial",  "unique", "--no-timing",   "-Wno-lint",
                                 "-Wno-fatal", "--assert"};
  if (trace) words.insert(words.end(), {"--trace", "--trace-structs"});
  add_design(source, files, parameters, words);
  auto result = run_program(words, true);
  if (result.exit_code != 0)
    throw ConfigError("nodes", fmt::format("Verilator refuses module {} of {}:{}", source.top,
                                           source.files.front().string(), excerpt(result.output)));
  return std::move(result.output);
}

std::vector<std::string> left_out(const std::string& said, const fs::path& folder) {
  std::vector<std::string> parts;
  for (const Warning& delay : warnings(said, "STMTDLY"))
    parts.push_back(
        fmt::format("{}: a delay is left out: all that happens, happens at clock edges", delay.place));
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cpp" &&
        read_text(entry.path()).find("___eval_final__") != std::string::npos) {
      parts.emplace_back("final blocks are not run: nothing that they assert is checked");
      break;
    }
  return parts;
}

std::string circular_signals(const RtlSource& source) {
  std::vector<std::string> words{"verilator",  "--lint-only",      "--no-timing",  "-Wno-lint",
                                 "-Wno-fatal", "-Wwarn-UNOPTFLAT", "--top-module", source.top};
  add_design(source, source.files, source.parameters, words);
  std::string text;
  int count = 0;
  for (const Warning& loop : warnings(run_program(words, true).output, "UNOPTFLAT"))
    if (const auto name = loop.text.rfind(" '"); name != std::string::npos && count++ < 3)
      text += fmt::format("\n  {} at {}", loop.text.substr(name + 1), loop.place);
  return text;
}

}  // namespace noctule
