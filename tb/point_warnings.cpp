#include "tb/point_warnings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "core/error_output.h"
#include "core/json.h"
#include "traffic/leaves_out.h"
#include "traffic/packet_draws.h"
#include "verify/service.h"

namespace noctule {
namespace {

/// By a source that sends packets of the first class alone; empty: there is no other.
std::string never_sent(const MessageClasses& classes) {
  std::vector<std::string> others;
  for (std::size_t c = 1; c < classes.size(); ++c) others.push_back(classes[c].name);
  if (others.empty()) return "";
  return fmt::format(
      "traffic.source: all packets are of class '{}', the first of message_classes, and none of '{}'; let "
      "request_reply, flows, workload or trace_file send packets of several classes",
      classes[0].name, fmt::join(others, "', '"));
}

}  // namespace

void PointWarnings::look_at(const PointConfig& point, const PointSpec& spec) {
  const bool known = point.resolved.at("expect") == "any";
  if (!known) add(point.label, starvation_text(spec.message_classes));
  // Where there are sockets, they send what the classes are for.
  const bool sockets = !point.resolved.at("tlm").at("targets").empty();
  if (!sockets && dynamic_cast<const DrawnSource*>(spec.source.get()) != nullptr)
    add(point.label, never_sent(spec.message_classes));
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
