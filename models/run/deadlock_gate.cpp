#include "run/deadlock_gate.h"

#include <utility>

#include "verify/require_proof.h"

namespace noctule {

DeadlockGate::DeadlockGate(ProofStore proofs, Simulations simulations, bool fresh)
    : proofs_(std::move(proofs)), simulations_(std::move(simulations)), fresh_(fresh) {}

void DeadlockGate::pass(const PointConfig& point) {
  const std::string key = fabric_key(point.resolved);
  const bool allowed = point.resolved.at("allow_deadlock").get<bool>();
  // Proved, or looked at and allowed: the next point may not allow it.
  if (passed_.count(key) != 0 || (allowed && allowed_.count(key) != 0)) return;
  FabricOfPoint fabric = fabric_of(point);
  if (!fresh_ && proofs_.holds(key, *fabric.plan)) {
    passed_.insert(key);
    return;
  }
  try {
    fabric.options.find_witness = !allowed;
    const Certificate certificate =
        allowed ? verify(fabric.plan, fabric.options) : judge_fabric(fabric, point, simulations_).certificate;
    if (!certificate.proved() && !allowed) throw refusal(certificate);
    (certificate.proved() ? passed_ : allowed_).insert(key);
    if (certificate.proved()) proofs_.keep(key, certificate);
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

}  // namespace noctule
