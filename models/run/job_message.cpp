#include "run/job_message.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

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

void put_text(std::string& bytes, const std::string& text) {
  const std::uint64_t size = text.size();
  char raw[sizeof size];
  std::memcpy(raw, &size, sizeof size);
  bytes.append(raw, sizeof raw);
  bytes += text;
}

bool take_text(std::string_view& bytes, std::string& text) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) return false;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (bytes.size() < size) return false;
  text.assign(bytes.substr(0, size));
  bytes.remove_prefix(size);
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
  std::string bytes;
  for (const auto& d : diagnostics)
    for (const auto* text : {&d.key, &d.message, &d.place}) put_text(bytes, *text);
  return bytes;
}

std::optional<std::vector<Diagnostic>> unpack_diagnostics(std::string_view bytes) {
  std::vector<Diagnostic> diagnostics;
  while (!bytes.empty()) {
    Diagnostic d;
    for (auto* text : {&d.key, &d.message, &d.place})
      if (!take_text(bytes, *text)) return std::nullopt;
    diagnostics.push_back(std::move(d));
  }
  return diagnostics;
}

}  // namespace noctule
