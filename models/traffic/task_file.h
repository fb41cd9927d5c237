#pragma once
// Tasks that wait for each other, from a file, for the source workload. The file is told by its content:
//
// lines  "terminal destination[,...] size [id=NAME] [after=NAME,...] [compute=CYCLES] [at=CYCLE]
// [class=NAME]",
//        "#" starts a comment
// table  with a header (core/csv_table.h) and these columns: terminal, destination, flits, bytes, id, after,
//        compute, at, class

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/flit.h"
#include "traffic/source.h"

namespace noctule {

inline constexpr std::uint64_t kMostTasks = std::numeric_limits<std::uint32_t>::max();
/// That a task computes for, or before it begins: more than can be simulated.
inline constexpr Cycle kMostTaskCycles = 1'000'000'000'000'000;

struct Task {
  Cycle at = 0;             ///< earliest cycle of its beginning
  Cycle compute = 0;        ///< cycles
  std::uint64_t flits = 0;  ///< of the message, without the headers of packets; 0: there is no message
  std::uint32_t terminal = 0;
  std::uint32_t destination = 0;
  std::uint32_t list = 0;   ///< of several destinations: their place in Tasks::lists, from 1
  std::uint32_t waits = 0;  ///< tasks that it waits for
  std::uint32_t line = 0;   ///< of the file
  std::uint8_t message_class = 0;
  bool header = false;  ///< packets carry header flits besides (its size is given in bytes)
};

struct Tasks {
  std::vector<Task> all;  ///< in the order of their lines
  /// followers[first[n]] to followers[first[n + 1] - 1] wait for task n.
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> followers;
  std::vector<std::vector<TerminalId>> lists;
  TrafficSource::Ends ends;
};

/// Flits, and packets.
struct Packeting {
  std::uint64_t flit_bytes = 0;  ///< 0: sizes in bytes are not known
  std::uint64_t header_flits = 0;
  std::uint64_t packet_flits = Flit::kNumber;  ///< most, header included

  [[nodiscard]] std::uint64_t header(const Task& task) const { return task.header ? header_flits : 0; }
  [[nodiscard]] std::uint64_t room(const Task& task) const { return packet_flits - header(task); }
  [[nodiscard]] std::uint64_t packets(const Task& task) const {
    return task.flits / room(task) + (task.flits % room(task) != 0 ? 1 : 0);
  }
  [[nodiscard]] std::uint32_t length(const Task& task, std::uint64_t part) const {
    return static_cast<std::uint32_t>(header(task) + std::min(room(task), task.flits - part * room(task)));
  }
};

/// Throws ConfigError "traffic.source": what is wrong, by line and column.
[[nodiscard]] Tasks read_tasks(const std::string& path, const SourceContext& context,
                               const Packeting& packeting);

/// What a file may hold, for help and messages.
[[nodiscard]] std::string task_forms();

}  // namespace noctule
