#include "tb/plots.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// In the source tree of the build, or in the installed package.
fs::path find_script() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const char* place : {"../../../../scripts/plot", "../../share/noctule/scripts/plot"}) {
    const fs::path script = fs::weakly_canonical(program / place, error);
    if (!error && fs::is_regular_file(script, error)) return script;
  }
  return {};
}

/// Runs a program without a shell; its standard output.
std::string output_of(const std::vector<std::string>& words, int& exit_code) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    exit_code = 127;
    return {};
  }
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t n = 0; (n = read(ends[0], piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) status = 127 << 8;
  exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 127;
  return text;
}

}  // namespace

std::vector<std::string> draw_plots(const Json& wanted, const std::string& folder) {
  if (wanted.empty()) return {};
  const fs::path script = find_script();
  if (script.empty()) {
    fmt::print(stderr, "noctule: no plots: the script `plot` does not stand beside the program\n");
    return {};
  }
  std::vector<std::string> words{"/usr/bin/python3", script.string(), folder};
  for (const auto& kind : wanted) {
    words.emplace_back("--kind");
    words.push_back(kind.get<std::string>());
  }
  int code = 0;
  const std::string text = output_of(words, code);
  if (code != 0)
    fmt::print(stderr, "noctule: no plots: {} ended with exit code {}; the results are complete\n",
               script.string(), code);
  std::vector<std::string> files;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    files.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return files;
}

}  // namespace noctule
