#pragma once
// What users call a packet, wherever one is named: event log, autopsies, messages.

#include <string>

#include "core/flit.h"

namespace noctule {

/// "7:148": source terminal, and number of the packet at that source, from 0. All copies of a multicast have
/// the name of the message. Waveforms show the two parts as `source` and `packet`.
inline std::string packet_name(TerminalId source, std::uint64_t number) {
  return std::to_string(index(source)) + ":" + std::to_string(number);
}
inline std::string packet_name(const Packet& packet) {
  return packet_name(packet.source, packet.number);
}

}  // namespace noctule
