#pragma once
// Sources that know when they send for the last time.

#include "core/ids.h"

namespace noctule {

class KnowsLastBirth {
 public:
  virtual ~KnowsLastBirth() = default;
  /// Cycle in which the last packet is born, whatever becomes of the others.
  [[nodiscard]] virtual Cycle last_birth() const = 0;
};

}  // namespace noctule
