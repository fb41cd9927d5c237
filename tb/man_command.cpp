// man: the manual page, from what the help says.

#include <fmt/format.h>

#include <iostream>
#include <string>

#include "core/version.h"
#include "tb/command_line.h"

namespace noctule {
namespace {

/// Text as roff prints it: no line begins with a control character, and dashes are dashes.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
      result += c;
    }
  }
  return result;
}

std::string described(const CLI::Option& option) {
  const std::string takes_value = option.get_type_size() == 0 ? "" : " " + option.get_type_name();
  return fmt::format(".TP\n.B {}{}\n{}\n", roff(option.get_name()), roff(takes_value),
                     roff(option.get_description()));
}

}  // namespace

int man_command(const Options&) {
  CLI::App app{"a SystemC model of wormhole routers and their fabrics"};
  Options unused;
  add_commands(app, unused);

  std::string text = fmt::format(
      ".TH NOCTULE 1 \"\" \"noctule {}\" \"User commands\"\n.SH NAME\nnoctule \\- {}\n.SH SYNOPSIS\n",
      kVersion, roff(app.get_description()));
  const auto subcommands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const auto* command : subcommands) {
    text += fmt::format(".B noctule {}\n", roff(command->get_name()));
    for (const auto* option : command->get_options())
      if (option->get_positional()) text += fmt::format(".I {}\n", option->get_name(true));
    text += "[options]\n.br\n";
  }
  text +=
      ".SH DESCRIPTION\nDescribes routers and networks in YAML; simulates them cycle by cycle, proves that "
      "worms cannot "
      "deadlock, compares RTL with the model, and draws curves and waveforms.\n.SH COMMANDS\n";
  for (const auto* command : subcommands)
    text += fmt::format(".TP\n.B {}\n{}\n", roff(command->get_name()), roff(command->get_description()));
  text += ".SH OPTIONS\nEach command takes some of these; its \\-\\-help says which.\n";
  for (const auto* option : app.get_options())
    if (!option->get_positional()) text += described(*option);
  text +=
      ".SH EXIT STATUS\n"
      ".TP\n.B 0\ndone\n"
      ".TP\n.B 1\nwhat was checked does not hold: a deadlock, a status other than expected, no proof, a "
      "router without "
      "figures, a tool that is missing\n"
      ".TP\n.B 2\nthe command line or the configuration is wrong, or the result could not be written\n"
      ".TP\n.B 3\nan internal check failed\n"
      ".TP\n.B 130\ninterrupted; what was finished is on disk\n"
      ".SH FILES\n.TP\n.I out/NAME\nresults of a run\n"
      ".TP\n.I ~/.cache/noctule\nproofs and compiled RTL; may be deleted\n"
      ".SH SEE ALSO\n.BR gtkwave (1),\n.BR verilator (1),\n.BR yosys (1)\n";
  std::cout << text;
  return kDone;
}

}  // namespace noctule
