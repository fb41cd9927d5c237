#include "tlm/replay.h"

#include <fmt/format.h>

#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "core/error.h"

namespace noctule::tlm {

/// Time that the target takes, with the transaction.
struct Replay::Service final : ::tlm::tlm_extension<Service> {
  [[nodiscard]] ::tlm::tlm_extension_base* clone() const override { return new Service(*this); }
  void copy_from(const ::tlm::tlm_extension_base& other) override {
    time = static_cast<const Service&>(other).time;
  }
  sc_time time;
};

/// Knows which transaction of the list it is.
struct Replay::Carried final : Payload {
  explicit Carried(::tlm::tlm_mm_interface* manager) : Payload(manager) { set_extension(&service); }
  ~Carried() override { clear_extension(&service); }
  Service service;
  std::size_t number = 0;
};

class Replay::Initiator final : public sc_core::sc_module, private Backward, public ::tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(Initiator);
  Initiator(sc_core::sc_module_name name, const std::vector<ReplayedTransaction>& all, std::size_t& left)
      : sc_module(name), all_(all), left_(left) {
    socket.bind(*this);
    SC_METHOD(issue);
    sensitive << due_;
  }
  ::tlm::tlm_initiator_socket<32> socket{"socket"};
  /// Before the simulation: those that wait for nobody, and who waits for whom.
  void add(std::size_t number) {
    if (all_[number].after) {
      followers_.resize(std::max(followers_.size(), *all_[number].after + 1));
      followers_[*all_[number].after].push_back(number);
    } else {
      ready_.push({all_[number].pause, number});
    }
  }

 private:
  void issue() {
    while (current_ == nullptr && !ready_.empty()) {
      const auto [at, number] = ready_.top();
      if (at > sc_core::sc_time_stamp()) return due_.notify(at - sc_core::sc_time_stamp());
      ready_.pop();
      Carried& payload = take(number);
      current_ = &payload;
      Phase phase = ::tlm::BEGIN_REQ;
      sc_time delay;
      const Sync sync = socket->nb_transport_fw(payload, phase, delay);
      if (sync == ::tlm::TLM_COMPLETED)
        finish(payload);
      else if (sync == ::tlm::TLM_UPDATED && phase == ::tlm::END_REQ && current_ == &payload)
        current_ = nullptr;
    }
  }
  Sync nb_transport_bw(Payload& payload, Phase& phase, sc_time&) override {
    if (phase == ::tlm::END_REQ) {
      current_ = nullptr;
      due_.notify(sc_core::SC_ZERO_TIME);
      return ::tlm::TLM_ACCEPTED;
    }
    finish(static_cast<Carried&>(payload));
    due_.notify(sc_core::SC_ZERO_TIME);
    return ::tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void finish(Carried& payload) {
    if (current_ == &payload) current_ = nullptr;
    if (payload.number < followers_.size())
      for (const std::size_t next : followers_[payload.number])
        ready_.push({sc_core::sc_time_stamp() + all_[next].pause, next});
    --left_;
    payload.release();
  }
  Carried& take(std::size_t number) {
    if (free_.empty()) free_.push_back(owned_.emplace_back(std::make_unique<Carried>(this)).get());
    Carried& p = *free_.back();
    free_.pop_back();
    const Burst& burst = all_[number].burst;
    data_.resize(std::max<std::size_t>(data_.size(), std::max(1U, burst.length)));
    enables_.resize(std::max<std::size_t>(enables_.size(), burst.byte_enable_length), TLM_BYTE_ENABLED);
    p.number = number;
    p.service.time = all_[number].service;
    p.set_command(burst.access == Access::kRead    ? ::tlm::TLM_READ_COMMAND
                  : burst.access == Access::kWrite ? ::tlm::TLM_WRITE_COMMAND
                                                   : ::tlm::TLM_IGNORE_COMMAND);
    p.set_address(burst.address);
    p.set_data_ptr(data_.data());
    p.set_data_length(burst.length);
    p.set_streaming_width(burst.width());
    p.set_byte_enable_ptr(burst.byte_enable_length == 0 ? nullptr : enables_.data());
    p.set_byte_enable_length(burst.byte_enable_length);
    p.set_dmi_allowed(false);
    p.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
    p.acquire();
    return p;
  }
  void free(Payload* payload) override { free_.push_back(static_cast<Carried*>(payload)); }

  using Ready = std::pair<sc_time, std::size_t>;
  struct Later {
    bool operator()(const Ready& a, const Ready& b) const { return b < a; }
  };
  const std::vector<ReplayedTransaction>& all_;
  std::size_t& left_;
  std::vector<std::vector<std::size_t>> followers_;  ///< by number
  std::priority_queue<Ready, std::vector<Ready>, Later> ready_;
  Carried* current_ = nullptr;  ///< between BEGIN_REQ and END_REQ
  std::vector<std::unique_ptr<Carried>> owned_;
  std::vector<Carried*> free_;
  std::vector<unsigned char> data_;  ///< of all: nobody looks at it
  std::vector<unsigned char> enables_;
  sc_core::sc_event due_;
};

/// Takes each request at once, and answers it when its time is over, whatever else is there: in what was
/// recorded as service, requests may have waited for one another. One response at a time (IEEE
/// 1666-2011, 15.2.6).
class Replay::Target final : public sc_core::sc_module, private Forward {
 public:
  SC_HAS_PROCESS(Target);
  explicit Target(sc_core::sc_module_name name) : sc_module(name) {
    socket.bind(*this);
    SC_METHOD(answer);
    sensitive << due_;
    dont_initialize();
  }
  ::tlm::tlm_target_socket<32> socket{"socket"};

 private:
  static sc_time service_of(const Payload& payload) {
    const auto* service = payload.get_extension<Service>();
    return service != nullptr ? service->time : sc_core::SC_ZERO_TIME;
  }
  void b_transport(Payload& payload, sc_time& delay) override {
    delay += service_of(payload);
    payload.set_response_status(::tlm::TLM_OK_RESPONSE);
  }
  Sync nb_transport_fw(Payload& payload, Phase& phase, sc_time& delay) override {
    if (phase == ::tlm::END_RESP) {
      end_response();
      return ::tlm::TLM_COMPLETED;
    }
    if (phase != ::tlm::BEGIN_REQ) return ::tlm::TLM_ACCEPTED;
    payload.acquire();
    waiting_.push({sc_core::sc_time_stamp() + delay + service_of(payload), taken_++, &payload});
    due_.notify(sc_core::SC_ZERO_TIME);
    phase = ::tlm::END_REQ;
    return ::tlm::TLM_UPDATED;
  }
  bool get_direct_mem_ptr(Payload&, ::tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  void answer() {
    while (responding_ == nullptr && !waiting_.empty()) {
      const auto [at, number, payload] = waiting_.top();
      if (at > sc_core::sc_time_stamp()) return due_.notify(at - sc_core::sc_time_stamp());
      waiting_.pop();
      responding_ = payload;
      payload->set_response_status(::tlm::TLM_OK_RESPONSE);
      Phase phase = ::tlm::BEGIN_RESP;
      sc_time delay;
      const Sync sync = socket->nb_transport_bw(*payload, phase, delay);
      if (sync == ::tlm::TLM_COMPLETED || (sync == ::tlm::TLM_UPDATED && phase == ::tlm::END_RESP))
        end_response();
    }
  }
  void end_response() {
    if (responding_ == nullptr) return;
    std::exchange(responding_, nullptr)->release();
    due_.notify(sc_core::SC_ZERO_TIME);
  }

  struct Answer {
    sc_time at;
    std::uint64_t number = 0;  ///< in the order in which they came
    Payload* payload = nullptr;
    bool operator<(const Answer& other) const {
      return std::tie(other.at, other.number) < std::tie(at, number);
    }
  };
  std::priority_queue<Answer> waiting_;  ///< the first to be answered on top
  std::uint64_t taken_ = 0;
  Payload* responding_ = nullptr;  ///< between BEGIN_RESP and END_RESP
  sc_core::sc_event due_;
};

Replay::Replay(TlmNetwork& network, const std::vector<ReplayedTransaction>& transactions)
    : left_(transactions.size()) {
  const TlmSettings& settings = network.settings();
  for (std::size_t n = 0; n < settings.initiators.size(); ++n) {
    initiators_.push_back(
        std::make_unique<Initiator>(sc_core::sc_gen_unique_name("initiator"), transactions, left_));
    initiators_[n]->socket.bind(network.target_socket<32>(n));
  }
  for (std::size_t n = 0; n < settings.targets.size(); ++n) {
    targets_.push_back(std::make_unique<Target>(sc_core::sc_gen_unique_name("target")));
    network.initiator_socket<32>(n).bind(targets_[n]->socket);
  }
  for (std::size_t n = 0; n < transactions.size(); ++n) initiators_[index(transactions[n].initiator)]->add(n);
}

Replay::~Replay() = default;

bool Replay::over() const {
  return left_ == 0;
}

}  // namespace noctule::tlm
