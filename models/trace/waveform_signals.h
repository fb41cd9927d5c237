#pragma once
// The signals of a router in a waveform, in the order in which a flit meets the blocks. Scopes carry the
// names of the modules of the hierarchy:
//
//   <fabric>.<router>.injection.{generate, discard, FLIT}
//                     input_buffers.<port>.<vc>.{FLIT, [flits,] state, output}
//                     vc_allocator[_x].grant_[n_]{valid, input, output}
//                     crossbar[_x].<port>.<vc>.{connected, output, transfer}
//                     output_buffers.<port>.<vc>.{FLIT, [flits,] busy, input, credits}
//                       without output buffers: output_credits.<port>.<vc>.{busy, input, credits}
//                     link_<n>.{FLIT, vc}
//                     consumption.FLIT; unlimited: consumption.<port>.<vc>.FLIT, by input
//                     retransmission.FLIT, where messages are absorbed and sent on
//   FLIT = {flit_valid (buffers) or valid (wires), packet, type, source, destination, number,
//   [message_class]}
//
// [flits]: deep buffers only, FLIT is then the foremost one. [n_]: only where a crossbar makes several
// connections per cycle. source and packet: its name, packet 7:148 has source 7 and packet 148 (32 bits);
// undriven: none. number: of the flit in the packet.
// message_class: where the configuration names some. destination: as in the event log (event_log.h).
// Inputs and outputs are numbered as in the RouterPlan. Injection and consumption buffers stand among the
// others as <port> "injection" and "consumption", without <vc>. Several terminals or channels have scopes of
// their own: injection.terminal_1.channel_0.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "trace/glob.h"
#include "trace/vcd_writer.h"

namespace noctule {

/// Values of `type`.
enum class FlitType : std::uint8_t { kNone, kHead, kBody, kTail, kSingle };
inline constexpr std::array<const char*, 5> kFlitTypeNames{"none", "head", "body", "tail", "single"};

/// Values of `state`, at the start of the cycle.
enum class InputState : std::uint8_t {
  kIdle,       ///< no worm
  kWaiting,    ///< a header waits for an output
  kConnected,  ///< has an output; the next flit moves as soon as it is here
  kBlocked     ///< has an output and a flit, but the output buffer, or the one behind the link, is full
};
inline constexpr std::array<const char*, 4> kInputStateNames{"idle", "waiting", "connected", "blocked"};

/// How a viewer shows a signal.
enum class SignalMeaning : std::uint8_t {
  kFlag,
  kNumber,
  kFlitType,
  kInputState,
  kInput,
  kOutput,
  kVc,
  kMessageClass
};

/// A signal that was declared.
struct SignalInfo {
  RouterId router{};
  std::string scope;  ///< dotted, from the fabric on
  std::string name;
  unsigned bits = 1;
  SignalMeaning meaning = SignalMeaning::kFlag;
  std::uint16_t channel = 0;  ///< kVc: outbound channel
};

struct FlitSignals {
  VcdWriter::Variable valid = VcdWriter::kNone;
  VcdWriter::Variable packet = VcdWriter::kNone;
  VcdWriter::Variable type = VcdWriter::kNone;
  VcdWriter::Variable source = VcdWriter::kNone;
  VcdWriter::Variable destination = VcdWriter::kNone;
  VcdWriter::Variable number = VcdWriter::kNone;
  VcdWriter::Variable message_class = VcdWriter::kNone;
};
struct InputSignals {
  std::uint16_t input = 0;
  FlitSignals flit;
  VcdWriter::Variable flits = VcdWriter::kNone;
  VcdWriter::Variable state = VcdWriter::kNone;
  VcdWriter::Variable output = VcdWriter::kNone;
};
struct OutputSignals {
  std::uint16_t output = 0;
  FlitSignals flit;
  VcdWriter::Variable flits = VcdWriter::kNone;
  VcdWriter::Variable busy = VcdWriter::kNone;
  VcdWriter::Variable input = VcdWriter::kNone;
  VcdWriter::Variable credits = VcdWriter::kNone;
};
struct GrantSignals {
  VcdWriter::Variable valid = VcdWriter::kNone;
  VcdWriter::Variable input = VcdWriter::kNone;
  VcdWriter::Variable output = VcdWriter::kNone;
};
struct ConnectionSignals {
  std::uint16_t input = 0;
  VcdWriter::Variable connected = VcdWriter::kNone;
  VcdWriter::Variable output = VcdWriter::kNone;
  VcdWriter::Variable transfer = VcdWriter::kNone;
};
struct LinkSignals {
  FlitSignals flit;
  VcdWriter::Variable vc = VcdWriter::kNone;
};
struct InjectionSignals {
  VcdWriter::Variable generate = VcdWriter::kNone;
  VcdWriter::Variable discard = VcdWriter::kNone;
  FlitSignals flit;
};

/// Everything of one router that was chosen; what was not is kNone. Inputs and outputs without a chosen
/// signal are left out, the other lists are complete.
struct RouterSignals {
  RouterId id{};
  const RouterView* view = nullptr;
  std::vector<InjectionSignals> injection;  ///< by injection channel of the router
  std::vector<InputSignals> inputs;
  std::vector<std::vector<GrantSignals>> grants;         ///< by crossbar
  std::vector<std::vector<ConnectionSignals>> crossbar;  ///< by crossbar
  std::vector<OutputSignals> outputs;
  std::vector<LinkSignals> links;        ///< by outbound channel
  std::vector<FlitSignals> consumption;  ///< by consumption channel of the router; unlimited: by input
};

/// Declares signals that are chosen by globs. Wires come out at rest; registers must be set.
class SignalBuilder {
 public:
  SignalBuilder(VcdWriter& vcd, const Fabric& fabric, GlobSet& globs)
      : vcd_(vcd), fabric_(fabric), globs_(globs) {}

  /// May anything of this router be chosen?
  [[nodiscard]] bool concerns(RouterId router) const;
  /// Declares the chosen signals of a router. `any`: whether there are some.
  RouterSignals build(RouterId router, bool& any);
  [[nodiscard]] const std::vector<SignalInfo>& declared() const { return declared_; }

 private:
  using Kind = VcdWriter::Kind;
  using Variable = VcdWriter::Variable;

  Variable add(const std::string& scope, const std::string& name, unsigned bits, SignalMeaning meaning,
               Kind kind, bool rests_undriven = false, std::uint16_t channel = 0);
  FlitSignals flit(const std::string& scope, Kind kind);
  void buffers_in(RouterSignals& signals);
  void allocators(RouterSignals& signals);
  void crossbars(RouterSignals& signals);
  void buffers_out(RouterSignals& signals);
  void links(RouterSignals& signals);
  void consumption(RouterSignals& signals);
  /// Scope of injection or consumption channel `n` of a router that has `channels` for each terminal.
  [[nodiscard]] static std::string channel_scope(const std::string& block, std::size_t terminals,
                                                 std::size_t n, unsigned channels);

  [[nodiscard]] const NodeDescription& node() const { return fabric_.plan().nodes[router_]; }

  VcdWriter& vcd_;
  const Fabric& fabric_;
  GlobSet& globs_;
  std::vector<SignalInfo> declared_;
  RouterId router_{};
  std::string router_name_;
  const RouterPlan* plan_ = nullptr;
};

/// The crossbar through which an input and an output are connected.
std::size_t crossbar_between(const RouterPlan& plan, std::size_t input, std::size_t output);

/// Scope of a buffer below its block: "x_plus.star0_1", "injection".
std::string vc_scope(const VcPlan& vc, bool terminal);

}  // namespace noctule
