#pragma once
// What the tests of the process pool share.

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "run/process_pool.h"

namespace noctule::run_test {

inline Job job(std::string name, std::function<std::string()> work, double cost = 1) {
  return {std::move(name), [work = std::move(work)](const ReportProgress&) { return work(); }, cost};
}

/// Runs the jobs and keeps what comes.
struct Collected {
  std::map<std::size_t, Outcome> outcomes;
  std::vector<std::size_t> order;
  std::size_t deliveries = 0;
  PoolResult result;
};

inline Collected collect(const std::vector<Job>& jobs, PoolOptions options, PoolCallbacks callbacks = {}) {
  Collected all;
  callbacks.finished = [&all, then = callbacks.finished](Outcome outcome) {
    ++all.deliveries;
    all.order.push_back(outcome.job);
    all.outcomes[outcome.job] = outcome;
    if (then) then(std::move(outcome));
  };
  all.result = ProcessPool(options).run(jobs, callbacks);
  return all;
}

inline PoolOptions processes(unsigned n) {
  PoolOptions options;
  options.processes = n;
  return options;
}

inline PoolOptions impatient(unsigned n) {
  auto options = processes(n);
  options.grace = std::chrono::milliseconds{30};
  return options;
}

/// Is there no child of this process, running or dead?
inline bool childless() {
  return ::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD;
}

/// A pipe whose reader learns when the last process that holds the other end is gone.
class Witness {
 public:
  Witness() { valid_ = ::pipe(ends_) == 0; }
  ~Witness() {
    ::close(ends_[0]);
    release();
  }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  void say() const {
    const char byte = '!';
    if (::write(ends_[1], &byte, 1) != 1) ::_exit(99);
  }
  /// Waits for `count` processes to have said something.
  [[nodiscard]] bool hear(int count) const {
    char byte = 0;
    while (count > 0 && ready() && ::read(ends_[0], &byte, 1) == 1) --count;
    return count == 0;
  }
  void release() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  /// After release: have all the others gone within ten seconds?
  [[nodiscard]] bool alone() const {
    char byte = 0;
    ssize_t got = 1;
    while (got > 0 && ready()) got = ::read(ends_[0], &byte, 1);
    return got == 0;
  }

 private:
  [[nodiscard]] bool ready() const {
    pollfd fd{ends_[0], POLLIN, 0};
    int ready = valid_ ? -1 : 0;
    while (ready < 0) {
      ready = ::poll(&fd, 1, 10000);
      if (ready < 0 && errno != EINTR) return false;
    }
    return ready == 1;
  }
  int ends_[2] = {-1, -1};
  bool valid_ = false;
};

[[noreturn]] inline std::string sleep_for_ever() {
  for (;;) ::pause();
}

}  // namespace noctule::run_test
