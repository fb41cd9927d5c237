#pragma once
// The child's half of a process pool.

#include <string>

#include "run/process_pool.h"

namespace noctule {

/// Hands everything that waits in C and C++ streams to the system. Before a fork, so that no buffered text is
/// written by both.
void flush_streams();

/// Does the work, flushes the child's files, sends the record or what went wrong to `fd`, and ends the
/// process with the exit code of the program: 0, 2 (ConfigError), 3 (InternalError) or 130 (stopped on
/// request).
[[noreturn]] void run_child(const Job& job, int fd) noexcept;

/// In words: how a child ended that has not left a record.
[[nodiscard]] std::string end_of_child(const std::string& name, int signal, int exit_code, bool damaged);

}  // namespace noctule
