// The noctule program: reads the command line and hands over to a command.

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "core/error.h"
#include "core/registry.h"
#include "core/version.h"
#include "run/fabric_verdict.h"
#include "tb/elaboration.h"
#include "tb/options.h"

namespace noctule {
namespace {

void add_common(CLI::App& app, Options& options) {
  app.add_option("--set", options.sets, "override a key of the file: key.path=value (repeatable)")
      ->allow_extra_args(false);
  const CLI::Validator not_empty([](const std::string& text) { return text.empty() ? "is empty" : ""; }, "");
  app.add_option("--out", options.out, "folder for the results; default: out/<name of the file>")
      ->check(not_empty);
  app.add_flag("--json", options.json, "print the result as JSON on standard output, and nothing else there");
  auto* quiet = app.add_flag("--quiet", options.quiet, "no progress and no table");
  app.add_flag("--progress", options.progress,
               "say every 30 seconds how far it is, also where standard error is no terminal")
      ->excludes(quiet);
  app.add_option("--seed", options.seed, "seed of all random draws, instead of that of the file");
  app.add_option("--threads", options.threads, "points simulated at once; default: one per core")
      ->check(CLI::Range(1, 1024));
  app.add_option("--load", options.libraries, "load a plug-in library that registers models (repeatable)")
      ->allow_extra_args(false);
  app.add_option("--events", options.events, "write one CSV line per flit event to this file")
      ->check(not_empty);
}

void add_run(CLI::App& app, Options& options, const char* name, const char* description) {
  auto* command = app.add_subcommand(name, description)->fallthrough();
  command->add_option("FILE", options.file, "configuration (YAML)")->required();
  command->add_option("--axis", options.axes, "one more axis: key=a,b,c or key=from:to:step (repeatable)")
      ->allow_extra_args(false);
  command->add_flag("--fresh", options.fresh, "run all points, also those that an earlier run finished");
}

/// Plug-ins register what they bring while they are loaded.
void load_libraries(const std::vector<std::string>& libraries) {
  for (const auto& library : libraries) {
    // Without a slash dlopen would search the system's folders.
    const std::string path = library.find('/') == std::string::npos ? "./" + library : library;
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
      throw ConfigError("--load " + library, fmt::format("cannot be loaded: {}", dlerror()));
  }
  std::vector<Diagnostic> wrong;
  for (const auto& problem : Catalog::instance().problems()) wrong.push_back({"", problem, ""});
  if (!wrong.empty()) throw ConfigError(wrong);
}

int dispatch(const Options& options) {
  load_libraries(options.libraries);
  if (options.command == "check") return check_command(options);
  if (options.command == "verify") return verify_command(options);
  if (options.command == "cost") return cost_command(options);
  if (options.command == "cosim") return cosim_command(options);
  if (options.command == "list") return list_command(options);
  return run_command(options);
}

int parse_and_run(int argc, char** argv) {
  CLI::App app{"Noctule: a SystemC model of wormhole routers and their fabrics"};
  app.set_version_flag("--version", std::string("noctule ") + kVersion);
  app.require_subcommand(1);
  Options options;
  add_common(app, options);
  add_run(app, options, "run", "do all that the file says: its point, sweep, comparison, trace and plots");
  add_run(app, options, "sweep", "run a file that has a sweep, or one given by --axis");
  add_run(app, options, "compare", "run a file that compares series, or with --axis node.model=a,b,...");
  add_run(app, options, "explore",
          "every fabric of a sweep or comparison: proved or not, accepted load, latency, "
          "buffers; simulates those that are proved");
  app.get_subcommand("explore")->add_flag(
      "--saturation", options.saturation,
      "search for the highest load that each fabric serves in full, and for what it accepts at most");
  add_run(app, options, "check", "decode, validate and estimate memory and time; simulate nothing");
  add_run(app, options, "verify", "can worms deadlock? Prove that they cannot, or show the cycle");
  add_run(app, options, "cosim", "RTL routers against the model: every output pin in every cycle");
  app.get_subcommand("cosim")->add_flag("--pins", options.pins,
                                        "print the pins that a router of the fabric has");
  add_run(app, options, "cost",
          "area and clock of the routers in hardware, from the table of scripts/synthesize");
  app.add_subcommand("list", "what is registered, by kind; or one kind, or one entry with its keys")
      ->fallthrough()
      ->add_option("NAME", options.file, "kind (topology, routing, ...) or name of an entry");
  app.get_subcommand("list")->add_flag("--reference", options.reference,
                                       "print the commented reference of every configuration key");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, std::cout, std::cerr);  // --help, --version
    const auto rest = app.remaining();
    if (!app.get_subcommands().empty() || rest.empty())
      fmt::print(stderr, "noctule: {}; `noctule --help` shows commands and options\n", e.what());
    else
      fmt::print(stderr, "noctule: there is no {} '{}'; `noctule --help` shows commands and options\n",
                 rest[0][0] == '-' ? "option" : "command", rest[0]);
    return kBadInput;
  }
  options.command = app.get_subcommands().front()->get_name();
  return dispatch(options);
}

int guarded(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const Interrupted&) {
    fmt::print(stderr, "noctule: interrupted\n");
    return kInterrupted;
  } catch (const ConfigError& e) {
    fmt::print(stderr, "noctule: {}\n", e.what());
    return kBadInput;
  } catch (const InternalError& e) {
    fmt::print(stderr, "noctule: internal check failed: {}\n", e.what());
    return kInternal;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "noctule: out of memory\n");
    return kInternal;
  } catch (const std::exception& e) {
    fmt::print(stderr, "noctule: internal error: {}\n", e.what());
    return kInternal;
  }
}

}  // namespace
}  // namespace noctule

int main(int argc, char** argv) {
  // The kernel's banner would stand before every result.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  int code = noctule::guarded(argc, argv);
  if (!std::cout.flush() && code == noctule::kDone) {
    fmt::print(stderr, "noctule: standard output could not be written; is its device full?\n");
    code = noctule::kBadInput;
  }
  std::fflush(nullptr);
  _exit(code);
}
