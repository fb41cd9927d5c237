// The cycle of routers that serve message classes apart, and of those whose terminals are of a seldom kind:
// compiled here, so that it changes nothing in how that of all others is.

#include "fabric/router.h"

namespace noctule {

template <class C>
bool grouped_step(void* state, Cycle t) {
  return Router<C>::template step<Seldom::kAll, true>(*static_cast<RouterState<C>*>(state), t);
}
template <class C>
bool refusing_step(void* state, Cycle t) {
  return Router<C>::template step<Seldom::kNone, false, true>(*static_cast<RouterState<C>*>(state), t);
}
template <class C>
bool terminal_step(void* state, Cycle t) {
  return Router<C>::template step<Seldom::kTerminals>(*static_cast<RouterState<C>*>(state), t);
}
template <class C, Shape kShape>
bool shaped_step(void* state, Cycle t) {
  constexpr Seldom kHas = kShape == Shape::kFew ? Seldom::kTerminals : Seldom::kNone;
  return Router<C>::template step<kHas, false, false, kShape>(*static_cast<RouterState<C>*>(state), t);
}

#define NOCTULE_GROUPED_STEPS(KIND)                                       \
  template bool grouped_step<RouterConfig<1, KIND, false>>(void*, Cycle); \
  template bool grouped_step<RouterConfig<1, KIND, true>>(void*, Cycle);  \
  template bool grouped_step<RouterConfig<4, KIND, true>>(void*, Cycle);  \
  template bool grouped_step<RouterConfig<16, KIND, true>>(void*, Cycle);
NOCTULE_GROUPED_STEPS(Build::kUnit)
NOCTULE_GROUPED_STEPS(Build::kDeep)
NOCTULE_GROUPED_STEPS(Build::kDirect)
#undef NOCTULE_GROUPED_STEPS
template bool refusing_step<RouterConfig<1, Build::kDirect, false>>(void*, Cycle);
template bool terminal_step<RouterConfig<1, Build::kDirect, false>>(void*, Cycle);
template bool shaped_step<RouterConfig<1, Build::kDirect, false>, Shape::kFew>(void*, Cycle);
template bool shaped_step<RouterConfig<1, Build::kDirect, false>, Shape::kPlain4>(void*, Cycle);
template bool shaped_step<RouterConfig<1, Build::kDirect, false>, Shape::kPlain8>(void*, Cycle);

}  // namespace noctule
