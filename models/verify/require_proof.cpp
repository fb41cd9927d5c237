#include "verify/require_proof.h"

#include <fmt/format.h>

#include "core/error.h"
#include "verify/report/report.h"

namespace noctule {
namespace {

constexpr std::size_t kMostArcs = 8;

}  // namespace

std::string refusal(const Certificate& certificate) {
  if (certificate.verdict == Verdict::kUnknown) {
    const std::string cycle = cycle_text(certificate, kMostArcs);
    return fmt::format(
        "whether this fabric can deadlock is unknown: {}.{} Missing is {}. To simulate it all the same, "
        "write "
        "allow_deadlock: true",
        certificate.reason, cycle.empty() ? "" : fmt::format(" A cycle: {}.", cycle), certificate.missing);
  }
  return fmt::format(
      "this fabric can deadlock: {}. A cycle: {}. `noctule verify` shows the worms and writes a "
      "configuration that "
      "deadlocks; to simulate this one all the same, write allow_deadlock: true",
      certificate.reason, cycle_text(certificate, kMostArcs));
}

Certificate require_proof(std::shared_ptr<const FabricPlan> plan, const VerifyOptions& options) {
  Certificate certificate = verify(std::move(plan), options);
  if (!certificate.proved()) throw ConfigError("routing.algorithm", refusal(certificate));
  return certificate;
}

}  // namespace noctule
