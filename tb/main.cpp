// The noctule program: reads the command line and hands over to a command.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/error_output.h"
#include "core/version.h"
#include "rtl/dut_cache.h"
#include "run/fabric_verdict.h"
#include "tb/elaboration.h"
#include "tb/options.h"
#include "tb/plug_ins.h"

namespace noctule {
namespace {

/// A command, and which of the options it takes.
struct Command {
  const char* name;
  const char* description;
  const char* options;  ///< names, separated by blanks
};

constexpr std::array<Command, 10> kCommands{{
    {"run", "do all that the file says: its point, sweep, comparison, trace and plots",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --events"},
    {"sweep", "run a file that has a sweep, or one given by --axis",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --events"},
    {"compare", "run a file that compares series, or with --axis node.model=a,b,...",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --events"},
    {"explore",
     "every fabric of a sweep or comparison: proved or not, accepted load, latency, buffers; simulates those "
     "that are proved",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --events --saturation"},
    {"check", "decode, validate and estimate memory and time; simulate nothing",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --draw"},
    {"verify", "can worms deadlock? Prove that they cannot, or show the cycle",
     "--set --axis --seed --out --json --quiet --progress --threads --load"},
    {"explain",
     "latency of a lone packet, highest load, packet lengths, what a hop costs: formulas, and runs that "
     "prove them",
     "--set --axis --seed --out --json --quiet --progress --threads --load --prove --message --overhead"},
    {"cosim", "RTL routers against the model: every output pin in every cycle",
     "--set --axis --seed --out --json --quiet --progress --threads --pins --load"},
    {"cost", "area and clock of the routers in hardware, from the table of scripts/synthesize",
     "--set --axis --seed --out --json --quiet --threads --load"},
    {"list", "what is registered, by kind; or one kind, or one entry with its keys",
     "--json --quiet --load --reference"},
}};

bool takes(const Command& command, const std::string& option) {
  const auto words = " " + std::string(command.options) + " ";
  return words.find(" " + option + " ") != std::string::npos;
}

/// All options. A command gets those that it takes; the program itself gets all, for use before the name of
/// the command.
class OptionSet {
 public:
  OptionSet(CLI::App& app, Options& options, const Command* command) : app_(app), command_(command) {
    const auto not_empty =
        CLI::Validator([](const std::string& text) { return text.empty() ? "is empty" : ""; }, "");
    list("--set", options.sets, "override a key of the file: key.path=value (repeatable)");
    list("--axis", options.axes, "one more axis: key=a,b,c or key=from:to:step (repeatable)");
    text(
        "--seed", [&](const std::string& given) { options.seed = given; },
        "seed of all random draws, instead of that of the file");
    text(
        "--out", [&](const std::string& given) { options.out = given; },
        "folder for the results; default: out/<name of the file>", &not_empty);
    flag("--json", options.json, "print the result as JSON on standard output, and nothing else there");
    flag("--quiet", options.quiet, "no progress and no table");
    flag("--progress", options.progress,
         "say every 30 seconds how far it is, also where standard error is no terminal");
    const CLI::Range threads(1, 1024);
    text(
        "--threads",
        [&](const std::string& given) { options.threads = static_cast<unsigned>(std::stoul(given)); },
        "points simulated at once; default: one per core", &threads);
    flag("--fresh", options.fresh, "run all points, also those that an earlier run finished");
    list("--load", options.libraries, "load a plug-in library that registers models (repeatable)");
    text(
        "--events", [&](const std::string& given) { options.events = given; },
        "write one CSV line per flit event to this file", &not_empty);
    flag("--saturation", options.saturation,
         "search for the highest load that each fabric serves in full, and for what it accepts at most");
    flag("--draw", options.draw, "leave a picture of every network, as SVG");
    flag("--prove", options.prove, "hold the formulas against simulations, and print both numbers");
    const CLI::Range flits(1, 1'000'000'000);
    text(
        "--message", [&](const std::string& given) { options.message = std::stoull(given); },
        "flits of payload that the advice on packets is about; default: those of the mean packet", &flits);
    text(
        "--overhead", [&](const std::string& given) { options.overhead = std::stoull(given); },
        "flits of every packet that are no payload; default: 1, the header", &flits);
    flag("--pins", options.pins, "print the pins that a router of the fabric has");
    flag("--reference", options.reference, "print the commented reference of every configuration key");
  }

 private:
  [[nodiscard]] bool wanted(const char* name) const { return command_ == nullptr || takes(*command_, name); }
  void list(const char* name, std::vector<std::string>& all, const char* description) {
    if (!wanted(name)) return;
    app_.add_option_function<std::vector<std::string>>(
            name,
            [&all](const std::vector<std::string>& given) {
              all.insert(all.end(), given.begin(), given.end());
            },
            description)
        ->allow_extra_args(false);
  }
  template <class F>
  void text(const char* name, F&& take, const char* description, const CLI::Validator* check = nullptr) {
    if (!wanted(name)) return;
    auto* option = app_.add_option_function<std::string>(name, std::forward<F>(take), description);
    if (check != nullptr) option->check(*check);
  }
  void flag(const char* name, bool& value, const char* description) {
    if (!wanted(name)) return;
    app_.add_flag_callback(
        name, [&value] { value = true; }, description);
  }

  CLI::App& app_;
  const Command* command_;
};

/// An option that the command does not take would be without effect.
void refuse_useless_options(const CLI::App& app, const Command& command) {
  std::vector<Diagnostic> wrong;
  for (const auto* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == "--help" || takes(command, name)) continue;
    wrong.push_back({name,
                     fmt::format("`{}` does not take it; `noctule {} --help` shows what it takes",
                                 command.name, command.name),
                     ""});
  }
  if (!wrong.empty()) throw ConfigError(std::move(wrong));
}

void refuse_contradictions(const Options& options) {
  if (options.quiet && options.progress)
    throw ConfigError("--progress", "--quiet says the opposite; give one of the two");
}

int dispatch(const Options& options) {
  load_plug_ins(options.libraries);
  if (options.command == "sweep") return sweep_command(options);
  if (options.command == "compare") return compare_command(options);
  if (options.command == "explore") return explore_command(options);
  if (options.command == "check") return check_command(options);
  if (options.command == "verify") return verify_command(options);
  if (options.command == "explain") return explain_command(options);
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
  OptionSet(app, options, nullptr);
  for (const Command& command : kCommands) {
    auto* sub = app.add_subcommand(command.name, command.description)->fallthrough();
    if (std::string_view(command.name) == "list")
      sub->add_option("NAME", options.file, "kind (topology, routing, ...), name of an entry, or dotted key");
    else
      sub->add_option("FILE", options.file, "configuration (YAML)")->required();
    OptionSet(*sub, options, &command);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, std::cout, std::cerr);  // --help, --version
    const auto rest = app.remaining();
    if (!app.get_subcommands().empty() || rest.empty())
      print_error("noctule: {}; `noctule --help` shows commands and options\n", e.what());
    else
      print_error("noctule: there is no {} '{}'; `noctule --help` shows commands and options\n",
                  rest[0][0] == '-' ? "option" : "command", rest[0]);
    return kBadInput;
  }
  options.command = app.get_subcommands().front()->get_name();
  refuse_useless_options(
      app, *std::ranges::find_if(kCommands, [&](const Command& c) { return c.name == options.command; }));
  refuse_contradictions(options);
  return dispatch(options);
}

int guarded(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const Interrupted&) {
    print_error("noctule: interrupted\n");
    return kInterrupted;
  } catch (const ConfigError& e) {
    print_error("noctule: {}\n", e.what());
    return kBadInput;
  } catch (const InternalError& e) {
    print_error("noctule: internal check failed: {}\n", e.what());
    return kInternal;
  } catch (const std::bad_alloc&) {
    print_error("noctule: out of memory\n");
    return kInternal;
  } catch (const std::exception& e) {
    print_error("noctule: internal error: {}\n", e.what());
    return kInternal;
  } catch (...) {
    print_error("noctule: internal error: something was thrown that is no std::exception\n");
    return kInternal;
  }
}

/// A stream that its caller has closed becomes one on which every read and write fails; else the first file
/// that is opened would take its number, and messages would end up in it.
void occupy_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace
}  // namespace noctule

int main(int argc, char** argv) {
  noctule::occupy_closed_streams();
  // A reader that went away is noticed by the write that fails.
  std::signal(SIGPIPE, SIG_IGN);
  // The kernel's banner would stand before every result.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  int code = noctule::guarded(argc, argv);
  if (!std::cout.flush()) {
    noctule::print_error(
        "noctule: standard output could not be written; is it closed, or its device full?\n");
    if (code == noctule::kDone || code == noctule::kDoesNotHold) code = noctule::kBadInput;
  }
  std::fflush(nullptr);
  noctule::DutCache::clear_own();
  _exit(code);
}
