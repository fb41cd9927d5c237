#pragma once
// The two ends of transactions: who issues them, and who serves them.

#include <cstdint>

namespace noctule {

enum class InitiatorId : std::uint32_t {};  ///< a target socket of the network, 0-based and dense
enum class TargetId : std::uint32_t {};     ///< an initiator socket of the network, 0-based and dense

}  // namespace noctule
