#include "transactions/packetizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace noctule {
namespace {

void check_range(const char* key, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value < low || value > high)
    throw ConfigError(fmt::format("tlm.packet.{}", key),
                      fmt::format("{} is given; {} to {} are possible", value, low, high));
}

const PacketFormat& checked(const PacketFormat& format) {
  check_range("flit_bytes", format.flit_bytes, 1, 4096);
  check_range("address_bits", format.address_bits, 1, 64);
  check_range("length_bits", format.length_bits, 1,
              28);  // 2^28 flits of a byte and their header fit a packet
  check_range("id_bits", format.id_bits, 0, 32);
  return format;
}

}  // namespace

Packetizer::Packetizer(const PacketFormat& format)
    : format_(checked(format)), flit_bytes_(format.flit_bytes) {
  const unsigned request =
      PacketFormat::kCommandBits + format.address_bits + format.length_bits + format.id_bits;
  request_header_ = flits_of_bits(request);
  streaming_header_ = flits_of_bits(request + format.length_bits);
  response_header_ = flits_of_bits(PacketFormat::kCommandBits + PacketFormat::kStatusBits + format.id_bits);
}

std::uint64_t Packetizer::flits_of_bits(std::uint64_t bits) const {
  return Divisor(std::uint64_t{8} * format_.flit_bytes).divide_up(bits);
}

std::uint64_t Packetizer::data_flits(const Burst& burst) const {
  const std::uint64_t lane = flit_bytes_.remainder(burst.address);
  const std::uint32_t width = burst.width();
  if (width == 0) return 0;
  if (width == burst.length) return flit_bytes_.divide_up(lane + width);
  const std::uint64_t beats = burst.length / width;
  const std::uint64_t rest = burst.length % width;
  return beats * flit_bytes_.divide_up(lane + width) + (rest == 0 ? 0 : flit_bytes_.divide_up(lane + rest));
}

std::uint32_t Packetizer::request_flits(const Burst& burst) const {
  std::uint64_t flits = burst.width() < burst.length ? streaming_header_ : request_header_;
  if (burst.byte_enable_length != 0) flits += flits_of_bits(std::min(burst.byte_enable_length, burst.length));
  if (burst.access == Access::kWrite) flits += data_flits(burst);
  return static_cast<std::uint32_t>(flits);
}

std::uint32_t Packetizer::response_flits(const Burst& burst) const {
  return static_cast<std::uint32_t>(response_header_ +
                                    (burst.access == Access::kRead ? data_flits(burst) : 0));
}

std::optional<CutFault> cut(const Burst& burst, const AddressMap& map, std::uint64_t most_bytes, bool split,
                            std::vector<Piece>& pieces) {
  pieces.clear();
  const std::uint32_t width = burst.width();
  const auto first = map.find(burst.address);
  if (!first) return CutFault::kUnmapped;
  if (burst.access == Access::kNothing || burst.length == 0) {
    pieces.push_back({first->target, first->address, 0, burst.length, width});
    return std::nullopt;
  }
  if (width - 1 > ~std::uint64_t{0} - burst.address) return CutFault::kUnmapped;
  const auto reaches = [](const AddressMap::Place& place, std::uint64_t bytes) {
    return place.contiguous - 1 >= bytes - 1;  // contiguous 0: 2^64
  };
  if (reaches(*first, width) && burst.length <= most_bytes) {
    pieces.push_back({first->target, first->address, 0, burst.length, width});
    return std::nullopt;
  }
  if (reaches(*first, width) && width <= most_bytes) {
    // Whole beats, as many as fit, so that the next piece begins with one.
    const std::uint64_t most = most_bytes / width * width;
    for (std::uint32_t done = 0; done < burst.length;) {
      const std::uint32_t left = burst.length - done;
      const auto length = static_cast<std::uint32_t>(left <= most_bytes ? left : most);
      pieces.push_back({first->target, first->address, done, length, std::min(width, length)});
      done += length;
    }
    return split ? std::nullopt : std::optional(CutFault::kTooLarge);
  }
  for (std::uint32_t done = 0; done < burst.length;) {
    const std::uint32_t in_beat = done % width;
    const auto place = map.find(burst.address + in_beat);
    if (!place) return CutFault::kUnmapped;
    std::uint64_t bytes = std::min<std::uint64_t>({width - in_beat, burst.length - done, most_bytes});
    if (!reaches(*place, bytes)) bytes = place->contiguous;
    const auto length = static_cast<std::uint32_t>(bytes);
    pieces.push_back({place->target, place->address, done, length, length});
    done += length;
  }
  if (!split && pieces.size() > 1) return CutFault::kTooLarge;
  return std::nullopt;
}

}  // namespace noctule
