#include "tb/point_warnings.h"

#include <algorithm>

#include "core/error_output.h"
#include "core/json.h"
#include "traffic/leaves_out.h"
#include "verify/service.h"

namespace noctule {

void PointWarnings::look_at(const PointConfig& point, const PointSpec& spec) {
  const bool known = point.resolved.at("expect") == "any";
  if (!known) add(point.label, starvation_text(spec.message_classes));
  // Sockets send what their classes are for.
  if (!point.resolved.at("tlm").at("targets").empty()) return;
  if (const auto* source = dynamic_cast<const LeavesOut*>(spec.source.get()))
    add(point.label, source->left_out());
}

void PointWarnings::add(const std::string& label, std::string text) {
  if (text.empty() || std::ranges::any_of(all_, [&](const auto& known) { return known.first == text; }))
    return;
  all_.emplace_back(std::move(text), label);
}

void PointWarnings::print() const {
  for (const auto& [text, label] : all_) print_error("noctule: warning: {}: {}\n", label, text);
}

}  // namespace noctule
