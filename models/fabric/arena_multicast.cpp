#include "fabric/arena.h"

namespace noctule {

template std::unique_ptr<RouterArena> make_arena<Build::kMulticast>(const ArenaRequest&);

}  // namespace noctule
