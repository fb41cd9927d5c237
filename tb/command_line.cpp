#include "tb/command_line.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/version.h"

namespace noctule {
namespace {

constexpr std::array<Command, 16> kCommands{{
    {"run", "do all that the file says: its point, sweep, comparison, trace and plots",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --events", run_command},
    {"sweep", "run a file that has a sweep, or one given by --axis",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --events", sweep_command},
    {"compare",
     "run a file that compares series, or with --axis node.model=a,b,...: the values of the first axis are "
     "the "
     "series, but for traffic.offered_load and seed, at whose values series are compared",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --events",
     compare_command},
    {"explore",
     "every fabric of a sweep or comparison: proved or not, accepted load, latency, buffers; simulates those "
     "that are proved",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --events --saturation",
     explore_command},
    {"check", "decode, validate and estimate memory and time; simulate nothing",
     "--set --axis --seed --out --json --quiet --progress --threads --fresh --load --draw", check_command},
    {"verify", "can worms deadlock? Prove that they cannot, or show the cycle",
     "--set --axis --seed --out --json --quiet --progress --threads --load", verify_command},
    {"explain",
     "latency of a lone packet, highest load, packet lengths, what a hop costs: formulas, and runs that "
     "prove them",
     "--set --axis --seed --out --json --quiet --progress --threads --load --prove --try --message "
     "--overhead",
     explain_command},
    {"cosim", "RTL routers against the model: every output pin in every cycle",
     "--set --axis --seed --out --json --quiet --progress --threads --pins --load", cosim_command},
    {"levels", "the same transactions at all levels of a TLM-2.0 network, and the error of each flow",
     "--set --axis --seed --out --json --quiet --load --trace --calibrate", levels_command},
    {"cost", "area and clock of the routers in hardware, from the table of scripts/synthesize",
     "--set --axis --seed --out --json --quiet --threads --load", cost_command},
    {"list", "what is registered, by kind; or one kind, one entry with its keys, or a number of results",
     "--json --quiet --load --reference", list_command},
    {"import", "a configuration of BookSim2 or Noxim as one of Noctule, on standard output", "--quiet",
     import_command},
    {"plug-in",
     "a file of C++ with parts of one's own as a library for --load, in this folder or that of --out",
     "--out --quiet", plug_in_command},
    {"doctor", "which tools are here, which are missing, and the command that mends it", "--json --quiet",
     doctor_command},
    {"completion", "completion for bash, on standard output", "--quiet --load", completion_command},
    {"man", "the manual page, on standard output", "--quiet", man_command},
}};

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
        command_ != nullptr && std::string_view(command_->name) == "plug-in"
            ? "folder for the library; default: this one"
            : "folder for the results; default: out/<name of the file>",
        &not_empty);
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
        "write one CSV line per flit event to this file; of several points to FILE-0, FILE-1, ...",
        &not_empty);
    text(
        "--trace", [&](const std::string& given) { options.trace = given; },
        "transactions.csv of a recording, instead of the traffic of the file", &not_empty);
    text(
        "--calibrate", [&](const std::string& given) { options.calibrate = given; },
        "write to this file what packets wait at level loose, for tlm.calibration, instead of judging",
        &not_empty);
    flag("--saturation", options.saturation,
         "search for the highest load that each fabric serves in full, and for the most that it accepts at "
         "the loads tried");
    flag("--draw", options.draw, "leave a picture of every network, as SVG");
    flag("--prove", options.prove, "hold the formulas against simulations, and print both numbers");
    flag(
        "--try", options.trials,
        "simulate overload, as the fabric is and with one key changed in each run: what ends the throughput");
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
  /// An option that stands where a value belongs is not taken for it.
  static CLI::Validator no_option() {
    return {[](const std::string& text) {
              return text.starts_with("--")
                         ? "'" + text + "' is an option, and no value; write the value before it"
                         : std::string();
            },
            ""};
  }
  [[nodiscard]] bool wanted(const char* name) const { return command_ == nullptr || takes(*command_, name); }
  void list(const char* name, std::vector<std::string>& all, const char* description) {
    if (!wanted(name)) return;
    app_.add_option_function<std::vector<std::string>>(
            name,
            [&all](const std::vector<std::string>& given) {
              all.insert(all.end(), given.begin(), given.end());
            },
            description)
        ->allow_extra_args(false)
        ->check(no_option());
  }
  template <class F>
  void text(const char* name, F&& take, const char* description, const CLI::Validator* check = nullptr) {
    if (!wanted(name)) return;
    auto* option = app_.add_option_function<std::string>(name, std::forward<F>(take), description);
    option->check(no_option());
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

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

bool takes(const Command& command, const std::string& option) {
  const auto words = " " + std::string(command.options) + " ";
  return words.find(" " + option + " ") != std::string::npos;
}

void add_commands(CLI::App& app, Options& options) {
  app.name("noctule");
  app.set_version_flag("--version", std::string("noctule ") + kVersion);
  app.require_subcommand(1);
  OptionSet(app, options, nullptr);
  for (const Command& command : kCommands) {
    auto* sub = app.add_subcommand(command.name, command.description)->fallthrough();
    const std::string name = command.name;
    if (name == "list") {
      sub->add_option(
          "NAME", options.file,
          "kind (topology, routing, ...), name of an entry, dotted key, metric, or column of results.csv");
    } else if (name == "import") {
      sub->add_option("FORMAT", options.format, "booksim or noxim")->required();
      sub->add_option("FILE", options.words,
                      "configuration of that simulator; booksim: KEY=VALUE besides, instead of what it says");
    } else if (name == "plug-in") {
      sub->add_option("FILE", options.file, "C++ that registers a part, as mine.cpp")->required();
    } else if (name != "doctor" && name != "completion" && name != "man") {
      sub->add_option("FILE", options.file, "configuration (YAML)")->required();
    }
    OptionSet(*sub, options, &command);
  }
}

}  // namespace noctule
