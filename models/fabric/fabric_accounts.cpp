// Fabric: what is counted, and that nothing is lost.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/mask.h"
#include "fabric/fabric.h"

namespace noctule {
namespace {

class Nobody final : public FlitObserver {
 public:
  void on_cycle_start(Cycle) override {}
  void on_flit(Cycle, RouterId, FlitEvent, std::uint16_t, std::uint16_t, Flit, const Packet&) override {}
  void on_cycle_end(Cycle) override {}
};

}  // namespace

/// As many samples as that, all alike. The sources have been asked for cycle t. Of the routers that sleep in
/// it only those are looked at that may hold something.
void Fabric::add_occupancy(FabricCounters& counters, Cycle t, std::uint64_t samples) const {
  counters.occupancy_samples += samples;
  const std::uint64_t* const awake = calendar_.slot(t);
  for (std::size_t w = 0; w < context_.held.size(); ++w) {
    const Mask<1> some{{awake[w] | context_.held[w]}};
    some.each([&](std::size_t n) __attribute__((always_inline)) {  // in a large network they are in no cache
      const std::size_t position = 64 * w + n;
      __builtin_prefetch(routers_[index(router_at_[position])].get());
      by_position_[position].prefetch_state(visited_.due(t));
    });
    some.each([&](std::size_t n) {
      const Occupancy now = routers_[index(router_at_[64 * w + n])]->occupancy(t);
      counters.occupied_input_vcs += samples * now.input_vcs;
      counters.allocated_output_vcs += samples * now.output_vcs;
      counters.connections_held += samples * now.connections;
    });
  }
}

/// But for those that are in their buffer ahead of their cycle.
std::uint64_t Fabric::flits_injected() const {
  std::uint64_t ahead = 0;
  for (const auto& router : routers_) ahead += router->flits_ahead();
  return context_.flits_injected - ahead;
}

FabricCounters Fabric::counters() const {
  FabricCounters counters = totals_;
  // Of idle cycles up to now: nobody is awake, nothing comes, and what is held stays.
  if (const std::uint64_t samples = idle_samples(cycles()); samples != 0)
    add_occupancy(counters, next_cycle_, samples);
  counters.packets_injected = context_.packets_injected;
  counters.flits_injected = flits_injected();
  counters.flits_copied = context_.flits_copied;
  counters.flits_delivered = context_.flits_delivered;
  counters.connections_made = context_.connections;
  counters.queued_packet_cycles = queued_packet_cycles();
  counters.under_way_packet_cycles = under_way_packet_cycles();
  counters.terminal_flits = context_.terminal_flits;
  for (std::size_t c = 0; c < counters.classes.size(); ++c)
    counters.classes[c].flits_delivered = context_.class_flits[c];
  if (const auto loop = source_ ? source_->transactions() : std::nullopt) {
    counters.transactions = loop->count;
    counters.transaction_cycles = loop->cycles;
  }
  counters.link_flits.reserve(physical_links_.size());
  for (const auto& link : physical_links_) {
    counters.link_flits.push_back(routers_[index(link.from)]->link_flits(link.channel));
    counters.flit_hops += counters.link_flits.back();
  }
  return counters;
}

void Fabric::begin_window() {
  totals_.total_latency.begin_window();
  totals_.network_latency.begin_window();
  totals_.slowest_total.forget();
  totals_.slowest_network.forget();
  for (ClassCounters& of_class : totals_.classes) {
    of_class.total_latency.begin_window();
    of_class.network_latency.begin_window();
  }
  if (flows_) flows_->begin_window();
}

void Fabric::count_flows(TerminalId source, const GeneratedPacket& generated) {
  std::span<const TerminalId> destinations = generated.destinations;
  if (destinations.empty()) destinations = {&generated.destination, 1};
  for (const TerminalId destination : destinations)
    flows_->generated(source, destination, generated.message_class);
}

std::uint64_t Fabric::queued() const {
  return totals_.packets_generated - totals_.packets_discarded - context_.packets_injected;
}

std::uint64_t Fabric::longest_queue() const {
  std::uint64_t longest = 0;
  for (const NetworkInterface& interface : context_.interfaces)
    longest = std::max<std::uint64_t>(longest, interface.queue_size);
  return longest;
}

/// Each packet that is queued, or was, waits from its birth to its injection, or until now.
std::uint64_t Fabric::queued_packet_cycles() const {
  return queued() * cycles() + context_.injection_cycles + queues_dropped_ - births_;
}

std::uint64_t Fabric::under_way_packet_cycles() const {
  const std::uint64_t under_way = totals_.packets_generated - totals_.packets_discarded -
                                  totals_.packets_delivered - totals_.packets_dropped;
  return under_way * cycles() + ends_ - births_;
}

bool Fabric::drained() const {
  return context_.packets.live() == 0 && calls_.empty() && (!source_ || wheel_.next(next_cycle_) == kNever);
}

void Fabric::close() {
  closed_ = true;
  static Nobody nobody;  // routers that are observed ask no more whether they are
  if (context_.observer != nullptr) context_.observer = &nobody;
  const Cycle t = next_cycle_;
  for (std::uint32_t terminal = 0; terminal < sending_.size(); ++terminal)
    if (std::exchange(sending_[terminal].next.birth, kNever) != kNever)
      wheel_.remove(terminal, band_of(TerminalId{terminal}));
  for (NetworkInterface& interface : context_.interfaces)
    while (interface.queue_size > 0) {
      context_.packets.remove(interface.dequeue());
      ++totals_.packets_discarded;
      queues_dropped_ += t;
      ends_ += t;
    }
}

std::uint64_t Fabric::moves() const {
  std::uint64_t sum =
      flits_injected() + context_.flits_delivered + context_.connections + totals_.packets_generated;
  for (const auto& link : physical_links_) sum += routers_[index(link.from)]->link_flits(link.channel);
  return sum;
}

bool Fabric::waits_for_itself() const {
  return source_ && context_.packets.live() > 0 && calls_.empty() && preparing_.empty() && !in_reset_ &&
         wheel_.next(next_cycle_) == kNever && (!refusals_ || refusals_->sink().settled()) &&
         !plan_.nodes.any([](const auto& node) { return node.selection == Selection::kBlind; });
}

std::vector<Fabric::RefusingEnd> Fabric::refusing_ends() const {
  std::vector<RefusingEnd> ends;
  if (!refusals_) return ends;
  for (std::uint32_t t = 0; t < sending_.size(); ++t)
    for (std::size_t c = 0; c < plan_.message_classes.size(); ++c) {
      const auto number = static_cast<std::uint8_t>(c);
      if (refusals_->sink().room(TerminalId{t}, number, true, next_cycle_) == 0)
        ends.push_back({TerminalId{t}, number});
    }
  return ends;
}

std::vector<Fabric::SilentRouter> Fabric::silent_routers(Cycle cycles) const {
  std::vector<SilentRouter> silent;
  if (refusals_ || in_reset_) return silent;
  for (std::uint32_t r = 0; r < routers_.size(); ++r)
    if (const auto since = routers_[r]->silent_since(); since && *since + cycles <= next_cycle_)
      silent.push_back({RouterId{r}, *since});
  std::ranges::sort(silent, {}, &SilentRouter::since);
  return silent;
}

void Fabric::check_conservation() const {
  for (const auto& router : routers_) router->check_credits(next_cycle_);
  std::uint64_t inside = 0;
  std::vector<Flit> flits;
  const Cycle next = next_cycle_;
  for (const auto& router : routers_) {
    for (std::size_t i = 0; i < router->plan().inputs.size(); ++i) {
      router->input_flits(i, flits);
      inside += flits.size();
      for (Cycle d = 0; d <= router->horizon(); ++d) inside += router->arriving(i, next + d) ? 1 : 0;
    }
    for (std::size_t o = 0; o < router->plan().outputs.size(); ++o) {
      router->output_flits(o, flits);
      inside += flits.size();
    }
  }
  const std::uint64_t in = flits_injected() + context_.flits_copied;
  if (in != context_.flits_delivered + totals_.flits_dropped + inside)
    throw InternalError(
        fmt::format("{}: {} flits were injected or copied, {} delivered, but {} are in the "
                    "network",
                    name(), in, context_.flits_delivered, inside));
}

void Fabric::check_left() const {
  if (refusals_ || in_reset_ || !preparing_.empty()) return;
  for (const auto& router : routers_) router->check_left(next_cycle_);
}

void Fabric::reset(Cycle t) {
  context_.flits_injected = flits_injected();
  for (const auto& router : routers_) {
    router->settle(t);
    router->reset();
  }
  calendar_.clear();
  for (const auto position : clocked_) calendar_.wake(position, t);
  for (NetworkInterface& interface : context_.interfaces) interface.clear();
  if (refusals_) refusals_->reset();
  begun_.clear();
  const std::uint64_t inside =
      context_.packets_injected - totals_.packets_delivered - totals_.packets_dropped;
  totals_.packets_dropped += inside;
  const std::uint64_t dropped =
      (plan_.multicast ? context_.messages.live() : context_.packets.live()) - inside;
  totals_.packets_discarded += dropped;
  queues_dropped_ += dropped * t;
  ends_ += (dropped + inside) * t;
  totals_.flits_dropped = context_.flits_injected + context_.flits_copied - context_.flits_delivered;
  context_.packets.clear();
  context_.taken.clear();
  paths_.clear();
  context_.worms.clear();
  context_.messages.clear();
  for (auto& waiting : context_.absorbed) waiting.clear();
  preparing_ = {};
}

}  // namespace noctule
