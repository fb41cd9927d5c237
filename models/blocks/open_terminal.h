#pragma once
// The unlimited injection channels of one terminal, and which of them have room.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "blocks/router_state.h"

namespace noctule {

template <class C>
struct OpenChannel {
  static constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();

  typename RouterState<C>::Sender sender;                  ///< the worm that enters
  std::vector<typename RouterState<C>::StoredFlit> flits;  ///< in the buffer, unless it has a seat
  Mask<C::kWords> feasible;                                ///< of the header at the front
  std::uint64_t ticket = kLast;  ///< place of that header in the order of service; kLast: does not bid yet
  std::uint32_t since = 0;       ///< cycle from which it bids, low bits
  std::uint16_t seat = kNoSlot;  ///< input of the router
  bool listed = false;           ///< is known to have room: in `idle`, `entering` or `roomy`
};

template <class C>
struct OpenTerminal {
  static constexpr std::size_t kSpare = 16;  ///< channels that are kept though they are not in use

  std::vector<OpenChannel<C>> channels;
  std::vector<std::uint32_t> idle;      ///< heap, lowest first: with room for the next worm
  std::vector<std::uint32_t> entering;  ///< in the midst of a worm, with room
  std::vector<std::uint32_t> roomy;     ///< one or the other from the next cycle on
  std::vector<std::uint32_t> seated;
  std::vector<std::uint32_t> home;  ///< unlimited consumption: worms to a terminal of this very router
  std::size_t flits = 0;            ///< in channels without a seat
  std::size_t bidding = 0;          ///< headers

  void add_idle(std::uint32_t n) {
    idle.push_back(n);
    std::push_heap(idle.begin(), idle.end(), std::greater<>());
  }
  /// The channel that takes the next worm: the lowest with room, or a new one.
  [[nodiscard]] std::uint32_t take_idle() {
    if (idle.empty()) {
      channels.emplace_back().listed = true;
      return static_cast<std::uint32_t>(channels.size() - 1);
    }
    std::pop_heap(idle.begin(), idle.end(), std::greater<>());
    const std::uint32_t n = idle.back();
    idle.pop_back();
    return n;
  }
  /// Gives back the memory of the highest channels once most are not in use.
  void shrink() {
    const auto unused = [](const OpenChannel<C>& c) {
      return c.seat == kNoSlot && c.flits.empty() && c.sender.packet == kNoPacket;
    };
    if (channels.size() <= kSpare || 2 * idle.size() <= channels.size() || !unused(channels.back())) return;
    std::size_t kept = channels.size();
    while (kept > kSpare && unused(channels[kept - 1])) --kept;
    channels.resize(kept);
    std::erase_if(idle, [&](std::uint32_t n) { return n >= kept; });
    std::make_heap(idle.begin(), idle.end(), std::greater<>());
    if (2 * kept < channels.capacity()) {
      channels.shrink_to_fit();
      idle.shrink_to_fit();
      entering.shrink_to_fit();
      roomy.shrink_to_fit();
      home.shrink_to_fit();
    }
  }
  /// Bytes that are in use.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = sizeof *this + channels.capacity() * sizeof(OpenChannel<C>);
    for (const auto* list : {&idle, &entering, &roomy, &seated, &home})
      sum += list->capacity() * sizeof(std::uint32_t);
    for (const OpenChannel<C>& channel : channels) sum += channel.flits.capacity() * sizeof(channel.flits[0]);
    return sum;
  }
};

}  // namespace noctule
