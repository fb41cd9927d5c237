#pragma once
// All buffers of a fabric, laid side by side, with the flits that they hold between two cycles.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace noctule {

inline constexpr std::uint32_t kNoBuffer = ~0U;

/// All buffers of a fabric as one array: for each router its inputs, then its outputs; behind all of them
/// those of unlimited injection channels whose worms have no output. To the rest of the program such a buffer
/// is the waiting input of its terminal, an input without flits of its own here.
class BufferSnapshot {
 public:
  /// `with_outside`: those of unlimited injection channels too.
  explicit BufferSnapshot(const Fabric& fabric, bool with_outside = true) : fabric_(fabric) {
    const std::size_t routers = fabric.plan().routers.size();
    base_.reserve(routers + 1);
    base_.push_back(0);
    for (const auto& plan : fabric.plan().routers)
      base_.push_back(base_.back() + static_cast<std::uint32_t>(plan->inputs.size() + plan->outputs.size()));
    const std::size_t buffers = base_.back();
    first_.reserve(buffers + 1);
    router_.reserve(buffers);
    flits_.reserve(buffers);
    std::vector<Flit> held;
    const auto add = [&](std::size_t r) {
      first_.push_back(static_cast<std::uint32_t>(flits_.size()));
      router_.push_back(static_cast<std::uint32_t>(r));
      flits_.insert(flits_.end(), held.begin(), held.end());
    };
    for (std::size_t r = 0; r < routers; ++r) {
      const RouterView& view = fabric.router(RouterId(r));
      for (std::size_t i = 0; i < plan(r).inputs.size(); ++i) {
        if (is_waiting_input(r, i))
          held.clear();
        else
          view.input_flits(i, held);
        add(r);
      }
      for (std::size_t o = 0; o < plan(r).outputs.size(); ++o) {
        view.output_flits(o, held);
        add(r);
      }
    }
    std::vector<OutsideBuffer> outside;
    for (std::size_t r = 0; r < routers && with_outside; ++r) {
      fabric.router(RouterId(r)).outside(outside);
      for (OutsideBuffer& buffer : outside) {
        held = buffer.flits;
        add(r);
        outside_.push_back(std::move(buffer));
      }
    }
    first_.push_back(static_cast<std::uint32_t>(flits_.size()));
    join_ends();
  }

  [[nodiscard]] std::size_t buffers() const { return router_.size(); }
  [[nodiscard]] std::span<const Flit> flits(std::uint32_t b) const {
    return {flits_.data() + first_[b], flits_.data() + first_[b + 1]};
  }
  [[nodiscard]] const RouterView& view(std::uint32_t b) const { return fabric_.router(RouterId{router_[b]}); }
  [[nodiscard]] RouterId router(std::uint32_t b) const { return RouterId{router_[b]}; }
  [[nodiscard]] const RouterPlan& plan_of(std::uint32_t b) const { return plan(router_[b]); }
  /// Number within the inputs or outputs of its router.
  [[nodiscard]] std::size_t place(std::uint32_t b) const {
    if (is_outside(b)) return outside(b).input;
    const std::size_t n = b - base_[router_[b]];
    return is_input(b) ? n : n - plan_of(b).inputs.size();
  }
  [[nodiscard]] bool is_input(std::uint32_t b) const {
    return is_outside(b) || b - base_[router_[b]] < plan_of(b).inputs.size();
  }
  /// Does the header at the front of an input wait for an output, and for which?
  [[nodiscard]] bool waiting(std::uint32_t b) const {
    return is_outside(b) ? outside(b).bids : view(b).waiting(place(b));
  }
  void feasible(std::uint32_t b, std::vector<std::uint16_t>& outputs) const {
    if (is_outside(b))
      outputs = outside(b).feasible;
    else
      view(b).feasible(place(b), outputs);
  }
  [[nodiscard]] std::uint32_t input_beside(std::uint32_t b, std::size_t i) const {
    return base_[router_[b]] + static_cast<std::uint32_t>(i);
  }
  [[nodiscard]] std::uint32_t output_beside(std::uint32_t b, std::size_t o) const {
    return base_[router_[b]] + static_cast<std::uint32_t>(plan_of(b).inputs.size() + o);
  }
  [[nodiscard]] std::uint32_t output_of(RouterId router, std::size_t o) const {
    return output_beside(base_[index(router)], o);
  }
  /// Buffer at the other end of the link; kNoBuffer for injection and consumption channels.
  [[nodiscard]] std::uint32_t peer(std::uint32_t b) const { return peer_[b]; }
  /// The buffer that a flit enters which crosses to link output `b`: that of the output, if it has one, else
  /// the one behind the link.
  [[nodiscard]] std::uint32_t next_buffer(std::uint32_t b) const { return node_of(b).direct() ? peer(b) : b; }
  /// Has an input or link output no slot left? (An output without a buffer never has.)
  [[nodiscard]] bool full(std::uint32_t b) const {
    const auto& node = node_of(b);
    return flits(b).size() >= (is_input(b) ? node.input_depth : node.output_depth);
  }
  [[nodiscard]] const NodeDescription& node_of(std::uint32_t b) const {
    return fabric_.plan().nodes[router(b)];
  }
  [[nodiscard]] std::string channel_name(std::uint32_t b) const {
    const std::uint32_t at = is_input(b) && peer(b) != kNoBuffer ? peer(b) : b;
    const auto& vcs = is_input(at) ? plan_of(at).inputs : plan_of(at).outputs;
    return fabric_.plan().topology->router_name(router(at)) + "." + vcs[place(at)].name;
  }
  [[nodiscard]] std::string buffer_name(std::uint32_t b) const {
    return is_input(b) ? "input " + plan_of(b).inputs[place(b)].name
                       : "output " + plan_of(b).outputs[place(b)].name;
  }

 private:
  [[nodiscard]] const RouterPlan& plan(std::size_t r) const { return *fabric_.plan().routers[r]; }
  [[nodiscard]] bool is_outside(std::uint32_t b) const { return b >= base_.back(); }
  [[nodiscard]] const OutsideBuffer& outside(std::uint32_t b) const { return outside_[b - base_.back()]; }
  [[nodiscard]] bool is_waiting_input(std::size_t r, std::size_t input) const {
    return fabric_.plan().nodes[RouterId(r)].injection_channels == kUnlimited &&
           input >= plan(r).link_inputs() && (input - plan(r).link_inputs()) % plan(r).injection_vcs == 0;
  }

  void join_ends() {
    peer_.assign(buffers(), kNoBuffer);
    for (const PhysicalLink& physical : fabric_.physical_links()) {
      const Link& link = fabric_.plan().topology->links()[index(physical.link)];
      const ChannelPlan& from = plan(index(link.from)).outbound[physical.channel];
      for (const ChannelPlan& to : plan(index(link.to)).inbound) {
        if (to.port != link.in || to.replica != physical.replica) continue;
        for (std::uint32_t v = 0; v < from.count; ++v) {
          const std::uint32_t out = output_beside(base_[index(link.from)], std::size_t{from.first} + v);
          const std::uint32_t in = base_[index(link.to)] + to.first + v;
          peer_[out] = in;
          peer_[in] = out;
        }
      }
    }
  }

  const Fabric& fabric_;
  std::vector<std::uint32_t> base_;    ///< [router]: its first buffer
  std::vector<std::uint32_t> first_;   ///< [buffer]: its first flit in flits_
  std::vector<std::uint32_t> router_;  ///< [buffer]
  std::vector<std::uint32_t> peer_;    ///< [buffer]
  std::vector<Flit> flits_;
  std::vector<OutsideBuffer> outside_;  ///< [buffer - base_.back()]
};

}  // namespace noctule
