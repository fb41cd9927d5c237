#include "core/child_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>

namespace noctule {

ProgramResult run_program(const std::vector<std::string>& words, bool with_errors) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};  // another child must not hold them open
  std::fflush(nullptr);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    if (with_errors) dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    std::signal(SIGPIPE, SIG_DFL);  // ignored by us, it would be ignored by the program too
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  ProgramResult result;
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t n = read(ends[0], piece.data(), piece.size());
    if (n > 0)
      result.output.append(piece.data(), static_cast<std::size_t>(n));
    else if (n == 0 || errno != EINTR)
      break;
  }
  close(ends[0]);
  int status = 127 << 8;
  if (child > 0)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::vector<std::string> cxx_compiler() {
  const char* const chosen = std::getenv("CXX");
  std::istringstream text(chosen != nullptr ? chosen : "");
  std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  return words.empty() ? std::vector<std::string>{"c++"} : words;
}

std::string missing_cxx_compiler() {
  const std::string name = cxx_compiler().front();
  return has_program(name)
             ? std::string()
             : "the C++ compiler '" + name + "' is not there (Debian: apt-get install g++; or set CXX)";
}

bool has_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return false;
  const std::string folders = path;
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string file = folders.substr(at, end - at) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace noctule
