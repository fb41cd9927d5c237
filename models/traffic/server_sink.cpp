// Terminals that work on what arrives: a finite buffer, and a server that takes one flit after the other.

#include <algorithm>
#include <limits>
#include <vector>

#include "core/fixed_point.h"
#include "core/json.h"
#include "core/rng.h"
#include "traffic/geometric.h"
#include "traffic/sink.h"

namespace noctule {
namespace {

/// A buffer and a server for each terminal and message class. A flit takes its place as it arrives, and gives
/// it back when it has been served. With a buffer of one flit and a service of one cycle there is room in
/// every cycle.
class ServerSink final : public TerminalSink {
 public:
  ServerSink(const SinkContext& context, std::uint32_t buffer, std::uint64_t service, bool geometric)
      : classes_(context.classes),
        buffer_(buffer),
        service_(service),
        key_(Rng(context.seed, "sink").next()),
        geometric_(geometric && service > 1),
        gap_(std::max<std::uint64_t>(
            to_fixed_point(1.0 / static_cast<double>(std::max<std::uint64_t>(service, 2))), 1)),
        servers_(context.terminals * context.classes) {}

  unsigned room(TerminalId terminal, std::uint8_t message_class, bool, Cycle t) override {
    return buffer_ - held(at(terminal, message_class), t);
  }
  [[nodiscard]] bool shared() const override { return true; }
  void took(const TakenFlit& flit, Cycle t) override {
    Server& server = at(flit.terminal, flit.message_class);
    if (held(server, t) == 0) begin(server, t);
    ++server.held;
  }
  [[nodiscard]] double rate() const override {
    return static_cast<double>(classes_) / static_cast<double>(service_);
  }
  [[nodiscard]] double class_rate() const override { return 1.0 / static_cast<double>(service_); }
  void reset() override { std::ranges::fill(servers_, Server{}); }

 private:
  struct Server {
    std::uint32_t held = 0;   ///< flits, the one in service included
    std::uint64_t begun = 0;  ///< services, to draw by
    Cycle done = 0;           ///< of the flit in service
  };
  Server& at(TerminalId terminal, std::uint8_t message_class) {
    return servers_[index(terminal) * classes_ + message_class];
  }
  /// At the start of cycle t.
  std::uint32_t held(Server& server, Cycle t) {
    while (server.held > 0 && server.done <= t)
      if (--server.held > 0) begin(server, server.done);
    return server.held;
  }
  void begin(Server& server, Cycle t) {
    const auto number = static_cast<std::uint64_t>(&server - servers_.data());
    server.done = t + (geometric_ ? gap_(mix64(key_ + mix64(server.begun ^ (number << 40)))) : service_);
    ++server.begun;
  }

  std::size_t classes_;
  std::uint32_t buffer_;
  std::uint64_t service_;
  std::uint64_t key_;
  bool geometric_;
  GeometricGap gap_;
  std::vector<Server> servers_;  ///< [terminal][message class]
};

const Registration<SinkRegistry> kServer{
    {{"server",
      "for each message class a finite buffer, and a server that takes one flit of it after the other",
      {Parameter::integer("buffer", 8, 1, 1'000'000, "flits",
                          "places of a terminal and class, the flit in service included"),
       Parameter::integer("service_time", 1, 1, 1'000'000, "cycles", "of each flit, in the mean"),
       Parameter::choice("service", "fixed", {"fixed", "geometric"},
                         "whether each flit takes the service time, or a time drawn with that mean")}},
     [](const SinkContext& context, const Parameters& keys) -> std::shared_ptr<TerminalSink> {
       return std::make_shared<ServerSink>(context, keys.get<std::uint32_t>("buffer"),
                                           keys.get<std::uint64_t>("service_time"),
                                           keys.get<std::string>("service") == "geometric");
     }}};

}  // namespace

}  // namespace noctule
