#include "rtl/dut_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include "core/child_program.h"
#include "core/error.h"
#include "core/rng.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// One call of the compiler.
struct Part {
  fs::path source;
  fs::path object;
  std::string level;  ///< of optimization
  std::string kept;   ///< name in the cache; empty: it is not kept
};

constexpr std::uintmax_t kSmall = 1U << 16U;  ///< bytes of a source

/// What Verilator wrote to be run once: constructors, the first evaluation, names.
bool runs_once(const fs::path& file) {
  const std::string name = file.stem().string();
  return name.ends_with("__Slow") || name.ends_with("__Syms");
}

/// The design: its larger sources one by one, since an optimizing compiler takes longer for all in one; the
/// small ones as one, since their headers cost more than they do; and as one what runs once.
std::vector<Part> parts_of(const fs::path& folder, bool trace) {
  const char* const level = trace ? "-O0" : "-O2";
  std::vector<Part> parts;
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cpp") sources.push_back(entry.path());
  std::ranges::sort(sources);
  std::string once;
  std::string small;
  const auto add = [&](fs::path source, const char* how) {
    parts.push_back({source, fs::path(source).replace_extension(".o"), how, {}});
  };
  for (const auto& source : sources)
    if (runs_once(source) || fs::file_size(source) < kSmall)
      (runs_once(source) ? once : small) += fmt::format("#include \"{}\"\n", source.filename().string());
    else
      add(source, level);
  // The longest first
  std::ranges::stable_sort(parts, std::ranges::greater(),
                           [](const Part& part) { return fs::file_size(part.source); });
  const auto add_joined = [&](const std::string& text, const char* name, const char* how) {
    if (text.empty()) return;
    std::ofstream(folder / name) << text;
    add(folder / name, how);
  };
  add_joined(once, "once.cpp", "-O0");
  add_joined(small, "small.cpp", level);
  return parts;
}

/// Compiles all, as many at a time as there are processors. What the compiler said of the first that failed;
/// empty: none did.
std::string compile_all(const std::vector<Part>& parts, const std::vector<std::string>& words) {
  std::atomic<std::size_t> next = 0;
  std::mutex guard;
  std::string wrong;
  const auto work = [&] {
    for (std::size_t i = next++; i < parts.size(); i = next++) {
      std::vector<std::string> call = words;
      call.insert(call.end(),
                  {parts[i].level, "-c", parts[i].source.string(), "-o", parts[i].object.string()});
      const ProgramResult result = run_program(call, true);
      if (result.exit_code == 0) continue;
      const std::scoped_lock lock(guard);
      if (wrong.empty()) wrong = excerpt(result.output);
      next = parts.size();
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t count =
        std::min<std::size_t>(std::max(std::thread::hardware_concurrency(), 1U), parts.size());
    for (std::size_t i = 1; i < count; ++i) others.emplace_back(work);
    work();
  }
  return wrong;
}

}  // namespace

const std::string& verilator_version() {
  static const auto asked = run_program({"verilator", "--version"});
  return asked.output;
}

std::string excerpt(const std::string& output) {
  std::istringstream lines(output);
  std::string text;
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    if (line.find("Error") == std::string::npos && line.find("error") == std::string::npos && count == 0)
      continue;
    if (++count > 12) break;
    text += "\n  " + line;
  }
  return text.empty() ? "\n  " + output.substr(0, 400) : text;
}

void compile_dut(const fs::path& folder, const std::string& top, bool trace, const DutCache& cache) {
  const auto root = run_program({"verilator", "--getenv", "VERILATOR_ROOT"});
  const fs::path include = fs::path(root.output.substr(0, root.output.find('\n'))) / "include";
  const std::vector<std::string> compiler = cxx_compiler();
  const std::vector<std::string> flags{"-std=c++17",
                                       "-fPIC",
                                       "-fvisibility=hidden",
                                       "-w",
                                       "-pthread",
                                       "-DVM_COVERAGE=0",
                                       "-DVM_SC=0",
                                       "-DVM_TRACE_FST=0",
                                       fmt::format("-DVM_TRACE={}", int{trace}),
                                       fmt::format("-DVM_TRACE_VCD={}", int{trace}),
                                       "-DVL_USER_FATAL",
                                       "-DVL_USER_STOP",
                                       "-DVL_USER_FINISH",
                                       "-DVL_USER_WARN",
                                       "-DVL_PRINTF=noctule_print"};

  std::vector<Part> parts = parts_of(folder, trace);
  std::vector<fs::path> objects;
  objects.reserve(parts.size() + 3);
  for (const Part& part : parts) objects.push_back(part.object);
  std::vector<const char*> own{"verilated", "verilated_threads"};
  if (trace) own.push_back("verilated_vcd_c");
  for (const char* const name : own) {
    const fs::path source = include / (std::string(name) + ".cpp");
    const std::string kept =
        fmt::format("{}-{:016x}.o", name,
                    hash_name(fmt::format("{}\n{}\n{}\n{}", verilator_version(), source.string(),
                                          fmt::join(compiler, " "), fmt::join(flags, " "))));
    if (const auto object = cache.file(kept)) {
      objects.push_back(*object);
      continue;
    }
    objects.push_back(folder / (std::string(name) + ".o"));
    parts.push_back({source, objects.back(), "-O2", kept});
  }

  std::vector<std::string> words = compiler;
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-include", (folder / "print.h").string(), "-I" + folder.string(),
                             "-I" + include.string(), "-I" + (include / "vltstd").string()});
  std::string wrong = compile_all(parts, words);
  if (wrong.empty()) {
    std::vector<std::string> link = compiler;
    link.insert(link.end(), {"-shared", "-pthread", "-Wl,-Bsymbolic", "-o", (folder / "dut.so").string()});
    for (const auto& object : objects) link.push_back(object.string());
    if (const auto linked = run_program(link, true); linked.exit_code != 0) wrong = excerpt(linked.output);
  }
  if (!wrong.empty())
    throw ConfigError("nodes", fmt::format("{} cannot compile what Verilator made of module {}:{}",
                                           compiler.front(), top, wrong));
  for (const Part& part : parts)
    if (!part.kept.empty()) cache.keep(part.kept, part.object);
}

}  // namespace noctule
