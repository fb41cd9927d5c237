#include "tb/starvation_warnings.h"

#include <algorithm>

#include "core/error_output.h"
#include "core/json.h"
#include "verify/service.h"

namespace noctule {

void StarvationWarnings::look_at(const PointConfig& point, const MessageClasses& classes) {
  if (point.resolved.at("expect") == "any") return;  // it is known
  std::string text = starvation_text(classes);
  if (text.empty() || std::ranges::any_of(all_, [&](const auto& known) { return known.first == text; }))
    return;
  all_.emplace_back(std::move(text), point.label);
}

void StarvationWarnings::print() const {
  for (const auto& [text, label] : all_) print_error("noctule: warning: {}: {}\n", label, text);
}

}  // namespace noctule
