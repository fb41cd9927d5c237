#pragma once
// What a figure says of the traffic of a source. Declared beside the source, by whoever declares the source.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/parameters.h"

namespace noctule {

struct SourceCaption {
  /// Kind of source.
  std::string source;
  /// From the complete keys of the source: "flows of soc-flows.txt"; empty: there is nothing to say.
  std::function<std::string(const Parameters& keys)> text;
  /// Do these keys say how long its packets are, and not those of all sources? Null: they do not.
  std::function<bool(const Parameters& keys)> own_lengths = {};
};

class SourceCaptions {
 public:
  static SourceCaptions& instance();
  void add(SourceCaption caption) { all_.push_back(std::move(caption)); }
  /// Null: this kind has none.
  [[nodiscard]] const SourceCaption* find(const std::string& source) const;

 private:
  std::vector<SourceCaption> all_;
};

/// `static const CaptionOf kCaption{{"periodic", [](const Parameters&) { return "at equal distances"; }}};`
struct CaptionOf {
  explicit CaptionOf(SourceCaption caption) { SourceCaptions::instance().add(std::move(caption)); }
};

/// "a.txt" of "/some/where/a.txt", as the key `file` of a source gives it.
[[nodiscard]] std::string file_in_caption(const Parameters& keys);

}  // namespace noctule
