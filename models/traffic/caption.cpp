#include "traffic/caption.h"

#include <algorithm>
#include <filesystem>

namespace noctule {

SourceCaptions& SourceCaptions::instance() {
  static SourceCaptions captions;
  return captions;
}

const SourceCaption* SourceCaptions::find(const std::string& source) const {
  const auto found = std::ranges::find(all_, source, &SourceCaption::source);
  return found == all_.end() ? nullptr : &*found;
}

std::string file_in_caption(const Parameters& keys) {
  return std::filesystem::path(keys.get<std::string>("file", "a file")).filename().string();
}

}  // namespace noctule
