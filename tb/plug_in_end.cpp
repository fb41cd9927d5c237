#include "tb/plug_in_end.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>

#include "tb/options.h"

namespace noctule {
namespace {

struct Sudden {
  int signal;
  const char* what;
};
constexpr std::array<Sudden, 5> kSudden{{{SIGSEGV, "it reads or writes memory that is not its own"},
                                         {SIGBUS, "it reads or writes memory that is not there"},
                                         {SIGFPE, "it divides by zero, or so"},
                                         {SIGILL, "it runs what is no instruction"},
                                         {SIGABRT, "it calls abort()"}}};

// Written before anything can happen: a handler of signals must not allocate.
std::array<std::string, kSudden.size()> texts;
std::string exit_text;
pid_t first_process = 0;

void say(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(STDERR_FILENO, text.data() + at, text.size() - at);
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
  }
}

extern "C" void on_sudden_end(int signal) {
  for (std::size_t i = 0; i < kSudden.size(); ++i)
    if (kSudden[i].signal == signal) say(texts[i]);
  if (::getpid() == first_process) ::_exit(kBadInput);
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// The program itself ends with _exit.
void on_exit() {
  say(exit_text);
  ::_exit(kBadInput);
}

}  // namespace

void tell_of_sudden_ends(const std::vector<std::string>& libraries) {
  const auto text = [&](const char* what) {
    return fmt::format("noctule: --load {}: a part of it ended the program: {}\n",
                       fmt::join(libraries, " --load "), what);
  };
  first_process = ::getpid();
  exit_text = text("it calls exit()");
  std::atexit(on_exit);
  for (std::size_t i = 0; i < kSudden.size(); ++i) {
    texts[i] = text(kSudden[i].what);
    struct sigaction action = {};
    action.sa_handler = on_sudden_end;
    ::sigaction(kSudden[i].signal, &action, nullptr);
  }
}

}  // namespace noctule
