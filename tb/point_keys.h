#pragma once
// Under which keys a journal has points.

#include <optional>
#include <string>

#include "core/json.h"
#include "run/resume.h"

namespace noctule {

/// A point that limits.memory_mb has ended is found by that limit too: another one may let it go on.
class PointKeys {
 public:
  PointKeys() = default;
  /// Of a point with all of its keys. `program`: what its result depends on besides (point_key).
  PointKeys(const Json& resolved, const std::string& program);

  /// Without any a point is in no journal.
  [[nodiscard]] bool none() const { return whole_.empty(); }
  /// The record of the point, if the journal has one.
  [[nodiscard]] std::optional<Json> find(const Journal& journal) const;
  /// The key for this record of the point.
  [[nodiscard]] const std::string& of(const Json& record) const;
  /// One of both may have a record.
  [[nodiscard]] const std::string& whole() const { return whole_; }
  [[nodiscard]] const std::string& ended() const { return ended_; }

 private:
  std::string whole_;
  std::string ended_;  ///< by the limit
};

}  // namespace noctule
