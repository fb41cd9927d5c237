#include "traffic/packet_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "core/csv_table.h"
#include "core/number_lines.h"
#include "core/words.h"
#include "traffic/named_ends.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr const char* kLine = "cycle source destination[,...] length [hop ...]";

enum PacketColumn : std::size_t { kCycle, kSource, kDestination, kFlits, kClass, kHops };
/// A function, as registration asks for it before main.
const std::array<CsvColumn, 6>& packet_columns() {
  static const std::array<CsvColumn, 6> kColumns{
      {{"cycle", true, {}, {"time", "timestamp", "injection_cycle"}},
       {"source", true, {}, {"src", "from", "sender", "initiator"}},
       {"destination", true, {}, {"dst", "dest", "to", "receiver", "target"}},
       {"flits", true, {"length"}, {"size", "packet_size", "packet_length", "len"}},
       {"class", false, {"message_class"}, {"type", "vnet", "virtual_network", "traffic_class"}},
       {"hops", false, {}, {"route", "path"}}}};
  return kColumns;
}

enum LogColumn : std::size_t { kLogCycle, kEvent, kPacket, kFlit, kLogSource, kLogDestination, kLogClass };
const std::array<CsvColumn, 10> kLogColumns{{{"cycle", true},
                                             {"event", true},
                                             {"packet", true},
                                             {"flit", true},
                                             {"source", true},
                                             {"destination", true},
                                             {"message_class", false},
                                             {"router", false},
                                             {"port", false},
                                             {"vc", false}}};

/// What a line says, before it is checked, and where it says it.
struct Message {
  std::uint64_t cycle = 0;
  std::uint64_t source = 0;
  std::vector<std::uint64_t> destinations;
  std::uint64_t length = 0;
  std::uint8_t message_class = 0;
  std::vector<std::string> hops;
  std::string place;
};

/// Checks messages against the topology and adds them.
class TraceBuilder {
 public:
  /// What messages call the parts of a line.
  struct Titles {
    std::string cycle = "cycle";
    std::string source = "source";
    std::string destination = "destination";
    std::string length = "length";
    bool columns = false;  ///< of a table: before what is wrong, a colon
  };

  explicit TraceBuilder(const SourceContext& context)
      : topology_(*context.topology), carried_(context.carried) {
    trace_.ends = {std::vector<bool>(topology_.terminals()), std::vector<bool>(topology_.terminals())};
  }

  Titles titles;

  void fault(const std::string& place, std::string message) {
    faults_.add(place, std::move(message));
    fits_ = false;
  }
  /// Before `add`, of each line.
  void begin() { fits_ = true; }
  [[nodiscard]] bool fits() const { return fits_; }

  void add(Message& message) {
    const std::string& place = message.place;
    if (message.cycle >= kNever)
      fault(place, fmt::format("{} {}; allowed are 0 to {}", named(titles.cycle), message.cycle, kNever - 1));
    exists(place, titles.source, message.source);
    for (const auto destination : message.destinations) exists(place, titles.destination, destination);
    if (message.destinations.size() != 1 && !message.hops.empty())
      fault(place, "hops are prescribed to messages with one destination");
    constexpr std::uint32_t kLongest = Flit::kNumber;
    if (message.length < 1 || message.length > kLongest)
      fault(place,
            fmt::format("{} {}; allowed are 1 to {} flits", named(titles.length), message.length, kLongest));
    else
      refuse(place, titles.length, carried_.refuses_length(message.length));
    if (fits_)
      refuse(place, titles.destination, wrong_destination(topology_, message.source, message.destinations));
    if (fits_)
      refuse(place, titles.destination,
             carried_.refuses(message.source, message.destinations, message.message_class));
    if (fits_) keep(message);
  }

  void leave_out(std::string text) { trace_.left_out = std::move(text); }

  PacketTrace finish(const std::string& nothing) {
    faults_.raise();
    auto& packets = trace_.packets;
    if (packets.empty()) throw ConfigError(kSourceKey, nothing);
    packets.shrink_to_fit();
    std::ranges::sort(packets, [](const TracedPacket& a, const TracedPacket& b) {
      return std::tie(a.source, a.birth, a.line) < std::tie(b.source, b.birth, b.line);
    });
    trace_.first.assign(topology_.terminals() + 1, 0);
    for (const TracedPacket& sent : packets) ++trace_.first[sent.source + 1];
    for (std::size_t t = 1; t < trace_.first.size(); ++t) trace_.first[t] += trace_.first[t - 1];
    if (!trace_.classes.empty()) trace_.classes.resize(packets.size());
    return std::move(trace_);
  }

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  static std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

  [[nodiscard]] std::string named(const std::string& title) const {
    return titles.columns ? title + ":" : title;
  }
  void exists(const std::string& place, const std::string& title, std::uint64_t terminal) {
    if (auto wrong = wrong_terminal(topology_, named(title).c_str(), terminal); !wrong.empty())
      fault(place, std::move(wrong));
  }
  /// `wrong`: empty where nothing is.
  void refuse(const std::string& place, const std::string& title, const std::string& wrong) {
    if (!wrong.empty()) fault(place, titles.columns ? fmt::format("{}: {}", title, wrong) : wrong);
  }
  void keep(Message& message) {
    if (trace_.packets.size() == kMost)
      throw ConfigError(kSourceKey, fmt::format("a trace of more than {} messages is too long", kMost));
    TracedPacket sent{message.cycle,
                      narrow(message.source),
                      narrow(message.destinations.front()),
                      narrow(message.length),
                      0,
                      0,
                      narrow(trace_.packets.size())};
    if (message.destinations.size() > 1) {
      auto& list = trace_.lists.emplace_back();
      for (const auto destination : message.destinations) list.push_back(TerminalId{narrow(destination)});
      sent.list = narrow(trace_.lists.size());
    }
    if (!message.hops.empty()) {
      trace_.routes.push_back({TerminalId{sent.source}, TerminalId{sent.destination}, std::move(message.hops),
                               std::move(message.place)});
      sent.route = narrow(trace_.routes.size());
    }
    if (message.message_class != 0) {
      trace_.classes.resize(sent.line + std::size_t{1});
      trace_.classes[sent.line] = message.message_class;
    }
    trace_.ends.injecting[sent.source] = true;
    for (const auto destination : message.destinations) trace_.ends.addressed[destination] = true;
    trace_.packets.push_back(sent);
  }

  const Topology& topology_;
  const Carried& carried_;
  LineFaults faults_{kSourceKey};
  PacketTrace trace_;
  bool fits_ = true;
};

/// Cells of a row, for both tables.
class Cells {
 public:
  Cells(TraceBuilder& builder, const SourceContext& context)
      : builder_(builder), context_(context), names_(*context.topology) {}

  std::uint64_t number(const CsvRow& row, std::size_t column) {
    std::uint64_t value = 0;
    if (!read_number(row[column], value))
      fault(row, column, fmt::format("'{}'; a whole number from 0 to 2^64-1 is needed", row[column]));
    return value;
  }
  std::uint64_t terminal(const CsvRow& row, std::size_t column, std::string_view word, bool source) {
    std::uint64_t value = 0;
    if (auto wrong = names_.wrong(word, source, value); !wrong.empty()) fault(row, column, std::move(wrong));
    return value;
  }
  std::uint8_t message_class(const CsvRow& row, std::size_t column) {
    std::uint8_t number = 0;
    if (!row[column].empty())
      if (auto wrong = wrong_class(context_, row[column], number); !wrong.empty())
        fault(row, column, std::move(wrong));
    return number;
  }

 private:
  void fault(const CsvRow& row, std::size_t column, std::string message) {
    builder_.fault(row.place(), fmt::format("{}: {}", row.title(column), message));
  }

  TraceBuilder& builder_;
  const SourceContext& context_;
  TerminalNames names_;
};

void read_table(const std::string& path, const SourceContext& context, TraceBuilder& builder) {
  Cells cells(builder, context);
  each_csv_row(path, kSourceKey, packet_columns(), [&](const CsvRow& row) {
    builder.begin();
    if (!builder.titles.columns)
      builder.titles = {row.title(kCycle), row.title(kSource), row.title(kDestination), row.title(kFlits),
                        true};
    Message message;
    message.place = row.place();
    message.cycle = cells.number(row, kCycle);
    message.source = cells.terminal(row, kSource, row[kSource], true);
    each_word(row[kDestination], [&](std::string_view word) {
      message.destinations.push_back(cells.terminal(row, kDestination, word, false));
    });
    if (message.destinations.empty()) (void)cells.terminal(row, kDestination, {}, false);
    message.length = cells.number(row, kFlits);
    message.message_class = cells.message_class(row, kClass);
    each_word(row[kHops], [&](std::string_view word) { message.hops.emplace_back(word); });
    if (builder.fits()) builder.add(message);
  });
}

/// A packet of an event log.
struct Logged {
  Message message;
  std::vector<std::uint64_t> tails;  ///< by destination: flits that it consumed, so far as the log says
  bool generated = false;
  bool discarded = false;
};

void read_event_log(const std::string& path, const SourceContext& context, TraceBuilder& builder) {
  Cells cells(builder, context);
  std::unordered_map<std::string, std::size_t> known;
  std::vector<Logged> packets;
  each_csv_row(path, kSourceKey, kLogColumns, [&](const CsvRow& row) {
    builder.begin();
    const auto [at, fresh] = known.emplace(row[kPacket], packets.size());
    if (fresh) packets.emplace_back();
    Logged& packet = packets[at->second];
    const auto cycle = cells.number(row, kLogCycle);
    const auto source = cells.terminal(row, kLogSource, row[kLogSource], true);
    const auto destination = cells.terminal(row, kLogDestination, row[kLogDestination], false);
    const auto flits = cells.number(row, kFlit) + 1;
    Message& message = packet.message;
    if (row[kEvent] == "generate" && !packet.generated) {
      packet.generated = true;
      message.cycle = cycle;
      message.place = row.place();
      message.source = source;
      message.message_class = cells.message_class(row, kLogClass);
    }
    auto& all = message.destinations;
    const auto place = static_cast<std::size_t>(std::ranges::find(all, destination) - all.begin());
    if (place == all.size()) {
      all.push_back(destination);
      packet.tails.push_back(0);
    }
    packet.discarded = packet.discarded || row[kEvent] == "discard";
    if (row[kEvent] == "inject") message.length = std::max(message.length, flits);
    if (row[kEvent] == "consume") packet.tails[place] = std::max(packet.tails[place], flits);
  });
  builder.begin();
  std::size_t parts = 0;
  std::size_t discarded = 0;
  for (Logged& packet : packets) {
    const bool whole =
        packet.generated && packet.message.length > 0 &&
        std::ranges::all_of(packet.tails, [&](auto flits) { return flits == packet.message.length; });
    if (whole)
      builder.add(packet.message);
    else
      ++(packet.discarded ? discarded : parts);
  }
  std::string why;
  if (discarded > 0)
    why = fmt::format("{} were discarded when it was written, as source queues had no room", discarded);
  if (parts > 0)
    why += fmt::format(
        "{}{} it does not hold from their generation to the consumption of their tail; log more "
        "cycles, of all routers",
        why.empty() ? "" : ", and ", parts);
  if (!why.empty())
    builder.leave_out(fmt::format("traffic.source: {} of {} packets of '{}' are left out: {}",
                                  discarded + parts, packets.size(), path, why));
}

}  // namespace

PacketTrace read_packet_trace(const std::string& path, const SourceContext& context) {
  TraceBuilder builder(context);
  const auto header = csv_header(path, kSourceKey, kLine, "cycle,source,destination,flits");
  if (header.empty()) {
    each_number_line(path, {"cycle", "source", std::string("destination") + kSeveral, "length"}, kSourceKey,
                     "[hop ...]", [&](NumberLine& line) {
                       builder.begin();
                       Message message{
                           line.values[0],        line.values[1],       line.list, line.values[3], 0,
                           std::move(line.words), std::move(line.place)};
                       builder.add(message);
                     });
    return builder.finish(fmt::format("'{}' has no line '{}'", path, kLine));
  }
  if (std::ranges::find(header, "event") != header.end() &&
      std::ranges::find(header, "packet") != header.end()) {
    read_event_log(path, context, builder);
    return builder.finish(fmt::format(
        "the event log '{}' holds no packet from its generation to the consumption of its tail; log "
        "more cycles, of all routers",
        path));
  }
  read_table(path, context, builder);
  return builder.finish(fmt::format("'{}' has no row below its header", path));
}

std::string packet_trace_forms() {
  return fmt::format("text file with lines '{}', or CSV with the columns {}, or an event log of a run", kLine,
                     csv_columns(packet_columns()));
}

}  // namespace noctule
