#include "run/child_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string_view>

#include "run/job_message.h"

namespace noctule {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kProgressInterval{100};

/// The child's end of ReportProgress.
class ProgressSender {
 public:
  explicit ProgressSender(int fd) : fd_(fd) {}

  void operator()(double fraction) {
    const auto now = Clock::now();
    if (std::isnan(fraction) || (sent_ && now - *sent_ < kProgressInterval)) return;
    sent_ = now;
    fraction = std::clamp(fraction, 0.0, 1.0);
    char bytes[sizeof fraction];
    std::memcpy(bytes, &fraction, sizeof fraction);
    write_message(fd_, MessageKind::kProgress, std::string_view(bytes, sizeof bytes));
  }

 private:
  int fd_;
  std::optional<Clock::time_point> sent_;
};

/// Standard output belongs to the parent alone, the terminal's input to nobody.
void redirect_standard_streams() {
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0) return;
  ::dup2(nothing, STDIN_FILENO);
  if (nothing != STDIN_FILENO) ::close(nothing);
}

JobMessage perform(const Job& job, int fd) {
  try {
    auto record = job.work(ProgressSender(fd));
    if (stop_noticed()) return {MessageKind::kStopped, {}};
    return {MessageKind::kDone, std::move(record)};
  } catch (const ConfigError& error) {
    return {MessageKind::kConfigError, pack_diagnostics(error.diagnostics())};
  } catch (const std::bad_alloc&) {
    return {MessageKind::kInternalError,
            "out of memory; make the fabric smaller, or run fewer points at once (--threads)"};
  } catch (const std::exception& error) {
    return {MessageKind::kInternalError, error.what()};
  } catch (...) {
    return {MessageKind::kInternalError, "something was thrown that is no std::exception"};
  }
}

int exit_code(MessageKind kind) {
  switch (kind) {
    case MessageKind::kConfigError:
      return 2;
    case MessageKind::kInternalError:
      return 3;
    case MessageKind::kStopped:
      return 130;
    case MessageKind::kDone:
    case MessageKind::kProgress:
      break;
  }
  return 0;
}

}  // namespace

void flush_streams() {
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
}

void run_child(const Job& job, int fd) noexcept {
  redirect_standard_streams();
  const auto message = perform(job, fd);
  flush_streams();
  const bool sent = write_message(fd, message.kind, message.payload);
  ::_exit(sent ? exit_code(message.kind) : 1);
}

std::string end_of_child(const std::string& name, int signal, int exit_code, bool damaged) {
  if (signal != 0) {
    const char* words = ::strsignal(signal);
    std::string text = name + ": lost: its process was ended by signal " + std::to_string(signal);
    if (words != nullptr) text += std::string(" (") + words + ")";
    if (signal == SIGKILL)
      text += "; the system does that when memory runs out: then fewer at once (--threads) may help";
    return text;
  }
  if (damaged) return name + ": lost: its result arrived damaged";
  return name + ": lost: its process ended with exit code " + std::to_string(exit_code) +
         " and without a result";
}

}  // namespace noctule
