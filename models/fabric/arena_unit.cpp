#include "fabric/arena.h"

namespace noctule {

template std::unique_ptr<RouterArena> make_arena<Build::kUnit>(const ArenaRequest&);

}  // namespace noctule
