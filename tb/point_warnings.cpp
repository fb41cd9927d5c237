#include "tb/point_warnings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "core/error_output.h"
#include "core/json.h"
#include "nodes/router_plan.h"
#include "run/fabric_verdict.h"
#include "traffic/last_birth.h"
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

/// Virtual channels of links that messages of no class may take; empty: there are none.
std::string idle_channels(const PointSpec& spec) {
  const std::size_t classes = spec.message_classes.size();
  const FabricPlan plan = plan_of(spec);
  std::size_t idle = 0;
  std::size_t all = 0;
  std::string first;
  for (std::size_t r = 0; r < plan.routers.size(); ++r) {
    const RouterPlan& router = *plan.routers[r];
    for (std::uint16_t o = 0; o < router.link_outputs(); ++o) {
      ++all;
      bool taken = false;
      for (std::size_t c = 0; c < classes; ++c)
        taken = taken || router.may_take(o, static_cast<std::uint8_t>(c));
      if (taken) continue;
      if (++idle == 1)
        first = fmt::format("{}.{}", plan.topology->router_name(RouterId(static_cast<std::uint32_t>(r))),
                            router.outputs[o].name);
    }
  }
  if (idle == 0) return "";
  return fmt::format(
      "message_classes: {} of {} virtual channels of the links are of no class, such as {}: nothing takes "
      "them; name their lanes in `vcs`",
      idle, all, first);
}

/// Of a run that ends before the source; empty: it does not.
std::string ends_too_early(Cycle last_birth, Cycle limit) {
  if (last_birth < limit) return "";
  return fmt::format(
      "traffic.source: the last packet is born in cycle {}, and the run ends at cycle {}; raise "
      "measurement.limit",
      last_birth, limit);
}

}  // namespace

void PointWarnings::look_at(const PointConfig& point, const PointSpec& spec) {
  const bool known = point.resolved.at("expect") == "any";
  if (!known) add(point.label, starvation_text(spec.message_classes));
  if (spec.message_classes.named() && planned_.insert(fabric_key(point.resolved)).second)
    add(point.label, idle_channels(spec));
  // Where there are sockets, they send what the classes are for.
  const bool sockets = !point.resolved.at("tlm").at("targets").empty();
  if (!sockets && dynamic_cast<const DrawnSource*>(spec.source.get()) != nullptr)
    add(point.label, never_sent(spec.message_classes));
  if (const auto* source = dynamic_cast<const LeavesOut*>(spec.source.get()))
    add(point.label, source->left_out());
  if (const auto* source = dynamic_cast<const KnowsLastBirth*>(spec.source.get()))
    add(point.label, ends_too_early(source->last_birth(), spec.measurement.measure_limit_cycles));
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
