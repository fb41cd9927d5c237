#include "run/process_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "core/unique_fd.h"
#include "run/child_process.h"
#include "run/job_message.h"

namespace noctule {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTick{100};
constexpr std::chrono::milliseconds kReapInterval{1};
constexpr std::size_t kChunk = std::size_t{64} * 1024;

bool running = false;  ///< a pool; children have none
struct OnExit {
  ~OnExit() { running = false; }
};

struct Child {
  std::size_t job = 0;
  pid_t pid = 0;
  UniqueFd pipe;  ///< closed when its writer has closed it
  MessageReader reader;
  std::optional<JobMessage> last;  ///< anything but progress
  bool told_to_stop = false;
};

/// One run of a pool.
class PoolRun {
 public:
  PoolRun(const PoolOptions& options, const std::vector<Job>& jobs, const PoolCallbacks& callbacks)
      : options_(options), jobs_(jobs), callbacks_(callbacks), chunk_(kChunk, '\0') {
    queue_.resize(jobs.size());
    std::iota(queue_.begin(), queue_.end(), std::size_t{0});
    if (options.longest_first)
      std::stable_sort(queue_.begin(), queue_.end(),
                       [&](std::size_t a, std::size_t b) { return jobs[a].cost > jobs[b].cost; });
  }
  PoolRun(const PoolRun&) = delete;
  PoolRun& operator=(const PoolRun&) = delete;
  ~PoolRun() {
    signal_children(SIGKILL);
    for (const auto& child : running_)
      while (::waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) {
      }
  }

  PoolResult run();

 private:
  void start_jobs();
  bool start(std::size_t job);
  void wait_for_news();
  void handle_signals();
  void read_from(Child& child);
  void interpret(Child& child);
  void reap();
  void deliver_unstarted();
  [[nodiscard]] Outcome outcome_of(Child& child, int status) const;
  [[nodiscard]] std::chrono::milliseconds patience() const;
  void signal_children(int signal);

  const PoolOptions& options_;
  const std::vector<Job>& jobs_;
  const PoolCallbacks& callbacks_;
  StopSignals signals_;
  std::vector<std::size_t> queue_;
  std::size_t next_ = 0;  ///< in queue_
  std::vector<Child> running_;
  std::string chunk_;
  int signals_handled_ = 0;
  std::optional<Clock::time_point> kill_at_;
};

PoolResult PoolRun::run() {
  for (;;) {
    handle_signals();
    if (signals_handled_ == 0) start_jobs();
    if (running_.empty() && (next_ == queue_.size() || signals_handled_ > 0)) break;
    wait_for_news();
    reap();
    if (callbacks_.tick) callbacks_.tick();
  }
  deliver_unstarted();
  return {signals_.count() > 0, signals_.first()};
}

void PoolRun::start_jobs() {
  while (next_ < queue_.size() && running_.size() < options_.processes && signals_.count() == 0) {
    const std::size_t job = queue_[next_];
    if (!start(job)) {
      const int error = errno;
      if (!running_.empty()) return;  // tried again when a child has ended
      throw ConfigError("threads", std::string("cannot start a process for a point: ") +
                                       std::strerror(error) +
                                       "; raise the limits of processes and open files, or free memory");
    }
    ++next_;
    if (callbacks_.started) callbacks_.started(job);
  }
}

bool PoolRun::start(std::size_t job) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  running_.reserve(running_.size() + 1);
  flush_streams();
  const pid_t pid = signals_.fork_child();
  if (pid < 0) {
    const int error = errno;
    read_end.reset();
    write_end.reset();
    errno = error;
    return false;
  }
  if (pid == 0) {
    read_end.reset();
    for (auto& sibling : running_) sibling.pipe.reset();
    running = false;
    run_child(jobs_[job], write_end.get());
  }
  ::fcntl(read_end.get(), F_SETFL, O_NONBLOCK);
  Child child;
  child.job = job;
  child.pid = pid;
  child.pipe = std::move(read_end);
  running_.push_back(std::move(child));
  return true;
}

std::chrono::milliseconds PoolRun::patience() const {
  auto wait = kTick;
  for (const auto& child : running_)
    if (!child.pipe.valid()) wait = kReapInterval;
  if (kill_at_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*kill_at_ - Clock::now());
    wait = std::clamp(left, std::chrono::milliseconds{0}, wait);
  }
  return wait;
}

void PoolRun::wait_for_news() {
  std::vector<pollfd> fds{{signals_.fd(), POLLIN, 0}};
  for (const auto& child : running_) fds.push_back({child.pipe.get(), POLLIN, 0});  // poll skips -1
  if (::poll(fds.data(), fds.size(), static_cast<int>(patience().count())) <= 0) return;
  for (std::size_t i = 0; i < running_.size(); ++i)
    if (fds[i + 1].revents != 0) read_from(running_[i]);
}

void PoolRun::handle_signals() {
  signals_.drain();
  const int count = signals_.count();
  if (count > 0 && signals_handled_ == 0) {
    signal_children(SIGTERM);
    kill_at_ = Clock::now() + options_.grace;
  }
  if (count > 1 || (kill_at_ && Clock::now() >= *kill_at_)) {
    signal_children(SIGKILL);
    kill_at_.reset();
  }
  signals_handled_ = count;
}

void PoolRun::signal_children(int signal) {
  for (auto& child : running_) {
    child.told_to_stop = true;
    ::kill(child.pid, signal);
  }
}

void PoolRun::read_from(Child& child) {
  while (child.pipe.valid()) {
    const auto size = ::read(child.pipe.get(), chunk_.data(), chunk_.size());
    if (size > 0) {
      child.reader.append(std::string_view(chunk_.data(), static_cast<std::size_t>(size)));
      interpret(child);
    } else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
      child.pipe.reset();
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

void PoolRun::interpret(Child& child) {
  while (auto message = child.reader.next()) {
    if (message->kind != MessageKind::kProgress) {
      child.last = std::move(message);
      continue;
    }
    double fraction = 0;
    if (message->payload.size() != sizeof fraction) continue;
    std::memcpy(&fraction, message->payload.data(), sizeof fraction);
    if (callbacks_.progressed) callbacks_.progressed(child.job, fraction);
  }
}

void PoolRun::reap() {
  for (std::size_t i = 0; i < running_.size();) {
    int status = 0;
    const pid_t pid = ::waitpid(running_[i].pid, &status, WNOHANG);
    if (pid == 0 || (pid < 0 && errno == EINTR)) {
      ++i;
      continue;
    }
    // From here on the number may belong to another process: the child leaves the list before any callback.
    auto child = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    read_from(child);
    auto outcome = outcome_of(child, status);
    if (callbacks_.finished) callbacks_.finished(std::move(outcome));
  }
}

Outcome PoolRun::outcome_of(Child& child, int status) const {
  Outcome outcome;
  outcome.job = child.job;
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  const bool damaged = child.reader.damaged();
  const bool killed = outcome.signal == SIGKILL || outcome.signal == SIGTERM;
  if (!child.last || damaged || outcome.signal != 0) {
    const bool stopped = child.told_to_stop && killed;
    outcome.kind = stopped ? Outcome::kInterrupted : Outcome::kCrashed;
    outcome.message = end_of_child(jobs_[child.job].name, outcome.signal, outcome.exit_code, damaged);
    if (stopped) outcome.message = jobs_[child.job].name + ": interrupted";
    return outcome;
  }
  auto& payload = child.last->payload;
  switch (child.last->kind) {
    case MessageKind::kDone:
      outcome.kind = Outcome::kDone;
      outcome.record = std::move(payload);
      break;
    case MessageKind::kConfigError:
      outcome.kind = Outcome::kConfigError;
      outcome.diagnostics = unpack_diagnostics(payload).value_or(std::vector<Diagnostic>{});
      outcome.message = ConfigError(outcome.diagnostics).what();
      break;
    case MessageKind::kStopped:
      outcome.kind = Outcome::kInterrupted;
      outcome.message = jobs_[child.job].name + ": interrupted";
      break;
    case MessageKind::kInternalError:
    case MessageKind::kProgress:
      outcome.kind = Outcome::kInternalError;
      outcome.message = jobs_[child.job].name + ": " + payload;
      break;
  }
  return outcome;
}

void PoolRun::deliver_unstarted() {
  for (; next_ < queue_.size(); ++next_) {
    Outcome outcome;
    outcome.job = queue_[next_];
    outcome.kind = Outcome::kInterrupted;
    outcome.message = jobs_[outcome.job].name + ": not started";
    if (callbacks_.finished) callbacks_.finished(std::move(outcome));
  }
}

}  // namespace

ProcessPool::ProcessPool(PoolOptions options) : options_(options) {
  if (options_.processes == 0) throw ConfigError("threads", "0 given; at least 1 is needed");
}

PoolResult ProcessPool::run(const std::vector<Job>& jobs, const PoolCallbacks& callbacks) const {
  if (std::exchange(running, true)) throw InternalError("two process pools run at once in one process");
  const OnExit over{};
  return PoolRun(options_, jobs, callbacks).run();
}

}  // namespace noctule
