#pragma once
// What a child process tells its parent through a pipe: frames of a fixed header (kind, length, checksum) and
// a payload. Both ends are the same program on the same machine: the header is in its own byte order. By
// hand, because a child that is out of memory still has to say so: what libraries frame they allocate. What
// is in a payload, libraries write: JSON, and MessagePack for texts that need not be UTF-8.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace noctule {

enum class MessageKind : std::uint32_t {
  kProgress,       ///< payload: a double, the fraction done
  kDone,           ///< payload: the record
  kConfigError,    ///< payload: pack_diagnostics
  kInternalError,  ///< payload: text
  kStopped         ///< the work noticed the request to stop and left early; no payload
};

struct JobMessage {
  MessageKind kind = MessageKind::kProgress;
  std::string payload;
};

struct MessageHeader {
  std::uint32_t magic = 0;
  MessageKind kind = MessageKind::kProgress;
  std::uint64_t length = 0;    ///< of the payload, in bytes
  std::uint64_t checksum = 0;  ///< over kind and payload
};

/// The bytes that go before the payload.
[[nodiscard]] std::array<char, sizeof(MessageHeader)> message_header(MessageKind kind,
                                                                     std::string_view payload);

/// Writes a whole message to a blocking descriptor; false if the reader is gone. Allocates nothing.
bool write_message(int fd, MessageKind kind, std::string_view payload) noexcept;

/// Puts messages together from pieces of any size.
class MessageReader {
 public:
  void append(std::string_view bytes);
  /// The next message that is complete and undamaged.
  [[nodiscard]] std::optional<JobMessage> next();
  /// What arrived is not what was sent; nothing comes after that.
  [[nodiscard]] bool damaged() const noexcept { return damaged_; }
  /// Bytes wait for the rest of their message.
  [[nodiscard]] bool incomplete() const noexcept { return !bytes_.empty(); }

 private:
  std::string bytes_;
  bool damaged_ = false;
};

/// As MessagePack.
[[nodiscard]] std::string pack_diagnostics(const std::vector<Diagnostic>& diagnostics);
/// Nothing, if the bytes are no packed diagnostics.
[[nodiscard]] std::optional<std::vector<Diagnostic>> unpack_diagnostics(std::string_view bytes);

}  // namespace noctule
