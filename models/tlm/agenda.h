#pragma once
// What happens at which instant: one event for all that is due.

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "tlm/systemc_tlm.h"

namespace noctule::tlm {

/// Entries of one instant come out in the order in which they were put in.
template <class What>
class Agenda {
 public:
  /// Due at once: in a later delta cycle of this instant.
  void add(const What& what) { add(what, sc_core::SC_ZERO_TIME); }
  /// Due after `delay`.
  void add(const What& what, const sc_time& delay) {
    entries_.push({(sc_core::sc_time_stamp() + delay).value(), order_++, what});
    due_.notify(delay);
  }
  /// Calls f(what) for all that is due.
  template <class F>
  void serve(F&& f) {
    const auto now = sc_core::sc_time_stamp().value();
    while (!entries_.empty() && entries_.top().at <= now) {
      const What what = entries_.top().what;
      entries_.pop();
      f(what);
    }
    if (!entries_.empty()) due_.notify(sc_time::from_value(entries_.top().at - now));
  }
  [[nodiscard]] const sc_core::sc_event& due() const { return due_; }

 private:
  struct Entry {
    sc_time::value_type at = 0;
    std::uint64_t order = 0;
    What what;
    friend bool operator>(const Entry& a, const Entry& b) {
      return std::tie(a.at, a.order) > std::tie(b.at, b.order);
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> entries_;
  std::uint64_t order_ = 0;
  sc_core::sc_event due_;
};

}  // namespace noctule::tlm
