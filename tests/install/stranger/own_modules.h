#pragma once
// Modules of one's own around a fabric: one that sends through it, one that checks what it delivers.

#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "kernel/interfaces.h"
#include "traffic/source.h"

namespace own {

using noctule::Delivery;
using noctule::GeneratedPacket;
using noctule::TerminalId;

/// What travels as the packets' user pointer.
struct Letter {
  TerminalId from, to;
  std::uint64_t number = 0;  ///< among the letters of this pair
  unsigned delivered = 0;
};

/// All letters of one fabric; their addresses stay.
struct Ledger {
  Letter* write(TerminalId from, TerminalId to) {
    letters.push_back({from, to, sent[{from, to}]++});
    return &letters.back();
  }
  std::deque<Letter> letters;
  std::map<std::pair<TerminalId, TerminalId>, std::uint64_t> sent;
};

/// Every terminal sends `letters_each` packets to random others, each as soon as the network takes it.
class Traffic final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_port<noctule::injection_if> network{"network"};

  SC_HAS_PROCESS(Traffic);
  Traffic(sc_core::sc_module_name name, std::uint32_t terminals, unsigned letters_each, Ledger& ledger)
      : sc_module(name), left_(terminals, letters_each), ledger_(ledger) {
    SC_METHOD(send);
    sensitive << clk_i.pos();
    dont_initialize();
  }
  std::uint64_t refused = 0;  ///< terminal cycles in which something was ready but not taken

 private:
  void send() {
    if (!rst_ni.read()) return;  // a fabric in reset drops what it is given
    for (std::uint32_t t = 0; t < left_.size(); ++t) {
      if (left_[t] == 0) continue;
      const TerminalId from{t};
      if (!network->can_accept(from)) {
        ++refused;
        continue;
      }
      GeneratedPacket packet;
      packet.destination = TerminalId((t + 1 + rng_.below(left_.size() - 1)) % left_.size());
      packet.length = static_cast<std::uint32_t>(1 + rng_.below(8));
      packet.user = ledger_.write(from, packet.destination);
      network->inject(from, packet);  // in the network from the next rising edge on
      --left_[t];
    }
  }
  std::vector<unsigned> left_;
  Ledger& ledger_;
  noctule::Rng rng_{1, "own traffic"};
};

/// The first packets of another source, entered in a ledger: a workload that ends.
class FirstPackets final : public noctule::TrafficSource {
 public:
  FirstPackets(std::unique_ptr<noctule::TrafficSource> source, std::uint64_t each, Ledger& ledger)
      : source_(std::move(source)), each_(each), ledger_(ledger) {}
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    auto packet = number < each_ ? source_->next(source, number) : std::nullopt;
    if (packet) packet->user = ledger_.write(source, packet->destination);
    return packet;
  }
  [[nodiscard]] bool finite() const override { return true; }

 private:
  std::unique_ptr<noctule::TrafficSource> source_;
  std::uint64_t each_;
  Ledger& ledger_;
};

/// Bound to a fabric's `consumption`.
class Checker final : public sc_core::sc_module, public noctule::consumption_if {
 public:
  Checker(sc_core::sc_module_name name, const Ledger& ledger, bool in_order)
      : sc_module(name), ledger_(ledger), in_order_(in_order) {}
  void delivered(const Delivery& delivery) override {
    auto& letter = *static_cast<Letter*>(delivery.user);
    if (delivery.source != letter.from || delivery.destination != letter.to) fail("misrouted", letter);
    if (letter.delivered++ != 0) fail("delivered twice", letter);
    if (in_order_ && letter.number != arrived_[{letter.from, letter.to}]++) fail("out of order", letter);
    ++count_;
  }
  [[nodiscard]] bool content() const { return failures_ == 0 && count_ == ledger_.letters.size(); }

 private:
  void fail(const char* what, const Letter& letter) {
    ++failures_;
    std::fprintf(stderr, "%s: letter %lu from terminal %zu to %zu is %s\n", name(), letter.number,
                 index(letter.from), index(letter.to), what);
  }
  const Ledger& ledger_;
  bool in_order_;
  std::size_t count_ = 0;
  std::size_t failures_ = 0;
  std::map<std::pair<TerminalId, TerminalId>, std::uint64_t> arrived_;
};

}  // namespace own
