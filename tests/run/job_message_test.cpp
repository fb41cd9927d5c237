// Do messages survive any cutting of the stream, and is damage noticed?

#include "run/job_message.h"

#include <gtest/gtest.h>

namespace noctule {
namespace {

std::string framed(MessageKind kind, const std::string& payload) {
  const auto header = message_header(kind, payload);
  return std::string(header.data(), header.size()) + payload;
}

TEST(JobMessages, AreCompleteOrNotThere) {
  const auto stream = framed(MessageKind::kProgress, "12345678") + framed(MessageKind::kDone, "");
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    MessageReader reader;
    std::vector<JobMessage> messages;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      reader.append(std::string_view(stream).substr(at, piece));
      while (auto message = reader.next()) messages.push_back(*message);
    }
    ASSERT_EQ(messages.size(), 2U) << piece;
    EXPECT_EQ(messages[0].kind, MessageKind::kProgress);
    EXPECT_EQ(messages[0].payload, "12345678");
    EXPECT_EQ(messages[1].kind, MessageKind::kDone);
    EXPECT_FALSE(reader.incomplete());
    EXPECT_FALSE(reader.damaged());
  }
}

TEST(JobMessages, ACutStreamGivesNothing) {
  const auto stream = framed(MessageKind::kDone, "record");
  for (std::size_t size = 1; size < stream.size(); ++size) {
    MessageReader reader;
    reader.append(stream.substr(0, size));
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.incomplete());
  }
}

TEST(JobMessages, EveryFlippedBitIsNoticed) {
  const auto stream = framed(MessageKind::kDone, "record");
  for (std::size_t bit = 0; bit < 8 * stream.size(); ++bit) {
    auto bytes = stream;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    MessageReader reader;
    reader.append(bytes);
    EXPECT_FALSE(reader.next()) << bit;
  }
}

TEST(JobMessages, NothingComesAfterDamage) {
  MessageReader reader;
  auto bad = framed(MessageKind::kDone, "record");
  bad.back() = 'x';
  reader.append(bad + framed(MessageKind::kDone, "good"));
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.damaged());
  reader.append(framed(MessageKind::kDone, "good"));
  EXPECT_FALSE(reader.next());
}

TEST(JobMessages, CutDiagnosticsAreRefused) {
  const auto bytes = pack_diagnostics({{"key", "message", "place"}, {"", "", ""}});
  ASSERT_TRUE(unpack_diagnostics(bytes));
  EXPECT_EQ(unpack_diagnostics(bytes)->size(), 2U);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(unpack_diagnostics(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(unpack_diagnostics(bytes + "x"));
  EXPECT_FALSE(unpack_diagnostics("\x91\x01"));  // a list, but of no texts
}

TEST(JobMessages, DiagnosticsNeedNotBeText) {
  const auto packed = pack_diagnostics({{"key", "a name \xff", std::string("a\0b", 3)}});
  const auto again = unpack_diagnostics(packed);
  ASSERT_TRUE(again && again->size() == 1);
  EXPECT_EQ(again->front().message, "a name \xff");
  EXPECT_EQ(again->front().place, std::string("a\0b", 3));
}

}  // namespace
}  // namespace noctule
