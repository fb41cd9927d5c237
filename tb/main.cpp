// The noctule program: reads the command line and hands over to a command.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/spelling.h"
#include "config/unknown_key.h"
#include "core/error.h"
#include "core/error_output.h"
#include "core/shell_word.h"
#include "rtl/dut_cache.h"
#include "run/fabric_verdict.h"
#include "tb/command_line.h"
#include "tb/elaboration.h"
#include "tb/options.h"
#include "tb/plug_ins.h"

namespace noctule {
namespace {

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

/// The first word, where a command should stand, if it is none; else null.
const char* word_instead_of_a_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return nullptr;
  const std::string_view word = argv[1];
  return std::ranges::any_of(commands(), [&](const Command& c) { return c.name == word; }) ? nullptr
                                                                                           : argv[1];
}

/// What was probably meant by a word that no option and no command takes; else empty.
std::string meant_by(const std::string& word) {
  const auto equals = word.find('=');
  const bool key = equals != std::string::npos && equals > 0 && word[0] != '-';
  return key ? fmt::format("; a key of the file is given as `--set {}`", shell_word(word)) : std::string();
}

/// The same for an option, by the key of the file that is called like it, here or elsewhere: "--cycles".
std::string meant_by_option(const std::string& option) {
  const auto end = option.find('=');
  std::string word = option.substr(0, end);
  word.erase(0, word.find_first_not_of('-'));
  std::ranges::replace(word, '-', '_');
  std::string key = word.empty() ? word : key_elsewhere(word);
  if (key.empty()) key = key_of_synonym(word);
  return key.empty()
             ? key
             : fmt::format(
                   "; a key of the file is given as `--set {}`",
                   shell_word(key + "=" + (end == std::string::npos ? "VALUE" : option.substr(end + 1))));
}

/// The same for a command.
std::string meant_by_command(const std::string& word) {
  static const std::map<std::string, std::string> kElsewhere{
      {"plot", "`scripts/plot DIR` draws the results in a folder"},
      {"draw", "`noctule check FILE --draw` draws the network"},
      {"trace",
       "`noctule run FILE --set trace.vcd=true` writes a waveform, `--events FILE` the way of every packet"},
      {"wave", "`noctule run FILE --set trace.vcd=true` writes a waveform"},
      {"waveform", "`noctule run FILE --set trace.vcd=true` writes a waveform"},
      {"sim", "did you mean 'run'?"},
      {"simulate", "did you mean 'run'?"},
      {"proof", "did you mean 'verify'?"},
      {"prove", "did you mean 'verify'?"},
      {"deadlock", "did you mean 'verify'?"},
      {"pareto", "did you mean 'explore'?"},
      {"area", "did you mean 'cost'?"},
      {"bottleneck", "did you mean 'explain'?"},
      {"why", "did you mean 'explain'?"},
      {"saturation", "`noctule explore FILE --saturation` searches it, `noctule explain FILE` bounds it"},
      {"help", "did you mean '--help'?"},
      {"version", "did you mean '--version'?"}};
  if (const auto found = kElsewhere.find(word); found != kElsewhere.end())
    return found->second + (found->second.ends_with('?') ? " " : "; ");
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  const std::string meant = nearest_spelling(word, names);
  return meant.empty() ? meant : fmt::format("did you mean '{}'? ", meant);
}

/// The one of these words that comes first on the command line.
std::string first_of(const std::vector<std::string>& words, int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::ranges::find(words, std::string_view(argv[i])) != words.end()) return argv[i];
  return words.front();
}

/// Why a word of the command line cannot be read.
std::string not_expected(const CLI::App& app, const std::string& word) {
  if (word[0] != '-')
    return app.get_subcommands().empty() ? fmt::format("there is no command '{}'", word)
                                         : fmt::format("'{}' was not expected{}", word, meant_by(word));
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) names.push_back(option->get_name());
  const std::string meant = nearest_spelling(word.substr(0, word.find('=')), names);
  return fmt::format("there is no option '{}'{}", word,
                     meant.empty() ? meant_by_option(word) : fmt::format("; did you mean '{}'?", meant));
}

void refuse_contradictions(const Options& options) {
  if (options.quiet && options.progress)
    throw ConfigError("--progress", "--quiet says the opposite; give one of the two");
}

int parse_and_run(int argc, char** argv) {
  CLI::App app{"Noctule: a SystemC model of wormhole routers and their fabrics"};
  Options options;
  add_commands(app, options);

  if (const char* word = word_instead_of_a_command(argc, argv); word != nullptr) {
    const bool file = std::filesystem::is_regular_file(word);
    print_error(
        "noctule: there is no command '{}'; {}`noctule --help` shows commands and options\n", word,
        file ? fmt::format("`noctule run {}` runs the file, ", shell_word(word)) : meant_by_command(word));
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, std::cout, std::cerr);  // --help, --version
    const auto rest = app.remaining(true);
    // What a value is not comes before the words that are left over because of it.
    if (rest.empty() || dynamic_cast<const CLI::ValidationError*>(&e) != nullptr)
      print_error("noctule: {}; `noctule --help` shows commands and options\n", e.what());
    else
      print_error("noctule: {}; `noctule --help` shows commands and options\n",
                  not_expected(app, first_of(rest, argc, argv)));
    return kBadInput;
  }
  options.command = app.get_subcommands().front()->get_name();
  const Command& command =
      *std::ranges::find_if(commands(), [&](const Command& c) { return c.name == options.command; });
  refuse_useless_options(app, command);
  refuse_contradictions(options);
  load_plug_ins(options.libraries);
  return ask_libraries(options.libraries, [&] {
    try {
      return command.run(options);
    } catch (const Interrupted&) {
      print_error("noctule: interrupted\n");
      return kInterrupted;
    }
  });
}

int guarded(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const ConfigError& e) {
    print_error("noctule: {}\n", e.what());
    return kBadInput;
  } catch (const InternalError& e) {
    print_error("noctule: internal check failed: {}\n", e.what());
    return kInternal;
  } catch (const std::bad_alloc&) {
    print_error("noctule: out of memory; make the fabric smaller, or run fewer points at once (--threads)\n");
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
