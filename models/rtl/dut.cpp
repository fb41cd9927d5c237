#include "rtl/dut.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/child_program.h"
#include "core/data_files.h"
#include "core/error.h"
#include "core/rng.h"
#include "rtl/dut_shim.h"
#include "rtl/hardware_rules.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// $CXX, which may be several words ("ccache g++"), or c++.
std::vector<std::string> compiler() {
  const char* const chosen = std::getenv("CXX");
  std::istringstream text(chosen != nullptr ? chosen : "");
  std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  return words.empty() ? std::vector<std::string>{"c++"} : words;
}

/// Where compiled routers are kept.
fs::path dut_folder() {
  const char* const own = std::getenv("NOCTULE_CACHE");
  if (own != nullptr && *own != '\0') return own;
  fs::path folder = cache_folder();
  return folder.empty() ? fs::temp_directory_path() / fmt::format("noctule-{}", getuid()) : folder;
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool is_source(const fs::path& file) {
  const auto extension = file.extension();
  return extension == ".sv" || extension == ".v" || extension == ".svh" || extension == ".vh";
}

/// The shipped router of the node model, where the source says no files.
RtlSource resolved(RtlSource source, const FabricPlan& plan, const FlitFormat& format) {
  const bool shipped = source.files.empty();
  if (source.top.empty()) source.top = plan.node.model;
  if (shipped) {
    const fs::path home = find_data("rtl");
    const fs::path file = home / "nodes" / (source.top + ".sv");
    if (home.empty() || !fs::is_regular_file(file))
      throw ConfigError(
          "nodes", fmt::format("there is no shipped RTL of '{}'; there is of star_channels, four_classes, "
                               "linder_harden, oblivious and input_queued; give files for your own",
                               source.top));
    if (auto obstacle = shipped_obstacle(plan))
      throw ConfigError(std::vector<Diagnostic>{std::move(*obstacle)});
    source.files = {file};
    for (const char* folder : {"arbitration", "blocks", "routing"}) source.folders.push_back(home / folder);
    for (const auto& [name, value] : hardware_parameters(plan, format))
      source.parameters.emplace(name, value);
  }
  for (const auto& file : source.files)
    if (!fs::is_regular_file(file))
      throw ConfigError("nodes", fmt::format("{}: no such file", file.string()));
  for (const auto& folder : source.folders)
    if (!fs::is_directory(folder))
      throw ConfigError("nodes", fmt::format("{}: no such folder", folder.string()));
  return source;
}

/// Everything that the compiled code depends on, as a name for it.
std::string key_of(const RtlSource& source, const PinMap& map, Dut::Form form, const std::string& verilator) {
  std::string text = verilator + fmt::format("{}", fmt::join(compiler(), " ")) + shim_template() +
                     std::to_string(static_cast<int>(form));
  for (const auto& pins : {map.inputs(), map.outputs()})
    for (const Pin& pin : pins) text += fmt::format("{}:{};", pin.name, pin.width);
  text += source.top;
  for (const auto& [name, value] : source.parameters) text += fmt::format("{}={};", name, value);
  for (const auto& file : source.files) text += file.filename().string() + '\n' + read_text(file);
  for (const auto& folder : source.folders) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_regular_file() && is_source(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) text += file.filename().string() + '\n' + read_text(file);
  }
  return fmt::format("{}-{:016x}", source.top, hash_name(text));
}

/// What a tool said, cut to what helps.
std::string excerpt(const std::string& output) {
  std::istringstream lines(output);
  std::string text;
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    if (line.find("Error") == std::string::npos && line.find("error") == std::string::npos && count == 0)
      continue;
    if (++count > 12) break;
    text += "\n  " + line;
  }
  return text.empty() ? "\n  " + output.substr(0, 400) : text;
}

const std::string& verilator_version() {
  static const auto asked = run_program({"verilator", "--version"});
  return asked.output;
}

/// Runs Verilator on module `top` of these files, with -G parameters.
void verilate(const RtlSource& source, const std::string& top, const std::vector<fs::path>& files,
              const std::map<std::string, long>& parameters, const fs::path& folder, bool trace) {
  std::vector<std::string> words{"verilator", "--cc",        "--Mdir",       folder.string(),
                                 "--prefix",  "Vdut",        "--top-module", top,
                                 "-O3",       "--x-assign",  "fast",         "--x-initial",
                                 "fast",      "--no-timing", "-Wno-lint",    "-Wno-fatal"};
  if (trace) words.insert(words.end(), {"--trace", "--trace-structs"});
  for (const auto& [name, value] : parameters) words.push_back(fmt::format("-G{}={}", name, value));
  for (const auto& path : source.folders)
    words.insert(words.end(), {"-y", path.string(), "+incdir+" + path.string()});
  for (const auto& file : files) words.push_back(file.string());
  const auto result = run_program(words, true);
  if (result.exit_code != 0)
    throw ConfigError("nodes", fmt::format("Verilator refuses module {} of {}:{}", source.top,
                                           source.files.front().string(), excerpt(result.output)));
}

/// From RTL to C++ in `folder`.
void translate(const RtlSource& source, const PinMap& map, const fs::path& folder, Dut::Form form) {
  const bool trace = form == Dut::Form::kTraced;
  // First as it is, to learn its ports; then in its harness.
  const fs::path look = form == Dut::Form::kBare ? folder : folder / "ports";
  verilate(source, source.top, source.files, source.parameters, look, false);
  const PortList ports = parse_ports(read_text(look / "Vdut.h"));
  check_ports(ports, map, source.top);
  if (form != Dut::Form::kBare) {
    const fs::path harness = folder / "harness.sv";
    std::ofstream(harness) << make_harness(ports, map, source.top, source.parameters);
    auto files = source.files;
    files.push_back(harness);
    verilate(source, kHarness, files, {}, folder, trace);
  }
  std::ofstream(folder / "shim.cpp") << make_shim(ports, map, trace);
}

void compile(const RtlSource& source, const fs::path& folder, Dut::Form form) {
  const bool trace = form == Dut::Form::kTraced;
  const auto root = run_program({"verilator", "--getenv", "VERILATOR_ROOT"});
  std::string home = root.output.substr(0, root.output.find('\n'));
  const fs::path include = fs::path(home) / "include";
  std::vector<std::string> words = compiler();
  words.insert(words.end(), {"-std=c++17", "-fPIC", "-shared", "-fvisibility=hidden", "-w", "-pthread",
                             "-Wl,-Bsymbolic", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE_FST=0"});
  words.insert(words.end(),
               {trace ? "-O0" : "-O2", fmt::format("-DVM_TRACE={}", int{trace}),
                fmt::format("-DVM_TRACE_VCD={}", int{trace}), "-I" + folder.string(), "-I" + include.string(),
                "-I" + (include / "vltstd").string(), "-o", (folder / "dut.so").string()});
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cpp") words.push_back(entry.path().string());
  words.push_back((include / "verilated.cpp").string());
  words.push_back((include / "verilated_threads.cpp").string());
  if (trace) words.push_back((include / "verilated_vcd_c.cpp").string());
  const auto result = run_program(words, true);
  if (result.exit_code != 0)
    throw ConfigError("nodes", fmt::format("{} cannot compile what Verilator made of module {}:{}",
                                           compiler().front(), source.top, excerpt(result.output)));
}

class FileLock {
 public:
  explicit FileLock(const fs::path& file) : fd_(open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (fd_ >= 0) flock(fd_, LOCK_EX);
  }
  ~FileLock() {
    if (fd_ >= 0) close(fd_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_;
};

class LoadedDut final : public Dut {
 public:
  LoadedDut(RtlSource source, const fs::path& library, bool trace)
      : source_(std::move(source)), handle_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    const char* const wrong = handle_ == nullptr ? dlerror() : nullptr;
    const auto entry = handle_ == nullptr ? nullptr : dlsym(handle_, kShimEntry);
    if (entry == nullptr)
      throw ConfigError("nodes", fmt::format("{} cannot be loaded ({}); remove it and try again",
                                             library.string(), wrong != nullptr ? wrong : "no entry"));
    shim_ = reinterpret_cast<const DutShim* (*)()>(entry)();
    trace_ = trace;
    for (const char* const* name = shim_->absent; *name != nullptr; ++name) absent_.emplace_back(*name);
  }
  [[nodiscard]] std::unique_ptr<VerilatedRouter> create(const std::string& instance) const override {
    return std::make_unique<Instance>(*shim_, instance, trace_);
  }
  [[nodiscard]] const RtlSource& source() const override { return source_; }
  [[nodiscard]] const std::vector<std::string>& absent() const override { return absent_; }

 private:
  class Instance final : public VerilatedRouter {
   public:
    Instance(const DutShim& shim, const std::string& name, bool trace)
        : shim_(shim), self_(shim.make(name.c_str())), can_trace_(trace) {}
    ~Instance() override { shim_.destroy(self_); }
    void reset(const std::uint64_t* in, std::uint64_t* out) override { shim_.reset(self_, in, out); }
    void step(const std::uint64_t* in, std::uint64_t* out) override { shim_.step(self_, in, out); }
    void settle(const std::uint64_t* in, std::uint64_t* out) override { shim_.settle(self_, in, out); }
    void open_trace(const fs::path& file) override {
      if (!can_trace_) throw InternalError("the router was not compiled for waveforms");
      shim_.open_trace(self_, file.c_str());
    }
    void dump(std::uint64_t time) override { shim_.dump(self_, time); }

   private:
    const DutShim& shim_;
    void* self_;
    bool can_trace_;
  };

  RtlSource source_;
  void* handle_;  // stays loaded: instances may outlive this
  const DutShim* shim_ = nullptr;
  bool trace_ = false;
  std::vector<std::string> absent_;
};

}  // namespace

std::map<std::string, long> hardware_parameters(const FabricPlan& plan, const FlitFormat& format) {
  std::map<std::string, long> parameters{{"CoordW", format.coordinate_bits()}, {"DataW", format.data_bits()}};
  const NodeDescription& node = plan.node;
  if (node.direct()) {
    parameters["Vcs"] = node.lanes;
    parameters["Depth"] = node.input_depth;
  } else if (node.vc_allocator == "scan") {
    parameters["Rotating"] = node.selection == Selection::kRotating ? 1 : 0;
  }
  return parameters;
}

std::string missing_rtl_tools() {
  if (!has_program("verilator")) return "Verilator is not installed (Debian: apt-get install verilator)";
  if (!has_program(compiler().front()))
    return fmt::format("the C++ compiler '{}' is not there (Debian: apt-get install g++; or set CXX)",
                       compiler().front());
  return {};
}

std::shared_ptr<const Dut> Dut::build(const RtlSource& wanted, const FabricPlan& plan, const PinMap& map,
                                      Form form) {
  const RtlSource source = resolved(wanted, plan, map.format());
  if (const std::string missing = missing_rtl_tools(); !missing.empty()) throw ConfigError("nodes", missing);
  const fs::path cache = dut_folder();
  std::error_code error;
  fs::create_directories(cache, error);
  const fs::path folder = cache / key_of(source, map, form, verilator_version());
  if (error || access(cache.c_str(), W_OK) != 0)
    throw ConfigError("nodes",
                      fmt::format("{} cannot be written: compiled routers are kept there; set NOCTULE_CACHE "
                                  "to another folder",
                                  cache.string()));
  const FileLock lock(folder.string() + ".lock");
  if (!fs::exists(folder / "dut.so")) {
    const fs::path scratch = folder.string() + ".new";
    fs::remove_all(scratch, error);
    fs::create_directories(scratch, error);
    translate(source, map, scratch, form);
    compile(source, scratch, form);
    fs::remove_all(folder, error);
    fs::create_directories(folder, error);
    fs::rename(scratch / "dut.so", folder / "dut.so");
    fs::remove_all(scratch, error);
  }
  return std::make_shared<LoadedDut>(source, folder / "dut.so", form == Form::kTraced);
}

void check_registered_outputs(const Dut& dut, const PinMap& map, RouterId router) {
  const auto instance = dut.create("paths");
  std::vector<std::uint64_t> in = map.at_rest(router);
  const auto rest = in;
  std::vector<std::uint64_t> out(map.outputs().size());
  std::vector<std::uint64_t> then(out.size());
  instance->reset(in.data(), out.data());
  Rng rng(1, "paths");
  const std::size_t positions = map.format().dimensions() * 2;
  for (int state = 0; state < 64; ++state) {
    for (std::size_t i = positions; i < in.size(); ++i) {
      const unsigned width = map.inputs()[i].width;
      const std::uint64_t all = width == 64 ? ~0ULL : (1ULL << width) - 1;
      for (const std::uint64_t value : {all, rng.next() & all, std::uint64_t{0}}) {
        in[i] = value;
        instance->settle(in.data(), then.data());
        for (std::size_t o = 0; o < out.size(); ++o)
          if (then[o] != out[o])
            throw ConfigError(
                "nodes",
                fmt::format(
                    "module {} has a combinational path from {} to {}: every output has to be a function of "
                    "registers alone; put a register, or a credit counter, in between",
                    dut.source().top, map.inputs()[i].name, map.outputs()[o].name));
      }
      in[i] = rest[i];
      instance->settle(in.data(), then.data());
    }
    // Another state: one flit, header and tail in one, on one link.
    const auto& links = map.inbound();
    const LinkPins& link = links[rng.below(links.size())];
    in[link.valid] = 1;
    in[link.vc] = std::uint64_t{1} << rng.below(link.vcs);
    in[link.flit] = (std::uint64_t{3} << map.format().data_bits()) | (rng.next() & 0x3ff);
    instance->step(in.data(), out.data());
    in = rest;
    instance->settle(in.data(), out.data());
  }
}

}  // namespace noctule
