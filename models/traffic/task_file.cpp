#include "traffic/task_file.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>
#include <utility>

#include "core/csv_table.h"
#include "core/number_lines.h"
#include "core/words.h"
#include "traffic/named_ends.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr const char* kTaskLine =
    "terminal destination[,...] size [id=NAME] [after=NAME,...] [compute=CYCLES] [at=CYCLE] [class=NAME]";
constexpr std::uint32_t kNoTask = ~0U;

/// Columns of a table.
struct TaskColumn {
  enum Place : std::size_t { kTerminal, kDestination, kFlits, kBytes, kId, kAfter, kCompute, kAt, kClass };
};
/// A function, as registration asks for it before main.
const std::array<CsvColumn, 9>& task_columns() {
  static const std::array<CsvColumn, 9> kColumns{
      {{"terminal", true, {}, {"source", "src", "from", "node"}},
       {"destination", true, {}, {"dst", "dest", "to", "target"}},
       {"flits", false, {"size"}, {"length", "packet_length"}},
       {"bytes", false, {}, {"payload"}},
       {"id", false, {}, {"name", "task"}},
       {"after", false, {}, {"deps", "dependencies", "waits_for", "predecessors"}},
       {"compute", false, {}, {"duration", "delay"}},
       {"at", false, {}, {"cycle", "time", "start"}},
       {"class", false, {"message_class"}, {"type", "vnet"}}}};
  return kColumns;
}

/// Checks the lines against the topology and the message classes.
class TaskReader {
 public:
  TaskReader(const SourceContext& context, const Packeting& packeting, std::string path)
      : context_(context), packeting_(packeting), path_(std::move(path)) {
    const std::size_t terminals = context.topology->terminals();
    tasks_.ends = {std::vector<bool>(terminals), std::vector<bool>(terminals)};
  }

  Tasks read() {
    const bool table = !csv_header(path_, kSourceKey, kTaskLine, "terminal,destination,flits").empty();
    if (table)
      each_csv_row(path_, kSourceKey, task_columns(), [&](const CsvRow& row) {
        place_ = row.place();
        add(row);
      });
    else
      each_word_line(path_, kSourceKey, kTaskLine, [&](const WordLine& line) {
        place_ = line.place;
        add(line.words);
        return true;
      });
    for (const Named& wait : named_) resolve(wait);
    faults_.raise();
    if (tasks_.all.empty())
      throw ConfigError(kSourceKey, table ? fmt::format("'{}' has no row below its header", path_)
                                          : fmt::format("'{}' has no line '{}'", path_, kTaskLine));
    link();
    check_order();
    return std::move(tasks_);
  }

 private:
  using Words = std::vector<std::string_view>;
  /// A task that waits for one of this name.
  struct Named {
    std::string name;
    std::uint32_t task;
  };

  void fault(std::string message) {
    faults_.add(place_, column_.empty() ? std::move(message) : fmt::format("{}: {}", column_, message));
    fits_ = false;
  }
  [[nodiscard]] std::string place_of(std::uint32_t task) const {
    return fmt::format("{}:{}", path_, tasks_.all[task].line);
  }

  Task begin() {
    if (tasks_.all.size() + 1 >= kMostTasks)
      throw ConfigError(kSourceKey,
                        fmt::format("a workload of more than {} tasks is too long", kMostTasks - 2));
    fits_ = true;
    Task task;
    (void)read_number(std::string_view(place_).substr(place_.rfind(':') + 1), task.line);
    return task;
  }

  void add(const Words& words) {
    Task task = begin();
    const bool sends = words.size() >= 2 && words[1] != "-";
    const std::size_t needed = sends ? 3 : 2;
    if (words.size() < needed)
      return fault(
          fmt::format("{} words; expected '{}', or '-' for the destination and no size, where there is "
                      "no message",
                      words.size(), kTaskLine));
    std::uint64_t terminal = 0;
    if (exists("terminal", words[0], terminal)) task.terminal = static_cast<std::uint32_t>(terminal);
    destinations_.clear();
    if (sends && each_part(words[1], [&](std::string_view word) {
          return exists("destination", word, destinations_.emplace_back());
        }))
      add_message(task, words[2]);
    const auto number = static_cast<std::uint32_t>(tasks_.all.size());
    for (std::size_t w = needed; w < words.size(); ++w) add_option(task, number, words[w]);
    if (auto wrong = given_twice(std::span(words).subspan(needed), "after"); !wrong.empty())
      fault(std::move(wrong));
    finish(task, sends);
  }

  /// A row of a table: what is wrong names the column.
  void add(const CsvRow& row) {
    Task task = begin();
    const auto in_column = [&](std::size_t column) -> const std::string& {
      column_ = row.title(column);
      return row[column];
    };
    std::uint64_t terminal = 0;
    if (named(in_column(TaskColumn::kTerminal), true, terminal))
      task.terminal = static_cast<std::uint32_t>(terminal);
    destinations_.clear();
    bool known = true;
    if (const auto& words = in_column(TaskColumn::kDestination); words != "-")
      each_word(words, [&](std::string_view word) {
        known = named(word, false, destinations_.emplace_back()) && known;
      });
    const bool sends = !destinations_.empty();
    add_message_of(task, row, sends && known);
    const auto number = static_cast<std::uint32_t>(tasks_.all.size());
    for (const auto& [column, key] : {std::pair{TaskColumn::kId, "id"},
                                      {TaskColumn::kCompute, "compute"},
                                      {TaskColumn::kAt, "at"},
                                      {TaskColumn::kClass, "class"}})
      if (const auto& word = in_column(column); word.find_first_of(" \t") != std::string::npos)
        fault(fmt::format("'{}'; one word is needed", word));
      else if (!word.empty())
        add_option(task, number, fmt::format("{}={}", key, word));
    each_word(in_column(TaskColumn::kAfter), [&](std::string_view name) { add_wait(number, name); });
    column_.clear();
    finish(task, sends);
  }
  void add_message_of(Task& task, const CsvRow& row, bool known) {
    const std::string& flits = row[TaskColumn::kFlits];
    const std::string& bytes = row[TaskColumn::kBytes];
    if (!flits.empty() && !bytes.empty()) {
      column_ = row.title(TaskColumn::kBytes);
      return fault(
          fmt::format("'{}', and {} is '{}'; give one of them", bytes, row.title(TaskColumn::kFlits), flits));
    }
    const bool sized = !flits.empty() || !bytes.empty();
    if (destinations_.empty() == sized)
      return fault(sized ? "it is empty, and there is a size; give a destination, or leave the size empty too"
                         : "there is no size; give it in the column 'flits' or 'bytes'");
    if (!known || !sized) return;
    column_ = row.title(bytes.empty() ? TaskColumn::kFlits : TaskColumn::kBytes);
    add_message(task, bytes.empty() ? flits : bytes + 'B', row.title(TaskColumn::kDestination));
  }
  bool named(std::string_view word, bool source, std::uint64_t& terminal) {
    auto wrong = terminals_.wrong(word, source, terminal);
    if (wrong.empty()) return true;
    fault(std::move(wrong));
    return false;
  }

  void finish(const Task& task, bool sends) {
    if (sends && fits_)
      for (auto wrong : {context_.carried.refuses(task.terminal, destinations_, task.message_class),
                         context_.carried.refuses_length(packeting_.length(task, 0))})
        if (!wrong.empty()) fault(std::move(wrong));
    if (sends && fits_) {
      tasks_.ends.injecting[task.terminal] = true;
      for (const auto d : destinations_) tasks_.ends.addressed[d] = true;
    }
    tasks_.all.push_back(task);
  }

  bool exists(const char* what, std::string_view word, std::uint64_t& terminal) {
    auto wrong = wrong_terminal(*context_.topology, what, word, terminal);
    if (wrong.empty()) return true;
    fault(std::move(wrong));
    return false;
  }

  /// To `destinations_`, which exist. `title`: the column that holds them, in a table.
  void add_message(Task& task, std::string_view size, const std::string& title = {}) {
    if (auto wrong = wrong_destination(*context_.topology, task.terminal, destinations_);
        fits_ && !wrong.empty()) {
      const auto of_size = std::exchange(column_, title);
      fault(std::move(wrong));
      column_ = of_size;
    }
    task.destination = static_cast<std::uint32_t>(destinations_.front());
    if (destinations_.size() > 1) {
      auto& list = tasks_.lists.emplace_back();
      for (const auto d : destinations_) list.push_back(TerminalId{static_cast<std::uint32_t>(d)});
      task.list = static_cast<std::uint32_t>(tasks_.lists.size());
    }
    add_size(task, size);
  }

  void add_size(Task& task, std::string_view word) {
    task.header = word.ends_with('B');
    std::uint64_t size = 0;
    if (!read_number(task.header ? word.substr(0, word.size() - 1) : word, size) || size == 0)
      return fault(
          fmt::format("the size is '{}'; expected flits, as '5', or bytes, as '64B', 1 at least", word));
    if (task.header && packeting_.flit_bytes == 0)
      return fault(fmt::format(
          "the size is {} bytes; say with traffic.source.flit_bytes how many a flit carries", size));
    task.flits = task.header ? 1 + (size - 1) / packeting_.flit_bytes : size;
    if (const auto packets = packeting_.packets(task); packets > kMostPacketsAtOnce)
      fault(fmt::format("a message of {} flits would be {} packets; allowed are {}", task.flits, packets,
                        kMostPacketsAtOnce));
  }

  void add_option(Task& task, std::uint32_t number, std::string_view word) {
    const auto equals = word.find('=');
    const auto key = word.substr(0, equals);
    const auto value = equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
    if (key == "compute" || key == "at") {
      std::uint64_t cycles = 0;
      if (!read_number(value, cycles) || cycles > kMostTaskCycles)
        fault(fmt::format("'{}': allowed are 0 to {} cycles", word, kMostTaskCycles));
      (key == "at" ? task.at : task.compute) = cycles;
    } else if (key == "id") {
      if (value.empty() || value == "*" || value.find(',') != std::string_view::npos)
        fault(fmt::format("'{}' gives no name: a name is a word without commas, and not '*'", word));
      else if (const auto known = names_.emplace(value, number).first; known->second != number)
        fault(
            fmt::format("two tasks are called '{}'; the other one is at {}", value, place_of(known->second)));
    } else if (key == "after") {
      each_part(value, [&](std::string_view name) {
        add_wait(number, name);
        return true;
      });
    } else if (key == "class") {
      if (auto wrong = wrong_class(context_, value, task.message_class); !wrong.empty())
        fault(std::move(wrong));
    } else {
      fault(fmt::format("'{}' is not known here; a line is '{}'", word, kTaskLine));
    }
  }

  /// "*": all tasks of the lines before. Those before the last such task ended before it did.
  void add_wait(std::uint32_t number, std::string_view name) {
    if (name == "*") {
      for (std::uint32_t n = last_all_; n < number; ++n) waits_.emplace_back(n, number);
      last_all_ = number;
    } else if (name.empty()) {
      fault("'after=' names no task; give its id, or * for all tasks before");
    } else if (const auto known = names_.find(std::string(name)); known != names_.end()) {
      waits_.emplace_back(known->second, number);
    } else {
      named_.push_back({std::string(name), number});
    }
  }
  /// A name that stands further down.
  void resolve(const Named& wait) {
    if (const auto known = names_.find(wait.name); known != names_.end())
      waits_.emplace_back(known->second, wait.task);
    else
      faults_.add(place_of(wait.task),
                  fmt::format("there is no task '{0}'; give one the name with id={0}", wait.name));
  }

  void link() {
    std::ranges::sort(waits_);
    waits_.erase(std::unique(waits_.begin(), waits_.end()), waits_.end());
    tasks_.first.assign(tasks_.all.size() + 1, 0);
    for (const auto& [before, task] : waits_) {
      ++tasks_.first[before + 1];
      ++tasks_.all[task].waits;
      tasks_.followers.push_back(task);
    }
    for (std::size_t n = 1; n < tasks_.first.size(); ++n) tasks_.first[n] += tasks_.first[n - 1];
  }

  /// Throws where tasks wait for each other in a circle.
  void check_order() const {
    std::vector<std::uint32_t> open;
    std::vector<std::uint32_t> todo;
    for (std::uint32_t n = 0; n < tasks_.all.size(); ++n)
      if (open.push_back(tasks_.all[n].waits); open.back() == 0) todo.push_back(n);
    while (!todo.empty()) {
      const std::uint32_t n = todo.back();
      todo.pop_back();
      for (auto f = tasks_.first[n]; f < tasks_.first[n + 1]; ++f)
        if (--open[tasks_.followers[f]] == 0) todo.push_back(tasks_.followers[f]);
    }
    if (std::ranges::all_of(open, [](std::uint32_t waits) { return waits == 0; })) return;
    // Every task that is left waits for one that is left: go back until one comes twice.
    std::vector<std::uint32_t> before(tasks_.all.size(), kNoTask);
    for (const auto& [first, then] : waits_)
      if (open[first] > 0) before[then] = first;
    std::vector<bool> seen(tasks_.all.size());
    auto at = static_cast<std::uint32_t>(std::ranges::find_if(open, [](auto waits) { return waits > 0; }) -
                                         open.begin());
    for (; !seen[at]; at = before[at]) seen[at] = true;
    std::string text = place_of(at);
    std::size_t shown = 0;
    for (auto n = before[at]; n != at && ++shown < kShown; n = before[n])
      text += ", which waits for " + place_of(n);
    throw ConfigError(
        kSourceKey,
        fmt::format("tasks wait for each other in a circle and would never begin: {}, which waits "
                    "for {}{}",
                    text, shown < kShown ? "" : "others, and so on, for ", place_of(at)));
  }

  static constexpr std::size_t kShown = 8;
  const SourceContext& context_;
  const Packeting& packeting_;
  std::string path_;
  LineFaults faults_{kSourceKey};
  Tasks tasks_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waits_;  ///< (task, one that waits for it)
  std::vector<Named> named_;
  std::vector<std::uint64_t> destinations_;  ///< of this line
  TerminalNames terminals_{*context_.topology};
  std::string place_;
  std::string column_;  ///< of a table: what is being read
  std::uint32_t last_all_ = 0;
  bool fits_ = true;
};

}  // namespace

std::string task_forms() {
  return fmt::format("text file with lines '{}', or CSV with the columns {}", kTaskLine,
                     csv_columns(task_columns()));
}

Tasks read_tasks(const std::string& path, const SourceContext& context, const Packeting& packeting) {
  return TaskReader(context, packeting, path).read();
}

}  // namespace noctule
