// A virtual platform: a processor, a DMA engine and two random initiators share memories through a Noctule
// fabric.
//
//   platform FILE [--set KEY=VALUE]... [--program FILE] [--quantum NS] [--transactions N]
//            [--record DIR]
//
//   FILE             the fabric: platform.yaml
//   --set            changes a key of FILE: --set tlm.level=loose
//   --program        what the processor runs: sum.txt beside FILE
//   --quantum        how far initiators run ahead of the simulated time: 1000 at level loose, else 0
//   --transactions   of each random initiator: 2000
//   --record         writes every transaction to this folder, for noctule levels --trace and noctule run
//
// Exit code 0: memories are as expected, and nobody broke the base protocol; 1: not so; 2: cannot be run.

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dma.h"
#include "memory.h"
#include "processor.h"
#include "random_initiator.h"
#include "tlm/checker.h"
#include "tlm/network.h"
#include "tlm/recording.h"

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

// What sum.txt works on, and where the random initiators do.
constexpr std::uint64_t kArray = 0x0, kCopy = 0x20000, kSum = 0x30000;
constexpr unsigned kWords = 256;
constexpr std::uint64_t kRandom = 0x100000, kRandomBytes = 0x10000;
constexpr std::size_t kMemory = 0x20000;  ///< bytes of each

struct Options {
  std::string file;
  std::vector<std::string> set;
  std::string program;
  double quantum = -1;  ///< ns; below 0: as the level is
  unsigned transactions = 2000;
  std::string record;  ///< folder; empty: none
};

Options options_of(int argc, char** argv) {
  Options options;
  const auto number = [](const std::string& option, const std::string& text, double most) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value >= 0 && value <= most))
      throw std::runtime_error(option + " takes a number from 0 on, not '" + text + "'");
    return value;
  };
  for (int n = 1; n < argc; ++n) {
    const std::string word = argv[n];
    if (word.rfind("--", 0) != 0 && options.file.empty()) {
      options.file = word;
      continue;
    }
    if (word != "--set" && word != "--program" && word != "--quantum" && word != "--transactions" &&
        word != "--record")
      throw std::runtime_error("'" + word + "' is no option; see the head of main.cpp");
    if (++n == argc) throw std::runtime_error(word + " needs a value");
    if (word == "--set") options.set.emplace_back(argv[n]);
    if (word == "--program") options.program = argv[n];
    if (word == "--record") options.record = argv[n];
    if (word == "--quantum") options.quantum = number(word, argv[n], 1e9);
    if (word == "--transactions") options.transactions = static_cast<unsigned>(number(word, argv[n], 1e9));
  }
  if (options.file.empty()) throw std::runtime_error("a file is missing: platform platform.yaml");
  if (options.program.empty())
    options.program = (std::filesystem::path(options.file).parent_path() / "sum.txt").string();
  return options;
}

/// The sockets are bound by the names that the file gives them.
class Platform {
 public:
  explicit Platform(const Options& options)
      : network_("network", noctule::tlm::configured_network(options.file, options.set)),
        cpu_("cpu", options.program, sc_time(1, SC_NS)),
        dma_("dma"),
        random_0_("random_0", kRandom, kRandomBytes, options.transactions, 1),
        random_1_("random_1", kRandom + kRandomBytes, kRandomBytes, options.transactions, 2) {
    for (Initiator* initiator : initiators_) bind(*initiator);
    for (const char* name : {"ram_0", "ram_1", "ram_2", "ram_3"}) {
      memories_.push_back(std::make_unique<Memory>(name, kMemory, sc_time(10, SC_NS)));
      network_.initiator_socket<32>(target(name)).bind(memories_.back()->socket);
    }
    network_.initiator_socket<32>(target("dma_registers")).bind(dma_.registers);
    if (!options.record.empty()) recording_.emplace(network_, options.record);
  }

  /// True: all is as expected.
  bool run(double quantum) {
    const bool loose = network_.settings().level == noctule::Level::kLoose;
    const double ahead = quantum >= 0 ? quantum : loose ? 1000 : 0;
    tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(ahead, SC_NS));
    load();
    sc_core::sc_start(sc_time(100, sc_core::SC_MS));  // idle time costs nothing
    if (recording_) recording_->close();
    report();
    return check();
  }

 private:
  [[nodiscard]] std::size_t target(const std::string& name) const {
    return place_of(name, network_.settings().targets, "targets");
  }
  template <class List>
  static std::size_t place_of(const std::string& name, const List& list, const char* section) {
    for (std::size_t n = 0; n < list.size(); ++n)
      if (list[n].name == name) return n;
    throw std::runtime_error("tlm." + std::string(section) + ": '" + name +
                             "' is missing, which main.cpp has");
  }
  /// By way of a checker, which names what breaks the base protocol.
  void bind(Initiator& initiator) {
    checkers_.emplace_back((std::string("checker_") + initiator.name()).c_str());
    initiator.socket.bind(checkers_.back().target_socket);
    const std::size_t number = place_of(initiator.name(), network_.settings().initiators, "initiators");
    checkers_.back().initiator_socket.bind(network_.target_socket<32>(number));
  }

  std::vector<std::uint32_t> words(std::uint64_t address, std::size_t count) {
    std::vector<std::uint32_t> found(count);
    const auto bytes = static_cast<unsigned>(count * 4);
    if (cpu_.debug(tlm::TLM_READ_COMMAND, address, reinterpret_cast<unsigned char*>(found.data()), bytes) !=
        bytes)
      found.clear();
    return found;
  }
  /// The array into memory, in no time.
  void load() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // everything is bound now
    for (std::uint32_t n = 0; n < kWords; ++n) array_.push_back(n * n * 2654435761U + 1);
    cpu_.debug(tlm::TLM_WRITE_COMMAND, kArray, reinterpret_cast<unsigned char*>(array_.data()), kWords * 4);
  }
  void report() const {
    std::printf("%-10s %13s %10s %18s %12s\n", "initiator", "transactions", "bytes", "mean latency [ns]",
                "end [ns]");
    for (const Initiator* initiator : initiators_) {
      const auto& counts = initiator->counts();
      const double all = counts.latency / sc_time(1, SC_NS);
      const double mean = counts.transactions == 0 ? 0 : all / static_cast<double>(counts.transactions);
      std::printf("%-10s %13llu %10llu %18.2f ", initiator->name(),
                  static_cast<unsigned long long>(counts.transactions),
                  static_cast<unsigned long long>(counts.bytes), mean);
      if (initiator->done())
        std::printf("%12.1f\n", initiator->end() / sc_time(1, SC_NS));
      else
        std::printf("%12s\n", "never");
    }
  }
  bool check() {
    bool right = true;
    const auto expect = [&right](bool holds, const char* what) {
      std::printf("%-60s %s\n", what, holds ? "right" : "WRONG");
      right = right && holds;
    };
    std::uint32_t sum = 0;
    for (const std::uint32_t word : array_) sum += word;
    expect(cpu_.halted(), "the processor came to its end");
    expect(words(kCopy, kWords) == array_, "the DMA engine has copied the array");
    expect(words(kSum, 1) == std::vector<std::uint32_t>{sum}, "the processor has added up the copy");
    for (const RandomInitiator* random : {&random_0_, &random_1_}) {
      const auto known = random->known();
      std::vector<unsigned char> found(known.size());
      cpu_.debug(tlm::TLM_READ_COMMAND, random->base(), found.data(), static_cast<unsigned>(found.size()));
      const std::string name = random->name();
      expect(random->done() && random->wrong() == 0, (name + " has read what it wrote").c_str());
      expect(found == known, (name + " has left in memory what it wrote").c_str());
    }
    std::uint64_t complaints = network_.counters().complaints, errors = 0;
    for (const auto& checker : checkers_) complaints += checker.rules().count();
    for (const Initiator* initiator : initiators_) errors += initiator->counts().errors;
    expect(complaints == 0 && errors == 0, "nobody broke the base protocol, no response is an error");
    return right;
  }

  noctule::tlm::TlmNetwork network_;
  std::optional<noctule::tlm::Recording> recording_;
  Processor cpu_;
  Dma dma_;
  RandomInitiator random_0_, random_1_;
  const std::vector<Initiator*> initiators_{&cpu_, &dma_, &random_0_, &random_1_};
  std::deque<noctule::tlm::Checker<32>> checkers_;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::vector<std::uint32_t> array_;
};

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    const Options options = options_of(argc, argv);
    Platform platform(options);
    return platform.run(options.quantum) ? 0 : 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "platform: %s\n", problem.what());
    return 2;
  }
}
