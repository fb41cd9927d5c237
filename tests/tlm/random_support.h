#pragma once
// Random transactions against flat memory. Every initiator writes bytes of its own and reads all.
//
// An initiator's accesses take effect in the order in which it issues them, as far as they overlap: what it
// reads of its own bytes is known when it asks. Bytes of others are some value that their owner has written.
// After a reset nothing is known until all is quiet, and the memories have been read again past the fabric.
// Now and then an initiator reads or writes past the fabric, too, where it has nothing open: by debug access
// or DMI.

#include <bitset>

#include "core/rng.h"
#include "tlm/checked_system.h"

namespace noctule::tlm::tlm_test {

inline constexpr unsigned kInitiators = 4;
/// Ranges of addresses, each shared out to the initiators in quarters; what is between them nobody serves.
struct FlatRange {
  std::uint64_t base, size;
};
inline constexpr FlatRange kRanges[] = {
    {0, 0x10000}, {0x10000, 0x4000}, {0x14000, 0x4000}, {0x40000, 0x1000}};
inline constexpr std::uint64_t kUnmapped = 0x20000;

inline Platform random_platform() {
  Platform platform;
  platform.initiators = {0, 3, 12, 15};
  platform.targets = {5, 6, 9};
  platform.map =
      "  map:\n"
      "    - {base: 0, size: 64KiB, interleave: {granule: 64, over: [t0, t1], hash: true}}\n"
      "    - {base: 0x10000, size: 16KiB, target: t2, offset: 0x400}\n"
      "    - {base: 0x14000, size: 16KiB, target: t0, offset: 0x8000}\n"
      "    - {base: 0x40000, size: 4KiB, target: t1, offset: 0xc000}\n";
  return platform;
}

/// A memory that answers in all ways, some of them late.
class MoodyMemory final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(MoodyMemory);
  MoodyMemory(sc_core::sc_module_name name, Memory& memory, std::uint64_t seed)
      : sc_module(name), memory_(memory), rng_(seed, "memory") {
    memory.forward = [this](Payload& p, Phase& phase, sc_time& delay) { return forward(p, phase, delay); };
    SC_THREAD(answer);
  }

 private:
  Sync forward(Payload& p, Phase& phase, sc_time& delay) {
    if (phase == ::tlm::END_RESP) {
      response_over_.notify(SC_ZERO_TIME);
      responding_ = false;
      return ::tlm::TLM_COMPLETED;
    }
    memory_.store.execute(p);
    const std::uint64_t mood = rng_.below(4);
    if (mood == 0) {
      delay += sc_time(static_cast<double>(rng_.below(9)), SC_NS);
      return ::tlm::TLM_COMPLETED;
    }
    todo_.emplace_back(&p, mood == 1);
    more_.notify(SC_ZERO_TIME);
    if (mood != 2) return ::tlm::TLM_ACCEPTED;
    phase = ::tlm::END_REQ;
    delay += sc_time(static_cast<double>(rng_.below(5)), SC_NS);
    return ::tlm::TLM_UPDATED;
  }
  void call(Payload& p, Phase phase) {
    sc_time delay(static_cast<double>(rng_.below(3)), SC_NS);
    memory_.socket->nb_transport_bw(p, phase, delay);
  }
  void answer() {
    while (true) {
      while (todo_.empty()) sc_core::wait(more_);
      const auto [p, end_req] = todo_.front();
      todo_.pop_front();
      sc_core::wait(sc_time(static_cast<double>(rng_.below(20)), SC_NS));
      if (end_req) {
        call(*p, ::tlm::END_REQ);
        sc_core::wait(sc_time(static_cast<double>(5 + rng_.below(20)), SC_NS));
      } else {
        sc_core::wait(sc_time(8, SC_NS));
      }
      responding_ = true;
      call(*p, ::tlm::BEGIN_RESP);
      while (responding_) sc_core::wait(response_over_);
    }
  }
  Memory& memory_;
  Rng rng_;
  std::deque<std::pair<Payload*, bool>> todo_;
  sc_core::sc_event more_, response_over_;
  bool responding_ = false;
};

/// What all initiators together know of all bytes.
struct FlatModel {
  FlatModel() : bytes(0x41000), ever(bytes.size()), open(bytes.size()) {
    for (auto& values : ever) values.set(0);
  }
  /// Who may write it; -1: nobody serves it.
  static int owner(std::uint64_t address) {
    for (const auto& range : kRanges)
      if (address >= range.base && address - range.base < range.size)
        return static_cast<int>((address - range.base) / (range.size / kInitiators));
    return -1;
  }
  std::vector<unsigned char> bytes;
  std::vector<std::bitset<256>> ever;  ///< values that were written, by address
  std::vector<std::uint8_t> open;  ///< accesses of the owner that were foreseen and not judged, by address
  std::uint64_t resets = 0;
  bool dirty = false;  ///< since a reset
  std::uint64_t left = 0;
  std::uint64_t compared = 0, differences = 0, errors = 0, done = 0;
  bool grants_dmi = false;
  std::uint64_t debug = 0, dmi = 0;  ///< accesses past the fabric
};

/// One access, and what is expected of it.
struct Access1 {
  std::vector<unsigned char> data, enables, expected;
  std::vector<bool> exact;
  std::uint64_t resets = 0;
  bool dirty = false, write = false, mapped = true;
  unsigned width = 0;
  std::uint64_t address = 0;
};

/// Issues random accesses of one initiator, by b_transport or by nb_transport.
class Worker final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Worker);
  Worker(sc_core::sc_module_name name, Initiator& initiator, unsigned number, bool blocking, FlatModel& model,
         Payloads& payloads, bool& requesting, std::uint64_t seed)
      : sc_module(name),
        initiator_(initiator),
        number_(number),
        blocking_(blocking),
        model_(model),
        payloads_(payloads),
        requesting_(requesting),
        rng_(seed, "worker") {
    if (!blocking)
      initiator.backward = [this](Payload& p, Phase& phase, sc_time& delay) {
        return backward(p, phase, delay);
      };
    SC_THREAD(run);
    SC_THREAD(end_responses);
  }
  [[nodiscard]] std::size_t open() const { return accesses_.size(); }

 private:
  void draw(Payload& p, Access1& a) {
    const std::uint64_t kind = rng_.below(100);
    a.write = rng_.below(2) == 0;
    const FlatRange& range = kRanges[rng_.below(4)];
    const std::uint64_t quarter = range.size / kInitiators;
    const std::uint64_t whose = a.write || rng_.below(3) != 0 ? number_ : rng_.below(kInitiators);
    const std::uint64_t offset = rng_.below(quarter);
    a.address = range.base + whose * quarter + offset;
    std::uint64_t most = kind < 90 ? 64 : kind < 98 ? 512 : 4096;
    if (a.write) most = std::min(most, quarter - offset);
    a.data.resize(1 + rng_.below(most));
    if (kind == 99) a.address = kUnmapped + rng_.below(64);
    a.width = static_cast<unsigned>(a.data.size());
    if (rng_.below(8) == 0) a.width = static_cast<unsigned>(1 + rng_.below(a.data.size()));
    a.enables.clear();
    if (rng_.below(4) == 0)
      for (std::uint64_t n = 1 + rng_.below(9); n > 0; --n)
        a.enables.push_back(rng_.below(3) != 0 ? 0xff : 0);
    for (auto& byte : a.data) byte = static_cast<unsigned char>(rng_.below(256));
    Payloads::fill(p, a.write, a.address, a.data.data(), static_cast<unsigned>(a.data.size()));
    p.set_streaming_width(a.width);
    if (!a.enables.empty()) {
      p.set_byte_enable_ptr(a.enables.data());
      p.set_byte_enable_length(static_cast<unsigned>(a.enables.size()));
    }
    a.mapped = true;
    for (unsigned i = 0; i < a.width; ++i) a.mapped = a.mapped && FlatModel::owner(a.address + i) >= 0;
  }
  void count_open(const Access1& a, int by) {
    if (!a.mapped) return;
    for (std::uint64_t at = a.address; at < a.address + a.width; ++at)
      if (FlatModel::owner(at) == static_cast<int>(number_))
        model_.open[at] = static_cast<std::uint8_t>(model_.open[at] + by);
  }
  /// At the instant at which it is issued.
  void foresee(Access1& a) {
    count_open(a, 1);
    a.resets = model_.resets;
    a.dirty = model_.dirty;
    a.expected = a.data;
    a.exact.assign(a.data.size(), true);
    if (!a.mapped) return;
    for (std::size_t i = 0; i < a.data.size(); ++i) {
      if (!a.enables.empty() && a.enables[i % a.enables.size()] == 0) continue;
      const std::uint64_t at = a.address + i % a.width;
      if (a.write) {
        model_.bytes[at] = a.data[i];
        model_.ever[at].set(a.data[i]);
      } else {
        a.expected[i] = model_.bytes[at];
        a.exact[i] = FlatModel::owner(at) == static_cast<int>(number_);
      }
    }
  }
  void judge(const Payload& p, const Access1& a) {
    ++model_.done;
    count_open(a, -1);
    const auto status = p.get_response_status();
    const bool disturbed = a.dirty || a.resets != model_.resets || model_.dirty;
    if (status == ::tlm::TLM_GENERIC_ERROR_RESPONSE) {
      ++model_.errors;
      if (!disturbed) ++model_.differences;
      return;
    }
    const auto wanted = a.mapped ? ::tlm::TLM_OK_RESPONSE : ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (status != wanted || p.get_address() != a.address || p.get_data_ptr() != a.data.data())
      ++model_.differences;
    if (disturbed || status != ::tlm::TLM_OK_RESPONSE) return;
    ++model_.compared;
    for (std::size_t i = 0; i < a.data.size(); ++i) {
      const bool right =
          a.exact[i] ? a.data[i] == a.expected[i] : model_.ever[a.address + i % a.width].test(a.data[i]);
      if (!right) ++model_.differences;
    }
  }
  /// Of bytes of its own, in no time.
  void past_the_fabric(bool debug) {
    if (model_.dirty) return;
    const FlatRange& range = kRanges[rng_.below(4)];
    const std::uint64_t quarter = range.size / kInitiators;
    const std::uint64_t offset = rng_.below(quarter);
    const std::uint64_t address = range.base + number_ * quarter + offset;
    const bool write = rng_.below(2) == 0;
    std::vector<unsigned char> data(1 + rng_.below(std::min<std::uint64_t>(256, quarter - offset)));
    for (std::size_t i = 0; i < data.size(); ++i)
      if (model_.open[address + i] != 0) return;
    for (auto& byte : data) byte = static_cast<unsigned char>(rng_.below(256));
    Payload p;
    Payloads::fill(p, write, address, data.data(), static_cast<unsigned>(data.size()));
    unsigned char* at = data.data();
    std::size_t length = data.size();
    if (debug) {
      ++model_.debug;
      if (initiator_.socket->transport_dbg(p) != length) ++model_.differences;
      if (p.get_address() != address || p.get_data_ptr() != data.data()) ++model_.differences;
      p.set_address(kUnmapped);
      if (initiator_.socket->transport_dbg(p) != 0) ++model_.differences;
    } else {
      ::tlm::tlm_dmi dmi;
      if (initiator_.socket->get_direct_mem_ptr(p, dmi) != model_.grants_dmi) ++model_.differences;
      if (!model_.grants_dmi) return;
      ++model_.dmi;
      if (dmi.get_start_address() > address || dmi.get_end_address() < address) {
        ++model_.differences;
        return;
      }
      at = dmi.get_dmi_ptr() + (address - dmi.get_start_address());
      length = std::min<std::uint64_t>(length, dmi.get_end_address() - address + 1);
      if (write) std::copy_n(data.begin(), length, at);
    }
    for (std::size_t i = 0; i < length; ++i) {
      if (write) {
        model_.bytes[address + i] = data[i];
        model_.ever[address + i].set(data[i]);
      } else if (at[i] != model_.bytes[address + i]) {
        ++model_.differences;
      }
    }
  }
  void run() {
    while (true) {
      while (model_.left == 0) sc_core::wait(sc_time(1, sc_core::SC_US));
      if (rng_.below(3) == 0) sc_core::wait(sc_time(static_cast<double>(rng_.below(40)), SC_NS));
      while (requesting_) sc_core::wait(sc_time(1, SC_NS));
      if (model_.left == 0) continue;
      const std::uint64_t way = rng_.below(16);
      if (way < 2) past_the_fabric(way == 0);  // besides
      --model_.left;
      if (blocking_)
        block();
      else
        send();
    }
  }
  void block() {
    Payload p;
    Access1 a;
    draw(p, a);
    foresee(a);
    accesses_[&p] = nullptr;
    sc_time delay;
    initiator_.socket->b_transport(p, delay);
    accesses_.erase(&p);
    judge(p, a);
    if (p.get_response_status() == ::tlm::TLM_GENERIC_ERROR_RESPONSE) sc_core::wait(sc_time(20, SC_NS));
  }
  void send() {
    auto a = std::make_unique<Access1>();
    Payload& p = payloads_.take(false, 0, nullptr, 0);
    draw(p, *a);
    foresee(*a);
    accesses_[&p] = std::move(a);
    requesting_ = true;
    request_ = &p;
    const sc_time delay(static_cast<double>(rng_.below(4)), SC_NS);
    if (initiator_.forward(p, ::tlm::BEGIN_REQ, delay) != ::tlm::TLM_ACCEPTED) ++model_.differences;
    while (requesting_) sc_core::wait(request_over_);
  }
  Sync backward(Payload& p, Phase& phase, sc_time& delay) {
    if (phase == ::tlm::END_REQ) {
      if (request_ != &p) ++model_.differences;
      requesting_ = false;
      request_over_.notify(SC_ZERO_TIME);
      return ::tlm::TLM_ACCEPTED;
    }
    judge(p, *accesses_.at(&p));
    const std::uint64_t mood = rng_.below(3);
    if (mood == 0) {  // later
      responses_.push_back(&p);
      response_.notify(SC_ZERO_TIME);
      return ::tlm::TLM_ACCEPTED;
    }
    parting_ = std::move(accesses_.at(&p));  // until the call is over
    accesses_.erase(&p);
    p.release();
    if (mood == 1) return ::tlm::TLM_COMPLETED;
    phase = ::tlm::END_RESP;
    delay += sc_time(static_cast<double>(rng_.below(5)), SC_NS);
    return ::tlm::TLM_UPDATED;
  }
  void end_responses() {
    while (true) {
      while (responses_.empty()) sc_core::wait(response_);
      Payload* const p = responses_.front();
      responses_.pop_front();
      sc_core::wait(sc_time(static_cast<double>(rng_.below(60)), SC_NS));
      if (initiator_.forward(*p, ::tlm::END_RESP) != ::tlm::TLM_COMPLETED) ++model_.differences;
      accesses_.erase(p);
      p->release();
    }
  }
  Initiator& initiator_;
  unsigned number_;
  bool blocking_;
  FlatModel& model_;
  Payloads& payloads_;
  bool& requesting_;
  Rng rng_;
  const Payload* request_ = nullptr;
  sc_core::sc_event request_over_, response_;
  std::deque<Payload*> responses_;
  std::unique_ptr<Access1> parting_;
  std::map<const Payload*, std::unique_ptr<Access1>> accesses_;
};

}  // namespace noctule::tlm::tlm_test
