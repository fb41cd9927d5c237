// Flows at given rates, from a text file: a matrix of rates between terminals, or what each message class
// sends, to whom and how long. In every cycle a terminal generates a packet with the probability that its
// flows add up to; which of them it belongs to, and where several are possible its destination, is drawn.
//
// A flow with a burst is regulated instead: it sends so many packets at its phase, then one whenever a period
// is over, which is what its rate makes of its length, and draws nothing. That is the most that a token
// bucket lets through.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "core/fixed_point.h"
#include "core/flit.h"
#include "core/json.h"
#include "core/number_lines.h"
#include "core/words.h"
#include "traffic/caption.h"
#include "traffic/named_ends.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr const char* kFlowLine =
    "source[,...] destination[,...] rate [length=FLITS] [class=NAME] [burst=PACKETS] [phase=CYCLES]; 0-11 "
    "means terminals 0 to 11, * means all";
constexpr double kMostScale = 1e6;
constexpr std::uint64_t kMostBurst = 1'000'000;
constexpr std::uint64_t kMostPhase = 1'000'000'000'000;
constexpr double kRounding = 1e-9;       ///< packets per cycle by which rates that are to be one may be more
constexpr double kLongestPeriod = 1e12;  ///< cycles

/// A line of the file.
struct Flow {
  std::vector<std::uint32_t> destinations;  ///< uniformly one of them, but for the source; empty: all
  double rate = 0;                          ///< flits per cycle, of each source
  std::uint32_t length = 1;                 ///< flits of a packet
  std::uint8_t message_class = 0;
  std::uint64_t burst = 0;  ///< packets; 0: it is drawn
  Cycle phase = 0;          ///< regulated: when it begins
  TokenPeriod period = 1;   ///< regulated: what its rate makes of its length
};

/// What a terminal sends.
struct Shares {
  bool regulated = false;  ///< then all of it
  std::vector<std::uint32_t> flows;
  std::vector<std::uint64_t> rates;  ///< packets per cycle in units of 2^-64, all flows up to this one
};

struct Flows {
  std::vector<Flow> all;
  std::vector<Shares> terminals;
  TrafficSource::Ends ends;
  TrafficSource::Offered offered;
  LengthCounts lengths;  ///< packets per cycle, all terminals
};

class FlowReader {
 public:
  FlowReader(const SourceContext& context, double scale, std::uint32_t length)
      : context_(context), terminals_(context.topology->terminals()), scale_(scale), length_(length) {
    flows_.terminals.resize(terminals_);
    flows_.ends = {std::vector<bool>(terminals_), std::vector<bool>(terminals_)};
  }

  Flows read(const std::string& path) {
    each_word_line(path, kSourceKey, kFlowLine, [&](const WordLine& line) {
      place_ = line.place;
      fits_ = true;
      add(line.words);
      return true;
    });
    faults_.raise();
    if (flows_.all.empty())
      throw ConfigError(kSourceKey, fmt::format("'{}' has no line '{}'", path, kFlowLine));
    const auto sending = std::ranges::count(flows_.ends.injecting, true);
    const double packets = flows_.lengths.all();
    if (sending > 0) flows_.offered = {packets / static_cast<double>(sending), flits_ / packets};
    return std::move(flows_);
  }

 private:
  using Words = std::vector<std::string_view>;

  void fault(std::string message) {
    faults_.add(place_, std::move(message));
    fits_ = false;
  }

  void add(const Words& words) {
    if (words.size() < 3) return fault(fmt::format("{} words; expected '{}'", words.size(), kFlowLine));
    Flow flow;
    flow.length = length_;
    const auto sources = terminals("source", words[0]);
    flow.destinations = terminals("destination", words[1]);
    if (!read_number(words[2], flow.rate) || flow.rate < 0)
      fault(fmt::format("the rate is '{}'; expected flits per cycle, 0 or more, such as 0.05", words[2]));
    for (std::size_t w = 3; w < words.size(); ++w) add_option(flow, words[w]);
    if (auto wrong = given_twice(std::span(words).subspan(3)); !wrong.empty()) fault(std::move(wrong));
    if (!fits_) return;
    flow.rate *= scale_;
    if (flow.burst > 0) {
      if (flow.destinations.size() != 1)
        return fault("a flow with a burst has one destination: write a line for each");
      if (flow.rate == 0 || flow.length / flow.rate > kLongestPeriod)
        return fault(fmt::format("a flow with a burst sends at least every {} cycles", kLongestPeriod));
      flow.period = TokenPeriod::of(flow.length / flow.rate);
      flow.rate = flow.length / flow.period.cycles();
    } else if (flow.phase > 0) {
      return fault("a phase belongs to a flow with a burst; others begin where they are drawn");
    }
    const auto number = static_cast<std::uint32_t>(flows_.all.size());
    flows_.all.push_back(std::move(flow));
    if (!sources.empty())
      for (const std::uint32_t source : sources) add_to(source, number, false);
    else
      for (std::uint32_t source = 0; source < terminals_; ++source) add_to(source, number, true);
  }

  /// Empty: all, or the line does not fit.
  std::vector<std::uint32_t> terminals(const char* what, std::string_view words) {
    std::vector<std::uint32_t> list;
    if (words == "*") return list;
    if (auto wrong = wrong_terminals(*context_.topology, what, words, list); !wrong.empty())
      fault(std::move(wrong));
    return list;
  }

  void add_option(Flow& flow, std::string_view word) {
    const auto equals = std::min(word.find('='), word.size());
    const auto key = word.substr(0, equals);
    const auto value = word.substr(std::min(equals + 1, word.size()));
    if (key == "length") {
      if (!read_number(value, flow.length) || flow.length < 1 || flow.length > Flit::kNumber)
        fault(fmt::format("'{}': allowed are 1 to {} flits", word, Flit::kNumber));
    } else if (key == "class") {
      if (auto wrong = wrong_class(context_, value, flow.message_class); !wrong.empty())
        fault(std::move(wrong));
    } else if (key == "burst") {
      if (!read_number(value, flow.burst) || flow.burst < 1 || flow.burst > kMostBurst)
        fault(fmt::format("'{}': allowed are 1 to {} packets", word, kMostBurst));
    } else if (key == "phase") {
      if (!read_number(value, flow.phase) || flow.phase > kMostPhase)
        fault(fmt::format("'{}': allowed are 0 to {} cycles", word, kMostPhase));
    } else {
      fault(fmt::format("'{}' is not known here; a line is '{}'", word, kFlowLine));
    }
  }

  /// `any`: the line speaks of all sources, and passes over those that have nobody to send to.
  void add_to(std::uint32_t source, std::uint32_t number, bool any) {
    const Flow& flow = flows_.all[number];
    const bool all = flow.destinations.empty();
    const std::size_t others = all ? terminals_ - 1
                                   : flow.destinations.size() - static_cast<std::size_t>(std::ranges::count(
                                                                    flow.destinations, source));
    if (others == 0) {
      if (!any) fault(fmt::format("terminal {} would send to itself alone", source));
      return;
    }
    if (auto wrong = not_carried(source, flow); !wrong.empty()) return fault(std::move(wrong));
    const double packets = flow.rate / flow.length;
    const std::uint64_t rate = to_fixed_point(packets);
    if (rate == 0) return;
    Shares& shares = flows_.terminals[source];
    if (!shares.flows.empty() && shares.regulated != (flow.burst > 0))
      return fault(
          fmt::format("terminal {} has flows with a burst, which are regulated, and flows without, "
                      "which are drawn; give all of its flows a burst, or none",
                      source));
    shares.regulated = flow.burst > 0;
    const std::uint64_t before = shares.rates.empty() ? 0 : shares.rates.back();
    const std::uint64_t left = std::numeric_limits<std::uint64_t>::max() - before;
    if (packets - from_fixed_point(left) > kRounding)
      return fault(fmt::format(
          "with this line the flows of terminal {} are more than one packet per cycle ({} and {} flits per "
          "cycle in packets of {}); lower the rates, or traffic.source.scale",
          source, from_fixed_point(before), flow.rate, flow.length));
    shares.flows.push_back(number);
    shares.rates.push_back(before + std::min(rate, left));
    flits_ += flow.rate;
    flows_.lengths.add(flow.length, packets);
    flows_.ends.injecting[source] = true;
    if (!all) {
      for (const std::uint32_t to : flow.destinations)
        if (to != source) flows_.ends.addressed[to] = true;
    } else if (sends_to_all_ != number) {
      for (std::uint32_t to = 0; to < terminals_; ++to)
        if (to != source) flows_.ends.addressed[to] = true;
      // A second source of the line completes the set.
      if (others_of_line_ == number) sends_to_all_ = number;
      others_of_line_ = number;
    }
  }

  /// Why the fabric does not carry what the source would send; empty: it does.
  [[nodiscard]] std::string not_carried(std::uint32_t source, const Flow& flow) const {
    const Carried& carried = context_.carried;
    if (auto wrong = carried.refuses_length(flow.length); !wrong.empty() || !carried.serves) return wrong;
    std::string wrong;
    const auto ask = [&](std::uint32_t to) {
      if (wrong.empty() && to != source)
        wrong = carried.refuses_pair(TerminalId{source}, TerminalId{to}, flow.message_class);
    };
    std::ranges::for_each(flow.destinations, ask);
    for (std::uint32_t to = 0; flow.destinations.empty() && to < terminals_; ++to) ask(to);
    return wrong;
  }

  const SourceContext& context_;
  std::size_t terminals_;
  double scale_;
  std::uint32_t length_;
  LineFaults faults_{kSourceKey};
  Flows flows_;
  std::string place_;
  bool fits_ = true;
  double flits_ = 0;  ///< per cycle, all terminals
  std::uint32_t others_of_line_ = ~0U;
  std::uint32_t sends_to_all_ = ~0U;
};

class FlowSource final : public TrafficSource {
 public:
  FlowSource(const SourceContext& context, Flows flows)
      : streams_(context),
        flows_(std::move(flows)),
        terminals_(flows_.terminals.size()),
        gap_of_(terminals_),
        progress_(terminals_),
        sent_(terminals_) {
    std::map<std::uint64_t, std::uint32_t> known;
    for (std::size_t t = 0; t < terminals_; ++t) {
      const auto& rates = flows_.terminals[t].rates;
      if (rates.empty()) continue;
      const auto [gap, fresh] = known.try_emplace(rates.back(), static_cast<std::uint32_t>(gaps_.size()));
      if (fresh) gaps_.emplace_back(rates.back());
      gap_of_[t] = gap->second;
    }
  }

  [[nodiscard]] bool listens() const override { return false; }
  [[nodiscard]] std::optional<Ends> ends() const override { return flows_.ends; }
  [[nodiscard]] std::optional<Offered> offered() const override { return flows_.offered; }
  [[nodiscard]] LengthShares lengths() const override { return flows_.lengths.shares(); }
  [[nodiscard]] std::vector<ClassDemand> demand() const override {
    std::map<std::uint8_t, ClassDemand> by_class;
    for (std::uint32_t source = 0; source < terminals_; ++source)
      for (const std::uint32_t number : flows_.terminals[source].flows) {
        const Flow& flow = flows_.all[number];
        ClassDemand& demand = by_class[flow.message_class];
        demand.message_class = flow.message_class;
        demand.sent.resize(terminals_);
        auto& sent = demand.sent[source];
        if (flow.destinations.empty()) {
          sent.uniform += flow.rate;
          continue;
        }
        const auto self = std::ranges::count(flow.destinations, source);
        const double each =
            flow.rate / static_cast<double>(flow.destinations.size() - static_cast<std::size_t>(self));
        for (const std::uint32_t to : flow.destinations)
          if (to != source) sent.rest.emplace_back(TerminalId{to}, each);
      }
    std::vector<ClassDemand> all;
    all.reserve(by_class.size());
    for (auto& [number, demand] : by_class) all.push_back(std::move(demand));
    return all;
  }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (flows_.terminals[index(source)].flows.empty()) return std::nullopt;
    if (flows_.terminals[index(source)].regulated) return next_regulated(index(source), number);
    const GeometricGap& gap = gaps_[gap_of_[index(source)]];
    return streams_.next_after_gaps(
        progress_[index(source)], source, number, [] { return BernoulliProgress{}; },
        [&](BernoulliProgress& p, Rng& rng) { p.advance(gap, rng); },
        [&](Cycle birth, Rng& rng) { return packet(source, birth, rng); });
  }

  [[nodiscard]] std::vector<RegulatedFlow> regulated() const override {
    std::vector<RegulatedFlow> all;
    for (std::uint32_t source = 0; source < terminals_; ++source) {
      const Shares& shares = flows_.terminals[source];
      if (!shares.flows.empty() && !shares.regulated) return {};
      for (const std::uint32_t number : shares.flows) {
        const Flow& flow = flows_.all[number];
        all.push_back({TerminalId{source}, TerminalId{flow.destinations.front()}, flow.message_class,
                       flow.length, flow.period, flow.burst});
      }
    }
    return all;
  }

 private:
  /// Packets of a regulated terminal, as far as they were asked for.
  struct Sent {
    std::uint64_t all = 0;
    std::vector<std::uint64_t> of_flow{};  ///< by place among the terminal's flows
  };

  /// By birth, those of one cycle in the order of their lines.
  [[nodiscard]] std::optional<GeneratedPacket> next_regulated(std::uint32_t source, std::uint64_t number) {
    const auto& mine = flows_.terminals[source].flows;
    Sent& sent = sent_[source];
    if (number < sent.all || sent.of_flow.empty()) sent = {0, std::vector<std::uint64_t>(mine.size())};
    for (;;) {
      std::size_t first = 0;
      Cycle birth = kNever;
      for (std::size_t n = 0; n < mine.size(); ++n) {
        const Flow& flow = flows_.all[mine[n]];
        const std::uint64_t behind = sent.of_flow[n] < flow.burst ? 0 : sent.of_flow[n] - flow.burst + 1;
        const Cycle at = flow.period.at(behind);
        if (at == kNever || flow.phase + at >= birth) continue;
        birth = flow.phase + at;
        first = n;
      }
      if (birth == kNever) return std::nullopt;
      ++sent.of_flow[first];
      if (sent.all++ < number) continue;
      const Flow& flow = flows_.all[mine[first]];
      GeneratedPacket packet;
      packet.birth = birth;
      packet.length = flow.length;
      packet.message_class = flow.message_class;
      packet.destination = TerminalId{flow.destinations.front()};
      return packet;
    }
  }
  [[nodiscard]] GeneratedPacket packet(TerminalId source, Cycle birth, Rng& rng) const {
    const Shares& shares = flows_.terminals[index(source)];
    const std::uint64_t drawn = rng.below(shares.rates.back());
    const auto which = std::ranges::upper_bound(shares.rates, drawn) - shares.rates.begin();
    const Flow& flow = flows_.all[shares.flows[static_cast<std::size_t>(which)]];
    GeneratedPacket packet;
    packet.birth = birth;
    packet.length = flow.length;
    packet.message_class = flow.message_class;
    packet.destination = destination(flow, index(source), rng);
    return packet;
  }
  /// One draw, whatever the flow.
  [[nodiscard]] TerminalId destination(const Flow& flow, std::uint32_t source, Rng& rng) const {
    const auto& list = flow.destinations;
    if (list.empty()) {
      const auto other = static_cast<std::uint32_t>(rng.below(terminals_ - 1));
      return TerminalId(other + (other >= source ? 1U : 0U));
    }
    const auto self = std::ranges::find(list, source);
    auto place = rng.below(list.size() - (self == list.end() ? 0U : 1U));
    if (self != list.end() && place >= static_cast<std::uint64_t>(self - list.begin())) ++place;
    return TerminalId(list[place]);
  }

  PacketStreams streams_;
  Flows flows_;
  std::size_t terminals_;
  std::vector<GeometricGap> gaps_;
  std::vector<std::uint32_t> gap_of_;  ///< by terminal
  std::vector<BernoulliProgress> progress_;
  std::vector<Sent> sent_;  ///< by terminal, regulated ones
};

const CaptionOf kFlowCaption{
    {"flows", [](const Parameters& keys) { return "flows of " + file_in_caption(keys); }}};

const Registration<SourceRegistry> kFlowsRegistered{
    {{"flows",
      "flows at given rates between terminals, from a text file",
      {Parameter::file("file", std::string("text file with lines '") + kFlowLine +
                                   "; rate: flits per cycle, of each source; of several destinations each "
                                   "packet goes to one, drawn uniformly. burst: nothing is drawn, the flow "
                                   "sends so many packets in cycle phase (default 0), then one whenever its "
                                   "rate allows it")
           .mandatory(),
       Parameter::real("scale", 1.0, 0, kMostScale, "", "factor on all rates of the file, for a sweep"),
       Parameter::integer("length", 5, 1, Flit::kNumber, "flits",
                          "of the packets of flows that do not say it, header and tail included")}},
     {[](const SourceContext& context, const Parameters& keys) {
        if (!keys.has("file"))
          throw ConfigError(
              kSourceKey, fmt::format("flows needs the key 'file': a text file with lines '{}'", kFlowLine));
        const auto scale = keys.get<double>("scale", 1.0);
        if (!(scale >= 0 && scale <= kMostScale))
          throw ConfigError(kSourceKey,
                            fmt::format("flows: scale is {}; allowed are 0 to {}", scale, kMostScale));
        const auto length = source_key_within(keys, "flows", "length", 1, Flit::kNumber);
        return std::make_unique<FlowSource>(context,
                                            FlowReader(context, scale, static_cast<std::uint32_t>(length))
                                                .read(keys.get<std::string>("file")));
      },
      SourceKind::Traffic::kRates, SourceKind::Sends::kUnicastsAtOnce}}};

}  // namespace
}  // namespace noctule
