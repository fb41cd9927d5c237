#pragma once
// A router in hardware as a node of a fabric: drives the pins of an RTL router (rtl/README.md) with what
// comes from its neighbours and its terminal, and hands on what it answers.

#include <memory>
#include <optional>
#include <vector>

#include "blocks/router_state.h"
#include "fabric/router_base.h"
#include "rtl/dut.h"
#include "rtl/pin_map.h"

namespace noctule {

/// Sees what RTL routers of a fabric do, before the fabric acts on it.
class PinTap {
 public:
  virtual ~PinTap() = default;
  /// `in`: the input pins in cycle t-1, `out`: the output pins in cycle t. In the first cycle, after reset,
  /// `in` is null. False: the router shall do nothing of it.
  virtual bool stepped(RouterId router, Cycle t, const std::uint64_t* in, const std::uint64_t* out,
                       VerilatedRouter& rtl) = 0;
};

/// Which routers of a fabric are RTL.
struct RtlNodes {
  std::vector<std::shared_ptr<const Dut>> duts;  ///< by RouterId; null: a router of the model
  PinTap* tap = nullptr;                         ///< outlives the simulation; may be null
  std::uint64_t seed = 1;                        ///< of what the RTL holds before its first reset
};

/// Compiles what the routers are made of, `rtl` by RouterId; `traced`: with waveforms of what is inside that
/// one. Throws ConfigError as PinMap, Dut::build and check_registered_outputs do.
[[nodiscard]] std::shared_ptr<RtlNodes> build_rtl_nodes(const FabricPlan& plan,
                                                        const std::vector<std::optional<RtlSource>>& rtl,
                                                        std::optional<RouterId> traced = {},
                                                        const Compiling& compiling = {});

/// An RTL router did what no router may: a flit that is not in it, a credit for a slot that is free, ...
class RtlFault : public ConfigError {
 public:
  RtlFault(RouterId router, std::string pin, Cycle cycle, Cycle since, const std::string& message);
  [[nodiscard]] RouterId router() const { return router_; }
  [[nodiscard]] const std::string& pin() const { return pin_; }
  [[nodiscard]] Cycle cycle() const { return cycle_; }
  /// The cause is not before this cycle, as far as can be told: that in which a flit came that never left,
  /// ...
  [[nodiscard]] Cycle since() const { return since_; }

 private:
  RouterId router_;
  std::string pin_;
  Cycle cycle_;
  Cycle since_;
};

/// Hidden from the fabric: what the RTL has inside. The view of it says which flits are in the router, by the
/// input that they came through, and no more: nothing waits, nothing is connected.
class RtlRouter final : public RouterBase {
 public:
  RtlRouter(sc_core::sc_module_name name, const FabricPlan& fabric, FabricContext& context, RouterId id,
            const RtlNodes& nodes);
  ~RtlRouter() override;

  /// Steps the RTL to cycle t; it has a clock, so there is always work.
  bool evaluate(Cycle t) override;
  flit_if& link_receiver(std::size_t inbound) override;
  credit_if& credit_receiver(std::size_t outbound) override;
  void bind_link(std::size_t outbound, flit_if& receiver) override { flit_o_[outbound].bind(receiver); }
  void bind_credits(std::size_t inbound, credit_if& sender) override { credit_o_[inbound].bind(sender); }
  void packet_pending(std::size_t slot, Cycle born) override;
  [[nodiscard]] bool injection_idle(std::size_t slot) const override;
  [[nodiscard]] bool injection_was_idle(std::size_t slot, Cycle t) const override;
  void reset() override;
  [[nodiscard]] std::optional<Cycle> silent_since() const override;
  void check_credits(Cycle t) const override;
  void check_left(Cycle t) const override;

  // RouterView
  [[nodiscard]] const RouterPlan& plan() const override { return plan_; }
  void input_flits(std::size_t input, std::vector<Flit>& flits) const override;
  void output_flits(std::size_t, std::vector<Flit>& flits) const override { flits.clear(); }
  [[nodiscard]] bool arriving(std::size_t input, Cycle t) const override;
  [[nodiscard]] bool credit_arriving(std::size_t output, Cycle t) const override;
  [[nodiscard]] Cycle horizon() const override { return mail_.size() - 1; }
  bool arriving_flit(std::size_t input, Cycle t, Flit& flit) const override;
  [[nodiscard]] bool shows_inside() const override { return false; }
  [[nodiscard]] bool waiting(std::size_t) const override { return false; }
  void feasible(std::size_t, std::vector<std::uint16_t>& outputs) const override { outputs.clear(); }
  [[nodiscard]] std::uint16_t connected_output(std::size_t) const override { return kNoSlot; }
  [[nodiscard]] std::uint16_t connected_input(std::size_t) const override { return kNoSlot; }
  [[nodiscard]] unsigned credits(std::size_t output) const override { return credits_[output]; }
  [[nodiscard]] std::uint64_t link_flits(std::size_t channel) const override {
    return outbound_[channel].flits;
  }
  [[nodiscard]] Occupancy occupancy(Cycle t) const override;

 private:
  class LinkEnd;
  class CreditEnd;
  struct Arrival {
    std::uint16_t input;
    Flit flit;
  };
  /// What comes with the clock edge at the start of a cycle, besides the values of the pins.
  struct Slot {
    std::vector<Arrival> arrivals;
    bool used = false;  ///< some pin is not at rest
  };
  /// A link at one end: its pins, the plan's inputs or outputs by bit of a VC vector, who is at the other
  /// end, and how long it takes from the pins to there, in cycles.
  struct Inbound {
    const LinkPins* pins;
    const std::uint16_t* input_at;
    unsigned credit_delay;
    credit_if* sender;
  };
  struct Outbound {
    const LinkPins* pins;
    const std::uint16_t* output_at;
    unsigned flit_delay;
    LinkId link;
    flit_if* receiver;
    std::uint64_t flits = 0;
  };
  /// The flits in the router that came through one input, oldest first. Those of one worm leave in order;
  /// worms may leave by different outputs, and the later one first.
  struct Inside {
    Flit flit;
    Cycle came = 0;
  };
  struct Passage {
    std::vector<Inside> flits;
    unsigned taken = 0;   ///< slots of the input buffer for which no credit has come yet
    Cycle left_last = 0;  ///< cycle in which a flit of it left the router, or gave back its slot
    Flit last;            ///< that came
  };
  /// The terminal's side of the injection channel.
  struct Injector {
    PacketHandle packet = kNoPacket;
    std::uint32_t next_flit = 0;
    std::uint32_t length = 0;
    std::uint16_t vc = 0;
    std::uint16_t next_vc = 0;
    std::vector<unsigned> credits;  ///< [VC]
  };
  /// The terminal's side of the consumption channel, per VC.
  struct Receiver {
    PacketHandle packet = kNoPacket;
    std::uint32_t expected = 0;
  };

  [[nodiscard]] std::size_t slot(Cycle t) const { return t & (mail_.size() - 1); }
  /// The input pins in the cycle before t, to be changed.
  std::uint64_t* pins_before(Cycle t) {
    mail_[slot(t)].used = true;
    return &values_[slot(t) * rest_.size()];
  }
  void end_of_elaboration() override;
  [[nodiscard]] bool has_empty_buffer() const;  ///< of the injection channel
  void arrive(std::size_t input, Flit flit, Cycle effect);
  bool advance(Cycle t);
  void send_flits(Cycle t);
  void send_credits(Cycle t);
  void inject(Cycle t);
  void begin_worm(NetworkInterface& source, Cycle t);
  void consume(Cycle t);
  void accept(std::size_t vc, Flit flit, Cycle t);
  /// No link is there: nothing may leave by it, and no credit.
  void check_absent_links(Cycle t) const;
  /// A header leaves by `output` and is `value` on these pins: may it, and does it carry the state that it
  /// has behind that link?
  void check_route(const LinkPins& pins, std::uint64_t value, std::size_t output, const Packet& packet,
                   Cycle t);
  /// The flit that `value` on these pins is: it leaves the router by `output`.
  Flit take(const LinkPins& pins, std::uint64_t value, std::size_t output, Cycle t);
  std::size_t vc_on(const LinkPins& pins, Cycle t) const;
  [[noreturn]] void stopped(Cycle t) const;
  void count_credits(const std::uint64_t* in);
  /// `value` is on the pins, of another packet than `before`, which is not the tail of its own.
  [[noreturn]] void interleaved(const LinkPins& pins, std::uint64_t value, Flit before, Cycle t) const;
  [[nodiscard]] const Flit* next_of(PacketHandle packet) const;
  [[nodiscard]] std::string shown(std::uint64_t value) const;
  /// Faults if `value` is a flit that is in the router, but for a bit or two.
  void changed_flit(const LinkPins& pins, std::uint64_t value, Cycle t) const;
  /// `value` is on the pins, and is not what may leave there next.
  [[noreturn]] void wrong_flit(const LinkPins& pins, std::uint64_t value, Cycle t) const;
  /// What a router of a user's own may have that shows like this.
  enum class Hint : std::uint8_t { kRules, kQueues, kChangedFlit };
  [[noreturn]] void fault(const LinkPins& pins, const char* pin, Cycle t, const std::string& message,
                          Hint hint = Hint::kRules, Cycle since = kNever) const;
  [[nodiscard]] std::string advice(Hint hint) const;
  /// The input of the flit that came first of those that hold no place of an input buffer any more, or, with
  /// `all`, of all; null: there is none.
  [[nodiscard]] const Passage* oldest(bool all) const;

  const RouterPlan& plan_;
  const MessageClasses& message_classes_;
  FabricContext& context_;
  RouterId id_;
  std::shared_ptr<const PinMap> map_;
  RouterPins pins_;
  std::shared_ptr<const Dut> dut_;
  std::unique_ptr<VerilatedRouter> rtl_;
  PinTap* tap_;
  unsigned input_depth_;
  std::uint32_t terminal_ = 0;
  std::vector<std::uint64_t> rest_;
  std::vector<std::uint64_t> out_;
  std::vector<Slot> mail_;                   ///< ring
  std::vector<std::uint64_t> values_;        ///< [slot of the ring * input pins]
  std::vector<Inbound> inbound_;             ///< [inbound channel]
  std::vector<Outbound> outbound_;           ///< [outbound channel]
  std::vector<const LinkPins*> no_inbound_;  ///< pins for which there is no link here
  std::vector<const LinkPins*> no_outbound_;
  sc_core::sc_vector<sc_core::sc_port<flit_if>> flit_o_{"flit_o"};
  sc_core::sc_vector<sc_core::sc_port<credit_if>> credit_o_{"credit_o"};
  std::vector<std::unique_ptr<LinkEnd>> link_ends_;
  std::vector<std::unique_ptr<CreditEnd>> credit_ends_;
  std::vector<Passage> passages_;          ///< [input]
  std::vector<std::uint16_t> comes_from_;  ///< [output]: input of the worm that leaves by it
  std::vector<Flit> last_out_;             ///< [output]
  std::vector<unsigned> places_;           ///< [output]: in the buffer behind it; 0: no link
  std::vector<unsigned> credits_;          ///< [output]: of these, those that are free as far as it was told
  Injector injector_;
  std::vector<Receiver> receivers_;  ///< [consumption VC]
  std::int64_t between_ = 0;  ///< flits that gave back their slot and have not left, less those the other way
  std::int64_t most_between_;  ///< more than any router has room for behind its input buffers
  Cycle sent_ = 0;             ///< cycle in which a flit left last, or came when there was none
  Cycle performed_ = kNever;   ///< the cycle performed last
  Cycle born_at_ = kNever;     ///< a packet was born in this cycle in an idle channel
  bool idle_at_start_ = true;  ///< of the cycle performed last
};

}  // namespace noctule
