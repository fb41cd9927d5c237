// Packets from a text file: lines "cycle source destination length [hop ...]", "#" starts a comment; several
// destinations, with commas between them, make a multicast. Each
// terminal sends its packets in the order of their cycles; those of the same cycle in the order of their
// lines. The hops prescribe the first output VCs that the worm takes, by name ("x_plus.class0", or with its
// lane "x_plus.class0.1"); beyond them, and where there are none, it is free. Pattern, offered load and
// lengths of the configuration have no meaning here.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "core/json.h"
#include "core/number_lines.h"
#include "traffic/caption.h"
#include "traffic/holds_memory.h"
#include "traffic/named_ends.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr const char* kLine = "cycle source destination[,...] length [hop ...]";

/// A line of the file, in little: a trace may have a hundred million of them.
struct Sent {
  Cycle birth;
  std::uint32_t source;
  std::uint32_t destination;
  std::uint32_t length;
  std::uint32_t route;  ///< as GeneratedPacket::route
  std::uint32_t list;   ///< of several destinations: their place in Trace::lists, from 1; 0: there is one
  std::uint32_t line;   ///< its place among the lines
};

struct Trace {
  std::vector<Sent> packets;       ///< by source, then in the order in which they are sent
  std::vector<std::size_t> first;  ///< by source, and one more: where its packets begin
  std::vector<std::vector<TerminalId>> lists;
  std::vector<PrescribedRoute> routes;
  TrafficSource::Ends ends;
};

/// Checks a line against the topology and adds it.
class TraceReader {
 public:
  explicit TraceReader(const Topology& topology) : topology_(topology) {
    trace_.ends = {std::vector<bool>(topology.terminals()), std::vector<bool>(topology.terminals())};
  }

  void add(NumberLine& line) {
    fits_ = true;
    const auto cycle = line.values[0];
    const auto length = line.values[3];
    require(line, cycle < kNever,
            [&] { return fmt::format("cycle {}; allowed are 0 to {}", cycle, kNever - 1); });
    exists(line, "source", line.values[1]);
    for (const auto destination : line.list) exists(line, "destination", destination);
    require(line, line.list.size() == 1 || line.words.empty(),
            [] { return std::string("hops are prescribed to messages with one destination"); });
    require(line, length >= 1 && length <= kMost,
            [&] { return fmt::format("length {}; allowed are 1 to {} flits", length, kMost); });
    if (fits_)
      if (auto wrong = wrong_destination(topology_, line.values[1], line.list); !wrong.empty())
        require(line, false, [&] { return wrong; });
    if (!fits_) return;
    if (trace_.packets.size() == kMost)
      throw ConfigError(kSourceKey, fmt::format("a trace of more than {} messages is too long", kMost));
    Sent sent{cycle, narrow(line.values[1]),       narrow(line.values[2]), narrow(length), 0,
              0,     narrow(trace_.packets.size())};
    if (line.list.size() > 1) {
      auto& list = trace_.lists.emplace_back();
      for (const auto destination : line.list) list.push_back(TerminalId{narrow(destination)});
      sent.list = narrow(trace_.lists.size());
    }
    if (!line.words.empty()) {
      trace_.routes.push_back({TerminalId{sent.source}, TerminalId{sent.destination}, std::move(line.words),
                               std::move(line.place)});
      sent.route = narrow(trace_.routes.size());
    }
    trace_.ends.injecting[sent.source] = true;
    for (const auto destination : line.list) trace_.ends.addressed[destination] = true;
    trace_.packets.push_back(sent);
  }

  Trace finish(const std::string& path) {
    faults_.raise();
    auto& packets = trace_.packets;
    if (packets.empty()) throw ConfigError(kSourceKey, "'" + path + "' has no line '" + kLine + "'");
    packets.shrink_to_fit();
    std::ranges::sort(packets, [](const Sent& a, const Sent& b) {
      return std::tie(a.source, a.birth, a.line) < std::tie(b.source, b.birth, b.line);
    });
    trace_.first.assign(topology_.terminals() + 1, 0);
    for (const Sent& sent : packets) ++trace_.first[sent.source + 1];
    for (std::size_t t = 1; t < trace_.first.size(); ++t) trace_.first[t] += trace_.first[t - 1];
    return std::move(trace_);
  }

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  static std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

  template <class Text>
  void require(const NumberLine& line, bool holds, Text&& otherwise) {
    if (!holds) faults_.add(line.place, otherwise());
    fits_ = fits_ && holds;
  }
  void exists(const NumberLine& line, const char* what, std::uint64_t terminal) {
    const auto wrong = wrong_terminal(topology_, what, terminal);
    require(line, wrong.empty(), [&] { return wrong; });
  }

  const Topology& topology_;
  LineFaults faults_{kSourceKey};
  Trace trace_;
  bool fits_ = true;
};

Trace read_trace(const std::string& path, const Topology& topology) {
  TraceReader reader(topology);
  each_number_line(path, {"cycle", "source", std::string("destination") + kSeveral, "length"}, kSourceKey,
                   "[hop ...]", [&](NumberLine& line) { reader.add(line); });
  return reader.finish(path);
}

class TraceFile final : public TrafficSource, public HoldsMemory {
 public:
  TraceFile(Trace trace, const SourceContext::Multicasts& multicasts)
      : trace_(std::move(trace)), multicasts_(multicasts) {}

  [[nodiscard]] bool listens() const override { return false; }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    const std::size_t at = trace_.first[index(source)] + number;
    if (at >= trace_.first[index(source) + 1]) return std::nullopt;
    const Sent& sent = trace_.packets[at];
    GeneratedPacket packet;
    packet.birth = sent.birth;
    packet.destination = TerminalId{sent.destination};
    packet.length = sent.length;
    packet.route = sent.route;
    packet.preparation = sent.list != 0 ? multicasts_.preparation : multicasts_.unicast_preparation;
    if (sent.list != 0) packet.destinations = trace_.lists[sent.list - 1];
    return packet;
  }
  [[nodiscard]] double memory_bytes() const override {
    double bytes = static_cast<double>(trace_.packets.size()) * sizeof(Sent);
    for (const auto& list : trace_.lists)
      bytes += static_cast<double>(sizeof(list) + list.size() * sizeof(TerminalId));
    for (const auto& route : trace_.routes)
      bytes += static_cast<double>(sizeof(route) + route.hops.size() * sizeof(std::string));
    return bytes;
  }
  [[nodiscard]] bool finite() const override { return true; }
  [[nodiscard]] std::span<const PrescribedRoute> routes() const override { return trace_.routes; }
  [[nodiscard]] std::optional<Ends> ends() const override { return trace_.ends; }

 private:
  Trace trace_;
  SourceContext::Multicasts multicasts_;
};

const CaptionOf kTraceFileCaption{
    {"trace_file", [](const Parameters& keys) { return "packets of " + file_in_caption(keys); }}};

const Registration<SourceRegistry> kTraceFileRegistered{
    {{"trace_file",
      "packets from a text file",
      {Parameter::file("file", std::string("text file with lines '") + kLine + "'").mandatory()}},
     {[](const SourceContext& context, const Parameters& keys) {
        if (!keys.has("file"))
          throw ConfigError(
              kSourceKey,
              std::string("trace_file needs the key 'file': a text file with lines '") + kLine + "'");
        return std::make_unique<TraceFile>(read_trace(keys.get<std::string>("file"), *context.topology),
                                           context.multicasts);
      },
      SourceKind::Traffic::kGiven}}};

}  // namespace
}  // namespace noctule
