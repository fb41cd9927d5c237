#include "core/nearest.h"

#include <algorithm>
#include <cctype>

namespace noctule {
namespace {

std::string folded(const std::string& word) {
  std::string text;
  for (const char c : word) {
    if (c == '-' || c == ' ')
      text += '_';
    else
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

}  // namespace

std::size_t edit_distance(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before_last(width), last(width), row(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string nearest_spelling(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > 64) return {};
  const std::string wanted = folded(word);
  std::string best;
  std::size_t least = std::max<std::size_t>(1, (wanted.size() + 1) / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::string other = folded(candidate);
    std::size_t distance = edit_distance(wanted, other);
    if (wanted.size() >= 3 && other.compare(0, wanted.size(), wanted) == 0)
      distance = std::min<std::size_t>(distance, 1);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace noctule
