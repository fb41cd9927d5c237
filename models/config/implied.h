#pragma once
// Keys that a resolved configuration did not get from its user.

#include "config/document.h"

namespace noctule {

/// A resolved configuration names the keys that it did not get from its user (`implied`). They are taken out
/// again, unless somebody has changed them since: so they follow what is laid over the document next.
void drop_implied(ConfigNode& document);

}  // namespace noctule
