// Do mutated configurations get the verdict from the program that they were drawn with? 40 mutations, or 200
// where the environment has NOCTULE_FUZZ (cli.fuzz.all).

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "support/mutate.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLongest{600};  // a tenth of a second alone: later, it hangs

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct End {
  int code = -1;  ///< -1: a signal, or too late
  std::string how;
  std::string output;
  std::string errors;
};

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "noctule-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Runs the program in a folder; kills it if it takes too long.
End run(const fs::path& folder, const std::vector<std::string>& arguments) {
  std::vector<char*> words{const_cast<char*>(NOCTULE_PROGRAM)};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const std::string output = (folder / "stdout").string();
  const std::string errors = (folder / "stderr").string();
  const pid_t child = ::fork();
  if (child == 0) {
    const int out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (::chdir(folder.c_str()) != 0 || ::dup2(out, STDOUT_FILENO) < 0 || ::dup2(err, STDERR_FILENO) < 0)
      ::_exit(126);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  const auto deadline = Clock::now() + kLongest;
  int status = 0;
  bool late = false;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (!late && Clock::now() > deadline) {
      late = true;
      ::kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  End end{-1, "", content(output), content(errors)};
  if (late)
    end.how = "hangs";
  else if (WIFSIGNALED(status))
    end.how = std::string("ended by ") + ::strsignal(WTERMSIG(status));
  else
    end.how = "exit code " + std::to_string(end.code = WEXITSTATUS(status));
  return end;
}

const std::array<const char*, 3> kExamples{
    R"(topology: {kind: torus, radix: [4, 4]}
node: {model: star_channels, connections_per_cycle: 2}
traffic: {pattern: uniform, packet_length: 5, offered_load: 0.05, source_queue: discard}
measurement: {warm_up: 100, cycles: 1000}
)",
    R"(topology: {kind: mesh, radix: [4, 3]}
routing: dimension_order
node: {model: generic, lanes: 2, input_depth: 2}
traffic:
  pattern: {kind: hotspot, nodes: [3], fraction: 0.1}
  packet_length: 4
  offered_load: 0.1
sweep: {node.lanes: [1, 2]}
)",
    R"(topology: {kind: hypercube, dimensions: 3}
traffic: {pattern: bit_complement, source: {kind: static, messages: 3}, packet_length: 4}
link: {flit_delay: 2}
plots: [latency_histogram]
)"};

class Fuzz : public testing::TestWithParam<std::size_t> {
 protected:
  void expect_refused(const Mutation& m) {
    const End end = run(folder_.path(), {"check", "m.yaml"});
    EXPECT_EQ(end.code, 2) << end.how << "\n" << end.errors;
    EXPECT_EQ(end.output, "");
    bool named = false;
    for (const int line : m.lines)
      named |= end.errors.find("m.yaml:" + std::to_string(line) + ":") != std::string::npos;
    EXPECT_TRUE(named) << "none of the lines is named:\n" << end.errors;
  }

  void expect_runs(const Mutation& m) {
    std::vector<std::string> words{"run", "m.yaml", "--quiet"};
    std::vector<std::string> sets{"plots=[]"};
    // A static workload ends by itself.
    if (m.yaml.find("static") == std::string::npos)
      sets.insert(sets.end(), {"measurement.warm_up=0", "measurement.cycles=100"});
    if (m.yaml.find("vcd: true") != std::string::npos || m.yaml.find("events: true") != std::string::npos)
      sets.emplace_back("trace.cycles=50");
    for (const auto& set : sets) words.insert(words.end(), {"--set", set});
    if (m.key == "measurement.cycles" || m.key.starts_with("sweep") || m.key.starts_with("measurement"))
      words.resize(3);
    const End end = run(folder_.path(), words);
    if (end.code == 2 && counts_for_nothing(end)) return;
    if (end.code == 1)
      EXPECT_NE(end.errors.find("deadlocked"), std::string::npos) << end.errors;
    else
      EXPECT_EQ(end.code, 0) << end.how << "\n" << end.errors;
    EXPECT_EQ(end.output, "");
  }

  /// Legal keys are refused all the same where none of them has an effect.
  static bool counts_for_nothing(const End& end) {
    std::istringstream lines(end.errors);
    std::string line;
    bool any = false;
    while (std::getline(lines, line)) {
      if (line.find("has no effect here: it counts only where") == std::string::npos) return false;
      any = true;
    }
    return any;
  }

  void expect_decodes() {
    const End end = run(folder_.path(), {"check", "m.yaml"});
    // What is legal to write need not fit the network, nor the machine; then a place is named all the same.
    EXPECT_TRUE(end.code == 0 || end.code == 2) << end.how << "\n" << end.errors;
    EXPECT_EQ(end.code == 2, end.errors.find("m.yaml:") != std::string::npos) << end.errors;
  }

  void meet(const Mutation& m) {
    std::ofstream(folder_.path() / "m.yaml") << m.yaml;
    if (m.verdict != Legality::kLegal)
      expect_refused(m);
    else if (m.buildable)
      expect_runs(m);
    else
      expect_decodes();
  }

 private:
  Folder folder_;
};

TEST_P(Fuzz, TheProgramGivesTheVerdictThatItWasDrawnWith) {
  const std::size_t parts = kExamples.size();
  const std::size_t count = (std::getenv("NOCTULE_FUZZ") != nullptr ? 200 : 40) / parts + 1;
  Rng rng = Rng(2026, std::uint64_t{GetParam()});
  for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
    const Mutation m = mutate(kExamples[GetParam()], rng);
    SCOPED_TRACE(std::string(to_string(m.verdict)) + " " + m.key + "\n" + m.yaml);
    meet(m);
  }
}

INSTANTIATE_TEST_SUITE_P(Example, Fuzz, testing::Range<std::size_t>(0, kExamples.size()));

}  // namespace
}  // namespace noctule
