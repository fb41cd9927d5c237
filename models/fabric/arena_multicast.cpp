#include "fabric/arena.h"

namespace noctule {

template std::unique_ptr<RouterArena> make_arena<Build::kMulticast>(const FabricPlan&, FabricContext&, int,
                                                                    bool);

}  // namespace noctule
