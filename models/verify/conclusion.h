#pragma once
// How a certificate ends: what the proofs of unicasts and of planned worms say in the same words.

#include <string>
#include <utility>

#include "verify/certificate.h"

namespace noctule {

inline void conclude(Certificate& certificate, Verdict verdict, const char* method, std::string reason) {
  certificate.verdict = verdict;
  certificate.method = method;
  certificate.reason = std::move(reason);
}

/// Unknown. `missing`: what would decide it.
inline void leave_open(Certificate& certificate, std::string reason, std::string missing) {
  conclude(certificate, Verdict::kUnknown, "cyclic", std::move(reason));
  certificate.missing = std::move(missing);
}

/// Unknown, because the limit `key` of the configuration was reached.
inline void stop_at(Certificate& certificate, const char* key, std::string reason, std::string missing) {
  leave_open(certificate, std::move(reason), std::move(missing));
  certificate.method = "limit";
  certificate.limit = key;
  certificate.surveyed = certificate.limit != kVerifyStatesKey;
}

}  // namespace noctule
