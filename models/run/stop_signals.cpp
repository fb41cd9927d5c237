#include "run/stop_signals.h"

#include <fcntl.h>
#include <sys/prctl.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "core/error.h"

namespace noctule {
namespace {

// A signal handler has no argument of ours: what it touches has to be static.
std::atomic<int> signals_seen{0};
std::atomic<int> first_signal{0};
std::atomic<int> wake_up_fd{-1};
std::atomic<bool> asked_to_stop{false};
std::atomic<bool> noticed_stop{false};
const StopSignals* in_use = nullptr;  ///< the outermost one; no handler looks at it
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr int kPatience = 2;  ///< signals that are only counted

extern "C" void noctule_count_signal(int signal) {
  const int saved = errno;
  const int seen = ++signals_seen;
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
  if (seen > kPatience) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  }
  const char byte = 0;
  if (::write(wake_up_fd, &byte, 1) < 0) errno = saved;  // a full pipe wakes up just as well
  errno = saved;
}

extern "C" void noctule_note_stop(int) {
  asked_to_stop = true;
}

void set_action(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  if (in_use != nullptr) {
    outermost_ = in_use;
    return;
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    throw ConfigError("threads", std::string("cannot make a pipe: ") + std::strerror(errno));
  in_use = this;
  read_end_ = UniqueFd(ends[0]);
  write_end_ = UniqueFd(ends[1]);
  signals_seen = 0;
  first_signal = 0;
  wake_up_fd = ends[1];
  for (std::size_t i = 0; i < kCaught.size(); ++i) {
    ::sigaction(kCaught[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) set_action(kCaught[i], noctule_count_signal);
  }
  ::sigaction(SIGCHLD, nullptr, &child_before_);
  set_action(SIGCHLD, SIG_DFL);
}

StopSignals::~StopSignals() {
  if (outermost_ != this) return;
  for (std::size_t i = 0; i < kCaught.size(); ++i) ::sigaction(kCaught[i], &before_[i], nullptr);
  ::sigaction(SIGCHLD, &child_before_, nullptr);
  wake_up_fd = -1;
  in_use = nullptr;
}

int StopSignals::count() const noexcept {
  return signals_seen;
}
int StopSignals::first() const noexcept {
  return first_signal;
}

void StopSignals::drain() const noexcept {
  char bytes[64];
  while (::read(fd(), bytes, sizeof bytes) > 0) {
  }
}

pid_t StopSignals::fork_child() const {
  // Until the child has its own actions, a signal there would run the parent's handler on the shared pipe.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  const int error = errno;
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // it died before that
    for (const int signal : kCaught) set_action(signal, SIG_IGN);
    asked_to_stop = false;
    noticed_stop = false;
    set_action(SIGTERM, noctule_note_stop);
    wake_up_fd = -1;
    in_use = nullptr;
    ::close(outermost_->read_end_.get());
    ::close(outermost_->write_end_.get());
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return child;
}

bool stop_requested() noexcept {
  if (asked_to_stop) noticed_stop = true;
  return asked_to_stop;
}

bool stop_noticed() noexcept {
  return noticed_stop;
}

}  // namespace noctule
