// Tasks that wait for each other, from a text file: what a program sends, as recorded or as written down. A
// task begins when all tasks that it waits for have ended, computes for a while, and sends a message, in the
// next cycle at the earliest; it ends when the whole message has been consumed. One without a message ends
// when it has computed: with several predecessors it is a barrier.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/flit.h"
#include "core/json.h"
#include "core/number_lines.h"
#include "core/words.h"
#include "traffic/caption.h"
#include "traffic/holds_memory.h"
#include "traffic/named_ends.h"
#include "traffic/outbox.h"
#include "traffic/packet_draws.h"

namespace noctule {
namespace {

constexpr const char* kTaskLine =
    "terminal destination[,...] size [id=NAME] [after=NAME,...] [compute=CYCLES] [at=CYCLE] [class=NAME]";
constexpr std::uint64_t kMostTasks = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kNoTask = ~0U;

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
    return (task.flits + room(task) - 1) / room(task);
  }
  [[nodiscard]] std::uint32_t length(const Task& task, std::uint64_t part) const {
    return static_cast<std::uint32_t>(header(task) + std::min(room(task), task.flits - part * room(task)));
  }
};

/// Checks the lines against the topology and the message classes.
class WorkloadReader {
 public:
  WorkloadReader(const SourceContext& context, const Packeting& packeting, std::string path)
      : context_(context), packeting_(packeting), path_(std::move(path)) {
    const std::size_t terminals = context.topology->terminals();
    tasks_.ends = {std::vector<bool>(terminals), std::vector<bool>(terminals)};
  }

  Tasks read() {
    each_word_line(path_, kSourceKey, kTaskLine, [&](const WordLine& line) {
      fits_ = true;
      place_ = line.place;
      add(line.words);
      return true;
    });
    for (const Named& wait : named_) resolve(wait);
    faults_.raise();
    if (tasks_.all.empty())
      throw ConfigError(kSourceKey, fmt::format("'{}' has no line '{}'", path_, kTaskLine));
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
    faults_.add(place_, std::move(message));
    fits_ = false;
  }
  [[nodiscard]] std::string place_of(std::uint32_t task) const {
    return fmt::format("{}:{}", path_, tasks_.all[task].line);
  }

  void add(const Words& words) {
    if (tasks_.all.size() + 1 >= kMostTasks)
      throw ConfigError(kSourceKey,
                        fmt::format("a workload of more than {} tasks is too long", kMostTasks - 2));
    Task task;
    (void)read_number(std::string_view(place_).substr(place_.rfind(':') + 1), line_);
    task.line = static_cast<std::uint32_t>(line_);
    const bool sends = words.size() >= 2 && words[1] != "-";
    const std::size_t columns = sends ? 3 : 2;
    if (words.size() < columns)
      return fault(
          fmt::format("{} words; expected '{}', or '-' for the destination and no size, where there is "
                      "no message",
                      words.size(), kTaskLine));
    std::uint64_t terminal = 0;
    if (exists("terminal", words[0], terminal)) task.terminal = static_cast<std::uint32_t>(terminal);
    if (sends) add_message(task, words);
    const auto number = static_cast<std::uint32_t>(tasks_.all.size());
    for (std::size_t w = columns; w < words.size(); ++w) add_option(task, number, words[w]);
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

  void add_message(Task& task, const Words& words) {
    destinations_.clear();
    if (!each_part(words[1], [&](std::string_view word) {
          return exists("destination", word, destinations_.emplace_back());
        }))
      return;
    if (auto wrong = wrong_destination(*context_.topology, task.terminal, destinations_);
        fits_ && !wrong.empty())
      fault(std::move(wrong));
    task.destination = static_cast<std::uint32_t>(destinations_.front());
    if (destinations_.size() > 1) {
      auto& list = tasks_.lists.emplace_back();
      for (const auto d : destinations_) list.push_back(TerminalId{static_cast<std::uint32_t>(d)});
      task.list = static_cast<std::uint32_t>(tasks_.lists.size());
    }
    add_size(task, words[2]);
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
    task.flits = task.header ? (size + packeting_.flit_bytes - 1) / packeting_.flit_bytes : size;
    if (packeting_.packets(task) > kMostTasks)
      fault(fmt::format("a message of {} flits is too long", task.flits));
  }

  void add_option(Task& task, std::uint32_t number, std::string_view word) {
    const auto equals = word.find('=');
    const auto key = word.substr(0, equals);
    const auto value = equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
    if (key == "compute" || key == "at") {
      std::uint64_t cycles = 0;
      if (!read_number(value, cycles) || cycles > kMostTasks)
        fault(fmt::format("'{}': allowed are 0 to {} cycles", word, kMostTasks));
      (key == "at" ? task.at : task.compute) = cycles;
    } else if (key == "id") {
      if (value.empty() || value == "*" || value.find(',') != std::string_view::npos)
        fault(fmt::format("'{}' gives no name: a name is a word without commas, and not '*'", word));
      else if (const auto [known, fresh] = names_.emplace(value, number); !fresh)
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
  std::string place_;
  std::uint64_t line_ = 0;
  std::uint32_t last_all_ = 0;
  bool fits_ = true;
};

class Workload final : public TrafficSource, public HoldsMemory {
 public:
  Workload(Tasks tasks, const Packeting& packeting, const SourceContext& context)
      : tasks_(std::move(tasks)),
        packeting_(packeting),
        multicasts_(context.multicasts),
        outboxes_(context.topology->terminals()) {
    start(0);
  }

  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t) override {
    const auto taken = outboxes_[index(source)].take();
    if (!taken) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(taken->what);
    const Task& task = tasks_.all[number];
    GeneratedPacket packet;
    packet.birth = taken->birth;
    packet.destination = TerminalId{task.destination};
    packet.length = packeting_.length(task, taken->what >> 32);
    packet.message_class = task.message_class;
    packet.preparation = task.list != 0 ? multicasts_.preparation : multicasts_.unicast_preparation;
    if (task.list != 0) packet.destinations = tasks_.lists[task.list - 1];
    packet.user = reinterpret_cast<void*>(static_cast<std::uintptr_t>(number) + 1);
    return packet;
  }
  void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) override {
    const auto number =
        reinterpret_cast<std::uintptr_t>(delivery.user) - 1;  // of others in the fabric: too large
    if (number >= tasks_.all.size() || delivery.remaining > 0) return;
    Progress& progress = progress_[number];
    if (progress.packets == 0 || tasks_.all[number].terminal != index(delivery.source)) return;
    if (--progress.packets == 0)
      end(static_cast<std::uint32_t>(number), delivery.consumed, delivery.consumed, wake);
  }
  bool restart(Cycle t) override {
    for (Outbox& outbox : outboxes_) outbox.clear();
    start(t);
    return true;
  }
  [[nodiscard]] bool finite() const override { return true; }
  [[nodiscard]] std::optional<Ends> ends() const override { return tasks_.ends; }
  [[nodiscard]] double memory_bytes() const override {
    double bytes =
        static_cast<double>(tasks_.all.size()) * (sizeof(Task) + sizeof(Progress) + sizeof(std::size_t)) +
        static_cast<double>(tasks_.followers.size()) * sizeof(std::uint32_t);
    for (const auto& list : tasks_.lists)
      bytes += static_cast<double>(sizeof(list) + list.size() * sizeof(TerminalId));
    return bytes;
  }

 private:
  struct Progress {
    Cycle ready = 0;            ///< begins in this cycle or later
    std::uint32_t waits = 0;    ///< tasks that have not ended
    std::uint32_t packets = 0;  ///< that have not been consumed
  };

  void start(Cycle t) {
    progress_.assign(tasks_.all.size(), {});
    std::vector<TerminalId> nobody;
    for (std::uint32_t n = 0; n < tasks_.all.size(); ++n)
      progress_[n] = {std::max(t, tasks_.all[n].at), tasks_.all[n].waits, 0};
    for (std::uint32_t n = 0; n < tasks_.all.size(); ++n)
      if (tasks_.all[n].waits == 0) begin(n, kNever, nobody);
  }
  /// All that the task waits for has ended; cycle `now` ends.
  void begin(std::uint32_t number, Cycle now, std::vector<TerminalId>& wake) {
    const Task& task = tasks_.all[number];
    const Cycle done = progress_[number].ready + task.compute;
    if (task.flits == 0) return end(number, done, now, wake);
    const Cycle birth = now == kNever ? done : std::max(done, now + 1);
    const std::uint64_t packets = packeting_.packets(task);
    progress_[number].packets = static_cast<std::uint32_t>(packets);
    for (std::uint64_t part = 0; part < packets; ++part)
      outboxes_[task.terminal].add(part << 32 | number, birth, now);
    if (now != kNever) wake.push_back(TerminalId{task.terminal});
  }
  /// The task has ended: others may begin in cycle `from`.
  void end(std::uint32_t number, Cycle from, Cycle now, std::vector<TerminalId>& wake) {
    ended_.push_back({number, from});
    if (ended_.size() > 1) return;  // by way of tasks without a message: the loop below goes on
    for (std::size_t n = 0; n < ended_.size(); ++n) {
      const auto [task, since] = ended_[n];
      for (auto f = tasks_.first[task]; f < tasks_.first[task + 1]; ++f) {
        Progress& follower = progress_[tasks_.followers[f]];
        follower.ready = std::max(follower.ready, since);
        if (--follower.waits == 0) begin(tasks_.followers[f], now, wake);
      }
    }
    ended_.clear();
  }

  Tasks tasks_;
  Packeting packeting_;
  SourceContext::Multicasts multicasts_;
  std::vector<Outbox> outboxes_;                        ///< by terminal: task, and packet of it << 32
  std::vector<Progress> progress_;                      ///< by task
  std::vector<std::pair<std::uint32_t, Cycle>> ended_;  ///< whose followers have not been told
};

Packeting packeting_of(const Parameters& keys) {
  Packeting packeting;
  const auto number = [&](const char* key, std::int64_t least, std::uint64_t most) {
    return source_key_within(keys, "workload", key, least, static_cast<std::int64_t>(most));
  };
  if (keys.has("flit_bytes")) packeting.flit_bytes = number("flit_bytes", 1, kMostTasks);
  packeting.header_flits = number("header_flits", 0, Flit::kNumber - 1);
  if (keys.has("packet_flits")) packeting.packet_flits = number("packet_flits", 1, Flit::kNumber);
  if (packeting.header_flits >= packeting.packet_flits)
    throw ConfigError("traffic.source.packet_flits",
                      fmt::format("packets of {} flits have no room behind {} header flits; make them longer",
                                  packeting.packet_flits, packeting.header_flits));
  return packeting;
}

const CaptionOf kWorkloadCaption{
    {"workload", [](const Parameters& keys) { return "tasks of " + file_in_caption(keys); }}};

const Registration<SourceRegistry> kWorkloadRegistered{
    {{"workload",
      "tasks from a text file that compute, send, and wait for each other",
      {Parameter::file("file",
                       std::string("text file with lines '") + kTaskLine +
                           "'; size: flits, as 5, or bytes, as 64B; destination -, without a size: no "
                           "message; after=*: all tasks of the lines before")
           .mandatory(),
       Parameter::integer("flit_bytes", nullptr, 1, static_cast<std::int64_t>(kMostTasks), "bytes",
                          "bytes that a flit carries, for sizes in bytes"),
       Parameter::integer("header_flits", 0, 0, Flit::kNumber - 1, "flits",
                          "flits of every packet that carry none of the bytes, for sizes in bytes"),
       Parameter::integer("packet_flits", nullptr, 1, Flit::kNumber, "flits",
                          "longest packet, header included: larger messages are sent as several, in order; "
                          "default: the longest that there are")}},
     {[](const SourceContext& context, const Parameters& keys) {
        if (!keys.has("file"))
          throw ConfigError(
              kSourceKey,
              std::string("workload needs the key 'file': a text file with lines '") + kTaskLine + "'");
        const Packeting packeting = packeting_of(keys);
        return std::make_unique<Workload>(
            WorkloadReader(context, packeting, keys.get<std::string>("file")).read(), packeting, context);
      },
      SourceKind::Traffic::kGiven}}};

}  // namespace
}  // namespace noctule
