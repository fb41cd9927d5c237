#pragma once
// Several observers where a fabric takes one.

#include <vector>

#include "blocks/observer.h"

namespace noctule {

/// Forwards to observers in the order in which they were added; they outlive the simulation.
class ObserverList final : public FlitObserver {
 public:
  void add(FlitObserver& observer) { observers_.push_back(&observer); }
  [[nodiscard]] bool empty() const { return observers_.empty(); }

  void on_cycle_start(Cycle t) override {
    for (auto* observer : observers_) observer->on_cycle_start(t);
  }
  void on_flit(Cycle t, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t input, Flit flit,
               const Packet& packet) override {
    for (auto* observer : observers_) observer->on_flit(t, router, event, place, input, flit, packet);
  }
  void on_cycle_end(Cycle t) override {
    for (auto* observer : observers_) observer->on_cycle_end(t);
  }

 private:
  std::vector<FlitObserver*> observers_;
};

}  // namespace noctule
