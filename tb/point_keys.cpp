#include "tb/point_keys.h"

#include <fmt/format.h>

#include "run/inputs.h"

namespace noctule {
namespace {

constexpr const char* kLimit = "memory_mb";

/// The rule of its status names the limit.
bool ended_by_limit(const Json& record) {
  return record.at("point").value("status_rule", std::string()).find(kLimit) != std::string::npos;
}

}  // namespace

PointKeys::PointKeys(const Json& resolved, const std::string& program) {
  const std::string inputs = program + input_digest(resolved);
  whole_ = point_key(resolved, inputs);
  ended_ =
      point_key(resolved, fmt::format("{}\n{} {}", inputs, kLimit, resolved.at("limits").at(kLimit).dump()));
}

std::optional<Json> PointKeys::find(const Journal& journal) const {
  auto record = journal.find(whole_);
  return record && !ended_by_limit(*record) ? record : journal.find(ended_);
}

const std::string& PointKeys::of(const Json& record) const {
  return ended_by_limit(record) ? ended_ : whole_;
}

}  // namespace noctule
