#pragma once
// A router as the rest of the fabric sees it, whatever its blocks are compiled from.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "blocks/outside_buffer.h"
#include "core/flit.h"
#include "core/pages.h"
#include "kernel/interfaces.h"
#include "nodes/router_plan.h"

namespace noctule {

/// Sums that a router contributes to an occupancy sample.
struct Occupancy {
  std::uint64_t input_vcs = 0;    ///< input VCs (injection excluded) that hold a flit
  std::uint64_t output_vcs = 0;   ///< output VCs (consumption excluded) allocated to a worm
  std::uint64_t connections = 0;  ///< connections held through crossbars
};

/// Read-only look into a router, between cycles: state at the start of the next cycle, except that what
/// arrives at its start is still among the arrivals (`arriving`). For waveforms, autopsies and tests.
class RouterView {
 public:
  virtual ~RouterView() = default;
  [[nodiscard]] virtual const RouterPlan& plan() const = 0;
  /// Flits in a buffer, oldest first.
  virtual void input_flits(std::size_t input, std::vector<Flit>& flits) const = 0;
  virtual void output_flits(std::size_t output, std::vector<Flit>& flits) const = 0;
  /// Flits that reach the input, and slots that become free behind the output, at the start of cycle t.
  [[nodiscard]] virtual bool arriving(std::size_t input, Cycle t) const = 0;
  [[nodiscard]] virtual bool credit_arriving(std::size_t output, Cycle t) const = 0;
  /// Nothing that is on its way gets there later than so many cycles from now.
  [[nodiscard]] virtual Cycle horizon() const = 0;
  /// The flit that reaches the input at the start of cycle t, if one does; t is the first cycle from now on
  /// in which the input is reached.
  virtual bool arriving_flit(std::size_t input, Cycle t, Flit& flit) const = 0;
  /// Flits in injection buffers that enter in cycles to come: their packets have entered as a whole
  /// (InjectionChannel). `input_flits` leaves them out.
  [[nodiscard]] virtual std::uint64_t flits_ahead() const { return 0; }
  /// A header at the front waits for one of `feasible`.
  [[nodiscard]] virtual bool waiting(std::size_t input) const = 0;
  virtual void feasible(std::size_t input, std::vector<std::uint16_t>& outputs) const = 0;
  /// Does it show connections, and what is in output buffers? A router in hardware keeps them to itself, and
  /// answers as if there were none.
  [[nodiscard]] virtual bool shows_inside() const { return true; }
  /// Output that the input is connected to, or kNoSlot.
  [[nodiscard]] virtual std::uint16_t connected_output(std::size_t input) const = 0;
  [[nodiscard]] virtual std::uint16_t connected_input(std::size_t output) const = 0;
  /// Free slots in the input buffer behind the output, as far as the router knows.
  [[nodiscard]] virtual unsigned credits(std::size_t output) const = 0;
  /// Flits sent so far on an outbound channel.
  [[nodiscard]] virtual std::uint64_t link_flits(std::size_t channel) const = 0;
  /// Unlimited injection channels: what waits, first come first. Numbered ones: nothing.
  virtual void outside(std::vector<OutsideBuffer>& buffers) const { buffers.clear(); }
  /// At the start of cycle t, which is due: what arrives then counts.
  [[nodiscard]] virtual Occupancy occupancy(Cycle t) const = 0;
};

class RouterBase : public sc_core::sc_module, public router_if, public RouterView {
 public:
  explicit RouterBase(sc_core::sc_module_name name) : sc_module(name) {}

  /// Where in a record the lines are that nearly every visit reads: in bytes from its beginning, where
  /// kBegins more of them are.
  struct Visited {
    std::size_t arrivals = 0;    ///< a ring of what is due, by cycle;
    std::size_t slot_bytes = 0;  ///< an entry of it,
    std::size_t slots_mask = 0;  ///< and how many there are, less one
    std::size_t vcs = 0;         ///< its VC arbiters and VCs: kVcs lines from there
    [[nodiscard]] std::size_t due(Cycle t) const { return arrivals + (t & slots_mask) * slot_bytes; }
  };
  static constexpr std::size_t kBegins = 4;
  static constexpr std::size_t kVcs = 10;

  /// How the scheduler reaches the router: a function and its argument, so that a visit touches nothing but
  /// the state record.
  struct Entry {
    bool (*evaluate)(void* self, Cycle t);
    void* self;
    /// Fetches the lines that every visit of a router begins with, while another one is visited. Inlined, and
    /// to be inlined with who calls it: compilers take a call of it for one without effect, and drop it.
    /// `due`, `vcs`: see Visited; those of another router do, too.
    [[gnu::always_inline]] void prefetch(std::size_t due, std::size_t vcs) const {
      prefetch_state(due);
      prefetch(vcs, std::make_index_sequence<kVcs>());
    }
    /// The same for who looks at what it holds.
    [[gnu::always_inline]] void prefetch_state(std::size_t due) const {
      prefetch(0, std::make_index_sequence<kBegins>());
      prefetch(due, std::make_index_sequence<1>());
    }

   private:
    /// Without a loop, which would be most of its cost.
    template <std::size_t... line>
    [[gnu::always_inline]] void prefetch(std::size_t from, std::index_sequence<line...>) const {
      (__builtin_prefetch(static_cast<const std::byte*>(self) + from + line * kLine), ...);
    }
  };
  [[nodiscard]] virtual Entry entry() {
    return {[](void* self, Cycle t) { return static_cast<RouterBase*>(self)->evaluate(t); }, this};
  }

  [[nodiscard]] virtual Visited visited() const { return {}; }

  /// Ends of the physical links, by index into the plan's inbound / outbound.
  virtual flit_if& link_receiver(std::size_t inbound) = 0;
  virtual credit_if& credit_receiver(std::size_t outbound) = 0;
  /// Joins them to the router at the other end, of any build or RTL; once all routers have been built.
  virtual void bind_link(std::size_t outbound, flit_if& receiver) = 0;
  virtual void bind_credits(std::size_t inbound, credit_if& sender) = 0;

  /// The terminal in this slot has a packet queued. `born`: cycle about to be performed, if the packet was
  /// made in it by the fabric's own source, so that it does not belong to the state at its start; else
  /// kNever.
  virtual void packet_pending(std::size_t slot, Cycle born) = 0;
  /// Where to set bit `slot` in place of that call; null: nowhere.
  [[nodiscard]] virtual std::uint64_t* pending_word() { return nullptr; }
  /// Nothing of an earlier packet is left in the injection channel, now / at the start of cycle t (which may
  /// be the cycle performed last, or the next one).
  [[nodiscard]] virtual bool injection_idle(std::size_t slot) const = 0;
  [[nodiscard]] virtual bool injection_was_idle(std::size_t slot, Cycle t) const = 0;
  /// Forgets all flits and connections.
  virtual void reset() = 0;
  /// Cycle t is the next one: a router that sleeps counts the credits that have come meanwhile.
  virtual void settle(Cycle t) { (void)t; }

  /// What no router of the model can do, and one in hardware may: it holds flits, and has sent none since
  /// this cycle.
  [[nodiscard]] virtual std::optional<Cycle> silent_since() const { return std::nullopt; }
  /// When a run is over, at the start of cycle t: throws RtlFault where a router in hardware keeps credits of
  /// buffers that are empty.
  virtual void check_credits(Cycle t) const { (void)t; }
  /// At the start of cycle t, when nothing in the fabric has moved for long, and terminals take all that
  /// comes: throws RtlFault where a router in hardware holds flits although there is room behind all its
  /// outputs.
  virtual void check_left(Cycle t) const { (void)t; }
};

}  // namespace noctule
