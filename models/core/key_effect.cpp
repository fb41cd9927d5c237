#include "core/key_effect.h"

namespace noctule {

KeyEffects& KeyEffects::instance() {
  static KeyEffects effects;
  return effects;
}

}  // namespace noctule
