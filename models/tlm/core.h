#pragma once
// Inside a TlmNetwork: transactions on their way, and the interfaces at both ends. Not for users.

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/divisor.h"
#include "tlm/agenda.h"
#include "tlm/network.h"
#include "tlm/recorder.h"
#include "tlm/slots.h"
#include "tlm/sub_payload.h"
#include "tlm/transit.h"
#include "traffic/source.h"

namespace noctule::tlm {

/// Where a part of a transaction is.
enum class PartState : std::uint8_t {
  kWaiting,     ///< at the initiator
  kRequesting,  ///< in the fabric
  kArrived,     ///< at the target's terminal
  kBegun,       ///< the target has BEGIN_REQ, or is inside b_transport
  kAccepted,    ///< the target has ended the request, and has not answered
  kAnswered,    ///< the response waits for the source queue
  kResponding,  ///< in the fabric
  kReturned
};

struct Part {
  std::uint32_t transaction = 0;
  Piece piece;
  SubPayload* sub = nullptr;  ///< of a transaction that was cut; else the transaction's own payload serves
  PartState state = PartState::kWaiting;
  bool early = false;        ///< the target has completed: it gets no END_RESP
  std::uint32_t number = 0;  ///< among the pieces of its transaction
  Transit::Times times{};    ///< where no flits move, of its packet that is under way
};

enum class Stage : std::uint8_t {
  kComing,     ///< BEGIN_REQ is annotated with a delay that is not over
  kWaiting,    ///< for limits and for room in the source queue
  kMoving,     ///< all requests are in the queue
  kReady,      ///< all responses are there
  kResponding  ///< BEGIN_RESP is sent
};

struct Transaction {
  Payload* payload = nullptr;  ///< null: see `abandoned`
  InitiatorId initiator{};
  std::uint64_t number = 0;  ///< in the order of beginning, over all initiators
  std::uint32_t id = 0;
  Stage stage = Stage::kComing;
  bool blocking = false;
  bool counted = false;  ///< is in `open` of its initiator
  bool failed = false;   ///< by a reset
  bool done = false;     ///< blocking: the thread may return
  bool outside = false;  ///< it met links busier than those of the calibration
  // By nb_transport, at level loose, of several pieces: they follow each other.
  Cycle next_request = 0;   ///< injected no earlier
  Cycle last_response = 0;  ///< arrival of the one before
  Burst burst;              ///< as the initiator wrote it
  std::vector<Piece> pieces;
  std::vector<std::uint32_t> parts;     ///< that have been sent, in the order of pieces
  std::uint32_t left = 0;               ///< parts that have not returned
  ::tlm::tlm_response_status status{};  ///< the worst of the parts so far
  std::deque<std::uint64_t> arrived;    ///< blocking: parts at targets, for the thread; at one it is now
  std::unique_ptr<sc_core::sc_event> wake;
  /// Its thread has left b_transport by an exception. It goes on without payload until its places are free.
  [[nodiscard]] bool abandoned() const { return payload == nullptr; }
};

class TlmNetwork::Core final : public TrafficSource, public TerminalSink {
 public:
  Core(TlmNetwork& network, NetworkParts parts);
  ~Core() override;

  void connect();  ///< at the end of elaboration
  [[nodiscard]] bool moves_flits() const { return settings.level == Level::kCycle; }
  void serve();
  [[nodiscard]] const sc_core::sc_event& due() const { return agenda_.due(); }

  // TrafficSource: told by the fabric
  std::optional<GeneratedPacket> next(TerminalId, std::uint64_t) override { return std::nullopt; }
  void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) override;
  [[nodiscard]] bool follows_injection() const override { return true; }
  void injected(TerminalId source, void* user, Cycle t, std::vector<TerminalId>& wake) override;
  [[nodiscard]] bool closed_loop() const override { return true; }

  // TerminalSink: asked by the fabric
  unsigned room(TerminalId terminal, std::uint8_t message_class, bool head, Cycle t) override;
  [[nodiscard]] Told told() const override { return Told::kHeads; }
  void took(const TakenFlit& flit, Cycle t) override;
  [[nodiscard]] bool settled() const override { return true; }
  void reset() override { agenda_.add({What::kReset, 0}); }

  TlmNetwork& network;
  TlmSettings settings;
  AddressMap map;
  Packetizer packetizer;
  NetworkCounters counters;
  std::unique_ptr<Fabric> fabric;
  std::unique_ptr<Recorder> recorder;  ///< null: nobody observes
  [[nodiscard]] std::size_t open() { return transactions_.live(); }
  [[nodiscard]] AnyTargetSocket& target_socket(std::size_t n) { return *initiators_.at(n)->socket; }
  [[nodiscard]] AnyInitiatorSocket& initiator_socket(std::size_t n) { return *targets_.at(n)->socket; }

 private:
  enum class What : std::uint8_t {
    kArrive,        ///< transaction: the annotated delay of BEGIN_REQ is over
    kLeftQueue,     ///< part: where no flits move, its header has entered the injection channel
    kDue,           ///< part: where no flits move, its packet arrives unless it has been put off
    kAdvance,       ///< initiator: there may be room for requests
    kReturn,        ///< part: its response has been consumed
    kRespond,       ///< initiator: a response may be due
    kFreeResponse,  ///< initiator: the response channel is free
    kAtTarget,      ///< part: its request has been consumed
    kEndRequest,    ///< part: the target has ended its request
    kAnswer,        ///< part: the target has answered
    kSendAnswers,   ///< target: there may be room for responses
    kAbandoned,     ///< transaction: its thread has left b_transport by an exception
    kReset
  };
  struct Item {
    What what{};
    std::uint64_t of = 0;  ///< token of a transaction or part; number of an initiator or target
  };
  /// What initiator `id` talks to.
  struct InitiatorSide final : Forward {
    Core* core = nullptr;
    InitiatorId id{};
    std::unique_ptr<AnyTargetSocket> socket;
    Backward* backward = nullptr;
    std::deque<std::uint32_t> waiting;  ///< transactions, in their order
    std::vector<std::uint32_t> open;    ///< transactions within max_outstanding, in their order
    std::vector<std::uint32_t> ready;   ///< of these, whose responses are there, in that order
    std::unordered_map<const Payload*, std::uint32_t> known;  ///< by nb_transport, until END_RESP
    std::unordered_map<std::uint32_t, std::uint32_t> of_id;   ///< open ones, by id; kept for max_per_id
    std::uint32_t queued = 0;                                 ///< packets in the source queue
    std::uint32_t held = 0;        ///< responses that its terminal has taken and that have not ended
    std::uint64_t requesting = 0;  ///< token of the transaction between BEGIN_REQ and END_REQ; 0: none
    bool responding = false;       ///< one is between BEGIN_RESP and END_RESP
    void b_transport(Payload& payload, sc_time& delay) override { core->b_transport(*this, payload, delay); }
    Sync nb_transport_fw(Payload& payload, Phase& phase, sc_time& delay) override {
      return core->nb_transport_fw(*this, payload, phase, delay);
    }
    bool get_direct_mem_ptr(Payload& payload, ::tlm::tlm_dmi& dmi) override {
      return core->get_direct_mem_ptr(*this, payload, dmi);
    }
    unsigned int transport_dbg(Payload& payload) override { return core->transport_dbg(payload); }
  };
  /// What target `id` talks to.
  struct TargetSide final : Backward {
    Core* core = nullptr;
    TargetId id{};
    std::unique_ptr<AnyInitiatorSocket> socket;
    Forward* forward = nullptr;
    std::deque<std::uint64_t> arrived;                        ///< parts by nb_transport
    std::deque<std::uint64_t> answered;                       ///< parts
    std::unordered_map<const Payload*, std::uint64_t> known;  ///< parts, from BEGIN_REQ to END_RESP
    std::uint64_t requesting = 0;  ///< token of the part between BEGIN_REQ and END_REQ; 0: none
    std::uint32_t queued = 0;      ///< packets in the source queue
    std::uint32_t held = 0;  ///< requests that the terminal has taken, and whose response is not under way
    std::set<std::pair<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>>>
        dmi;  ///< holders, own addresses
    Sync nb_transport_bw(Payload& payload, Phase& phase, sc_time& delay) override {
      return core->nb_transport_bw(*this, payload, phase, delay);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
      core->invalidate(*this, first, last);
    }
  };

  // core.cpp
  void make_sides(const std::vector<BusWidth>& more);
  void prove(const FabricPlan& plan, bool allow_deadlock) const;
  void send(TerminalId from, TerminalId to, std::uint32_t flits, bool request, std::uint32_t part);
  void complain(sc_core::sc_object& socket, const char* clause, const std::string& text);
  [[nodiscard]] bool in_reset() const { return network.rst_ni.size() > 0 && !network.rst_ni->read(); }
  void left_queue(std::uint32_t part);
  void record(const Part& part, bool request, const PacketRecord& packet) {
    if (recorder) recorder->moved(part.transaction, part.number, part.piece.target, request, packet);
  }
  void perform(const Item& item);
  void perform_reset();

  // blocking.cpp
  void b_transport(InitiatorSide& side, Payload& payload, sc_time& delay);
  [[nodiscard]] bool may_block(InitiatorSide& side, Payload& payload);
  void block(InitiatorSide& side, Payload& payload, sc_time& delay, std::uint64_t& token);
  void serve_blocking(std::uint32_t part);
  void abandon(std::uint64_t token);
  void end_abandoned(std::uint32_t number);
  void answer_abandoned(std::uint32_t part);

  // initiator_side.cpp
  Sync nb_transport_fw(InitiatorSide& side, Payload& payload, Phase& phase, sc_time& delay);
  Sync begin_request(InitiatorSide& side, Payload& payload, Phase& phase, const sc_time& delay);
  Sync end_response(InitiatorSide& side, Payload& payload, const sc_time& delay);
  std::uint32_t open_transaction(InitiatorSide& side, Payload& payload, bool blocking, const sc_time& delay);
  void close_transaction(InitiatorSide& side, std::uint32_t number);
  [[nodiscard]] ::tlm::tlm_response_status check_payload(InitiatorSide& side, const Payload& payload);
  [[nodiscard]] ::tlm::tlm_response_status obstacle_of(InitiatorSide& side, Transaction& t);
  void arrive(std::uint32_t number);
  void advance(InitiatorSide& side);
  [[nodiscard]] bool admit(InitiatorSide& side, std::uint32_t number);
  void count_open(InitiatorSide& side, std::uint32_t number);
  [[nodiscard]] static bool touch(const Transaction& a, const Transaction& b);
  [[nodiscard]] bool conflicts(const Transaction& a, const Transaction& b) const;
  void send_parts(InitiatorSide& side, std::uint32_t number);
  void end_request(InitiatorSide& side, std::uint32_t number);
  void refuse(InitiatorSide& side, std::uint32_t number, ::tlm::tlm_response_status status);
  void part_returned(std::uint32_t part);
  void make_ready(InitiatorSide& side, std::uint32_t number);
  void respond(InitiatorSide& side);
  [[nodiscard]] bool may_respond(const InitiatorSide& side, std::uint32_t number);
  void begin_response(InitiatorSide& side, std::uint32_t number);

  // levels.cpp
  [[nodiscard]] Cycle birth(const sc_time& at) const { return period_.divide(at.value()) + 1; }
  [[nodiscard]] sc_time start_of(Cycle cycle) const { return sc_time::from_value(cycle * period_.by()); }
  void carry(std::uint32_t part, bool request, std::uint32_t flits);
  void due(std::uint32_t part);
  void note_range(const Part& part, const Transit::Times& times);
  [[nodiscard]] Transit::Load load_of(const Part& part, bool request, std::uint32_t flits);
  [[nodiscard]] bool has_to_wait(InitiatorSide& side, std::uint32_t number);
  [[nodiscard]] bool at_once(InitiatorSide& side, std::uint32_t number, sc_time& delay);
  [[nodiscard]] sc_time serve_pieces(std::uint32_t number, const sc_time& start, sc_time& now);
  struct Answer {
    Cycle born = 0;  ///< when the response may set out
    std::uint32_t flits = 0;
  };
  Answer ask_target(Part& part, Cycle& born, sc_time& now);
  void bring_back(Part& part, const Answer& answer, const sc_time& now);

  // target_side.cpp
  [[nodiscard]] static Burst piece_of(const Transaction& t, const Piece& piece);
  [[nodiscard]] Payload& payload_of(Part& part);
  void localise(Part& part);
  void restore(Part& part);
  void at_target(std::uint32_t part);
  void feed(TargetSide& side);
  void begin_request_at(TargetSide& side, std::uint32_t part);
  Sync nb_transport_bw(TargetSide& side, Payload& payload, const Phase& phase, const sc_time& delay);
  void request_ended(std::uint32_t part);
  void answer(std::uint32_t part);
  void send_answers(TargetSide& side);
  void leave_target(TargetSide& side, std::uint32_t part);

  // direct.cpp
  unsigned int transport_dbg(Payload& payload);
  bool get_direct_mem_ptr(InitiatorSide& side, Payload& payload, ::tlm::tlm_dmi& dmi);
  void invalidate(TargetSide& side, std::uint64_t first, std::uint64_t last);
  [[nodiscard]] sc_time dmi_latency(InitiatorId from, TargetId to, Access access);

  [[nodiscard]] InitiatorSide& side_of(const Transaction& t) { return *initiators_[index(t.initiator)]; }
  [[nodiscard]] TargetSide& side_of(const Part& part) { return *targets_[index(part.piece.target)]; }
  [[nodiscard]] Transaction& transaction_of(const Part& part) { return transactions_[part.transaction]; }

  std::function<std::uint32_t(const Payload&)> id_of_;
  std::function<ConfigError(const ConfigError&)> annotate_;
  Divisor period_;
  std::uint8_t request_class_ = 0;
  std::uint8_t response_class_ = 0;
  std::uint32_t request_room_ = kAll;   ///< requests that a target's terminal holds
  std::uint32_t response_room_ = kAll;  ///< responses that an initiator's terminal holds
  bool order_kept_ = false;             ///< by the fabric, of each pair of terminals and class
  std::unique_ptr<Transit> transit_;    ///< in place of the fabric; of level cycle it knows zero load only
  std::vector<std::unique_ptr<InitiatorSide>> initiators_;
  std::vector<std::unique_ptr<TargetSide>> targets_;
  std::vector<std::uint32_t> initiator_at_;  ///< by terminal
  std::vector<std::uint32_t> target_at_;
  Slots<Transaction> transactions_;
  Slots<Part> parts_;
  SubPayloads subs_;
  Agenda<Item> agenda_;
  std::uint64_t begun_ = 0;
  std::set<std::pair<const sc_core::sc_object*, std::string>> complained_;
};

}  // namespace noctule::tlm
