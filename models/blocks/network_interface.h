#pragma once
// Where the packets of a terminal wait to be injected.

#include <cstdint>
#include <memory>

#include "core/flit.h"
#include "core/ids.h"

namespace noctule {

/// An interface of a terminal (MessageClasses), with its source queue: what waits to be injected. One line,
/// as long as the queue is short.
struct alignas(64) NetworkInterface {
  std::uint64_t* pending_word = nullptr;  ///< RouterBase::pending_word
  std::uint32_t queue_size = 0;
  std::uint32_t sending = 0;           ///< injection channels with flits of a worm to come
  RouterId router{};                   ///< where it injects
  std::uint32_t position = 0;          ///< of that router in the calendar
  RouterId consumption_router{};       ///< where it consumes
  std::uint16_t slot = 0;              ///< which of the interfaces that inject there
  std::uint16_t consumption_slot = 0;  ///< which of those that consume at its consumption router

  [[nodiscard]] bool pending() const { return (sending | queue_size) != 0; }
  /// Forgets what waits.
  void clear() { head_ = queue_size = sending = 0; }
  void enqueue(PacketHandle packet) {
    if (queue_size > mask_) [[unlikely]]
      grow();
    queue()[(head_ + queue_size++) & mask_] = packet;
  }
  PacketHandle dequeue() {
    const PacketHandle packet = queue()[head_];
    head_ = (head_ + 1) & mask_;
    --queue_size;
    return packet;
  }

 private:
  static constexpr std::uint32_t kFew = 4;

  /// A ring of mask_ + 1 places.
  PacketHandle* queue() { return more_ == nullptr ? few_ : more_.get(); }
  [[gnu::noinline]] void grow() {
    const std::uint32_t places = 2 * (mask_ + 1);
    auto bigger = std::make_unique<PacketHandle[]>(places);
    for (std::uint32_t i = 0; i < queue_size; ++i) bigger[i] = queue()[(head_ + i) & mask_];
    more_ = std::move(bigger);
    mask_ = places - 1;
    head_ = 0;
  }

  std::unique_ptr<PacketHandle[]> more_;  ///< null: few_
  std::uint32_t head_ = 0;
  std::uint32_t mask_ = kFew - 1;
  PacketHandle few_[kFew] = {};
};

}  // namespace noctule
