// Closed loop: every terminal that injects keeps a number of transactions open. A transaction is a chain of
// messages, each sent by the terminal that took the one before: request and response, or request, forward,
// response. The last one goes back to the terminal that sent the first.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/json.h"
#include "core/key_effect.h"
#include "core/user_number.h"
#include "traffic/geometric.h"
#include "traffic/holds_memory.h"
#include "traffic/message_chain.h"
#include "traffic/named_ends.h"
#include "traffic/outbox.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr std::int64_t kMostOutstanding = 1'000'000;
constexpr std::int64_t kMostServiceCycles = 1'000'000'000;

struct Settings {
  std::uint64_t outstanding = 1;       ///< transactions that a terminal has open
  std::vector<bool> requesters;        ///< by TerminalId: may it open some?
  Cycle service = 1;                   ///< from taking a message to sending the next one of the chain, mean
  bool drawn = false;                  ///< geometric, else the same for all
  std::uint64_t servers = 0;           ///< messages that a terminal works on at a time; 0: all
  Cycle think = 1;                     ///< from the end of a transaction to the start of the next one
  std::vector<std::uint32_t> lengths;  ///< flits, by step of the chain; 0: as the traffic says
  std::vector<std::uint8_t> chain;     ///< message class of each step
};

class RequestReply final : public TrafficSource, public TerminalSink, public HoldsMemory {
 public:
  RequestReply(const SourceContext& context, Settings settings)
      : draws_(context),
        lengths_(context.lengths),
        settings_(std::move(settings)),
        rest_of_service_(std::numeric_limits<std::uint64_t>::max() / settings_.service),
        terminals_(context.topology->terminals()),
        key_(Rng(context.seed, "request_reply").next()),
        limit_(context.classes.size(), kAll),
        held_(terminals_.size() * context.classes.size()) {
    const std::size_t steps = settings_.chain.size();
    for (std::size_t step = 0; step + 1 < steps; ++step)
      if (const auto& end = context.classes.at(settings_.chain[step]); end.buffer && !end.causes.empty())
        limit_[settings_.chain[step]] = *end.buffer;
    if (steps > 2) require_forwarders(*context.pattern);
    for (std::size_t t = 0; t < terminals_.size(); ++t) {
      terminals_[t].free_at.resize(settings_.servers);
      start_all(TerminalId(static_cast<std::uint32_t>(t)), 0);
    }
  }

  // --- TrafficSource ---

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t) override {
    const auto taken = terminals_[index(source)].outbox.take();
    if (!taken) return std::nullopt;
    const Job& job = jobs_[taken->what];
    GeneratedPacket packet;
    packet.birth = taken->birth;
    packet.destination = job.destination;
    packet.length = job.length;
    packet.message_class = settings_.chain[job.step];
    packet.user = as_user(std::uint64_t{taken->what} + 1);
    return packet;
  }
  void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) override {
    const std::uint32_t number = job_of(delivery.user, delivery.source);
    if (number == kNone) return;
    const Job job = jobs_[number];
    const Cycle now = delivery.consumed;
    if (job.step + 1U == settings_.chain.size()) {
      ++transactions_.count;
      transactions_.cycles += now - job.start;
      drop(number);
      open(job.origin, now + settings_.think, now, wake);
      return;
    }
    Job then{job.origin, delivery.destination, {}, 0, static_cast<std::uint8_t>(job.step + 1), job.start,
             job.serial};
    const bool last = then.step + 1U == settings_.chain.size();
    Rng rng = stream(job, then.step);
    then.destination = last ? job.origin : pick(delivery.destination, rng);
    then.length = length(then.step, rng);
    drop(number);
    send(add(then), delivery.destination, serve(delivery.destination, now, rng), now, wake);
  }
  [[nodiscard]] bool follows_injection() const override { return waits(); }
  void injected(TerminalId source, void* user, Cycle, std::vector<TerminalId>&) override {
    const std::uint32_t number = job_of(user, source);
    if (number == kNone || jobs_[number].step == 0) return;
    const std::uint8_t before = settings_.chain[jobs_[number].step - 1U];
    if (limit_[before] != kAll) --held(source, before);
  }
  [[nodiscard]] TerminalSink* sink() override { return waits() ? this : nullptr; }
  [[nodiscard]] bool closed_loop() const override { return true; }
  /// Of what is open at a time: each transaction is a job, and its message waits for its birth, or in a
  /// queue.
  [[nodiscard]] double memory_bytes() const override {
    const auto opening = static_cast<double>(std::ranges::count(settings_.requesters, true));
    return opening * static_cast<double>(settings_.outstanding) *
           (kQueuedBytes + 2.0 * (sizeof(Job) + sizeof(Outbox::Entry)));
  }
  [[nodiscard]] std::optional<Transactions> transactions() const override { return transactions_; }
  [[nodiscard]] std::optional<ClosedLoop> loop() const override {
    ClosedLoop loop;
    loop.outstanding = settings_.outstanding;
    loop.service = static_cast<double>(settings_.service);
    loop.servers = settings_.servers;
    loop.think = static_cast<double>(settings_.think);
    for (std::size_t step = 0; step < settings_.chain.size(); ++step) {
      auto& one = loop.chain.emplace_back();
      one.message_class = settings_.chain[step];
      one.lengths = lengths_.shares();
      if (settings_.lengths[step] != 0) one.lengths = {{settings_.lengths[step], 1}};
      if (limit_[one.message_class] != kAll) one.places = limit_[one.message_class];
    }
    for (std::uint32_t t = 0; t < terminals_.size(); ++t) loop.requesters.push_back(requests(TerminalId{t}));
    return loop;
  }
  [[nodiscard]] LengthShares lengths() const override {
    LengthCounts counts;
    for (const std::uint32_t of_step : settings_.lengths)
      if (of_step != 0)
        counts.add(of_step, 1);
      else
        for (const auto& [length, share] : lengths_.shares()) counts.add(length, share);
    return counts.shares();
  }
  bool restart(Cycle t) override {
    jobs_.clear();
    free_.clear();
    std::ranges::fill(held_, 0U);
    for (std::size_t n = 0; n < terminals_.size(); ++n) {
      auto& at = terminals_[n];
      at.outbox.clear();
      std::ranges::fill(at.free_at, Cycle{0});
      start_all(TerminalId(static_cast<std::uint32_t>(n)), t);
    }
    return true;
  }

  // --- TerminalSink ---
  unsigned room(TerminalId terminal, std::uint8_t message_class, bool head, Cycle) override {
    const std::uint32_t limit = limit_[message_class];
    if (!head || limit == kAll) return kAll;
    const std::uint32_t have = held(terminal, message_class);
    return have < limit ? limit - have : 0;
  }
  [[nodiscard]] bool settled() const override { return true; }
  [[nodiscard]] Told told() const override { return Told::kHeads; }
  void took(const TakenFlit& flit, Cycle) override {
    if (limit_[flit.message_class] != kAll) ++held(flit.terminal, flit.message_class);
  }

 private:
  static constexpr std::uint32_t kNone = ~0U;
  /// A message on its way, or about to be sent.
  struct Job {
    TerminalId origin{};       ///< that opened the transaction
    TerminalId source{};       ///< of this message
    TerminalId destination{};  ///< of this message
    std::uint32_t length = 0;
    std::uint8_t step = 0;     ///< of the chain
    Cycle start = 0;           ///< birth of the first message
    std::uint64_t serial = 0;  ///< of the transaction at its origin
    bool alive = true;
  };
  struct Terminal {
    Outbox outbox;  ///< of jobs
    std::uint64_t opened = 0;
    std::vector<Cycle> free_at;  ///< by server
  };

  /// Do terminals hold packets back?
  [[nodiscard]] bool waits() const {
    return std::ranges::any_of(limit_, [](std::uint32_t limit) { return limit != kAll; });
  }
  [[nodiscard]] bool requests(TerminalId t) const {
    return draws_.injects(t) && settings_.requesters[index(t)];
  }
  /// Whoever takes a message that goes on to where the pattern says is one that the pattern lets send.
  void require_forwarders(const TrafficPattern& pattern) const {
    std::vector<bool> silent(terminals_.size());
    for (std::uint32_t t = 0; t < silent.size(); ++t) silent[t] = !pattern.injects(TerminalId{t});
    if (std::ranges::none_of(silent, [](bool is) { return is; })) return;
    for (std::uint32_t t = 0; t < silent.size(); ++t) {
      if (silent[t]) continue;
      for (const auto& [to, probability] : pattern.distribution(TerminalId{t}))
        if (probability > 0 && silent[index(to)])
          throw ConfigError(
              "traffic.source.chain",
              fmt::format("terminal {} takes messages that go on to another terminal, and the pattern does "
                          "not say to which; use a pattern in which it sends, or a chain of two messages",
                          index(to)));
    }
  }
  void start_all(TerminalId t, Cycle at) {
    std::vector<TerminalId> nobody;
    if (requests(t))
      for (std::uint64_t n = 0; n < settings_.outstanding; ++n) open(t, at, kNever, nobody);
  }
  /// A new transaction of terminal t, whose request is born in cycle `birth`.
  void open(TerminalId t, Cycle birth, Cycle now, std::vector<TerminalId>& wake) {
    Job job{t, t, {}, 0, 0, birth, terminals_[index(t)].opened++};
    Rng rng = stream(job, 0);
    job.destination = pick(t, rng);
    job.length = length(0, rng);
    send(add(job), t, birth, now, wake);
  }
  /// Draws of one step of a transaction: the same in every fabric.
  [[nodiscard]] Rng stream(const Job& job, unsigned step) const {
    const std::uint64_t own = Rng{key_, static_cast<std::uint64_t>(index(job.origin))}.next();
    return Rng{own, job.serial * 256 + step};
  }
  TerminalId pick(TerminalId from, Rng& rng) const { return draws_.destination(from, rng); }
  [[nodiscard]] std::uint32_t length(unsigned step, Rng& rng) const {
    const std::uint32_t drawn = lengths_.draw(rng);
    return settings_.lengths[step] != 0 ? settings_.lengths[step] : drawn;
  }
  /// Cycle in which a message that a terminal has taken in cycle `now` has been served.
  Cycle serve(TerminalId t, Cycle now, Rng& rng) {
    const Cycle cycles = settings_.drawn ? gap_of(rng) : settings_.service;
    auto& free_at = terminals_[index(t)].free_at;
    if (free_at.empty()) return now + cycles;
    const auto server = std::ranges::min_element(free_at);
    *server = std::max(*server, now) + cycles;
    return *server;
  }
  /// Geometric with mean `service`, at least 1. Cycle by cycle at first; what is left is drawn at once, as
  /// what is to come does not depend on what has been.
  [[nodiscard]] Cycle gap_of(Rng& rng) const {
    constexpr Cycle kOneByOne = 65536;
    if (settings_.service == 1) return 1;
    for (Cycle cycles = 1; cycles <= kOneByOne; ++cycles)
      if (rng.below(settings_.service) == 0) return cycles;
    return std::min(kOneByOne + rest_of_service_(rng.next()), static_cast<Cycle>(kMostServiceCycles));
  }
  /// A message waits to be born.
  void send(std::uint32_t job, TerminalId from, Cycle birth, Cycle now, std::vector<TerminalId>& wake) {
    terminals_[index(from)].outbox.add(job, birth, now);
    if (now != kNever) wake.push_back(from);
  }

  std::uint32_t add(const Job& job) {
    if (free_.empty()) {
      jobs_.push_back(job);
      return static_cast<std::uint32_t>(jobs_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    jobs_[number] = job;
    return number;
  }
  void drop(std::uint32_t number) {
    jobs_[number].alive = false;
    free_.push_back(number);
  }
  /// Of one of this source's packets; others may be in the fabric, too.
  [[nodiscard]] std::uint32_t job_of(void* user, TerminalId source) const {
    const auto number = number_of(user) - 1;
    if (number >= jobs_.size() || !jobs_[number].alive || jobs_[number].source != source) return kNone;
    return static_cast<std::uint32_t>(number);
  }
  std::uint32_t& held(TerminalId t, std::uint8_t message_class) {
    return held_[index(t) * limit_.size() + message_class];
  }

  PacketDraws draws_;
  LengthMixture lengths_;
  Settings settings_;
  GeometricGap rest_of_service_;  ///< cycles
  std::vector<Terminal> terminals_;
  std::uint64_t key_;
  std::vector<std::uint32_t> limit_;  ///< by class: packets that a terminal holds, where it waits; else kAll
  std::vector<std::uint32_t> held_;   ///< [terminal * classes + class]
  std::vector<Job> jobs_;
  std::vector<std::uint32_t> free_;
  Transactions transactions_;
};

/// Which terminals may open transactions.
std::vector<bool> requesters_of(const SourceContext& context, const Parameters& keys) {
  if (context.topology == nullptr || context.pattern == nullptr) return {};  // PacketDraws refuses that
  std::vector<bool> may(context.topology->terminals(), true);
  if (const auto requesting = listed_terminals(keys, "requesting")) {
    std::vector<std::uint32_t> list;
    if (auto wrong = wrong_terminals(*context.topology, "requester", *requesting, list); !wrong.empty())
      throw ConfigError("traffic.source.requesting", std::move(wrong));
    may.assign(may.size(), false);
    for (const std::uint32_t t : list) may[t] = true;
  } else if (keys.has("requesters") && !keys.json().at("requesters").is_string()) {
    const std::uint64_t lowest = source_key_within(keys, "request_reply", "requesters", 1, kMostOutstanding);
    if (lowest > may.size())
      throw ConfigError(
          "traffic.source.requesters",
          fmt::format("{} terminals are to open transactions, and there are {}; give at most as "
                      "many, or all",
                      lowest, may.size()));
    for (std::size_t t = lowest; t < may.size(); ++t) may[t] = false;
  }
  for (std::uint32_t t = 0; t < may.size(); ++t)
    if (may[t] && context.pattern->injects(TerminalId{t})) return may;
  throw ConfigError(keys.has("requesting") ? "traffic.source.requesting" : "traffic.source.requesters",
                    "none of these terminals sends anything by the pattern: nobody opens a transaction");
}

const EffectOf kLoadOfClosedLoop{
    {{"traffic.offered_load", "traffic.load_unit"},
     "",
     "packets are generated at a rate: with traffic.source request_reply each follows another",
     [](const Json& resolved) { return resolved.at("traffic").at("source").at("kind") != "request_reply"; }}};

const EffectOf kLengthOfSteps{{{"traffic.packet_length", "traffic.packet_lengths"},
                               "",
                               "traffic.source request_reply has no lengths of its own, one for each step",
                               [](const Json& resolved) {
                                 const Json& source = resolved.at("traffic").at("source");
                                 return source.at("kind") != "request_reply" || source.at("lengths").empty();
                               }}};

const Registration<SourceRegistry> kRequestReplyRegistered{
    {{"request_reply",
      "closed loop: each terminal keeps transactions open, chains of messages that cause each other",
      {Parameter::integer("outstanding", 1, 1, kMostOutstanding, "transactions",
                          "open at each terminal at a time"),
       Parameter::integer("requesters", "all", 1, kMostOutstanding, "terminals",
                          "that open transactions, those with the lowest numbers; all others answer only")
           .or_word("all"),
       Parameter::text(
           "requesting", nullptr,
           "terminals that open transactions: numbers and ranges, as in [0-11, 20], or all; others "
           "answer only")
           .or_several()
           .instead_of("requesters"),
       Parameter::integer("service_time", 1, 1, kMostServiceCycles, "cycles",
                          "from taking a message to sending the next one of the chain"),
       Parameter::choice("service", "fixed", {"fixed", "geometric"},
                         "service times: all the same, or drawn with that mean"),
       Parameter::integer("servers", "unlimited", 1, kMostOutstanding, "",
                          "messages that a terminal works on at a time")
           .or_word("unlimited"),
       Parameter::integer("think_time", 1, 1, kMostServiceCycles, "cycles",
                          "from the end of a transaction to the start of the next one"),
       Parameter::list(
           "chain", Json::array(), Parameter::text("class", nullptr, "name of a message class"), 0, 16,
           "message class of each step, such as [request, response]; empty: as depends says, or with "
           "one class a request and a response"),
       Parameter::list("lengths", Json::array(),
                       Parameter::integer("length", nullptr, 1, 65535, "flits", "of a step"), 0, 16,
                       "flits of the message of each step; empty: as traffic.packet_length says")}},
     {[](const SourceContext& context, const Parameters& keys) -> std::unique_ptr<TrafficSource> {
        Settings s;
        const auto number = [&](const char* key, std::int64_t least, std::int64_t most) -> std::uint64_t {
          if (keys.json().at(key).is_string()) return 0;
          return source_key_within(keys, "request_reply", key, least, most);
        };
        s.outstanding = number("outstanding", 1, kMostOutstanding);
        s.requesters = requesters_of(context, keys);
        s.service = number("service_time", 1, kMostServiceCycles);
        s.drawn = keys.get<std::string>("service") == "geometric";
        s.servers = number("servers", 1, kMostOutstanding);
        s.think = number("think_time", 1, kMostServiceCycles);
        s.chain = chain_of(context, keys.get<std::vector<std::string>>("chain"));
        s.lengths = keys.get<std::vector<std::uint32_t>>("lengths");
        if (s.lengths.empty()) s.lengths.assign(s.chain.size(), 0);
        if (s.lengths.size() != s.chain.size())
          throw ConfigError("traffic.source.lengths",
                            fmt::format("{} lengths for a chain of {} messages; give one for each",
                                        s.lengths.size(), s.chain.size()));
        for (const std::uint32_t length : s.lengths) {
          if (length == 0) require_lengths(context.carried, context.lengths);
          require_length(context.carried, length, "traffic.source.lengths");
        }
        return std::make_unique<RequestReply>(context, std::move(s));
      },
      SourceKind::Traffic::kDrawn, SourceKind::Sends::kUnicastsAtOnce}}};

}  // namespace
}  // namespace noctule
