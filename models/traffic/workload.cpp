// Tasks that wait for each other, from a file (traffic/task_file.h): what a program sends, as recorded or as
// written down. A task begins when all tasks that it waits for have ended, computes for a while, and sends a
// message, in the next cycle at the earliest; it ends when the whole message has been consumed. One without a
// message ends when it has computed: with several predecessors it is a barrier.

#include <fmt/format.h>

#include <algorithm>

#include "core/user_number.h"
#include "traffic/caption.h"
#include "traffic/holds_memory.h"
#include "traffic/last_birth.h"
#include "traffic/outbox.h"
#include "traffic/packet_draws.h"
#include "traffic/task_file.h"

namespace noctule {
namespace {

class Workload final : public TrafficSource, public HoldsMemory, public KnowsLastBirth {
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
    packet.user = as_user(std::uint64_t{number} + 1);
    return packet;
  }
  void delivered(const Delivery& delivery, std::vector<TerminalId>& wake) override {
    const auto number = number_of(delivery.user) - 1;  // of others in the fabric: too large
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
  [[nodiscard]] Cycle last_birth() const override {  // at the earliest
    Cycle last = 0;
    for (const Task& task : tasks_.all)
      if (task.flits > 0) last = std::max(last, task.at + task.compute);
    return last;
  }
  [[nodiscard]] std::optional<Ends> ends() const override { return tasks_.ends; }
  [[nodiscard]] LengthShares lengths() const override {
    LengthCounts counts;
    for (const Task& task : tasks_.all) {
      const std::uint64_t packets = packeting_.packets(task);
      if (packets == 0) continue;
      if (packets > 1) counts.add(packeting_.length(task, 0), static_cast<double>(packets - 1));
      counts.add(packeting_.length(task, packets - 1), 1);
    }
    return counts.shares();
  }
  [[nodiscard]] double memory_bytes() const override {
    double bytes =
        static_cast<double>(tasks_.all.size()) * (sizeof(Task) + sizeof(Progress) + sizeof(std::size_t)) +
        static_cast<double>(tasks_.followers.size()) * sizeof(std::uint32_t);
    for (const auto& list : tasks_.lists)
      bytes += static_cast<double>(sizeof(std::vector<TerminalId>) + list.size() * sizeof(TerminalId));
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
      {Parameter::file("file", task_forms() +
                                   "; size: flits, as 5, or bytes, as 64B; destination -, without a size: "
                                   "no message; after=*: all tasks of the lines before")
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
          throw ConfigError(kSourceKey, "workload needs the key 'file': a " + task_forms());
        const Packeting packeting = packeting_of(keys);
        return std::make_unique<Workload>(read_tasks(keys.get<std::string>("file"), context, packeting),
                                          packeting, context);
      },
      SourceKind::Traffic::kGiven}}};

}  // namespace
}  // namespace noctule
