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
  constexpr std::string_view kDelay = "%Warning-STMTDLY: ";
  std::vector<std::string> parts;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);)
    if (const auto end = line.find(": ", kDelay.size()); line.starts_with(kDelay) && end != std::string::npos)
      parts.push_back(fmt::format("{}: a delay is left out: all that happens, happens at clock edges",
                                  line.substr(kDelay.size(), end - kDelay.size())));
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
  std::istringstream lines(run_program(words, true).output);
  constexpr std::string_view kBegins = "%Warning-UNOPTFLAT: ";
  std::string text;
  int count = 0;
  for (std::string line; count < 3 && std::getline(lines, line);) {
    const auto name = line.rfind(" '");
    const auto place = line.find(": ", kBegins.size());
    if (!line.starts_with(kBegins) || name == std::string::npos || place == std::string::npos) continue;
    text += fmt::format("\n  {} at {}", line.substr(name + 1),
                        line.substr(kBegins.size(), place - kBegins.size()));
    ++count;
  }
  return text;
}

}  // namespace noctule
