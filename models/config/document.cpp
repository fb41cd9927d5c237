#include "config/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "core/number_lines.h"

namespace noctule {

std::string Place::text() const {
  if (source == nullptr) return {};
  return line == 0 ? *source : fmt::format("{}:{}:{}", *source, line, column);
}

ConfigNode ConfigNode::of_scalar(std::string text, Place place, bool quoted) {
  ConfigNode node;
  node.kind = Kind::kScalar;
  node.scalar = std::move(text);
  node.quoted = quoted;
  node.place = std::move(place);
  return node;
}

ConfigNode ConfigNode::of_map(Place place) {
  ConfigNode node;
  node.kind = Kind::kMap;
  node.place = std::move(place);
  return node;
}

const ConfigNode::Entry* ConfigNode::find(const std::string& key) const {
  const auto it = std::ranges::find(entries, key, &Entry::key);
  return it == entries.end() ? nullptr : &*it;
}

ConfigNode::Entry* ConfigNode::find(const std::string& key) {
  const auto it = std::ranges::find(entries, key, &Entry::key);
  return it == entries.end() ? nullptr : &*it;
}

void ConfigNode::erase(const std::string& key) {
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
}

namespace {

/// Stops the parser: thrown through it with the fault to report.
struct Abandoned {
  Fault fault;
};

std::size_t size_of(const ConfigNode& node) {
  std::size_t n = 1;
  for (const auto& item : node.items) n += size_of(item);
  for (const auto& entry : node.entries) n += 1 + size_of(entry.value);
  return n;
}

unsigned depth_of(const ConfigNode& node) {
  unsigned deepest = 0;
  for (const auto& item : node.items) deepest = std::max(deepest, depth_of(item));
  for (const auto& entry : node.entries) deepest = std::max(deepest, depth_of(entry.value));
  return deepest + 1;
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, std::shared_ptr<const std::string> source, Faults& faults,
              const DocumentLimits& limits)
      : text_(text), source_(std::move(source)), faults_(faults), limits_(limits) {}

  [[nodiscard]] ConfigNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    ConfigNode node;
    node.place = at(mark);
    finish(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end()) abandon(mark, "this alias refers to the collection that it stands in");
    count(mark, size_of(it->second));
    if (open_.size() + depth_of(it->second) > DocumentLimits::kDepth) abandon_depth(mark);
    finish(it->second, 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (tag != "?" && tag != "!" && !tag.empty())
      abandon(mark, fmt::format("the tag {} has no meaning here", tag));
    if (tag == "!" && !quote_closes(static_cast<std::size_t>(mark.pos)))
      abandon(mark, "not valid YAML: this quote is never closed");
    finish(ConfigNode::of_scalar(value, at(mark), tag == "!"), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(ConfigNode::Kind::kList, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(ConfigNode::Kind::kMap, mark, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A collection whose end has not come yet.
  struct Open {
    ConfigNode node;
    YAML::anchor_t anchor;
    bool has_key = false;  ///< map: the next value belongs to `key`
    bool skip = false;     ///< map: that key was refused
    std::string key;
    Place key_place;
  };

  [[nodiscard]] Place at(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }
  [[noreturn]] void abandon(const YAML::Mark& mark, std::string message) const {
    throw Abandoned{{"", std::move(message), at(mark)}};
  }
  [[noreturn]] void abandon_depth(const YAML::Mark& mark) const {
    abandon(mark, fmt::format("nested more than {} deep", DocumentLimits::kDepth));
  }
  /// The parser takes the end of the file for a closing quote.
  [[nodiscard]] bool quote_closes(std::size_t at) const {
    const char quote = at < text_.size() ? text_[at] : '\0';
    if (quote != '"' && quote != '\'') return true;
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
      const bool twice = quote == '\'' && i + 1 < text_.size() && text_[i + 1] == quote;  // stands for itself
      if (text_[i] == quote && !twice) return true;
      if (quote == '"' ? text_[i] == '\\' : text_[i] == quote) ++i;
    }
    return false;
  }
  void count(const YAML::Mark& mark, std::size_t nodes) {
    nodes_ += nodes;
    if (nodes_ > limits_.values)
      abandon(mark, fmt::format("more than {} values in one document, aliases resolved{}", limits_.values,
                                limits_.remedy));
  }
  void open(ConfigNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    count(mark, 1);
    if (open_.size() >= DocumentLimits::kDepth) abandon_depth(mark);
    Open next;
    next.node.kind = kind;
    next.node.place = at(mark);
    next.anchor = anchor;
    open_.push_back(std::move(next));
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    finish(std::move(done.node), done.anchor);
  }
  /// A value is complete: it is a key or a value of the innermost open collection, or the document.
  void finish(ConfigNode node, YAML::anchor_t anchor) {
    ++nodes_;
    if (anchor != 0) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == ConfigNode::Kind::kList) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      accept_key(parent, node);
    } else {
      parent.has_key = false;
      if (node.kind == ConfigNode::Kind::kNull)
        node.place = parent.key_place;  // nothing stands anywhere else
      if (!parent.skip)
        parent.node.entries.push_back(
            {std::move(parent.key), std::move(parent.key_place), std::move(node), false});
    }
  }
  void accept_key(Open& parent, const ConfigNode& node) {
    parent.has_key = true;
    parent.skip = true;
    parent.key = node.scalar;
    parent.key_place = node.place;
    if (node.kind != ConfigNode::Kind::kScalar || node.scalar.empty())
      faults_.push_back({"", "a key must be a word", node.place});
    else if (const auto* first = parent.node.find(node.scalar))
      faults_.push_back(
          {node.scalar, fmt::format("the key is given twice; the first one is in line {}", first->place.line),
           node.place});
    else
      parent.skip = false;
  }

  const std::string& text_;
  std::shared_ptr<const std::string> source_;
  Faults& faults_;
  const DocumentLimits& limits_;
  ConfigNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, ConfigNode> anchors_;
  std::size_t nodes_ = 0;
};

/// Position of the first byte that no text file has, or npos: control characters, malformed UTF-8.
std::size_t first_bad_byte(const std::string& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    if (lead < 0x20 && lead != '\t' && lead != '\n' && lead != '\r') return i;
    const unsigned more = lead < 0x80       ? 0
                          : lead >> 5 == 6  ? 1
                          : lead >> 4 == 14 ? 2
                          : lead >> 3 == 30 ? 3
                                            : 9;
    if (more == 9 || i + more >= text.size() + (more == 0 ? 1U : 0U)) return i;
    std::uint32_t code = more == 0 ? lead : lead & (0x3FU >> more);
    for (unsigned n = 1; n <= more; ++n) {
      if (byte(i + n) >> 6 != 2) return i;
      code = code << 6 | (byte(i + n) & 0x3FU);
    }
    constexpr std::uint32_t kShortest[]{0, 0x80, 0x800, 0x10000};
    if (code < kShortest[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) || code == 0x7F)
      return i;
    i += more + 1;
  }
  return std::string::npos;
}

Place place_of(const std::string& text, std::size_t offset, std::shared_ptr<const std::string> source) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
  const auto line = std::count(text.begin(), end, '\n');
  const auto newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t column = newline == std::string::npos ? offset : offset - newline - 1;
  return {std::move(source), static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

}  // namespace

ConfigNode parse_yaml(const std::string& text, std::shared_ptr<const std::string> source, Faults& faults,
                      const DocumentLimits& limits) {
  if (text.starts_with(kByteOrderMark))
    return parse_yaml(text.substr(kByteOrderMark.size()), source, faults, limits);
  if (text.size() > limits.bytes) {
    faults.push_back(
        {"",
         fmt::format("{} bytes long; allowed are at most {}{}", text.size(), limits.bytes, limits.remedy),
         {source, 1, 1}});
    return {};
  }
  if (const auto bad = first_bad_byte(text); bad != std::string::npos) {
    faults.push_back({"",
                      fmt::format("byte 0x{:02x} here; a configuration is a text file in UTF-8",
                                  static_cast<unsigned>(static_cast<unsigned char>(text[bad]))),
                      place_of(text, bad, source)});
    return {};
  }
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder builder(text, source, faults, limits);
    parser.HandleNextDocument(builder);
    Faults ignored;
    TreeBuilder second(text, source, ignored, limits);
    if (parser.HandleNextDocument(second)) {
      faults.push_back(
          {"", "a second document begins here; a configuration is one document", second.take().place});
      return {};
    }
    return builder.take();
  } catch (const Abandoned& stop) {
    faults.push_back(stop.fault);
  } catch (const YAML::Exception& e) {
    const bool known = !e.mark.is_null();
    faults.push_back(
        {"",
         "not valid YAML: " + e.msg +
             (e.msg.find("token") == std::string::npos ? "" : "; text with signs is put into quotes"),
         {source, known ? e.mark.line + 1 : 1, known ? e.mark.column + 1 : 1}});
  }
  return {};
}

std::string read_text_file(const std::string& path, const std::string& key, const Place& place,
                           Faults& faults, const std::string& kind, const DocumentLimits& limits) {
  const auto refuse = [&](const std::string& why) {
    faults.push_back({key, fmt::format("'{}' {}", path, why), place});
    return std::string();
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return refuse("does not exist; give the path of " + kind);
  if (std::filesystem::is_directory(status))
    return refuse(std::filesystem::exists(std::filesystem::path(path) / "config.json", error)
                      ? "is a folder of results; give config.json in it, the configuration that gave them"
                      : "is a folder; give the path of " + kind + " in it");
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status))
    return refuse("is a device; give the path of " + kind);
  std::ifstream file(path, std::ios::binary);
  if (!file) return refuse("cannot be read");
  std::string text(limits.bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return refuse("cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > limits.bytes)
    return refuse(fmt::format("is longer than {} bytes{}", limits.bytes, limits.remedy));
  return text;
}

}  // namespace noctule
