// A host that divides work among all other terminals: Symons and Narasimhan 1997, section 5. It sends each of
// them a message, in the order of their numbers; a slave that has its message works, and sends an answer
// back. The run ends with the last answer.

#include <fmt/format.h>

#include <algorithm>

#include "core/flit.h"
#include "traffic/caption.h"
#include "traffic/outbox.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr std::int64_t kMostWork = 1'000'000'000'000;

struct Division {
  TerminalId host{};
  std::uint32_t message = 1;  ///< flits, from the host
  std::uint32_t answer = 1;   ///< flits
  Cycle work = 1;             ///< of one slave: from having its message to the birth of its answer
};

class HostSlave final : public TrafficSource {
 public:
  HostSlave(std::size_t terminals, Division division) : division_(division), outboxes_(terminals) {
    start(0);
  }

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t) override {
    const auto taken = outboxes_[index(source)].take();
    if (!taken) return std::nullopt;
    GeneratedPacket packet;
    packet.birth = taken->birth;
    packet.destination = TerminalId{static_cast<std::uint32_t>(taken->what)};
    packet.length = source == division_.host ? division_.message : division_.answer;
    return packet;
  }
  void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) override {
    if (delivery.source != division_.host) {
      ++transactions_.count;
      transactions_.cycles += delivery.consumed - started_;
      return;
    }
    outboxes_[index(delivery.destination)].add(index(division_.host), delivery.consumed + division_.work,
                                               delivery.consumed);
    wake.push_back(delivery.destination);
  }
  [[nodiscard]] bool closed_loop() const override { return true; }
  [[nodiscard]] bool finite() const override { return true; }
  [[nodiscard]] std::optional<Transactions> transactions() const override { return transactions_; }
  [[nodiscard]] std::optional<Ends> ends() const override {
    return Ends{std::vector<bool>(outboxes_.size(), true), std::vector<bool>(outboxes_.size(), true)};
  }
  [[nodiscard]] LengthShares lengths() const override {
    LengthCounts counts;
    counts.add(division_.message, 1);
    counts.add(division_.answer, 1);
    return counts.shares();
  }
  bool restart(Cycle t) override {
    for (Outbox& outbox : outboxes_) outbox.clear();
    start(t);
    return true;
  }

 private:
  void start(Cycle t) {
    started_ = t;
    for (std::uint32_t slave = 0; slave < outboxes_.size(); ++slave)
      if (TerminalId{slave} != division_.host) outboxes_[index(division_.host)].add(slave, t, kNever);
  }

  Division division_;
  std::vector<Outbox> outboxes_;  ///< by terminal: destinations
  Cycle started_ = 0;
  Transactions transactions_;
};

const CaptionOf kHostSlaveCaption{
    {"host_slave", [](const Parameters& keys) {
       return fmt::format("host {} and its slaves, messages of {}, answers of {} flits",
                          keys.get<std::uint64_t>("host"), keys.get<std::uint64_t>("message_flits"),
                          keys.get<std::uint64_t>("answer_flits"));
     }}};

const Registration<SourceRegistry> kHostSlaveRegistered{
    {{"host_slave",
      "a host sends every other terminal a message; each works, and answers (Symons and Narasimhan 1997)",
      {Parameter::integer("host", 0, 0, 1'000'000'000, "terminal", "that divides the work"),
       Parameter::integer("message_flits", 16, 1, Flit::kNumber, "flits", "of a message to a slave"),
       Parameter::integer("answer_flits", 16, 1, Flit::kNumber, "flits", "of an answer"),
       Parameter::integer("work", 0, 0, kMostWork, "cycles",
                          "in all, divided equally among the slaves: each works the nearest whole number of "
                          "cycles, but 1 at least, from the end of its message to the birth of its answer")}},
     {[](const SourceContext& context, const Parameters& keys) {
        const std::size_t terminals = context.topology->terminals();
        Division division;
        division.host = TerminalId{static_cast<std::uint32_t>(
            source_key_within(keys, "host_slave", "host", 0, static_cast<std::int64_t>(terminals) - 1))};
        division.message = static_cast<std::uint32_t>(
            source_key_within(keys, "host_slave", "message_flits", 1, Flit::kNumber));
        division.answer = static_cast<std::uint32_t>(
            source_key_within(keys, "host_slave", "answer_flits", 1, Flit::kNumber));
        require_length(context.carried, division.message, "traffic.source.message_flits");
        require_length(context.carried, division.answer, "traffic.source.answer_flits");
        for (std::uint32_t slave = 0; slave < terminals; ++slave)
          if (TerminalId{slave} != division.host)
            for (auto wrong : {context.carried.refuses_pair(division.host, TerminalId{slave}, 0),
                               context.carried.refuses_pair(TerminalId{slave}, division.host, 0)})
              if (!wrong.empty()) throw ConfigError(kSourceKey, std::move(wrong));
        const std::uint64_t slaves = terminals - 1;
        const std::uint64_t work = source_key_within(keys, "host_slave", "work", 0, kMostWork);
        division.work = std::max<Cycle>(1, (2 * work + slaves) / (2 * slaves));
        return std::make_unique<HostSlave>(terminals, division);
      },
      SourceKind::Traffic::kGiven, SourceKind::Sends::kUnicastsAtOnce}}};

}  // namespace
}  // namespace noctule
