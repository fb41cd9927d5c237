#include "rtl/dut.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include "core/child_program.h"
#include "core/data_files.h"
#include "core/error.h"
#include "core/error_output.h"
#include "core/rng.h"
#include "rtl/dut_cache.h"
#include "rtl/dut_compiler.h"
#include "rtl/dut_shim.h"
#include "rtl/evaluation_watch.h"
#include "rtl/hardware_rules.h"
#include "rtl/shipped_rules.h"
#include "rtl/verilator.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// Of a module, and no option of Verilator.
bool is_name(const std::string& top) {
  const auto part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
  };
  return !top.empty() && std::isdigit(static_cast<unsigned char>(top.front())) == 0 && top.front() != '$' &&
         std::ranges::all_of(top, part);
}

bool is_for_a_linker(const fs::path& file) {
  static const std::set<std::string> kSuffixes{".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".o", ".a", ".so"};
  return kSuffixes.contains(file.extension().string());
}

/// What is compiled, by its places: a name for it, whatever is in the files.
std::string key_of(const RtlSource& source, const PinMap& map, Dut::Form form, const std::string& verilator) {
  std::string text = verilator + fmt::format("{}", fmt::join(cxx_compiler(), " ")) + shim_template() +
                     std::to_string(static_cast<int>(form));
  for (const auto& pins : {map.inputs(), map.outputs()})
    for (const Pin& pin : pins) text += fmt::format("{}:{};", pin.name, pin.width);
  text += source.top;
  for (const auto& [name, value] : source.parameters) text += fmt::format("{}={};", name, value);
  for (const auto& file : source.files) text += file.string() + '\n';
  text += '\n';
  for (const auto& folder : source.folders) text += folder.string() + '\n';
  return fmt::format("{}-{:016x}", source.top, hash_name(text));
}

/// What is compiled, by the C++ that Verilator wrote: a name for it, wherever the sources are.
std::string content_of(const RtlSource& source, const fs::path& folder, Dut::Form form,
                       const std::string& verilator) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string text =
      verilator + fmt::format("{}", fmt::join(cxx_compiler(), " ")) + std::to_string(static_cast<int>(form));
  for (const auto& file : files) text += file.filename().string() + '\n' + read_text(file);
  return fmt::format("{}-{:016x}-cpp.so", source.top, hash_name(text));
}

/// From RTL to C++ in `folder`. The files that it was made of; nothing if one of them changed meanwhile.
std::optional<DutDependencies> translate(const RtlSource& source, const PinMap& map, const fs::path& folder,
                                         Dut::Form form) {
  const bool trace = form == Dut::Form::kTraced;
  const auto read_by = [&](const fs::path& run) {
    return DutDependencies::of(run / "Vdut__verFiles.dat", folder, source.folders);
  };
  // First as it is, to learn its ports and its files; then in its harness.
  const fs::path look = folder / "ports";
  const std::string said = verilate(source, source.top, source.files, source.parameters, look, false);
  for (const std::string& part : left_out(said, look))
    print_error("noctule: warning: {}: {}\n", source.top, part);
  const DutDependencies before = read_by(look);
  const PortList ports = parse_ports(read_text(look / "Vdut.h"));
  check_ports(ports, map, source.top);
  if (form == Dut::Form::kBare) {
    verilate(source, source.top, source.files, source.parameters, folder, false);
  } else {
    const fs::path harness = folder / "harness.sv";
    std::ofstream(harness) << make_harness(ports, map, source.top, source.parameters);
    auto files = source.files;
    files.push_back(harness);
    verilate(source, kHarness, files, {}, folder, trace);
  }
  std::vector<std::string> headers;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".h") headers.push_back(read_text(entry.path()));
  std::ofstream(folder / "print.h") << "int noctule_print(const char* format, ...);\n";
  std::ofstream(folder / "shim.cpp") << make_shim(ports, map, parse_state(headers), trace);
  return read_by(folder) == before ? std::optional(before) : std::nullopt;
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

/// A folder that goes in the end.
class Scratch {
 public:
  explicit Scratch(fs::path path) : path_(std::move(path)) {}
  ~Scratch() { remove(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }
  void clear() const {
    remove();
    std::error_code error;
    fs::create_directories(path_, error);
  }

 private:
  void remove() const {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  fs::path path_;
};

constexpr int kAttempts = 3;  ///< to translate sources that change meanwhile

/// The name in what the loader says of a symbol that is nowhere; empty: it says something else, or nothing.
std::string undefined_symbol(const char* message) {
  constexpr std::string_view kSays = "undefined symbol: ";
  const std::string_view text = message == nullptr ? "" : message;
  const std::size_t at = text.find(kSays);
  if (at == std::string_view::npos) return {};
  const std::string_view name = text.substr(at + kSays.size());
  return std::string(name.substr(0, name.find_first_of(" ,)")));
}

class LoadedDut final : public Dut {
 public:
  LoadedDut(RtlSource source, std::shared_ptr<const PinMap> pins, const fs::path& library, bool trace)
      : source_(std::make_shared<const RtlSource>(std::move(source))),
        pins_(std::move(pins)),
        handle_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    const char* const wrong = handle_ == nullptr ? dlerror() : nullptr;
    const auto entry = handle_ == nullptr ? nullptr : dlsym(handle_, kShimEntry);
    if (const std::string import = undefined_symbol(wrong); !import.empty())
      throw ConfigError("nodes",
                        fmt::format("module {} imports the function {} (DPI), which nothing defines; "
                                    "leave the import out",
                                    source_->top, import));
    if (entry == nullptr)
      throw ConfigError("nodes", fmt::format("{} cannot be loaded ({}); remove it and try again",
                                             library.string(), wrong != nullptr ? wrong : "no entry"));
    shim_ = reinterpret_cast<const DutShim* (*)()>(entry)();
    trace_ = trace;
    for (const char* const* name = shim_->absent; *name != nullptr; ++name) absent_.emplace_back(*name);
  }
  [[nodiscard]] std::unique_ptr<VerilatedRouter> create(const std::string& instance,
                                                        std::uint64_t seed) const override {
    return std::make_unique<Instance>(*this, instance, seed);
  }
  [[nodiscard]] const RtlSource& source() const override { return *source_; }
  [[nodiscard]] const std::shared_ptr<const PinMap>& pins() const override { return pins_; }
  [[nodiscard]] const std::vector<std::string>& absent() const override { return absent_; }

 private:
  class Instance final : public VerilatedRouter {
   public:
    Instance(const LoadedDut& dut, const std::string& name, std::uint64_t seed)
        : shim_(*dut.shim_),
          source_(dut.source_),
          self_(shim_.make(name.c_str(), hash_name(name) ^ mix64(seed))),
          can_trace_(dut.trace_) {}
    ~Instance() override { shim_.destroy(self_); }
    void reset(const std::uint64_t* in, std::uint64_t* out) override { evaluate(shim_.reset, in, out); }
    void step(const std::uint64_t* in, std::uint64_t* out) override { evaluate(shim_.step, in, out); }
    void settle(const std::uint64_t* in, std::uint64_t* out) override { evaluate(shim_.settle, in, out); }
    [[nodiscard]] const RtlFinding* finding() const override { return finding_ ? &*finding_ : nullptr; }
    void cover() override { shim_.cover(self_); }
    void tell_toggles(Toggles& inside) const override {
      shim_.toggles(self_, &inside,
                    [](void* user, const char* signal, unsigned first, unsigned width, std::uint64_t ones,
                       std::uint64_t zeros) {
                      std::string name = signal;
                      if (name.starts_with(kHarness)) name.erase(0, name.find('.') + 1);
                      static_cast<Toggles*>(user)->add(name, first, width, ones, zeros);
                    });
    }
    void open_trace(const fs::path& file) override {
      if (!can_trace_) throw InternalError("the router was not compiled for waveforms");
      shim_.open_trace(self_, file.c_str());
    }
    void dump(std::uint64_t time) override { shim_.dump(self_, time); }
    void close_trace() override { shim_.close_trace(self_); }

   private:
    void evaluate(bool (*how)(void*, const std::uint64_t*, std::uint64_t*), const std::uint64_t* in,
                  std::uint64_t* out) {
      bool fine = false;
      if (!EvaluationWatch::completes([&] { fine = how(self_, in, out); })) [[unlikely]]
        throw ConfigError("nodes",
                          fmt::format("module {} does not come to rest: one evaluation has taken {} s; "
                                      "look for a loop without an end in its initial and always blocks",
                                      source_->top, EvaluationWatch::kSeconds));
      if (!fine) [[unlikely]]
        note_finding();
    }
    void note_finding() {
      if (finding_) return;
      const DutFinding& found = *shim_.finding(self_);
      finding_ = RtlFinding{fmt::format("{}:{}", found.file, found.line), found.text};
      if (found.no_file)
        throw ConfigError("nodes",
                          fmt::format("module {} reads '{}', which is not there; its path counts from "
                                      "the folder that noctule is run in",
                                      source_->top, found.file));
      if (found.loop)
        throw ConfigError("nodes",
                          fmt::format("module {} has a combinational loop: it does not settle; put a "
                                      "register into it{}",
                                      source_->top, circular_signals(*source_)));
    }

    const DutShim& shim_;
    std::shared_ptr<const RtlSource> source_;
    void* self_;
    bool can_trace_;
    std::optional<RtlFinding> finding_;
  };

  std::shared_ptr<const RtlSource> source_;
  std::shared_ptr<const PinMap> pins_;
  void* handle_;  // stays loaded: instances may outlive this
  const DutShim* shim_ = nullptr;
  bool trace_ = false;
  std::vector<std::string> absent_;
};

}  // namespace

std::map<std::string, long> hardware_parameters(const PinMap& map) {
  std::map<std::string, long> parameters{{"CoordW", map.format().coordinate_bits()},
                                         {"DataW", map.format().data_bits()}};
  const NodeDescription& node = map.node();
  if (node.direct()) {
    parameters["Vcs"] = node.lanes;
    parameters["Depth"] = node.input_depth;
    if (const unsigned bits = map.format().class_bits(); bits > 0) {
      const long all = (1L << node.lanes) - 1;
      const auto& lanes = map.lanes_of_class();
      long vcs = 0;
      for (unsigned c = 0; c < 1U << bits; ++c)
        vcs |= (c < lanes.size() ? static_cast<long>(lanes[c]) : all) << (c * node.lanes);
      parameters["ClassW"] = bits;
      parameters["ClassVcs"] = vcs;
    }
  } else if (node.vc_allocator == "scan") {
    parameters["Rotating"] = node.selection == Selection::kRotating ? 1 : 0;
  }
  return parameters;
}

std::string missing_rtl_tools() {
  if (!has_program("verilator")) return "Verilator is not installed (Debian: apt-get install verilator)";
  return missing_cxx_compiler();
}

std::vector<std::vector<RouterId>> rtl_groups(const FabricPlan& plan,
                                              const std::vector<std::optional<RtlSource>>& rtl,
                                              std::optional<RouterId> apart) {
  const auto same = [&](RouterId a, RouterId b) {
    return plan.nodes.kind(a) == plan.nodes.kind(b) && rtl[index(a)] == rtl[index(b)] &&
           (apart == a) == (apart == b);
  };
  std::vector<std::vector<RouterId>> groups;
  for (const RouterId router : routers_with(rtl)) {
    const auto group =
        std::ranges::find_if(groups, [&](const auto& known) { return same(known.front(), router); });
    (group == groups.end() ? groups.emplace_back() : *group).push_back(router);
  }
  return groups;
}

RtlSource complete_source(RtlSource source, const FabricPlan& plan, std::span<const RouterId> routers,
                          const PinMap& map) {
  const bool shipped = source.files.empty();
  if (source.top.empty()) source.top = map.node().model;
  if (shipped) {
    const fs::path home = find_data("rtl");
    const fs::path file = home / "nodes" / (source.top + ".sv");
    if (home.empty())
      throw ConfigError("nodes",
                        "the shipped RTL is not here: neither the program nor its library lies in a built "
                        "source tree or in an installed package, with the folder rtl; run the program from "
                        "where it was built or installed, or give files");
    if (!fs::is_regular_file(file))
      throw ConfigError(
          "nodes", fmt::format("there is no shipped RTL of '{}'; there is of star_channels, four_classes, "
                               "linder_harden, oblivious and input_queued; give files for your own",
                               source.top));
    if (auto obstacle = shipped_obstacle(plan, routers))
      throw ConfigError(std::vector<Diagnostic>{std::move(*obstacle)});
    source.files = {file};
    for (const char* folder : {"arbitration", "blocks", "routing"}) source.folders.push_back(home / folder);
    for (const auto& [name, value] : hardware_parameters(map)) source.parameters.emplace(name, value);
  }
  if (!is_name(source.top))
    throw ConfigError(
        "nodes",
        fmt::format("'{}' is no name of a module: letters, digits, _ and $, no digit first", source.top));
  for (const auto& file : source.files) {
    if (is_for_a_linker(file))
      throw ConfigError("nodes",
                        fmt::format("{}: only SystemVerilog and Verilog are compiled; a module that calls "
                                    "C++ (DPI) cannot be a router",
                                    fs::absolute(file).lexically_normal().string()));
    if (!fs::is_regular_file(file))
      throw ConfigError(
          "nodes",
          fmt::format("{}: {}", fs::absolute(file).lexically_normal().string(),
                      fs::is_directory(file) ? "is a folder; name the files in it, or give it as 'folders'"
                                             : "no such file"));
  }
  for (const auto& folder : source.folders)
    if (!fs::is_directory(folder))
      throw ConfigError("nodes",
                        fmt::format("{}: no such folder", fs::absolute(folder).lexically_normal().string()));
  for (auto* const paths : {&source.files, &source.folders})
    for (auto& path : *paths) path = fs::absolute(path).lexically_normal();
  return source;
}

std::shared_ptr<const Dut> Dut::build(const RtlSource& wanted, const FabricPlan& plan,
                                      std::span<const RouterId> routers, Form form,
                                      const Compiling& compiling) {
  const auto pins = std::make_shared<const PinMap>(plan, routers.front());
  const PinMap& map = *pins;
  const RtlSource source = complete_source(wanted, plan, routers, map);
  if (const std::string missing = missing_rtl_tools(); !missing.empty()) throw ConfigError("nodes", missing);
  const DutCache cache;
  const std::string& version = verilator_version();
  const std::string sources = key_of(source, map, form, version);
  const bool trace = form == Dut::Form::kTraced;
  const fs::path place = cache.folder() / sources;
  const FileLock lock(place.string() + ".lock");
  if (const auto name = cache.known(sources))
    if (const auto library = cache.file(*name))
      return std::make_shared<LoadedDut>(source, pins, *library, trace);

  if (compiling) compiling(source.top);
  const Scratch scratch(place.string() + ".new");
  std::optional<DutDependencies> files;
  for (int attempt = 0; attempt < kAttempts && !files; ++attempt) {
    scratch.clear();
    files = translate(source, map, scratch.path(), form);
  }
  if (!files)
    throw ConfigError("nodes",
                      fmt::format("the sources of module {} change while they are translated; run it "
                                  "again once they are saved",
                                  source.top));
  const std::string name = content_of(source, scratch.path(), form, version);
  const FileLock same_content((cache.folder() / name).string() + ".lock");
  auto library = cache.file(name);
  if (!library) {
    compile_dut(scratch.path(), source.top, trace, cache);
    library = cache.keep(name, scratch.path() / "dut.so");
  }
  cache.remember(sources, name, *files);
  return std::make_shared<LoadedDut>(source, pins, *library, trace);
}

}  // namespace noctule
