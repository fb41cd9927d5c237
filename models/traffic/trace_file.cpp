// Packets from a file (traffic/packet_trace.h). Pattern, offered load and lengths of the configuration have
// no meaning here.

#include <algorithm>

#include "traffic/caption.h"
#include "traffic/holds_memory.h"
#include "traffic/last_birth.h"
#include "traffic/leaves_out.h"
#include "traffic/packet_draws.h"
#include "traffic/packet_trace.h"

namespace noctule {
namespace {

class TraceFile final : public TrafficSource, public HoldsMemory, public LeavesOut, public KnowsLastBirth {
 public:
  TraceFile(PacketTrace trace, const SourceContext::Multicasts& multicasts)
      : trace_(std::move(trace)), multicasts_(multicasts) {}

  [[nodiscard]] bool listens() const override { return false; }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    const std::size_t at = trace_.first[index(source)] + number;
    if (at >= trace_.first[index(source) + 1]) return std::nullopt;
    const TracedPacket& sent = trace_.packets[at];
    GeneratedPacket packet;
    packet.birth = sent.birth;
    packet.destination = TerminalId{sent.destination};
    packet.length = sent.length;
    packet.route = sent.route;
    packet.preparation = sent.list != 0 ? multicasts_.preparation : multicasts_.unicast_preparation;
    if (sent.list != 0) packet.destinations = trace_.lists[sent.list - 1];
    if (!trace_.classes.empty()) packet.message_class = trace_.classes[sent.line];
    return packet;
  }
  [[nodiscard]] double memory_bytes() const override {
    double bytes = static_cast<double>(trace_.packets.size()) * sizeof(TracedPacket) +
                   static_cast<double>(trace_.classes.size());
    for (const auto& list : trace_.lists)
      bytes += static_cast<double>(sizeof(std::vector<TerminalId>) + list.size() * sizeof(TerminalId));
    for (const auto& route : trace_.routes)
      bytes += static_cast<double>(sizeof(route) + route.hops.size() * sizeof(std::string));
    return bytes;
  }
  [[nodiscard]] std::string left_out() const override { return trace_.left_out; }
  [[nodiscard]] Cycle last_birth() const override {
    Cycle last = 0;
    for (const TracedPacket& packet : trace_.packets) last = std::max(last, packet.birth);
    return last;
  }
  [[nodiscard]] bool finite() const override { return true; }
  [[nodiscard]] std::span<const PrescribedRoute> routes() const override { return trace_.routes; }
  [[nodiscard]] std::optional<Ends> ends() const override { return trace_.ends; }
  [[nodiscard]] LengthShares lengths() const override {
    LengthCounts counts;
    for (const TracedPacket& packet : trace_.packets) counts.add(packet.length, 1);
    return counts.shares();
  }

 private:
  PacketTrace trace_;
  SourceContext::Multicasts multicasts_;
};

const CaptionOf kTraceFileCaption{
    {"trace_file", [](const Parameters& keys) { return "packets of " + file_in_caption(keys); }}};

const Registration<SourceRegistry> kTraceFileRegistered{
    {{"trace_file", "packets from a text file", {Parameter::file("file", packet_trace_forms()).mandatory()}},
     {[](const SourceContext& context, const Parameters& keys) {
        if (!keys.has("file"))
          throw ConfigError(kSourceKey, "trace_file needs the key 'file': a " + packet_trace_forms());
        return std::make_unique<TraceFile>(read_packet_trace(keys.get<std::string>("file"), context),
                                           context.multicasts);
      },
      SourceKind::Traffic::kGiven}}};

}  // namespace
}  // namespace noctule
