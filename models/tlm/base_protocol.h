#pragma once
// The rules of the base protocol (IEEE 1666-2011, clauses 11, 14, 15) at one connection of two sockets: told
// of every call before and after, it says what is against them. Touches no payload that has been freed.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "tlm/systemc_tlm.h"

namespace noctule::tlm {

/// What somebody did against a rule.
struct Violation {
  std::string rule;    ///< in a few words, constant: "BEGIN_REQ before END_REQ of another transaction"
  std::string clause;  ///< of IEEE 1666-2011: "15.2.6 e"
  bool by_initiator = false;
  sc_time at;
  const Payload* payload = nullptr;  ///< an identity; may be gone
};

enum class Reaction : std::uint8_t {
  kCollect,  ///< violations are kept, and nobody is told
  kWarn,     ///< each is an SC_WARNING as well
  kError     ///< each is an SC_ERROR as well
};

class BaseProtocol {
 public:
  BaseProtocol(const sc_core::sc_object& owner, Reaction reaction) : owner_(owner), reaction_(reaction) {}
  ~BaseProtocol();
  BaseProtocol(const BaseProtocol&) = delete;
  BaseProtocol& operator=(const BaseProtocol&) = delete;

  void before_b_transport(Payload& payload);
  void after_b_transport(Payload& payload);
  /// In place of `after_b_transport`: it ended by an exception. Nothing is asked of the payload.
  void left_b_transport(const Payload& payload);
  void before_forward(Payload& payload, const Phase& phase, const sc_time& delay);
  /// `sent`: the phase of the call; `phase`, `delay`: as returned.
  void after_forward(Payload& payload, const Phase& sent, Sync sync, const Phase& phase,
                     const sc_time& delay);
  void before_backward(Payload& payload, const Phase& phase, const sc_time& delay);
  void after_backward(Payload& payload, const Phase& sent, Sync sync, const Phase& phase,
                      const sc_time& delay);
  void before_dmi(const ::tlm::tlm_dmi& dmi);
  void after_dmi(bool granted, const ::tlm::tlm_dmi& dmi);
  void before_debug(const Payload& payload);
  void after_debug(const Payload& payload, unsigned length, unsigned moved);

  /// The first kMostKept of them.
  [[nodiscard]] const std::vector<Violation>& violations() const { return violations_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Transactions that have begun here and not ended.
  [[nodiscard]] std::size_t open() const { return records_.size(); }
  /// Calls that were looked at.
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  /// A payload is given back or destroyed. For Watch.
  void freed(const Payload* payload);

  static constexpr std::size_t kMostKept = 1000;

 private:
  enum class Stage : std::uint8_t { kNone, kBeginReq, kEndReq, kBeginResp, kBlocking };
  /// Attributes that nobody may change, as they were at the beginning.
  struct Record {
    Stage stage = Stage::kNone;
    ::tlm::tlm_command command{};
    const unsigned char* data = nullptr;
    const unsigned char* enables = nullptr;
    unsigned length = 0;
    unsigned enable_length = 0;
    unsigned streaming = 0;
    std::uint64_t address = 0;
    std::uint64_t digest = 0;  ///< of data written and of byte enables
    bool managed = false;
    unsigned depth = 0;            ///< b_transport calls inside each other
    sc_time::value_type last = 0;  ///< of all annotations so far, the latest
  };

  void tell(const char* rule, const char* clause, bool by_initiator, const Payload& payload);
  void check_new(const Payload& payload);
  void check_held(const Payload& payload, bool by_initiator);
  void check_same(const Payload& payload, const Record& record, bool by_initiator);
  void check_time(Record& record, const sc_time& delay, bool by_initiator, const Payload& payload);
  [[nodiscard]] static std::uint64_t digest_of(const Payload& payload);
  static Record record_of(const Payload& payload);
  void begin_request(Payload& payload, const sc_time& delay);
  void end_response(const Payload& payload, const sc_time& delay);
  /// END_REQ or BEGIN_RESP, as a call or as a return.
  void target_phase(Payload& payload, const Phase& phase, const sc_time& delay);
  void complete(const Payload& payload);
  void watch(Payload& payload);
  void unwatch(const Payload& payload);

  const sc_core::sc_object& owner_;
  Reaction reaction_;
  std::unordered_map<const Payload*, Record> records_;
  const Payload* requesting_ = nullptr;  ///< between BEGIN_REQ and END_REQ
  const Payload* responding_ = nullptr;  ///< between BEGIN_RESP and END_RESP
  std::vector<Violation> violations_;
  std::uint64_t count_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace noctule::tlm
