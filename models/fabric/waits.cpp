#include "fabric/waits.h"

#include <array>

#include "fabric/fabric.h"
#include "routing/prescribed_routes.h"

namespace noctule {

Waits::Waits(const Fabric& fabric, bool nothing_moves, bool with_outside)
    : fabric_(fabric),
      snapshot_(fabric, with_outside),
      prescribed_(dynamic_cast<const PrescribedRoutes*>(fabric.plan().relation.get())) {
  owner_.assign(snapshot_.buffers(), kNone);
  find_headers();
  if (fabric.plan().multicast) find_absorbed();
  for (std::uint32_t w = 0; w < worms_.size(); ++w) worms_[w].moves = !is_packed(w);
  for (std::uint32_t w = 0; w < worms_.size(); ++w)
    if (!worms_[w].moves) find_waits(w);
  if (nothing_moves)
    for (Worm& worm : worms_) worm.moves = false;
  else
    set_free();
}

void Waits::find_headers() {
  for (std::uint32_t b = 0; b < snapshot_.buffers(); ++b) {
    const auto flits = snapshot_.flits(b);
    for (std::size_t p = 0; p < flits.size(); ++p) {
      if (!flits[p].head()) continue;
      const std::size_t handle = index(flits[p].packet);
      if (worm_of_.size() <= handle) worm_of_.resize(2 * handle + 1, kNone);
      worm_of_[handle] = static_cast<std::uint32_t>(worms_.size());
      worms_.push_back({flits[p].packet, b, static_cast<std::uint32_t>(p), false, false, 0, 0});
    }
  }
}

void Waits::find_absorbed() {
  for (std::size_t r = 0; r < fabric_.plan().routers.size(); ++r)
    for (const TerminalEnd& end : fabric_.plan().consuming[r])
      for (const Absorbed& message : fabric_.absorbed(end.terminal)) {
        const std::uint32_t b = snapshot_.output_of(RouterId(r), message.output);
        owner_[b] = static_cast<std::uint32_t>(worms_.size());
        worms_.push_back({message.packet, b, 0, false, true, 0, 0});
      }
}

std::uint32_t Waits::consumer(std::uint32_t out) const {
  const auto i = snapshot_.view(out).connected_input(snapshot_.place(out));
  if (i == kNoSlot) return owner_[out];
  const auto flits = snapshot_.flits(snapshot_.input_beside(out, i));
  return flits.empty() ? kNone : worm(flits.front());
}

std::uint32_t Waits::worm(Flit flit) const {
  const std::size_t handle = index(flit.packet);
  return handle < worm_of_.size() ? worm_of_[handle] : kNone;
}

bool Waits::is_packed(std::uint32_t w) {
  if (worms_[w].absorbed) return true;
  const std::uint32_t head = worms_[w].buffer;
  const bool input = snapshot_.is_input(head);
  if (!input && snapshot_.peer(head) == kNoBuffer) return false;  // is being consumed
  if (input && worms_[w].position == 0) each_link(head, [&](std::uint32_t out) { owner_[out] = w; });
  std::uint32_t before = kNoBuffer;
  return walk(w, [&](std::uint32_t b) {
    if (before != kNoBuffer && snapshot_.is_input(b)) owner_[before] = w;
    before = b;
  });
}

void Waits::find_waits(std::uint32_t w) {
  Worm& worm_w = worms_[w];
  worm_w.first_way = static_cast<std::uint32_t>(ways_.size());
  const std::uint32_t b = worm_w.buffer;
  const std::size_t place = snapshot_.place(b);
  if (worm_w.absorbed) {
    wait_for_retransmission(w);
  } else if (worm_w.position > 0) {
    add_way(w, b, {worm(snapshot_.flits(b)[worm_w.position - 1])});
  } else if (!snapshot_.is_input(b)) {
    const std::uint32_t behind = snapshot_.peer(b);
    if (!snapshot_.full(behind))
      worm_w.moves = true;
    else
      add_way(w, b, {worm(snapshot_.flits(behind).front())});
  } else if (const auto o = snapshot_.view(b).connected_output(place); o != kNoSlot) {
    const std::uint32_t out = snapshot_.output_beside(b, o);
    const std::uint32_t next = snapshot_.next_buffer(out);
    if (snapshot_.peer(out) == kNoBuffer || !snapshot_.full(next))
      worm_w.moves = true;
    else
      add_way(w, out, {worm(snapshot_.flits(next).front())});
  } else if (snapshot_.waiting(b)) {
    find_feasible(b, snapshot_.flits(b).front().packet);
    for (const std::uint16_t candidate : feasible_) {
      add_alternative(w, snapshot_.output_beside(b, candidate));
      if (worm_w.moves) break;
    }
  } else {
    worm_w.moves = true;
  }
  worm_w.ways = static_cast<std::uint32_t>(ways_.size()) - worm_w.first_way;
}

void Waits::wait_for_retransmission(std::uint32_t w) {
  const std::uint32_t b = worms_[w].buffer;
  const RouterPlan& plan = snapshot_.plan_of(b);
  const unsigned buffers = fabric_.plan().common_node().retransmission_buffers;
  const std::size_t slot = (snapshot_.place(b) - plan.link_outputs()) / plan.consumption_vcs;
  const std::size_t end = plan.injection(slot) + plan.injection_vcs;
  for (std::size_t i = end - buffers; i < end && !worms_[w].moves; ++i) {
    const std::uint32_t buffer = snapshot_.input_beside(b, i);
    const auto flits = snapshot_.flits(buffer);
    add_way(w, buffer, {flits.empty() ? kNone : worm(flits.front())});
  }
}

void Waits::find_feasible(std::uint32_t b, PacketHandle handle) {
  const std::size_t place = snapshot_.place(b);
  const RouterId here = snapshot_.router(b);
  const Packet& packet = fabric_.packets()[handle];
  if (prescribed_ == nullptr || !PrescribedRoutes::is_prescribed(packet.route_state) ||
      packet.destination_router == here) {
    snapshot_.feasible(b, feasible_);
    return;
  }
  candidates_.clear();
  prescribed_->candidates(here, packet.destination_router, prescribed_->unprescribed(packet.route_state),
                          candidates_);
  const RouterPlan& plan = snapshot_.plan_of(b);
  const std::int32_t crossbar = plan.inputs[place].crossbar;
  feasible_.clear();
  for (const Candidate& candidate : candidates_)
    for (const auto o : plan.outputs_of[index(candidate.port) * plan.classes + index(candidate.vc_class)])
      if (crossbar < 0 || plan.outputs[o].crossbar == crossbar) feasible_.push_back(o);
}

void Waits::add_alternative(std::uint32_t w, std::uint32_t out) {
  const std::uint32_t behind = snapshot_.peer(out);
  if (behind == kNoBuffer) {
    if (fabric_.plan().multicast)
      add_way(w, out, {consumer(out)});
    else
      worms_[w].moves = true;
    return;
  }
  std::array<std::uint32_t, 3> blockers{};
  std::size_t n = 0;
  const VcRelease release = snapshot_.node_of(out).release;
  const auto inside = snapshot_.flits(out);
  const bool busy = snapshot_.view(out).connected_input(snapshot_.place(out)) != kNoSlot;
  if (busy) blockers[n++] = owner_[out];
  if (release == VcRelease::kTailCrossed) {
    // Also if it has been granted meanwhile: whoever has it cannot use it either while it is full.
    const std::uint32_t next = snapshot_.next_buffer(out);
    if (snapshot_.full(next)) blockers[n++] = worm(snapshot_.flits(next).front());
  } else if (!inside.empty()) {
    blockers[n++] = worm(inside.back());
  }
  if (release == VcRelease::kNextBufferEmpty)
    if (const auto next = snapshot_.flits(behind); !next.empty()) blockers[n++] = worm(next.back());
  add_way(w, out, std::span<const std::uint32_t>(blockers.data(), n));
}

void Waits::add_way(std::uint32_t w, std::uint32_t channel, std::initializer_list<std::uint32_t> blockers) {
  add_way(w, channel, std::span<const std::uint32_t>(blockers.begin(), blockers.size()));
}

void Waits::add_way(std::uint32_t w, std::uint32_t channel, std::span<const std::uint32_t> blockers) {
  const auto first = static_cast<std::uint32_t>(blockers_.size());
  for (const std::uint32_t other : blockers) {
    if (other == kNone || worms_[other].moves) continue;
    if (std::find(blockers_.begin() + first, blockers_.end(), other) == blockers_.end())
      blockers_.push_back(other);
  }
  const auto count = static_cast<std::uint32_t>(blockers_.size()) - first;
  if (count == 0)
    worms_[w].moves = true;
  else
    ways_.push_back({w, channel, first, count, count});
}

void Waits::set_free() {
  std::vector<std::uint32_t> start(worms_.size() + 1);
  std::vector<std::uint32_t> closes(blockers_.size());
  for (const std::uint32_t other : blockers_) ++start[other];
  for (std::size_t w = 1; w < start.size(); ++w) start[w] += start[w - 1];
  for (std::uint32_t n = 0; n < ways_.size(); ++n)
    for (std::uint32_t e = ways_[n].first; e < ways_[n].first + ways_[n].count; ++e)
      closes[--start[blockers_[e]]] = n;
  std::vector<std::uint32_t> moving;
  for (std::uint32_t w = 0; w < worms_.size(); ++w)
    if (worms_[w].moves) moving.push_back(w);
  while (!moving.empty()) {
    const std::uint32_t other = moving.back();
    moving.pop_back();
    for (std::uint32_t e = start[other]; e < start[other + 1]; ++e) {
      Way& way = ways_[closes[e]];
      if (--way.closed != 0 || worms_[way.worm].moves) continue;
      worms_[way.worm].moves = true;
      moving.push_back(way.worm);
    }
  }
}

}  // namespace noctule
