#include "analytic/packetised.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analytic/cut_through.h"

namespace noctule {
namespace {

double real(std::uint64_t whole) noexcept {
  return static_cast<double>(whole);
}

/// The least time, if x is such that n (n + 1) >= x gives the best n were lengths no whole numbers. Whole
/// ones shift the best n by at most n / sqrt(B), or the best B by at most B / sqrt(n): all of the fewer are
/// tried.
template <class Time>
BestPacket search(double x, std::uint64_t message, Time&& time) noexcept {
  const double root = std::ceil(std::sqrt(0.25 + std::max(0.0, x)) - 0.5);
  const double n = std::max(1.0, std::min(root, real(message)));
  const double b = std::ceil(real(message) / n);
  BestPacket best{0, 0, std::numeric_limits<double>::infinity()};
  const auto around = [&](double middle, double reach, auto&& length) {
    reach = 3 + std::ceil(2 * reach);
    const auto last = static_cast<std::uint64_t>(std::min(real(message), middle + reach));
    for (auto i = static_cast<std::uint64_t>(std::max(1.0, middle - reach)); i <= last; ++i) {
      const std::uint64_t packet = length(i);
      if (const double taken = time(packet); taken < best.time)
        best = {cut_into_packets(message, packet).packets, packet, taken};
    }
  };
  if (n <= b)
    around(n, n / std::sqrt(b), [&](std::uint64_t packets) { return (message + packets - 1) / packets; });
  else
    around(b, b / std::sqrt(n), [](std::uint64_t packet) { return packet; });
  return best;
}

}  // namespace

PacketCut cut_into_packets(std::uint64_t message, std::uint64_t packet) noexcept {
  const std::uint64_t packets = (message + packet - 1) / packet;
  return {packets, message - (packets - 1) * packet};
}

double adjacent_time(const SerialLink& link, std::uint64_t message, std::uint64_t packet) noexcept {
  return link.per_unit * real(message) + real(cut_into_packets(message, packet).packets) * link.per_packet;
}

double overlapping_time(const SerialLink& link, std::uint64_t message, std::uint64_t packet,
                        std::uint64_t links) noexcept {
  return adjacent_time(link, message, packet) +
         real(links - 1) * (link.per_unit * real(std::min(packet, message)) + link.per_packet);
}

double strict_time(const SerialLink& link, std::uint64_t message, std::uint64_t packet,
                   std::uint64_t links) noexcept {
  const PacketCut cut = cut_into_packets(message, packet);
  if (links < 2 || cut.packets < 2) return overlapping_time(link, message, packet, links);
  return real(2 * (cut.packets - 1) + links - 2) * (link.per_unit * real(packet) + link.per_packet) +
         2 * (link.per_unit * real(cut.last) + link.per_packet);
}

std::uint64_t stored_cycles(std::span<const std::uint64_t> flits, std::uint64_t links,
                            std::uint64_t delay) noexcept {
  std::uint64_t sum = 0;
  std::uint64_t longest = 0;
  for (const std::uint64_t length : flits) {
    sum += length;
    longest = std::max(longest, length);
  }
  return sum + (links - 1) * (longest + delay);
}

BestPacket best_overlapping(const SerialLink& link, std::uint64_t message, std::uint64_t links) noexcept {
  return search(real(links - 1) * real(message) / link.overhead(), message,
                [&](std::uint64_t packet) { return overlapping_time(link, message, packet, links); });
}

BestPacket best_strict(const SerialLink& link, std::uint64_t message, std::uint64_t links) noexcept {
  const double between = links < 2 ? 0 : real(links - 2);
  return search(between * real(message) / (2 * link.overhead()), message,
                [&](std::uint64_t packet) { return strict_time(link, message, packet, links); });
}

double smooth_time(const SerialLink& link, double message, double packet, double links) noexcept {
  return (message / packet + links - 1) * (link.per_unit * packet + link.per_packet);
}

double smooth_best_packet(const SerialLink& link, double message, double links) noexcept {
  return best_serial_flit(message, link.overhead(), links);
}

double smooth_speed_up(double message, double packet, double links) noexcept {
  return links / (1 + links * packet / message);
}

double smooth_least_time(const SerialLink& link, double message, double links) noexcept {
  const double root = 1 + std::sqrt(link.overhead() * (links - 1) / message);
  return link.per_unit * message * root * root;
}

double large_least_time(const SerialLink& link, double message, double links) noexcept {
  return link.per_unit * (message + 2 * std::sqrt(link.overhead() * message * (links - 1)));
}

}  // namespace noctule
