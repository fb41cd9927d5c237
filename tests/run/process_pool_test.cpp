// Does every job's record arrive whole, whatever the number of processes and whatever happens to the others?

#include "run/process_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>

#include "core/error.h"
#include "core/rng.h"
#include "run/process_pool_support.h"

namespace noctule::run_test {
namespace {

std::string noise(std::size_t size, std::uint64_t key) {
  Rng rng(key);
  std::string bytes(size, '\0');
  for (auto& c : bytes) c = static_cast<char>(rng.next() >> 56);
  return bytes;
}

TEST(Records, ArriveWholeWhateverTheirSize) {
  std::vector<Job> jobs;
  const std::vector<std::size_t> sizes{0, 1, 4095, 65536, 65537, 5 * 1024 * 1024};
  for (const auto size : sizes)
    jobs.push_back(job(std::to_string(size), [size] { return noise(size, size); }));
  const auto all = collect(jobs, processes(3));
  EXPECT_EQ(all.deliveries, jobs.size());
  EXPECT_FALSE(all.result.interrupted);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& outcome = all.outcomes.at(i);
    EXPECT_EQ(outcome.kind, Outcome::kDone) << outcome.message;
    EXPECT_TRUE(outcome.record == noise(sizes[i], sizes[i])) << sizes[i];
    EXPECT_EQ(outcome.message, "");
  }
  EXPECT_TRUE(childless());
}

TEST(Records, DoNotDependOnTheNumberOfProcesses) {
  std::vector<Job> jobs;
  for (std::uint64_t i = 0; i < 20; ++i)
    jobs.push_back(job(
        "job " + std::to_string(i), [i] { return noise(100 * i, i); }, double(i % 7)));
  std::map<std::size_t, std::string> first;
  for (const unsigned n : {1U, 2U, 4U, 50U}) {
    std::map<std::size_t, std::string> records;
    for (const auto& [i, outcome] : collect(jobs, processes(n)).outcomes) records[i] = outcome.record;
    ASSERT_EQ(records.size(), jobs.size());
    if (first.empty()) first = records;
    EXPECT_TRUE(records == first) << n;
  }
}

TEST(Records, NoJobsNoOutcomes) {
  const auto all = collect({}, processes(2));
  EXPECT_EQ(all.deliveries, 0U);
  EXPECT_FALSE(all.result.interrupted);
}

TEST(Jobs, RunInChildrenEvenWithOneProcess) {
  const pid_t parent = ::getpid();
  const auto all = collect({job("a", [] { return std::to_string(::getpid()); }),
                            job("b", [] { return std::to_string(::getpid()); })},
                           processes(1));
  EXPECT_NE(all.outcomes.at(0).record, std::to_string(parent));
  EXPECT_NE(all.outcomes.at(1).record, std::to_string(parent));
  EXPECT_NE(all.outcomes.at(0).record, all.outcomes.at(1).record);
}

TEST(Jobs, AtMostTheGivenNumberRunsAtOnce) {
  for (const unsigned n : {1U, 3U}) {
    std::vector<Job> jobs(9, job("short", [] {
                            std::this_thread::sleep_for(std::chrono::milliseconds(3));
                            return std::string();
                          }));
    int running = 0;
    int most = 0;
    PoolCallbacks callbacks;
    callbacks.started = [&](std::size_t) { most = std::max(most, ++running); };
    callbacks.finished = [&](const Outcome&) { --running; };
    collect(jobs, processes(n), callbacks);
    EXPECT_EQ(most, static_cast<int>(n));
    EXPECT_EQ(running, 0);
  }
}

TEST(Jobs, StartLongestFirstIfAsked) {
  std::vector<Job> jobs;
  for (const double cost : {1.0, 3.0, 2.0, 3.0})
    jobs.push_back(job(
        "j", [] { return ""; }, cost));
  auto options = processes(1);
  EXPECT_EQ(collect(jobs, options).order, (std::vector<std::size_t>{1, 3, 2, 0}));
  options.longest_first = false;
  EXPECT_EQ(collect(jobs, options).order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Jobs, NoProcessesIsTheUsersError) {
  try {
    const ProcessPool pool(processes(0));
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.diagnostics().at(0).key, "threads");
  }
}

/// At least 100 ms apart by the child's own clock, however long it was kept from running.
TEST(Jobs, ReportProgressAtALimitedRate) {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kApart{100};
  const Job busy{"busy", [](const ReportProgress& report) {
                   const auto start = Clock::now();
                   report(std::numeric_limits<double>::quiet_NaN());
                   report(-1);
                   do report(2);
                   while (Clock::now() - start < 2 * kApart);
                   report(2);
                   return std::to_string((Clock::now() - start) / kApart);
                 }};
  std::vector<double> fractions;
  PoolCallbacks callbacks;
  callbacks.progressed = [&](std::size_t i, double fraction) {
    EXPECT_EQ(i, 0U);
    fractions.push_back(fraction);
  };
  const auto intervals = std::stoul(collect({busy}, processes(1), callbacks).outcomes.at(0).record);
  ASSERT_GE(fractions.size(), 2U);
  EXPECT_LE(fractions.size(), intervals + 1);
  EXPECT_EQ(fractions.front(), 0);
  EXPECT_EQ(fractions.back(), 1);
}

TEST(Jobs, CallbackThatThrowsEndsTheRunWithoutLeavingChildren) {
  Witness witness;
  const std::vector<Job> jobs{job("quick", [] { return ""; }),
                              job("endless", [&] { return sleep_for_ever(); })};
  PoolCallbacks callbacks;
  callbacks.finished = [](const Outcome&) { throw ConfigError("out", "the disk is full"); };
  EXPECT_THROW(collect(jobs, processes(2), callbacks), ConfigError);
  EXPECT_TRUE(childless());
  witness.release();
  EXPECT_TRUE(witness.alone());
}

/// The one bad job among good ones.
Outcome among_others(const std::function<std::string()>& work) {
  const std::vector<Job> jobs{job("before", [] { return "1"; }), job("load 0.5", work),
                              job("after", [] { return "3"; })};
  const auto all = collect(jobs, processes(2));
  EXPECT_EQ(all.deliveries, 3U);
  EXPECT_EQ(all.outcomes.at(0).record, "1");
  EXPECT_EQ(all.outcomes.at(2).record, "3");
  EXPECT_FALSE(all.result.interrupted);
  EXPECT_TRUE(childless());
  return all.outcomes.at(1);
}

TEST(Failures, CrashLosesThatJobOnlyAndNamesJobAndSignal) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGKILL, SIGTERM}) {
    const auto outcome = among_others([signal]() -> std::string {
      std::signal(signal, SIG_DFL);
      if (signal == SIGABRT) std::abort();
      std::raise(signal);
      return "survived";
    });
    EXPECT_EQ(outcome.kind, Outcome::kCrashed);
    EXPECT_EQ(outcome.signal, signal);
    EXPECT_EQ(outcome.record, "");
    EXPECT_EQ(outcome.message.find("load 0.5: lost: "), 0U) << outcome.message;
    EXPECT_EQ(outcome.message.find("load 0.5", 1), std::string::npos) << "named once: " << outcome.message;
    EXPECT_NE(outcome.message.find("signal " + std::to_string(signal)), std::string::npos) << outcome.message;
    EXPECT_EQ(outcome.message.find("memory") != std::string::npos, signal == SIGKILL) << outcome.message;
  }
}

TEST(Failures, EndWithoutARecordIsACrash) {
  const auto outcome = among_others([]() -> std::string { ::_exit(5); });
  EXPECT_EQ(outcome.kind, Outcome::kCrashed);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.message.find("exit code 5"), std::string::npos) << outcome.message;
}

TEST(Failures, ConfigErrorComesWithAllItsDiagnostics) {
  const std::vector<Diagnostic> given{{"routing.vc_rule", "'x' is no rule", "my.yaml:3:4"},
                                      {"", std::string("a\0b\xff\n", 5), ""},
                                      {"node.lanes", "0 given", "my.yaml:9:1"}};
  const auto outcome = among_others([&]() -> std::string { throw ConfigError(given); });
  EXPECT_EQ(outcome.kind, Outcome::kConfigError);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.message, ConfigError(given).what());
  ASSERT_EQ(outcome.diagnostics.size(), given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    EXPECT_EQ(outcome.diagnostics[i].key, given[i].key);
    EXPECT_EQ(outcome.diagnostics[i].message, given[i].message);
    EXPECT_EQ(outcome.diagnostics[i].place, given[i].place);
  }
}

TEST(Failures, AnythingElseThrownIsAnInternalError) {
  const std::vector<std::pair<std::function<std::string()>, std::string>> works{
      {[]() -> std::string { throw InternalError("flit 7 is lost"); }, "flit 7 is lost"},
      {[]() -> std::string { throw std::runtime_error("odd"); }, "odd"},
      {[]() -> std::string { throw std::bad_alloc(); }, "memory"},
      {[]() -> std::string { throw 5; }, "no std::exception"}};
  for (const auto& [work, text] : works) {
    const auto outcome = among_others(work);
    EXPECT_EQ(outcome.kind, Outcome::kInternalError);
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_EQ(outcome.message.find("load 0.5: "), 0U) << outcome.message;
    EXPECT_NE(outcome.message.find(text), std::string::npos) << outcome.message;
  }
}

class ChildFiles : public testing::Test {
 protected:
  void SetUp() override { path_ = testing::TempDir() + "noctule_pool_" + std::to_string(::getpid()); }
  void TearDown() override { std::filesystem::remove(path_); }
  [[nodiscard]] std::string content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string path_;
};

TEST_F(ChildFiles, AreCompleteWhenTheOutcomeIsDelivered) {
  const auto work = [&] {
    auto* file = std::fopen(path_.c_str(), "w");  // left open: flushed all the same
    std::fputs("wave", file);
    return std::string();
  };
  PoolCallbacks callbacks;
  std::string seen;
  callbacks.finished = [&](const Outcome&) { seen = content(); };
  collect({job("writer", work)}, processes(1), callbacks);
  EXPECT_EQ(seen, "wave");
}

TEST_F(ChildFiles, WhatTheParentHasBufferedIsWrittenOnce) {
  auto* file = std::fopen(path_.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs("once;", file);
  collect({job("a", [] { return ""; }), job("b", [] { return ""; })}, processes(2));
  std::fclose(file);
  EXPECT_EQ(content(), "once;");
}

TEST_F(ChildFiles, NothingOfAChildIsOnStandardOutput) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  collect({job("talker",
               [] {
                 std::cout << "hello from cout" << std::endl;
                 std::printf("hello from printf");
                 return std::string(std::cin.get() == EOF ? "no input" : "input");
               })},
          processes(1));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  const auto error = testing::internal::GetCapturedStderr();
  EXPECT_NE(error.find("hello from cout"), std::string::npos);
  EXPECT_NE(error.find("hello from printf"), std::string::npos);
}

TEST_F(ChildFiles, NothingRegisteredWithAtexitRuns) {
  static std::string path;
  path = path_;
  std::atexit([] {
    if (!path.empty()) std::ofstream(path) << "ran";
  });
  EXPECT_EQ(collect({job("a", [] { return "1"; })}, processes(1)).outcomes.at(0).record, "1");
  EXPECT_EQ(content(), "");
  path.clear();
}

}  // namespace
}  // namespace noctule::run_test
