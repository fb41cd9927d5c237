#include "support/textbook_mesh.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>

namespace noctule {
namespace {

using Cycle = std::uint64_t;
using Number = std::optional<unsigned>;

// Ports, of inputs by the direction in which their flits travel; VC v of port p has number p * vcs + v. Ports
// without a link are numbered as well: they never ask for anything, and round robin passes over them.
enum Port : unsigned { kXPlus, kXMinus, kYPlus, kYMinus, kTerminal, kPorts };

struct Flit {
  std::size_t packet;
  bool tail;
};

struct InputVc {
  std::deque<Flit> buffer;
  Cycle front_since = 0;   ///< of a header at the front
  Number output;           ///< VC that is allocated to the packet at the front
  Cycle allocated_at = 0;  ///< the cycle of that grant
  unsigned pointer = 0;    ///< over output VCs
};

struct OutputVc {
  bool allocated = false;
  unsigned credits = 0;
  unsigned pointer = 0;  ///< over input VCs
};

struct SwitchPointers {
  std::vector<unsigned> of_input = std::vector<unsigned>(kPorts, 0);   ///< over its VCs
  std::vector<unsigned> of_output = std::vector<unsigned>(kPorts, 0);  ///< over input ports
};

struct Router {
  std::vector<InputVc> in;
  std::vector<OutputVc> out;
  SwitchPointers switch_pointers, speculative_pointers;
};

struct Terminal {
  std::deque<std::size_t> queue;  ///< packets, oldest first
  unsigned sent = 0;              ///< flits of the first one
  unsigned vc = 0;                ///< into which they go
  unsigned pointer = 0;           ///< over injection VCs
};

struct Arrival {
  unsigned router, input_vc;
  Flit flit;
};
struct Credit {
  unsigned router, output_vc;
};

/// The first of the numbers pointer, pointer + 1, ... (mod count) that is eligible.
template <typename Eligible>
Number round_robin(unsigned pointer, unsigned count, Eligible eligible) {
  for (unsigned n = pointer; n < count; ++n)
    if (eligible(n)) return n;
  for (unsigned n = 0; n < pointer; ++n)
    if (eligible(n)) return n;
  return std::nullopt;
}

class Mesh {
 public:
  Mesh(const TextbookOptions& options, std::span<const TextbookPacket> packets)
      : o_(options), packets_(packets), consumed_(packets.size()) {
    if (o_.k == 0 || o_.vcs == 0 || o_.depth == 0 || o_.vc_allocation_delay == 0 || o_.credit_delay == 0 ||
        o_.switch_allocation_delay + o_.traversal_delay + o_.link_delay == 0)
      throw std::invalid_argument("options out of range");
    Router router;
    router.in.resize(vc_count());
    router.out.resize(vc_count());
    for (auto& vc : router.out) vc.credits = o_.depth;
    routers_.assign(o_.k * o_.k, router);
    terminals_.resize(routers_.size());
    for (std::size_t p = 0; p < packets.size(); ++p) {
      if (packets[p].length == 0 || packets[p].destination >= routers_.size())
        throw std::invalid_argument("no such packet");
      terminals_.at(packets[p].source).queue.push_back(p);
    }
    const auto older = [&](std::size_t a, std::size_t b) { return packets_[a].birth < packets_[b].birth; };
    for (auto& t : terminals_) std::stable_sort(t.queue.begin(), t.queue.end(), older);
  }

  std::vector<Cycle> run() {
    for (std::size_t left = packets_.size(); left > 0; ++now_) {
      arrive();
      for (unsigned n = 0; n < terminals_.size(); ++n) inject(n);
      for (unsigned n = 0; n < routers_.size(); ++n) left -= step(n);
    }
    return consumed_;
  }

 private:
  [[nodiscard]] unsigned vc_count() const { return kPorts * o_.vcs; }
  [[nodiscard]] unsigned port_of(unsigned vc) const { return vc / o_.vcs; }
  [[nodiscard]] unsigned neighbour(unsigned n, unsigned port, int sign) const {
    const int step[] = {1, -1, static_cast<int>(o_.k), -static_cast<int>(o_.k)};
    return n + static_cast<unsigned>(sign * step[port]);
  }
  /// x first, then y.
  [[nodiscard]] unsigned route(unsigned here, std::size_t packet) const {
    const unsigned to = packets_[packet].destination;
    if (to % o_.k != here % o_.k) return to % o_.k > here % o_.k ? kXPlus : kXMinus;
    if (to / o_.k != here / o_.k) return to / o_.k > here / o_.k ? kYPlus : kYMinus;
    return kTerminal;
  }

  // What was sent earlier and arrives at the start of this cycle.
  void arrive() {
    for (const auto& a : arrivals_[now_]) {
      auto& vc = routers_[a.router].in[a.input_vc];
      if (vc.buffer.size() == o_.depth) throw std::logic_error("a buffer overflows");
      if (vc.buffer.empty()) vc.front_since = now_;
      vc.buffer.push_back(a.flit);
    }
    for (const auto& c : credits_[now_])
      if (++routers_[c.router].out[c.output_vc].credits > o_.depth)
        throw std::logic_error("a credit too many");
    arrivals_.erase(now_);
    credits_.erase(now_);
  }

  void inject(unsigned n) {
    auto& t = terminals_[n];
    if (t.queue.empty() || packets_[t.queue.front()].birth > now_) return;
    const auto has_room = [&](unsigned v) {
      return routers_[n].in[kTerminal * o_.vcs + v].buffer.size() < o_.depth;
    };
    if (t.sent == 0) {
      const auto v = round_robin(t.pointer, o_.vcs, has_room);
      if (!v) return;
      t.vc = *v;
      t.pointer = (*v + 1) % o_.vcs;
    } else if (!has_room(t.vc)) {
      return;
    }
    const std::size_t packet = t.queue.front();
    const bool tail = ++t.sent == packets_[packet].length;
    arrivals_[now_ + 1].push_back({n, kTerminal * o_.vcs + t.vc, {packet, tail}});
    if (!tail) return;
    t.queue.pop_front();
    t.sent = 0;
  }

  /// One cycle of one router: first all decisions, then their effects. Returns the number of tails that leave
  /// the network.
  unsigned step(unsigned n) {
    auto& router = routers_[n];
    if (std::all_of(router.in.begin(), router.in.end(), [](const InputVc& vc) { return vc.buffer.empty(); }))
      return 0;
    const auto bids = bids_for_vcs(n);
    const auto winners = allocate_vcs(router, bids);

    std::vector<Number> requests(vc_count());  // of each input VC: output port
    for (unsigned i = 0; i < vc_count(); ++i)
      if (may_move(router, router.in[i])) requests[i] = port_of(*router.in[i].output);
    auto moves = allocate_switch(router.switch_pointers, requests);
    if (o_.speculative) speculate(router, bids, winners, moves);

    for (const unsigned i : winners) {
      auto& in = router.in[i];
      auto& out = router.out[*bids[i]];
      in.output = bids[i];
      in.allocated_at = now_;
      in.pointer = (*bids[i] + 1) % vc_count();
      out.allocated = true;
      out.pointer = (i + 1) % vc_count();
    }
    unsigned tails = 0;
    for (const unsigned i : moves) tails += move(n, i);
    return tails;
  }

  /// Per input VC: the output VC that its header bids for.
  std::vector<Number> bids_for_vcs(unsigned n) const {
    const auto& router = routers_[n];
    std::vector<Number> bids(vc_count());
    for (unsigned i = 0; i < vc_count(); ++i) {
      const auto& in = router.in[i];
      if (in.output || in.buffer.empty() || now_ < in.front_since + o_.routing_delay) continue;
      const unsigned port = route(n, in.buffer.front().packet);
      bids[i] = round_robin(in.pointer, vc_count(), [&](unsigned v) {
        const auto& out = router.out[v];
        return port_of(v) == port && !out.allocated && (!o_.atomic || out.credits == o_.depth);
      });
    }
    return bids;
  }

  /// Input VCs that get what they bid for.
  std::vector<unsigned> allocate_vcs(const Router& router, const std::vector<Number>& bids) const {
    std::vector<unsigned> winners;
    if (std::none_of(bids.begin(), bids.end(), [](Number bid) { return bid.has_value(); })) return winners;
    for (unsigned v = 0; v < vc_count(); ++v) {
      const auto bids_for_it = [&](unsigned i) { return bids[i] == v; };
      if (const auto i = round_robin(router.out[v].pointer, vc_count(), bids_for_it)) winners.push_back(*i);
    }
    return winners;
  }

  [[nodiscard]] bool may_move(const Router& router, const InputVc& in) const {
    return in.output && now_ >= in.allocated_at + o_.vc_allocation_delay && !in.buffer.empty() &&
           has_credit(router, *in.output);
  }
  [[nodiscard]] bool has_credit(const Router& router, unsigned output_vc) const {
    return port_of(output_vc) == kTerminal || router.out[output_vc].credits > 0;
  }

  /// Per input VC the output port that it requests, if any; returns the input VCs that win.
  std::vector<unsigned> allocate_switch(SwitchPointers& pointers, const std::vector<Number>& requests) const {
    std::vector<Number> choice(kPorts);  // of each input port: one of its VCs
    for (unsigned p = 0; p < kPorts; ++p) {
      const unsigned first = p * o_.vcs;
      const auto v = round_robin(pointers.of_input[p], o_.vcs,
                                 [&](unsigned vc) { return requests[first + vc].has_value(); });
      if (v) choice[p] = first + *v;
    }
    std::vector<unsigned> winners;
    for (unsigned q = 0; q < kPorts; ++q) {
      const auto p = round_robin(pointers.of_output[q], kPorts,
                                 [&](unsigned in) { return choice[in] && requests[*choice[in]] == q; });
      if (!p) continue;
      winners.push_back(*choice[*p]);
      pointers.of_input[*p] = (*choice[*p] + 1) % o_.vcs;
      pointers.of_output[q] = (*p + 1) % kPorts;
    }
    return winners;
  }

  /// Headers that bid for a VC compete for the ports that are left; those that get both may move. A grant
  /// that turns out to be wasted moves the pointers as well.
  void speculate(Router& router, const std::vector<Number>& bids, const std::vector<unsigned>& winners,
                 std::vector<unsigned>& moves) const {
    std::vector<bool> input_taken(kPorts), output_taken(kPorts);
    for (const unsigned i : moves) {
      input_taken[port_of(i)] = true;
      output_taken[port_of(*router.in[i].output)] = true;
    }
    std::vector<Number> requests(vc_count());
    for (unsigned i = 0; i < vc_count(); ++i)
      if (bids[i] && !input_taken[port_of(i)] && !output_taken[port_of(*bids[i])])
        requests[i] = port_of(*bids[i]);
    for (const unsigned i : allocate_switch(router.speculative_pointers, requests))
      if (std::find(winners.begin(), winners.end(), i) != winners.end() && has_credit(router, *bids[i]))
        moves.push_back(i);
  }

  /// The flit at the front crosses the switch; returns whether it is a tail that leaves the network.
  bool move(unsigned n, unsigned input_vc) {
    auto& in = routers_[n].in[input_vc];
    const unsigned output_vc = *in.output;
    auto& out = routers_[n].out[output_vc];
    const Flit flit = in.buffer.front();
    in.buffer.pop_front();
    if (const unsigned port = port_of(input_vc); port != kTerminal)
      credits_[now_ + o_.credit_delay].push_back({neighbour(n, port, -1), input_vc});
    if (flit.tail) {
      in.output.reset();
      in.front_since = now_ + 1;  // the next packet, if it is there
      out.allocated = false;
    }
    const Cycle crossed = now_ + o_.switch_allocation_delay + o_.traversal_delay;
    if (const unsigned port = port_of(output_vc); port != kTerminal) {
      --out.credits;
      arrivals_[crossed + o_.link_delay].push_back({neighbour(n, port, +1), output_vc, flit});
      return false;
    }
    if (flit.tail) consumed_[flit.packet] = crossed;
    return flit.tail;
  }

  TextbookOptions o_;
  std::span<const TextbookPacket> packets_;
  std::vector<Cycle> consumed_;
  std::vector<Router> routers_;
  std::vector<Terminal> terminals_;
  std::map<Cycle, std::vector<Arrival>> arrivals_;
  std::map<Cycle, std::vector<Credit>> credits_;
  Cycle now_ = 0;
};

}  // namespace

std::vector<std::uint64_t> simulate_textbook_mesh(const TextbookOptions& options,
                                                  std::span<const TextbookPacket> packets) {
  return Mesh(options, packets).run();
}

}  // namespace noctule
