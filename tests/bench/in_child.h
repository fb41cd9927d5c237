#pragma once
// For programs that measure several fabrics: SystemC elaborates once per process.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <type_traits>

namespace noctule {

/// What `work` returns, plain data, in a process of its own. Ends this one with exit code 2 where that fails.
template <class F>
std::invoke_result_t<F&> in_child(F&& work) {
  using Result = std::invoke_result_t<F&>;
  static_assert(std::is_trivially_copyable_v<Result>);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::exit(2);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    bool told = false;
    try {
      const Result result = work();
      told = write(ends[1], &result, sizeof result) == sizeof result;
    } catch (const std::exception& e) {
      fmt::print(stderr, "{}\n", e.what());
    }
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  Result result{};
  if (read(ends[0], &result, sizeof result) != sizeof result) std::exit(2);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return result;
}

}  // namespace noctule
