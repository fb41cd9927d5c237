#include "run/job_message.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/json.h"
#include "core/rng.h"

namespace noctule {
namespace {

constexpr std::uint32_t kMagic = 0x4e4f4354;

std::uint64_t checksum(MessageKind kind, std::string_view payload) noexcept {
  return hash_name(payload) ^ mix64(static_cast<std::uint64_t>(kind) + 1);
}

bool write_all(int fd, const char* bytes, std::size_t size) noexcept {
  while (size > 0) {
    const auto written = ::write(fd, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

std::array<char, sizeof(MessageHeader)> message_header(MessageKind kind, std::string_view payload) {
  const MessageHeader header{kMagic, kind, payload.size(), checksum(kind, payload)};
  std::array<char, sizeof header> bytes;
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

bool write_message(int fd, MessageKind kind, std::string_view payload) noexcept {
  const auto header = message_header(kind, payload);
  return write_all(fd, header.data(), header.size()) && write_all(fd, payload.data(), payload.size());
}

void MessageReader::append(std::string_view bytes) {
  if (!damaged_) bytes_ += bytes;
}

std::optional<JobMessage> MessageReader::next() {
  MessageHeader header;
  if (damaged_ || bytes_.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes_.data(), sizeof header);
  damaged_ = header.magic != kMagic;
  if (damaged_ || bytes_.size() - sizeof header < header.length) return std::nullopt;
  const auto size = static_cast<std::size_t>(header.length);
  JobMessage message{header.kind, bytes_.substr(sizeof header, size)};
  bytes_.erase(0, sizeof header + size);
  damaged_ = header.checksum != checksum(message.kind, message.payload);
  if (damaged_) return std::nullopt;
  return message;
}

std::string pack_diagnostics(const std::vector<Diagnostic>& diagnostics) {
  Json list = Json::array();
  for (const auto& d : diagnostics) list.push_back({d.key, d.message, d.place});
  std::string bytes;
  Json::to_msgpack(list, bytes);
  return bytes;
}

std::optional<std::vector<Diagnostic>> unpack_diagnostics(std::string_view bytes) {
  const auto list = Json::from_msgpack(bytes.begin(), bytes.end(), true, false);
  if (!list.is_array()) return std::nullopt;
  std::vector<Diagnostic> diagnostics;
  for (const auto& d : list) {
    const bool texts = d.is_array() && d.size() == 3 &&
                       std::ranges::all_of(d, [](const Json& text) { return text.is_string(); });
    if (!texts) return std::nullopt;
    diagnostics.push_back({d[0].get<std::string>(), d[1].get<std::string>(), d[2].get<std::string>()});
  }
  return diagnostics;
}

}  // namespace noctule
