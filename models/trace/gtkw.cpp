#include "trace/gtkw.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <span>

#include "trace/output_file.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKey = "trace.gtkw";

/// Flags of GTKWave's save files, hexadecimal: how a line is shown.
constexpr const char* kFlag = "@28\n";          // binary, right-justified
constexpr const char* kDecimal = "@24\n";       // decimal, right-justified
constexpr const char* kTranslated = "@2024\n";  // the same, through a translation file
constexpr const char* kOpen = "@c00200\n";      // start of a group, closed
constexpr const char* kOpened = "@800200\n";    // start of a group, open
constexpr const char* kClose = "@1000200\n";    // its end
constexpr const char* kClosed = "@1401200\n";   // end of a closed group

/// Translation files: number to name, equal ones written once.
class Translations {
 public:
  /// Makes their folder, and takes away what an earlier run left there.
  explicit Translations(const fs::path& save_file)
      : folder_(translation_folder(save_file.string())), base_(save_file.parent_path()) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
      throw ConfigError(kKey,
                        fmt::format("cannot make the folder '{}' for the names of the signals' values: {}",
                                    folder_.string(), error.message()));
    for (const auto& entry : fs::directory_iterator(folder_, error))
      if (entry.path().extension() == ".txt") fs::remove(entry.path(), error);
  }

  /// Name of the file, relative to the save file; `what` becomes part of it.
  std::string file_of(const std::string& what, const std::vector<std::string>& names) {
    auto& file = files_[names];
    if (!file.empty()) return file;
    const unsigned n = count_[what]++;
    const fs::path name = folder_ / (what + (n == 0 ? "" : "_" + std::to_string(n)) + ".txt");
    file = name.lexically_relative(base_).string();
    OutputFile out(name.string(), kKey);
    for (std::size_t i = 0; i < names.size(); ++i) out << std::uint64_t{i} << ' ' << names[i] << '\n';
    out.close();
    written_.push_back(out.path());
    return file;
  }
  [[nodiscard]] const std::vector<std::string>& written() const { return written_; }

 private:
  fs::path folder_, base_;
  std::map<std::vector<std::string>, std::string> files_;
  std::map<std::string, unsigned> count_;
  std::vector<std::string> written_;
};

std::vector<std::string> names_of(std::span<const VcPlan> vcs) {
  std::vector<std::string> names;
  for (const auto& vc : vcs) names.push_back(vc.name);
  return names;
}

template <std::size_t N>
std::vector<std::string> names_of(const std::array<const char*, N>& names) {
  return {names.begin(), names.end()};
}

std::string translation_of(const SignalInfo& signal, const FabricPlan& fabric, Translations& translations) {
  const RouterPlan& plan = *fabric.routers[index(signal.router)];
  switch (signal.meaning) {
    case SignalMeaning::kFlitType:
      return translations.file_of("type", names_of(kFlitTypeNames));
    case SignalMeaning::kInputState:
      return translations.file_of("state", names_of(kInputStateNames));
    case SignalMeaning::kInput:
      return translations.file_of("inputs", names_of(plan.inputs));
    case SignalMeaning::kOutput:
      return translations.file_of("outputs", names_of(plan.outputs));
    case SignalMeaning::kVc: {
      const ChannelPlan& channel = plan.outbound[signal.channel];
      return translations.file_of("vcs",
                                  names_of(std::span(plan.outputs).subspan(channel.first, channel.count)));
    }
    case SignalMeaning::kMessageClass: {
      std::vector<std::string> names;
      for (const MessageClass& message_class : fabric.message_classes) names.push_back(message_class.name);
      return translations.file_of("message_classes", names);
    }
    case SignalMeaning::kFlag:
    case SignalMeaning::kNumber:
      break;
  }
  return {};
}

/// Groups: router, block, and for what has many a group each ("x_plus.star0").
class Groups {
 public:
  Groups(OutputFile& out, std::size_t outer) : out_(out), outer_(outer) {}

  void move_to(const std::vector<std::string>& path) {
    std::size_t common = 0;
    while (common < open_.size() && common < path.size() && open_[common] == path[common]) ++common;
    while (open_.size() > common) leave();
    for (std::size_t n = common; n < path.size(); ++n) {
      out_ << (n < outer_ ? kOpened : kOpen) << '-' << path[n] << '\n';
      open_.push_back(path[n]);
    }
  }

 private:
  void leave() {
    out_ << (open_.size() <= outer_ ? kClose : kClosed) << '-' << open_.back() << '\n';
    open_.pop_back();
  }
  OutputFile& out_;
  std::size_t outer_;  ///< groups at this depth and above are open
  std::vector<std::string> open_;
};

/// [router, block, rest of the scope].
std::vector<std::string> group_path(const SignalInfo& signal, const std::string& fabric,
                                    const std::string& router) {
  std::vector<std::string> path{router};
  std::string rest = signal.scope.substr(std::min(signal.scope.size(), fabric.size() + router.size() + 2));
  const auto dot = rest.find('.');
  path.push_back(rest.substr(0, dot));
  if (dot != std::string::npos) path.push_back(rest.substr(dot + 1));
  return path;
}

}  // namespace

std::string translation_folder(const std::string& path) {
  const fs::path save_file(path);
  return (save_file.parent_path() / "gtkwave" / save_file.stem()).string();
}

std::vector<std::string> write_gtkw(const std::string& path, const Waveform& waveform) {
  const Fabric& fabric = waveform.fabric();
  const fs::path save_file(path);
  OutputFile out(path, kKey);
  Translations translations(save_file);
  std::error_code ignored;
  const fs::path folder = save_file.parent_path().empty() ? fs::path(".") : save_file.parent_path();
  const fs::path dump = fs::proximate(waveform.path(), folder, ignored);
  out << "[*] The names below are relative to the folder of this file.\n[dumpfile] \"" << dump.string()
      << "\"\n[savefile] \"" << save_file.filename().string() << "\"\n[timestart] "
      << waveform.window().from * waveform.units_per_cycle() << '\n';
  // Zoom: each step halves the pixels per time unit, of which there are about 190 at 0; no marker.
  out << fmt::format("[size] 1500 900\n[signals_width] 260\n*-{:.3f} -1\n",
                     4.7 + std::log2(static_cast<double>(waveform.units_per_cycle())));

  Groups groups(out, 2);
  for (const SignalInfo& signal : waveform.signals()) {
    groups.move_to(group_path(signal, fabric.name(), fabric.plan().topology->router_name(signal.router)));
    const std::string translation = translation_of(signal, fabric.plan(), translations);
    if (translation.empty())
      out << (signal.meaning == SignalMeaning::kFlag ? kFlag : kDecimal);
    else
      out << kTranslated << "^1 " << translation << '\n';
    out << signal.scope << '.' << signal.name;
    if (signal.bits > 1) out << '[' << std::uint64_t{signal.bits - 1} << ":0]";
    out << '\n';
  }
  groups.move_to({});
  out.close();
  std::vector<std::string> files = translations.written();
  files.insert(files.begin(), path);
  return files;
}

}  // namespace noctule
