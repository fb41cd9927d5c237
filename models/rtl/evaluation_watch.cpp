#include "rtl/evaluation_watch.h"

#include <pthread.h>
#include <sys/time.h>

namespace noctule {

bool EvaluationWatch::ticks_ = false;
sigjmp_buf EvaluationWatch::way_out_;
volatile sig_atomic_t EvaluationWatch::inside_ = 0;
volatile sig_atomic_t EvaluationWatch::begun_ = 0;

void EvaluationWatch::start() {
  static const bool told = pthread_atfork(nullptr, nullptr, [] { ticks_ = false; }) == 0;
  struct sigaction action {};
  action.sa_handler = &EvaluationWatch::tick;
  action.sa_flags = SA_RESTART | SA_NODEFER;  // not deferred: tick() may not return
  ::sigaction(SIGVTALRM, &action, nullptr);
  const itimerval every_second{{1, 0}, {1, 0}};
  ticks_ = told && ::setitimer(ITIMER_VIRTUAL, &every_second, nullptr) == 0;
}

void EvaluationWatch::tick(int) {
  static volatile sig_atomic_t seen = 0;
  static volatile sig_atomic_t seconds = 0;  // that it has lasted, at least
  if (inside_ == 0 || begun_ != seen) {
    seen = begun_;
    seconds = 0;
    return;
  }
  seconds = seconds + 1;
  if (seconds < static_cast<sig_atomic_t>(kSeconds)) return;
  inside_ = 0;
  siglongjmp(way_out_, 1);
}

}  // namespace noctule
