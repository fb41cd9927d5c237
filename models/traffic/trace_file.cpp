// Packets from a text file: lines "cycle source destination length [hop ...]", "#" starts a comment; several
// destinations, with commas between them, make a multicast. Each
// terminal sends its packets in the order of their cycles; those of the same cycle in the order of their
// lines. The hops prescribe the first output VCs that the worm takes, by name ("x_plus.class0", or with its
// lane "x_plus.class0.1"); beyond them, and where there are none, it is free. Pattern, offered load and
// lengths of the configuration have no meaning here.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/number_lines.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr const char* kLine = "cycle source destination[,...] length [hop ...]";

struct Trace {
  std::vector<std::vector<GeneratedPacket>> packets;  ///< by terminal
  std::vector<PrescribedRoute> routes;
  TrafficSource::Ends ends;
};

/// Destinations of a multicast are different terminals, of other routers than the source's.
bool distinct(const Topology& topology, const NumberLine& line) {
  const auto router = [&](std::uint64_t terminal) {
    return topology.router_of(TerminalId{static_cast<std::uint32_t>(terminal)});
  };
  for (auto d = line.list.begin(); d != line.list.end(); ++d)
    if (router(*d) == router(line.values[1]) || std::find(line.list.begin(), d, *d) != d) return false;
  return true;
}

Trace read_trace(const std::string& path, const Topology& topology,
                 const SourceContext::Multicasts& multicasts) {
  const std::size_t terminals = topology.terminals();
  Trace trace;
  trace.packets.resize(terminals);
  trace.ends = {std::vector<bool>(terminals), std::vector<bool>(terminals)};
  bool any = false;
  LineFaults faults(kSourceKey);
  for (auto& line :
       read_number_lines(path, {"cycle", "source", std::string("destination") + kSeveral, "length"},
                         kSourceKey, "[hop ...]")) {
    const auto cycle = line.values[0];
    const auto length = line.values[3];
    bool fits = true;
    const auto require = [&](bool holds, std::string otherwise) {
      if (!holds) faults.add(line.place, std::move(otherwise));
      fits = fits && holds;
    };
    require(cycle < kNever, fmt::format("cycle {}; allowed are 0 to {}", cycle, kNever - 1));
    const auto exists = [&](const char* what, std::uint64_t terminal) {
      require(terminal < terminals,
              fmt::format("{} {} does not exist; terminals are 0 to {}", what, terminal, terminals - 1));
    };
    exists("source", line.values[1]);
    for (const auto destination : line.list) exists("destination", destination);
    require(line.list.size() == 1 || line.words.empty(),
            "hops are prescribed to messages with one destination");
    require(length >= 1 && length <= std::numeric_limits<std::uint32_t>::max(),
            fmt::format("length {}; allowed are 1 to {} flits", length,
                        std::numeric_limits<std::uint32_t>::max()));
    if (fits && line.list.size() > 1)
      require(distinct(topology, line),
              "a multicast has its source, or a terminal twice, among its destinations");
    if (!fits) continue;
    GeneratedPacket packet;
    packet.birth = cycle;
    packet.destination = TerminalId{static_cast<std::uint32_t>(line.values[2])};
    packet.length = static_cast<std::uint32_t>(length);
    packet.preparation = line.list.size() > 1 ? multicasts.preparation : multicasts.unicast_preparation;
    if (line.list.size() > 1)
      for (const auto destination : line.list)
        packet.destinations.push_back(TerminalId{static_cast<std::uint32_t>(destination)});
    if (!line.words.empty()) {
      trace.routes.push_back({TerminalId{static_cast<std::uint32_t>(line.values[1])}, packet.destination,
                              std::move(line.words), std::move(line.place)});
      packet.route = static_cast<std::uint32_t>(trace.routes.size());
    }
    trace.packets[line.values[1]].push_back(packet);
    trace.ends.injecting[line.values[1]] = true;
    for (const auto destination : line.list) trace.ends.addressed[destination] = true;
    any = true;
  }
  faults.raise();
  if (!any) throw ConfigError(kSourceKey, "'" + path + "' has no line '" + kLine + "'");
  for (auto& list : trace.packets) std::ranges::stable_sort(list, {}, &GeneratedPacket::birth);
  return trace;
}

class TraceFile final : public TrafficSource {
 public:
  explicit TraceFile(Trace trace) : trace_(std::move(trace)) {}

  [[nodiscard]] bool listens() const override { return false; }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    const auto& list = trace_.packets[index(source)];
    if (number >= list.size()) return std::nullopt;
    return list[number];
  }
  [[nodiscard]] bool finite() const override { return true; }
  [[nodiscard]] std::span<const PrescribedRoute> routes() const override { return trace_.routes; }
  [[nodiscard]] std::optional<Ends> ends() const override { return trace_.ends; }

 private:
  Trace trace_;
};

const Registration<SourceRegistry> kRegistered{
    {{"trace_file",
      "packets from a text file",
      {Parameter::file("file", std::string("text file with lines '") + kLine + "'").mandatory()}},
     [](const SourceContext& context, const Parameters& keys) {
       if (!keys.has("file"))
         throw ConfigError(
             kSourceKey,
             std::string("trace_file needs the key 'file': a text file with lines '") + kLine + "'");
       return std::make_unique<TraceFile>(
           read_trace(keys.get<std::string>("file"), *context.topology, context.multicasts));
     }}};

}  // namespace
}  // namespace noctule
