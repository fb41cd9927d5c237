#include "verify/require_proof.h"

#include <fmt/format.h>

#include "verify/report/report.h"

namespace noctule {
namespace {

constexpr std::size_t kMostArcs = 8;

}  // namespace

ConfigError refusal(const Certificate& certificate) {
  const bool by_ends = certificate.only_ends_close_cycles();
  const char* const key = by_ends ? "depends" : "routing.algorithm";
  const std::string cycle = cycle_text(certificate, kMostArcs);
  if (certificate.verdict == Verdict::kUnknown)
    return {key, fmt::format(
                     "whether this fabric can deadlock is unknown: {}.{} Missing is {}. To simulate it all "
                     "the same, write allow_deadlock: true",
                     certificate.reason, cycle.empty() ? "" : fmt::format(" A cycle: {}.", cycle),
                     certificate.missing)};
  if (cycle.empty())  // the search for worms came to its limit, and a simulation deadlocked
    return {key,
            fmt::format("this fabric can deadlock, as a simulation of it does: {}. `noctule verify` says "
                        "which; to simulate it all the same, write allow_deadlock: true",
                        certificate.reason)};
  return {key,
          fmt::format(
              "this fabric can deadlock: {}. A cycle: {}. {}`noctule verify` shows the worms and writes a "
              "configuration that deadlocks; to simulate this one all the same, write allow_deadlock: "
              "true",
              certificate.reason, cycle,
              by_ends ? "Give each class VCs of its own (message_classes), or room for all packets that "
                        "can be open (buffer: unlimited). "
                      : "")};
}

Certificate require_proof(std::shared_ptr<const FabricPlan> plan, const VerifyOptions& options) {
  Certificate certificate = verify(std::move(plan), options);
  if (!certificate.proved()) throw refusal(certificate);
  return certificate;
}

}  // namespace noctule
