// Does the progress line say what is true, and nothing where nobody looks?

#include "run/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

namespace noctule {
namespace {

TEST(Durations, AreRoundedToWhatMatters) {
  const std::vector<std::pair<double, std::string>> cases{
      {-1, "0 s"},
      {0.4, "0 s"},
      {59.4, "59 s"},
      {59.6, "1 min"},
      {130, "2 min 10 s"},
      {124, "2 min"},
      {3594, "59 min 50 s"},
      {3596, "1 h"},
      {4800, "1 h 20 min"},
      {86399, "1 d"},
      {2 * 86400 + 3 * 3600, "2 d 3 h"},
      {std::nan(""), "0 s"},
      {std::numeric_limits<double>::infinity(), "1000 d"}};
  for (const auto& [seconds, text] : cases) EXPECT_EQ(duration_text(seconds), text) << seconds;
}

TEST(ProgressText, CountsAndEstimates) {
  ProgressEstimate estimate({1, 1, 2, 4}, 100);
  EXPECT_EQ(estimate.text(100), "0/4 points, 0 running, 0 %");
  estimate.start(0);
  estimate.start(2);
  estimate.finish(0);
  estimate.progress(2, 0.5);
  EXPECT_DOUBLE_EQ(estimate.fraction(), 0.25);
  EXPECT_EQ(estimate.text(140), "1/4 points, 1 running, 25 %, about 2 min left");
  estimate.finish(2, true);
  EXPECT_EQ(estimate.text(145), "2/4 points (1 failed), 0 running, 37 %, about 1 min 20 s left");
  estimate.finish(1);
  estimate.finish(3);
  EXPECT_EQ(estimate.text(200), "4/4 points (1 failed), 0 running, 100 %, about 0 s left");
}

TEST(ProgressText, NoEstimateFromNothing) {
  ProgressEstimate estimate({1, 1}, 0);
  estimate.start(0);
  EXPECT_FALSE(estimate.seconds_left(1000));
  estimate.progress(0, 0.5);
  EXPECT_FALSE(estimate.seconds_left(0.5));
  ASSERT_TRUE(estimate.seconds_left(10));
  EXPECT_DOUBLE_EQ(*estimate.seconds_left(10), 30);
}

TEST(ProgressText, PointsOfAnEarlierRunSayNothingAboutTheSpeed) {
  ProgressEstimate estimate({1, 1, 1, 1}, 0);
  estimate.skip(0);
  estimate.skip(1);
  EXPECT_FALSE(estimate.seconds_left(100));
  estimate.start(2);
  estimate.finish(2);
  EXPECT_DOUBLE_EQ(*estimate.seconds_left(100), 100);
  EXPECT_EQ(estimate.text(100), "3/4 points, 0 running, 75 %, about 1 min 40 s left");
}

TEST(ProgressText, UselessCostsAndFractions) {
  for (const double cost : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    ProgressEstimate estimate({cost, 1}, 0);
    estimate.finish(0);
    estimate.progress(1, std::nan(""));
    EXPECT_DOUBLE_EQ(estimate.fraction(), 0.5) << cost;
    estimate.progress(1, 7);
    EXPECT_DOUBLE_EQ(estimate.fraction(), 1);
  }
  const ProgressEstimate none({}, 0);
  EXPECT_EQ(none.text(5), "0/0 points, 0 running, 100 %");
}

/// A terminal of which we see what is written to it.
class Terminal {
 public:
  explicit Terminal(unsigned short columns) : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    stream_ = std::fopen(::ptsname(master_), "r+");
    if (stream_ == nullptr) return;
    const winsize size{24, columns, 0, 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
  }
  ~Terminal() {
    if (stream_ != nullptr) std::fclose(stream_);
    ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  [[nodiscard]] std::FILE* stream() const { return stream_; }
  [[nodiscard]] std::string seen() const {
    char bytes[4096];
    const auto size = ::read(master_, bytes, sizeof bytes);
    return size > 0 ? std::string(bytes, static_cast<std::size_t>(size)) : "";
  }

 private:
  int master_;
  std::FILE* stream_ = nullptr;
};

TEST(ProgressOnATerminal, IsOneLineRewrittenAtALimitedRate) {
  const Terminal terminal(100);
  if (terminal.stream() == nullptr) GTEST_SKIP() << "no pseudo-terminals here";
  {
    ProgressLine line({1, 1}, false, terminal.stream());
    for (int i = 0; i < 100; ++i) line.tick();
    EXPECT_EQ(terminal.seen(), "\r0/2 points, 0 running, 0 %\x1b[K");
    line.clear();
    line.clear();
    EXPECT_EQ(terminal.seen(), "\r\x1b[K");
    line.tick();
    EXPECT_NE(terminal.seen(), "");
  }
  EXPECT_EQ(terminal.seen(), "\r\x1b[K");
}

TEST(ProgressOnATerminal, IsNeverWiderThanTheTerminal) {
  const Terminal terminal(12);
  if (terminal.stream() == nullptr) GTEST_SKIP() << "no pseudo-terminals here";
  ProgressLine line({1, 1}, false, terminal.stream());
  line.tick();
  EXPECT_EQ(terminal.seen(), "\r0/2 points,\x1b[K");
}

TEST(ProgressOnATerminal, QuietIsQuiet) {
  const Terminal terminal(100);
  if (terminal.stream() == nullptr) GTEST_SKIP() << "no pseudo-terminals here";
  {
    ProgressLine line({1, 1}, true, terminal.stream());
    line.tick();
    line.clear();
  }
  EXPECT_EQ(terminal.seen(), "");
}

/// What a stream that is no terminal has been given.
std::string written(std::FILE* file) {
  std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

TEST(ProgressInAFile, IsALineAtTheStartOnePerIntervalAndOneAtTheEndIfAsked) {
  using Interval = std::chrono::milliseconds;
  const std::string start = "0/2 points, 0 running, 0 %\n";
  for (const auto& [interval, quiet, text] : {std::tuple{Interval(1'000'000), false, start + start},
                                              {Interval(0), false, start + start + start + start},
                                              {Interval(0), true, std::string()}}) {
    std::FILE* file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    ProgressLine line({1, 1}, quiet, file, interval);
    for (int i = 0; i < 3; ++i) {
      line.tick();
      line.clear();  // nothing to take away
    }
    line.end();
    line.tick();
    EXPECT_EQ(written(file), text) << interval.count();
    std::fclose(file);
  }
  EXPECT_EQ(ProgressLine::kPlainInterval, std::chrono::seconds(30));
}

TEST(ProgressInAFile, WritesNothing) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    ProgressLine line({1, 1}, false, file);
    line.tick();
    line.clear();
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace noctule
