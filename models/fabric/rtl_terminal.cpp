// A router in hardware: the terminal's side of its injection and consumption channels.

#include <fmt/format.h>

#include "core/packet_name.h"
#include "fabric/rtl_router.h"

namespace noctule {

/// As InjectionChannel::inject: one flit per cycle, if its buffer had room at the start of the cycle.
void RtlRouter::inject(Cycle t) {
  NetworkInterface& source = context_.interfaces[terminal_];
  if (!source.pending()) return;
  Injector& sender = injector_;
  if (sender.packet == kNoPacket) {
    const std::size_t vcs = sender.credits.size();
    std::size_t vc = sender.next_vc;
    std::size_t tried = 0;
    while (tried < vcs && sender.credits[vc] == 0) {
      vc = vc + 1 == vcs ? 0 : vc + 1;
      ++tried;
    }
    if (tried == vcs) return;
    sender.vc = static_cast<std::uint16_t>(vc);
    sender.next_vc = static_cast<std::uint16_t>(vc + 1 == vcs ? 0 : vc + 1);
    begin_worm(source, t);
  } else if (sender.credits[sender.vc] == 0) {
    return;
  }
  const Flit flit = Flit::of(sender.packet, sender.next_flit, sender.length);
  const std::size_t input = plan_.injection(0) + sender.vc;
  const Packet& packet = context_.packets[sender.packet];
  const LinkPins& pins = map_->injection();
  std::uint64_t* const in = pins_before(t + 1);
  in[pins.valid] = 1;
  if (pins.vc != LinkPins::kAbsent) in[pins.vc] = std::uint64_t{1} << sender.vc;
  in[pins.flit] = map_->format().encode(flit, packet);
  --sender.credits[sender.vc];
  if (!silent_since()) sent_ = t;
  passages_[input].flits.push_back({flit, t});
  ++passages_[input].taken;
  ++context_.flits_injected;
  if (context_.observer != nullptr)
    context_.observer->on_flit(t, id_, FlitEvent::kInject, static_cast<std::uint16_t>(input), kNoSlot, flit,
                               packet);
  if (++sender.next_flit == sender.length) {
    sender.packet = kNoPacket;
    --source.sending;
  }
}

void RtlRouter::begin_worm(NetworkInterface& source, Cycle t) {
  injector_.packet = source.dequeue();
  ++source.sending;
  Packet& packet = context_.packets[injector_.packet];
  packet.injected = t;
  injector_.length = packet.length;
  injector_.next_flit = 0;
  if (context_.begun != nullptr) context_.begun->push_back(injector_.packet);
  ++context_.packets_injected;
  context_.injection_cycles += t;
}

void RtlRouter::consume(Cycle t) {
  const LinkPins& pins = map_->consumption();
  // The pin is read before the flit is known: a terminal that takes headers takes all.
  const bool stalled =
      context_.refusals != nullptr && !context_.refusals->takes({TerminalId{terminal_}, 0, true}, t);
  if (stalled) pins_before(t + 1)[pins.credit] = 0;
  if (out_[pins.valid] == 0 || stalled) return;
  const std::size_t vc = vc_on(pins, t);
  if (vc >= receivers_.size()) fault(pins, "vc", t, fmt::format("names VC {}, which does not exist", vc));
  const std::size_t output = plan_.consumption(0) + vc;
  const Flit flit = take(pins, out_[pins.flit], output, t);
  if (context_.observer != nullptr)
    context_.observer->on_flit(t, id_, FlitEvent::kConsume, static_cast<std::uint16_t>(output), kNoSlot, flit,
                               context_.packets[flit.packet]);
  accept(vc, flit, t);
}

/// As ConsumptionChannel::accept.
void RtlRouter::accept(std::size_t vc, Flit flit, Cycle t) {
  Receiver& due = receivers_[vc];
  const Packet& packet = context_.packets[flit.packet];
  if (flit.head() && due.packet == kNoPacket) due = {flit.packet, 0};
  const TerminalId terminal{terminal_};
  if (packet.destination != terminal)
    fault(map_->consumption(), "flit", t,
          fmt::format("delivers flit {} of packet {} at terminal {}: it is for terminal {}", flit.number(),
                      packet_name(packet), terminal_, index(packet.destination)));
  if (flit.packet != due.packet || flit.number() != due.expected)
    fault(map_->consumption(), "flit", t,
          fmt::format("delivers flit {} of packet {}: not what is due there", flit.number(),
                      packet_name(packet)));
  ++due.expected;
  context_.count_consumed(terminal_, flit.packet);
  if (context_.refusals != nullptr && context_.refusals->tells(flit))
    context_.refusals->took(terminal, flit, packet);
  if (!flit.tail()) return;
  due.packet = kNoPacket;
  context_.sink->packet_delivered(flit.packet, t);
}

}  // namespace noctule
