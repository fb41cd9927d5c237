// doctor: what this machine has of what the program can use.

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <string>
#include <vector>

#include "core/child_program.h"
#include "core/data_files.h"
#include "core/json.h"
#include "core/private_files.h"
#include "core/version.h"
#include "kernel/systemc.h"
#include "tb/options.h"
#include "tb/plug_ins.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPython = "/usr/bin/python3";  // as the scripts

struct Finding {
  std::string what;
  bool fine = false;
  bool needed = true;  ///< without it some command does nothing; else it does less
  std::string found;   ///< version, path
  std::string use;     ///< what it is for
  std::string remedy;  ///< empty if it is fine
};

struct Tool {
  const char* name;
  std::vector<std::string> version;  ///< a command that prints it
  const char* use;
  const char* package;  ///< of Debian
  bool needed;
};

/// The first thing in the text that looks like a version.
std::string version_in(const std::string& text) {
  std::smatch found;
  static const std::regex kVersionNumber(R"((\d+\.\d+(\.\d+)*))");
  return std::regex_search(text, found, kVersionNumber) ? found[1].str() : "version unknown";
}

Finding tool(const Tool& tool) {
  Finding finding{tool.name, false, tool.needed, "", tool.use, ""};
  const auto result = run_program(tool.version, true);
  finding.fine = result.exit_code == 0;
  if (finding.fine)
    finding.found = version_in(result.output);
  else
    finding.remedy = fmt::format("apt-get install {}", tool.package);
  return finding;
}

std::vector<Tool> tools() {
  return {
      {"python3", {kPython, "--version"}, "plots, and the scripts", "python3", true},
      {"matplotlib",
       {kPython, "-c", "import matplotlib; print(matplotlib.__version__)"},
       "plots",
       "python3-matplotlib",
       true},
      {"g++", {"g++", "--version"}, "RTL routers, plug-ins, the library", "g++", true},
      {"verilator", {"verilator", "--version"}, "noctule cosim, and RTL routers in a run", "verilator", true},
      {"yosys", {"yosys", "-V"}, "scripts/synthesize: area and gates of a router", "yosys", false},
      {"opensta", {"sta", "-version"}, "scripts/synthesize: clock of a router", "opensta", false},
      {"z3", {"z3", "--version"}, "proofs about the RTL", "z3", false},
      {"gtkwave", {"gtkwave", "--version"}, "looking at waveforms", "gtkwave", false},
      {"valgrind", {"valgrind", "--version"}, "scripts/bench --against", "valgrind", false},
  };
}

Finding system_c() {
  const std::string version = sc_core::sc_release();
  return {"SystemC", true, true, version.substr(0, version.find('-')), "the simulation kernel", ""};
}

/// A font that has the letters of axes and captions.
Finding fonts() {
  Finding finding{"fonts", false, false, "", "text in plots", "apt-get install fonts-dejavu-core"};
  const auto result = run_program(
      {kPython, "-c", "import matplotlib.font_manager as f; print(f.findfont('DejaVu Sans'))"}, true);
  if (result.exit_code == 0) {
    finding.fine = true;
    finding.found = "DejaVu Sans";
    finding.remedy.clear();
  }
  return finding;
}

Finding cache() {
  const fs::path folder = cache_folder();
  Finding finding{"cache", false, false, folder.string(), "proofs and compiled RTL are kept there", ""};
  if (folder.empty()) {
    finding.remedy =
        "set HOME, or XDG_CACHE_HOME, to a folder of yours; without it proofs are made anew in every run";
    return finding;
  }
  finding.fine = make_private_folder(folder) && ::access(folder.c_str(), W_OK) == 0;
  if (!finding.fine)
    finding.remedy =
        fmt::format("chown -R $(id -u) {0} && chmod 700 {0}; or set XDG_CACHE_HOME to a folder of yours",
                    folder.string());
  return finding;
}

/// Where results go.
Finding results() {
  Finding finding{"results", ::access(".", W_OK) == 0, true, "out/NAME, in this folder", "what a run leaves",
                  ""};
  if (!finding.fine) finding.remedy = "change to a folder that you can write to, or give --out DIR";
  return finding;
}

Finding data(const std::string& path, const std::string& use) {
  const fs::path found = find_data(path);
  Finding finding{path, !found.empty(), true, found.string(), use, ""};
  if (!finding.fine)
    finding.remedy = "install the package with `cmake --install`, which puts it beside the program";
  return finding;
}

Finding headers() {
  const fs::path found = plug_in_headers();
  return {"headers",      !found.empty(),    true,
          found.string(), "noctule plug-in", found.empty() ? kHeadersRemedy : ""};
}

std::vector<Finding> findings() {
  std::vector<Finding> all{system_c()};
  for (const Tool& one : tools()) all.push_back(tool(one));
  all.push_back(fonts());
  all.push_back(cache());
  all.push_back(results());
  all.push_back(data("rtl", "the shipped routers in SystemVerilog"));
  all.push_back(data("rtl/cost.csv", "noctule cost"));
  all.push_back(data("scripts/plot", "plots"));
  all.push_back(headers());
  return all;
}

}  // namespace

int doctor_command(const Options& options) {
  const auto all = findings();
  bool complete = true;
  Json list = Json::array();
  std::string text = fmt::format("noctule {}\n", kVersion);
  for (const Finding& f : all) {
    complete = complete && (f.fine || !f.needed);
    list.push_back({{"what", f.what},
                    {"fine", f.fine},
                    {"needed", f.needed},
                    {"found", f.found},
                    {"use", f.use},
                    {"remedy", f.remedy}});
    text += fmt::format("{:<8} {:<13} {:<28} {}\n",
                        f.fine     ? "ok"
                        : f.needed ? "MISSING"
                                   : "missing",
                        f.what, f.found, f.use);
    if (!f.fine) text += fmt::format("{:<8} {:<13} mend it: {}\n", "", "", f.remedy);
  }
  text += complete ? "All commands work here.\n" : "Commands that need what is MISSING do not work here.\n";
  if (options.json)
    std::cout << Json{{"command", "doctor"},
                      {"version", kVersion},
                      {"complete", complete},
                      {"findings", list}}
                     .dump(1)
              << '\n';
  else if (!options.quiet)
    std::cout << text;
  return complete ? kDone : kDoesNotHold;
}

}  // namespace noctule
