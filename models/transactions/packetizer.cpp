#include "transactions/packetizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace noctule {
namespace {

constexpr std::uint64_t ceil_divide(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

void check_range(const char* key, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value < low || value > high)
    throw ConfigError(fmt::format("tlm.packet.{}", key),
                      fmt::format("{} is given; {} to {} are possible", value, low, high));
}

}  // namespace

Packetizer::Packetizer(const PacketFormat& format) : format_(format) {
  check_range("flit_bytes", format.flit_bytes, 1, 4096);
  check_range("address_bits", format.address_bits, 1, 64);
  check_range("length_bits", format.length_bits, 1,
              28);  // 2^28 flits of a byte and their header fit a packet
  check_range("id_bits", format.id_bits, 0, 32);
}

std::uint64_t Packetizer::flits_of_bits(std::uint64_t bits) const {
  return ceil_divide(bits, std::uint64_t{8} * format_.flit_bytes);
}

std::uint64_t Packetizer::data_flits(const Burst& burst) const {
  const std::uint64_t lane = burst.address % format_.flit_bytes;
  const std::uint32_t width = burst.width();
  if (width == 0) return 0;
  const std::uint64_t beats = burst.length / width;
  const std::uint64_t rest = burst.length % width;
  return beats * ceil_divide(lane + width, format_.flit_bytes) +
         (rest == 0 ? 0 : ceil_divide(lane + rest, format_.flit_bytes));
}

std::uint32_t Packetizer::request_flits(const Burst& burst) const {
  std::uint64_t header =
      PacketFormat::kCommandBits + format_.address_bits + format_.length_bits + format_.id_bits;
  if (burst.width() < burst.length) header += format_.length_bits;
  std::uint64_t flits =
      flits_of_bits(header) + flits_of_bits(std::min(burst.byte_enable_length, burst.length));
  if (burst.access == Access::kWrite) flits += data_flits(burst);
  return static_cast<std::uint32_t>(flits);
}

std::uint32_t Packetizer::response_flits(const Burst& burst) const {
  std::uint64_t flits =
      flits_of_bits(PacketFormat::kCommandBits + PacketFormat::kStatusBits + format_.id_bits);
  if (burst.access == Access::kRead) flits += data_flits(burst);
  return static_cast<std::uint32_t>(flits);
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
