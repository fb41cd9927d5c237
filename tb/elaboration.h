#pragma once
// SystemC elaborates once per process: whatever needs a simulation runs inside the sc_main of a child
// process.

#include <functional>

namespace noctule {

/// Calls `work` from sc_main. Once per process. Exceptions come through.
void run_in_sc_main(const std::function<void()>& work);

}  // namespace noctule
