#include "trace/vcd_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/error.h"
#include "core/ids.h"
#include "trace/output_file.h"
#include "trace/vcd_writer.h"

namespace noctule {
namespace {

/// One dump, read from its beginning to its end. Its identifiers get a letter in front.
class Reader {
 public:
  Reader(const VcdPart& part, char mark) : part_(part), mark_(mark), stream_(part.file) {
    if (!stream_) throw ConfigError("cosim", fmt::format("{} cannot be read", part.file));
  }
  /// Scopes and variables to `out`; the timescale is returned.
  std::string copy_definitions(OutputFile& out) {
    std::string scale;
    std::string word;
    const auto rest = [&] {
      std::string text;
      while (stream_ >> word && word != "$end") text += (text.empty() ? "" : " ") + word;
      return text;
    };
    while (stream_ >> word && word != "$enddefinitions") {
      if (word == "$timescale") {
        scale = rest();
      } else if (word == "$scope") {
        out << "$scope " << rest() << " $end\n";
      } else if (word == "$upscope") {
        rest();
        out << "$upscope $end\n";
      } else if (word == "$var") {
        std::string kind, width, id;
        stream_ >> kind >> width >> id;
        out << "$var " << kind << ' ' << width << ' ' << std::string(1, mark_) + id << ' ' << rest()
            << " $end\n";
      } else if (word.front() == '$') {
        rest();
      }
    }
    rest();
    std::getline(stream_, line_);
    next_time();
    return scale;
  }
  /// Of the next changes; kNever: none are left.
  [[nodiscard]] std::uint64_t time() const { return time_; }
  /// Changes at time() to `out`.
  void copy_changes(OutputFile& out) {
    while (std::getline(stream_, line_)) {
      if (line_.empty() || line_.front() == '$') continue;
      if (line_.front() == '#') return parse_time();
      if (line_.front() == 'b' || line_.front() == 'r') {
        const auto space = line_.find(' ');
        out << std::string_view(line_).substr(0, space + 1) << mark_
            << std::string_view(line_).substr(space + 1);
      } else {
        out << line_.front() << mark_ << std::string_view(line_).substr(1);
      }
      out << '\n';
    }
    time_ = kNever;
  }
  [[nodiscard]] const VcdPart& part() const { return part_; }

 private:
  void next_time() {
    while (std::getline(stream_, line_))
      if (!line_.empty() && line_.front() == '#') return parse_time();
    time_ = kNever;
  }
  void parse_time() { time_ = std::stoull(line_.substr(1)); }

  VcdPart part_;
  char mark_;
  std::ifstream stream_;
  std::string line_;
  std::uint64_t time_ = kNever;
};

}  // namespace

void merge_vcds(const std::string& path, const std::vector<VcdPart>& parts) {
  OutputFile out(path, "cosim");
  std::vector<std::unique_ptr<Reader>> readers;
  for (const VcdPart& part : parts)
    if (std::filesystem::exists(part.file))
      readers.push_back(std::make_unique<Reader>(part, static_cast<char>('A' + readers.size())));
  // The timescale stands first, and is known from the first file alone.
  std::string scale = "1 ns";
  if (!readers.empty()) {
    std::ifstream first(readers.front()->part().file);
    std::string word;
    while (first >> word && word != "$timescale" && word != "$enddefinitions") {
    }
    if (word == "$timescale") {
      scale.clear();
      while (first >> word && word != "$end") scale += (scale.empty() ? "" : " ") + word;
    }
  }
  out << "$timescale " << scale << " $end\n";
  for (const auto& reader : readers) {
    const auto scopes = scopes_of(reader->part().scope);
    for (const auto& scope : scopes) out << "$scope module " << scope << " $end\n";
    reader->copy_definitions(out);
    for (std::size_t s = 0; s < scopes.size(); ++s) out << "$upscope $end\n";
  }
  out << "$enddefinitions $end\n";
  for (;;) {
    std::uint64_t now = kNever;
    for (const auto& reader : readers) now = std::min(now, reader->time());
    if (now == kNever) break;
    out << '#' << now << '\n';
    for (const auto& reader : readers)
      if (reader->time() == now) reader->copy_changes(out);
  }
  out.close();
}

void join_vcds(const std::string& out, const std::vector<VcdPart>& parts) {
  merge_vcds(out, parts);
  for (const VcdPart& part : parts) {
    std::error_code ignored;
    std::filesystem::remove(part.file, ignored);
  }
}

}  // namespace noctule
