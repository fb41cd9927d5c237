// What does a network between TLM-2.0 sockets cost, beyond the same initiators and targets bound directly?
//
//   noctule_tlm_speed [ROUNDS]
//
// First: ns per transaction by b_transport, four initiators and four targets on a 4x4 mesh, reads and writes
// in turn, a checker nowhere. `direct` stands beside each level: the same run without the network, decoupled
// by a quantum of 1 us where the level is loose, else with a wait for each transaction. Second: ns per move
// of a flit or header at level cycle, 32 initiators and 32 targets on an 8x8 mesh, writes by nb_transport at
// random times; beside it a fabric to which a source gives the same packets, whose terminals take all that
// comes (plain), or could refuse (ends), as those of a network can. CPU time of processes of their own, in
// turns; the least of ROUNDS (5) counts.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "bench/in_child.h"
#include "core/rng.h"
#include "core/user_time.h"
#include "tlm/network.h"
#include "tlm_utils/tlm_quantumkeeper.h"
#include "traffic/outbox.h"

namespace noctule::tlm {
namespace {

using sc_core::SC_NS;

struct Cost {
  double seconds = 0;
  std::uint64_t moves = 0;
};

/// Initiators and targets at these terminals of a mesh, 64 KiB at each target.
std::string platform(unsigned radix, const char* level, const std::vector<unsigned>& initiators,
                     const std::vector<unsigned>& targets) {
  std::string text = fmt::format(
      "topology: {{kind: mesh, radix: [{0}, {0}]}}\n"
      "node: {{model: input_queued, lanes: 2, input_depth: 4, injection_vcs: 1, consumption_vcs: 1}}\n"
      "message_classes: {{request: {{vcs: {{lane: 0}}}}, response: {{vcs: {{lane: 1}}}}}}\n"
      "depends: {{request: [response]}}\n"
      "tlm:\n  level: {1}\n  request_queue: 1000000\n  response_queue: 1000000\n  response_buffer: 1000000\n"
      "  packet: {{length_bits: 13}}\n  initiators:\n",
      radix, level);
  for (const unsigned i : initiators)
    text += fmt::format("    i{}: {{terminal: {}, max_outstanding: 1000000}}\n", i, i);
  text += "  targets:\n";
  for (const unsigned t : targets) text += fmt::format("    t{}: {{terminal: {}}}\n", t, t);
  text += "  map:\n";
  for (std::size_t n = 0; n < targets.size(); ++n)
    text += fmt::format("    - {{base: 0x{:x}, size: 64KiB, target: t{}}}\n", n * 0x10000, targets[n]);
  return text;
}

class Target final : public sc_core::sc_module, private Forward {
 public:
  ::tlm::tlm_target_socket<32> socket{"socket"};
  explicit Target(sc_core::sc_module_name name) : sc_module(name), bytes_(0x10000) { socket.bind(*this); }

 private:
  void execute(Payload& payload) {
    unsigned char* const at = &bytes_[payload.get_address() & 0xffff];
    if (payload.is_write())
      std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
    else
      std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
    payload.set_response_status(::tlm::TLM_OK_RESPONSE);
  }
  void b_transport(Payload& payload, sc_time& delay) override {
    execute(payload);
    delay += sc_time(10, SC_NS);
  }
  Sync nb_transport_fw(Payload& payload, Phase&, sc_time&) override {
    execute(payload);
    return ::tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload&, ::tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }
  std::vector<unsigned char> bytes_;
};

/// When and where the n-th transaction of an initiator goes.
struct Draw {
  std::uint64_t gap, target, offset;
};
Draw draw(unsigned initiator, std::uint64_t n, std::uint64_t gap, std::uint64_t targets, unsigned bytes) {
  Rng rng{initiator + 1, n};
  return {1 + rng.below(2 * gap), rng.below(targets), rng.below(0x10000 - bytes) & ~std::uint64_t{7}};
}

/// Transactions by b_transport, one after the other.
class Caller final : public sc_core::sc_module, private Backward {
 public:
  ::tlm::tlm_initiator_socket<32> socket{"socket"};
  SC_HAS_PROCESS(Caller);
  Caller(sc_core::sc_module_name name, unsigned number, unsigned bytes, std::uint64_t count, bool decoupled)
      : sc_module(name), number_(number), data_(bytes), count_(count), decoupled_(decoupled) {
    socket.bind(*this);
    SC_THREAD(run);
  }

 private:
  Sync nb_transport_bw(Payload&, Phase&, sc_time&) override { return ::tlm::TLM_ACCEPTED; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void run() {
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.reset();
    Payload payload;
    const auto bytes = static_cast<unsigned>(data_.size());
    for (std::uint64_t n = 0; n < count_; ++n) {
      const Draw where = draw(number_, n, 1, 4, bytes);
      payload.set_command(n % 2 == 0 ? ::tlm::TLM_WRITE_COMMAND : ::tlm::TLM_READ_COMMAND);
      payload.set_address(where.target * 0x10000 + where.offset);
      payload.set_data_ptr(data_.data());
      payload.set_data_length(bytes);
      payload.set_streaming_width(bytes);
      payload.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
      sc_time delay = decoupled_ ? keeper.get_local_time() : sc_core::SC_ZERO_TIME;
      socket->b_transport(payload, delay);
      if (!payload.is_response_ok()) std::exit(3);
      if (decoupled_) {
        keeper.set(delay);
        if (keeper.need_sync()) keeper.sync();
      } else if (delay != sc_core::SC_ZERO_TIME) {
        sc_core::wait(delay);
      }
    }
  }
  unsigned number_;
  std::vector<unsigned char> data_;
  std::uint64_t count_;
  bool decoupled_;
};

/// Writes by nb_transport, whatever has become of those before.
class Sender final : public sc_core::sc_module, public ::tlm::tlm_mm_interface, private Backward {
 public:
  ::tlm::tlm_initiator_socket<32> socket{"socket"};
  SC_HAS_PROCESS(Sender);
  Sender(sc_core::sc_module_name name, unsigned number, unsigned bytes, std::uint64_t count,
         std::uint64_t gap)
      : sc_module(name), number_(number), data_(bytes), count_(count), gap_(gap) {
    socket.bind(*this);
    SC_METHOD(run);
  }
  std::uint64_t ended = 0;

 private:
  void free(Payload* payload) override { free_.push_back(payload); }
  Sync nb_transport_bw(Payload& payload, Phase& phase, sc_time&) override {
    if (phase != ::tlm::BEGIN_RESP) return ::tlm::TLM_ACCEPTED;
    end(payload);
    return ::tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void end(Payload& payload) {
    if (!payload.is_response_ok()) std::exit(3);
    ++ended;
    payload.release();
  }
  void run() {
    if (waited_) send(draw(number_, sent_++, gap_, 32, static_cast<unsigned>(data_.size())));
    waited_ = true;
    if (sent_ == count_) return next_trigger(never_);
    const Draw then = draw(number_, sent_, gap_, 32, static_cast<unsigned>(data_.size()));
    next_trigger(sc_time(static_cast<double>(then.gap), SC_NS));
  }
  void send(const Draw& where) {
    if (free_.empty()) free_.push_back(&all_.emplace_back(static_cast<::tlm::tlm_mm_interface*>(this)));
    Payload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    payload.set_command(::tlm::TLM_WRITE_COMMAND);
    payload.set_address(where.target * 0x10000 + where.offset);
    payload.set_data_ptr(data_.data());
    payload.set_data_length(static_cast<unsigned>(data_.size()));
    payload.set_streaming_width(static_cast<unsigned>(data_.size()));
    payload.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
    Phase phase = ::tlm::BEGIN_REQ;
    sc_time delay;
    if (socket->nb_transport_fw(payload, phase, delay) == ::tlm::TLM_COMPLETED) end(payload);
  }
  unsigned number_;
  std::vector<unsigned char> data_;
  std::uint64_t count_, gap_, sent_ = 0;
  bool waited_ = false;
  sc_core::sc_event never_;
  std::deque<Payload> all_;
  std::vector<Payload*> free_;
};

/// Initiators and targets, on a network of a level, or bound directly (null).
template <class Client, class... Arguments>
Cost run(const char* level, unsigned radix, const std::vector<unsigned>& initiators,
         const std::vector<unsigned>& targets, std::uint64_t all, const Arguments&... arguments) {
  TlmNetwork* network = nullptr;
  if (level != nullptr)
    network = new TlmNetwork(
        "network", configured_network_text(platform(radix, level, initiators, targets), "speed.yaml"));
  std::vector<Client*> clients;
  for (std::size_t n = 0; n < initiators.size(); ++n) {
    clients.push_back(
        new Client(fmt::format("client_{}", n).c_str(), static_cast<unsigned>(n), arguments...));
    auto& target = *new Target(fmt::format("target_{}", n).c_str());
    if (network == nullptr) {
      clients.back()->socket.bind(target.socket);
    } else {
      clients.back()->socket.bind(network->target_socket<32>(n));
      network->initiator_socket<32>(n).bind(target.socket);
    }
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const double start = user_seconds();
  sc_core::sc_start(sc_time(100, sc_core::SC_SEC));
  Cost cost{user_seconds() - start};
  if (network != nullptr) {
    cost.moves = network->fabric().moves();
    if (network->counters().ended != all) throw InternalError("transactions have not ended");
  }
  return cost;
}

/// The packets of Senders, made inside of the fabric: requests at random times, a response after each.
class SamePackets final : public TrafficSource {
 public:
  SamePackets(const std::vector<unsigned>& initiators, const std::vector<unsigned>& targets, unsigned bytes,
              std::uint64_t count, std::uint64_t gap, std::uint32_t flits)
      : targets_(targets),
        outboxes_(initiators.size() + targets.size()),
        at_(outboxes_.size()),
        count_(count),
        gap_(gap),
        bytes_(bytes),
        flits_(flits),
        number_(outboxes_.size(), ~0U) {
    for (std::size_t n = 0; n < initiators.size(); ++n) number_[initiators[n]] = static_cast<unsigned>(n);
  }
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t n) override {
    GeneratedPacket packet;
    const std::size_t s = index(source);
    if (number_[s] != ~0U) {
      if (n == count_) return std::nullopt;
      const Draw where = draw(number_[s], n, gap_, 32, bytes_);
      packet.birth = (at_[s] += where.gap) + 1;
      packet.destination = TerminalId(targets_[where.target]);
      packet.length = flits_;  // offsets are those of whole flits
      return packet;
    }
    const auto entry = outboxes_[s].take();
    if (!entry) return std::nullopt;
    packet.birth = entry->birth;
    packet.destination = TerminalId(entry->what);
    packet.message_class = 1;
    return packet;
  }
  void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) override {
    if (delivery.message_class != 0) return;
    outboxes_[index(delivery.destination)].add(index(delivery.source), delivery.consumed + 1,
                                               delivery.consumed);
    wake.push_back(delivery.destination);
  }
  [[nodiscard]] bool closed_loop() const override { return true; }

 private:
  std::vector<unsigned> targets_;
  std::vector<Outbox> outboxes_;
  std::vector<Cycle> at_;
  std::uint64_t count_, gap_;
  unsigned bytes_;
  std::uint32_t flits_;
  std::vector<unsigned> number_;
};

/// Takes all, but is asked.
class Open final : public TerminalSink {
 public:
  unsigned room(TerminalId, std::uint8_t, bool, Cycle) override { return kAll; }
  [[nodiscard]] Told told() const override { return Told::kHeads; }
};

Cost run_plain(bool asks, const std::vector<unsigned>& initiators, const std::vector<unsigned>& targets,
               unsigned bytes, std::uint64_t count, std::uint64_t gap) {
  NetworkParts parts = configured_network_text(platform(8, "cycle", initiators, targets), "speed.yaml");
  const Packetizer packetizer(parts.settings.packet);
  parts.fabric.discard = false;
  parts.fabric.queue_packets = kUnlimited;
  if (asks) parts.fabric.sink = std::make_shared<Open>();
  auto& fabric = *new Fabric("fabric", std::move(parts.plan), parts.fabric);
  fabric.attach(
      std::make_shared<SamePackets>(initiators, targets, bytes, count, gap,
                                    packetizer.request_flits({Access::kWrite, 0, bytes, bytes, 0})));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const double start = user_seconds();
  sc_core::sc_start(sc_time(100, sc_core::SC_SEC));
  return {user_seconds() - start, fabric.moves()};
}

/// The least of what is measured in turns.
template <class... F>
std::array<Cost, sizeof...(F)> least(int rounds, F&&... works) {
  std::array<Cost, sizeof...(F)> best{};
  for (int round = 0; round < rounds; ++round) {
    const std::array costs{in_child(works)...};
    for (std::size_t n = 0; n < costs.size(); ++n)
      if (round == 0 || costs[n].seconds < best[n].seconds) best[n] = costs[n];
  }
  return best;
}

void transactions(int rounds) {
  const std::vector<unsigned> initiators{0, 3, 12, 15};
  const std::vector<unsigned> targets{5, 6, 9, 10};
  fmt::print("ns per transaction by b_transport, least of {} rounds\n", rounds);
  fmt::print("{:>8}{:>10}{:>10}{:>10}{:>14}{:>10}{:>9}{:>14}{:>9}{:>18}\n", "bytes", "direct", "loose",
             "direct", "approximate", "cycle", "| loose", "approximate", "cycle", "cycle / loose");
  for (const unsigned bytes : {64U, 256U, 4096U}) {
    const std::uint64_t many = 400'000;
    const std::uint64_t few = bytes == 4096 ? 5'000 : 40'000;
    const auto timed = [&](const char* level, bool decoupled, std::uint64_t count) {
      return [&, level, decoupled, count] {
        tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(1, sc_core::SC_US));
        return run<Caller>(level, 4, initiators, targets, 4 * count, bytes, count, decoupled);
      };
    };
    const auto costs =
        least(rounds, timed(nullptr, true, many), timed("loose", true, many), timed(nullptr, false, many),
              timed("approximate", false, many), timed("cycle", false, few));
    const auto ns = [&](std::size_t n) {
      return 1e9 * costs[n].seconds / static_cast<double>(4 * (n == 4 ? few : many));
    };
    const double loose = ns(1) - ns(0), approximate = ns(3) - ns(2), cycle = ns(4) - ns(2);
    fmt::print("{:>8}{:>10.1f}{:>10.1f}{:>10.1f}{:>14.1f}{:>10.0f}{:>9.1f}{:>14.1f}{:>9.0f}{:>18.0f}\n",
               bytes, ns(0), ns(1), ns(2), ns(3), ns(4), loose, approximate, cycle, cycle / loose);
  }
}

void flits(int rounds) {
  std::vector<unsigned> initiators;
  std::vector<unsigned> targets;
  for (unsigned t = 0; t < 64; ++t) ((t + t / 8) % 2 == 0 ? initiators : targets).push_back(t);
  fmt::print("\nns per move of a flit or header at level cycle, least of {} rounds\n", rounds);
  fmt::print("{:>8}{:>9}{:>9}{:>10}{:>9}{:>13}{:>13}{:>19}{:>16}\n", "bytes", "plain", "ends", "network",
             "direct", "moves plain", "moves", "added to plain", "added to ends");
  for (const unsigned bytes : {64U, 256U, 4096U}) {
    const std::uint64_t gap = bytes / 8 * 5;
    const std::uint64_t count = 1'000'000 / bytes / 4;
    const auto sending = [&](const char* level) {
      return [&, level] { return run<Sender>(level, 8, initiators, targets, 32 * count, bytes, count, gap); };
    };
    const auto plain = [&](bool asks) {
      return [&, asks] { return run_plain(asks, initiators, targets, bytes, count, gap); };
    };
    const auto costs = least(rounds, plain(false), plain(true), sending("cycle"), sending(nullptr));
    const auto ns = [&](std::size_t n) {
      return 1e9 * costs[n].seconds / static_cast<double>(costs[n == 3 ? 2 : n].moves);
    };
    const auto added = [&](std::size_t to) { return 100 * (ns(2) - ns(3) - ns(to)) / ns(to); };
    fmt::print("{:>8}{:>9.2f}{:>9.2f}{:>10.2f}{:>9.2f}{:>13}{:>13}{:>18.0f}%{:>15.0f}%\n", bytes, ns(0),
               ns(1), ns(2), ns(3), costs[0].moves, costs[2].moves, added(0), added(1));
  }
}

}  // namespace
}  // namespace noctule::tlm

int sc_main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  noctule::tlm::transactions(rounds);
  noctule::tlm::flits(rounds);
  return 0;
}
