#pragma once
// Packets from a file, as the source trace_file sends them. The file is told by its content:
//
// lines      "cycle source destination[,...] length [hop ...]", "#" starts a comment
// table      with a header (core/csv_table.h): cycle, source, destination, flits, class, hops
// event log  as a run writes it (trace/event_log.h): of each packet that it holds from its generation to the
//            consumption of its tail at every destination: when it was generated, and its flits
//
// Several destinations make a multicast. Hops prescribe the first output VCs that the worm takes, by name
// ("x_plus.class0", or with its lane "x_plus.class0.1"); beyond them, and where there are none, it is free.

#include <cstdint>
#include <string>
#include <vector>

#include "traffic/source.h"

namespace noctule {

/// A packet, in little: a trace may have a hundred million of them.
struct TracedPacket {
  Cycle birth;
  std::uint32_t source;
  std::uint32_t destination;
  std::uint32_t length;
  std::uint32_t route;  ///< as GeneratedPacket::route
  std::uint32_t
      list;  ///< of several destinations: their place in PacketTrace::lists, from 1; 0: there is one
  std::uint32_t line;  ///< its place in the file
};

struct PacketTrace {
  std::vector<TracedPacket> packets;  ///< by source, then in the order in which they are sent
  std::vector<std::size_t> first;     ///< by source, and one more: where its packets begin
  std::vector<std::vector<TerminalId>> lists;
  std::vector<PrescribedRoute> routes;
  std::vector<std::uint8_t> classes;  ///< by `line`; empty: all are of the first one
  TrafficSource::Ends ends;
  std::string left_out;  ///< of an event log: packets that it does not hold as a whole; empty: none
};

/// Each terminal sends its packets in the order of their cycles, those of the same cycle in the order of the
/// file. Throws ConfigError "traffic.source": what is wrong, by line and column.
[[nodiscard]] PacketTrace read_packet_trace(const std::string& path, const SourceContext& context);

/// What a file may hold, for help and messages.
[[nodiscard]] std::string packet_trace_forms();

}  // namespace noctule
