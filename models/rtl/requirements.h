#pragma once
// What is asked of routers in hardware, one thing after the other.

#include <optional>
#include <string>

#include "core/error.h"
#include "core/ids.h"
#include "nodes/router_plan.h"

namespace noctule {

/// The allocator that hardware has, for VCs and for the switch.
inline constexpr const char* kSeparable = "separable_input_first";

/// Keeps the first requirement that does not hold, as key and remedy. Where the routers or links of the
/// fabric differ, it names the one.
class Requirements {
 public:
  /// Keeps a reference to the plan.
  explicit Requirements(const FabricPlan& plan) : plan_(plan) {}

  /// What follows is asked of this router.
  void of(RouterId router);
  /// What follows is asked of this link, which begins or ends at the router.
  void of(const Link& link, RouterId router);
  /// `key`: of the section node for all routers, of the section link for all links, or of the fabric.
  void require(bool holds, const char* key, const char* remedy) {
    if (!holds && !broken_) broken_ = named(key, remedy);
  }
  void refuse(Diagnostic why) {
    if (!broken_) broken_ = std::move(why);
  }
  [[nodiscard]] const std::optional<Diagnostic>& broken() const { return broken_; }

 private:
  [[nodiscard]] Diagnostic named(const char* key, const char* remedy) const;

  const FabricPlan& plan_;
  RouterId router_{};
  const Link* link_ = nullptr;  ///< null: the router itself
  std::optional<Diagnostic> broken_;
};

}  // namespace noctule
