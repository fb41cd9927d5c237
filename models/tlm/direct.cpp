// Past the fabric: debug accesses and direct memory access.

#include <algorithm>

#include "tlm/core.h"

namespace noctule::tlm {
namespace {

constexpr std::size_t kMostRanges = 65536;  // of one invalidation: more are told as one

}  // namespace

unsigned int TlmNetwork::Core::transport_dbg(Payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  unsigned char* const data = payload.get_data_ptr();
  unsigned done = 0;
  bool more = length > 0 && data != nullptr;
  while (more) {
    const auto place = map.find(address + done);
    if (!place || address + done < address) break;
    // Less 1: contiguous 0 stands for 2^64.
    const auto part =
        static_cast<unsigned>(std::min<std::uint64_t>(length - done - 1, place->contiguous - 1)) + 1;
    payload.set_address(place->address);
    payload.set_data_ptr(data + done);
    payload.set_data_length(part);
    const unsigned moved = std::min(part, targets_[index(place->target)]->forward->transport_dbg(payload));
    done += moved;
    more = moved == part && done < length;
  }
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(length);
  return done;
}

/// Request and response of one flit word, without other traffic.
sc_time TlmNetwork::Core::dmi_latency(InitiatorId from, TargetId to, Access access) {
  const Burst burst{access, 0, packetizer.format().flit_bytes, 0, 0};
  return start_of(transit_->zero_load(from, to, true, packetizer.request_flits(burst)) +
                  transit_->zero_load(from, to, false, packetizer.response_flits(burst)));
}

bool TlmNetwork::Core::get_direct_mem_ptr(InitiatorSide& side, Payload& payload, ::tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  const AddressMap::Range range = map.range_of(address);
  dmi.init();
  const auto deny = [&] {
    dmi.init();
    dmi.set_start_address(range.first);
    dmi.set_end_address(range.last);
    dmi.allow_none();
    return false;
  };
  if (!settings.grants_dmi || !range.target) return deny();
  TargetSide& target = *targets_[index(*range.target)];
  const std::uint64_t local = range.local + (address - range.first);
  payload.set_address(local);
  const bool granted = target.forward->get_direct_mem_ptr(payload, dmi);
  payload.set_address(address);
  // What the target says, clipped to what it serves here, in the initiator's addresses.
  const std::uint64_t last_local = range.local + (range.last - range.first);
  const std::uint64_t first = std::max<std::uint64_t>(dmi.get_start_address(), range.local);
  const std::uint64_t last = std::min<std::uint64_t>(dmi.get_end_address(), last_local);
  if (first > local || last < local) return deny();
  if (granted) {
    dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (first - dmi.get_start_address()));
    dmi.set_read_latency(dmi.get_read_latency() + dmi_latency(side.id, *range.target, Access::kRead));
    dmi.set_write_latency(dmi.get_write_latency() + dmi_latency(side.id, *range.target, Access::kWrite));
    target.dmi.insert({static_cast<std::uint32_t>(index(side.id)),
                       {range.first + (first - range.local), range.first + (last - range.local)}});
  }
  dmi.set_start_address(range.first + (first - range.local));
  dmi.set_end_address(range.first + (last - range.local));
  return granted;
}

/// Told to those who hold a part of the range, in their addresses; they hold nothing of it any longer.
void TlmNetwork::Core::invalidate(TargetSide& side, std::uint64_t first, std::uint64_t last) {
  std::vector<std::pair<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>>> told;
  const auto hit = [&](std::uint64_t from, std::uint64_t to) {
    for (const auto& holder : side.dmi)
      if (holder.second.first <= to && holder.second.second >= from) told.push_back(holder);
  };
  if (!map.each_range_of(side.id, first, last, kMostRanges,
                         [&](const AddressMap::Range& range) { hit(range.first, range.last); }))
    hit(0, ~std::uint64_t{0});
  std::ranges::sort(told);
  told.erase(std::unique(told.begin(), told.end()), told.end());
  for (const auto& holder : told) side.dmi.erase(holder);
  for (const auto& [initiator, range] : told)
    initiators_[initiator]->backward->invalidate_direct_mem_ptr(range.first, range.second);
}

}  // namespace noctule::tlm
