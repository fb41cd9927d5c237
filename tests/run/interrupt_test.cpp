// Does an interrupt keep what is finished, and leave no process behind?

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/error.h"
#include "run/process_pool_support.h"

namespace noctule::run_test {
namespace {

class Interrupt : public testing::Test {
 protected:
  void SetUp() override {
    // Whoever runs the tests may have ignored them.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  }
  /// Two quick jobs, two endless ones, one that has to wait.
  std::vector<Job> jobs(const std::function<std::string()>& endless) {
    return {job(
                "quick 0", [] { return "0"; }, 9),
            job(
                "quick 1", [] { return "1"; }, 8),
            job("e2", endless, 7), job("e3", endless, 6),
            job(
                "waits", [] { return "4"; }, 5)};
  }
  /// When two are finished and two endless ones run: `then`.
  PoolCallbacks when_two_are_done(const std::function<void()>& then) {
    PoolCallbacks callbacks;
    callbacks.started = [this, then](std::size_t) {
      if (++started_ != 4) return;
      ASSERT_TRUE(witness_.hear(2));
      then();
    };
    return callbacks;
  }
  void expect_two_done_rest_interrupted(const Collected& all, int signal) {
    EXPECT_TRUE(all.result.interrupted);
    EXPECT_EQ(all.result.signal, signal);
    EXPECT_EQ(all.deliveries, 5U);
    EXPECT_EQ(all.outcomes.at(0).record, "0");
    EXPECT_EQ(all.outcomes.at(1).record, "1");
    for (const std::size_t i : {2U, 3U, 4U}) EXPECT_EQ(all.outcomes.at(i).kind, Outcome::kInterrupted) << i;
    EXPECT_NE(all.outcomes.at(4).message.find("not started"), std::string::npos);
    EXPECT_TRUE(childless());
    witness_.release();
    EXPECT_TRUE(witness_.alone());
  }
  std::string deaf() {
    witness_.say();
    return sleep_for_ever();
  }

  Witness witness_;
  int started_ = 0;
};

TEST_F(Interrupt, KeepsWhatIsFinishedAndKillsWhatDoesNotListen) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    started_ = 0;
    const auto all =
        collect(jobs([&] { return deaf(); }), impatient(2), when_two_are_done([&] { std::raise(signal); }));
    EXPECT_TRUE(all.result.interrupted);
    EXPECT_EQ(all.result.signal, signal);
    EXPECT_EQ(all.outcomes.at(2).signal, SIGKILL);
    EXPECT_EQ(all.outcomes.at(1).record, "1");
    EXPECT_TRUE(childless());
  }
}

TEST_F(Interrupt, FromAnotherThread) {
  std::thread thread;
  const auto all = collect(jobs([&] { return deaf(); }), impatient(2),
                           when_two_are_done([&] { thread = std::thread([] { std::raise(SIGINT); }); }));
  thread.join();
  expect_two_done_rest_interrupted(all, SIGINT);
}

TEST_F(Interrupt, ChildrenThatListenEndAtOnce) {
  const auto listen = [&] {
    witness_.say();
    while (!stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::string("half a result");
  };
  auto options = processes(2);
  options.grace = std::chrono::hours(24);  // who waits for its end hangs
  const auto all = collect(jobs(listen), options, when_two_are_done([] { std::raise(SIGINT); }));
  EXPECT_EQ(all.outcomes.at(2).record, "");
  EXPECT_EQ(all.outcomes.at(2).signal, 0);
  expect_two_done_rest_interrupted(all, SIGINT);
}

TEST_F(Interrupt, AJobThatIsCompleteInTimeCounts) {
  const Witness go;
  const auto finish = [&] {
    witness_.say();
    return std::string(go.hear(1) ? "complete" : "unheard");
  };
  const auto all = collect(jobs(finish), processes(2), when_two_are_done([&] {
                             std::raise(SIGINT);
                             for (int i = 0; i < 2; ++i) go.say();
                           }));
  EXPECT_TRUE(all.result.interrupted);
  EXPECT_EQ(all.outcomes.at(2).kind, Outcome::kDone);
  EXPECT_EQ(all.outcomes.at(3).record, "complete");
  EXPECT_EQ(all.outcomes.at(4).kind, Outcome::kInterrupted);
}

TEST_F(Interrupt, ASecondOneKillsAtOnce) {
  auto options = processes(2);
  options.grace = std::chrono::hours(24);  // who waits for its end hangs
  const auto all = collect(jobs([&] { return deaf(); }), options, when_two_are_done([] {
                             std::raise(SIGINT);
                             std::raise(SIGINT);
                           }));
  expect_two_done_rest_interrupted(all, SIGINT);
}

TEST_F(Interrupt, ChildrenIgnoreTheTerminalsSignal) {
  const auto all = collect({job("a",
                                [] {
                                  std::raise(SIGINT);
                                  std::raise(SIGHUP);
                                  return "alive";
                                })},
                           processes(1));
  EXPECT_EQ(all.outcomes.at(0).record, "alive");
  EXPECT_FALSE(all.result.interrupted);
}

TEST_F(Interrupt, BetweenTwoPoolsCountsForTheNext) {
  const StopSignals signals;
  const std::vector<Job> jobs{job("a", [] { return "1"; })};
  EXPECT_EQ(collect(jobs, processes(1)).outcomes.at(0).record, "1");
  std::raise(SIGTERM);
  EXPECT_EQ(signals.first(), SIGTERM);
  const auto all = collect(jobs, processes(1));
  EXPECT_TRUE(all.result.interrupted);
  EXPECT_EQ(all.result.signal, SIGTERM);
  EXPECT_EQ(all.outcomes.at(0).kind, Outcome::kInterrupted);
  EXPECT_NE(all.outcomes.at(0).message.find("not started"), std::string::npos);
}

TEST_F(Interrupt, OneAfterAnotherEachCountForThemselves) {
  {
    const StopSignals signals;
    std::raise(SIGINT);
    EXPECT_EQ(signals.count(), 1);
  }
  EXPECT_EQ(StopSignals().count(), 0);
}

TEST_F(Interrupt, IgnoredSignalsStayIgnored) {
  std::signal(SIGHUP, SIG_IGN);
  PoolCallbacks callbacks;
  callbacks.started = [](std::size_t) { std::raise(SIGHUP); };
  const auto all = collect({job("a", [] { return "1"; })}, processes(1), callbacks);
  EXPECT_EQ(all.outcomes.at(0).record, "1");
  EXPECT_FALSE(all.result.interrupted);
}

TEST_F(Interrupt, SignalActionsAreAsBeforeAfterwards) {
  const auto handler = [](int) {};
  std::signal(SIGINT, handler);
  std::signal(SIGCHLD, SIG_IGN);
  collect({job("a", [] { return "1"; })}, processes(1));
  EXPECT_EQ(std::signal(SIGINT, SIG_DFL), static_cast<void (*)(int)>(handler));
  EXPECT_EQ(std::signal(SIGTERM, SIG_DFL), SIG_DFL);
  EXPECT_EQ(std::signal(SIGCHLD, SIG_DFL), SIG_IGN);
  EXPECT_FALSE(stop_requested());
}

TEST_F(Interrupt, OnlyOnePoolAtATime) {
  PoolCallbacks callbacks;
  callbacks.finished = [](const Outcome&) { collect({}, processes(1)); };
  EXPECT_THROW(collect({job("a", [] { return ""; })}, processes(1), callbacks), InternalError);
  EXPECT_NO_THROW(collect({}, processes(1)));
}

TEST_F(Interrupt, ChildrenDieWithTheirParent) {
  const pid_t program = ::fork();
  ASSERT_GE(program, 0);
  if (program == 0) {
    collect({job("a", [&] { return deaf(); }), job("b", [&] { return deaf(); })}, processes(2));
    ::_exit(0);
  }
  EXPECT_TRUE(witness_.hear(2));
  ::kill(program, SIGKILL);
  EXPECT_EQ(::waitpid(program, nullptr, 0), program);
  witness_.release();
  EXPECT_TRUE(witness_.alone());
}

TEST_F(Interrupt, TheThirdEndsAProgramThatNoLongerListens) {
  const pid_t program = ::fork();
  ASSERT_GE(program, 0);
  if (program == 0) {
    PoolCallbacks callbacks;
    callbacks.finished = [](const Outcome&) {
      for (int i = 0; i < 3; ++i) std::raise(SIGINT);
    };
    collect({job("a", [] { return ""; })}, processes(1), callbacks);
    ::_exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(program, &status, 0), program);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
}

}  // namespace
}  // namespace noctule::run_test
