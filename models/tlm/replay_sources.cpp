// Where the transactions of a replay come from.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>

#include "core/csv.h"
#include "core/error.h"
#include "tlm/replay.h"

namespace noctule::tlm {
namespace {

constexpr const char* kTraceKey = "levels.trace";
constexpr std::uint32_t kMostBytes = 1U << 20;
constexpr std::size_t kBases = 64;  // ranges of a target that addresses are drawn from

/// A table with named columns.
class Table {
 public:
  explicit Table(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw ConfigError(kTraceKey, fmt::format("cannot read '{}'", path));
    if (!next()) throw ConfigError(kTraceKey, fmt::format("'{}' is empty; give a transactions.csv", path));
    for (std::size_t n = 0; n < cells_.size(); ++n) columns_[cells_[n]] = n;
  }
  bool next() {
    std::string line;
    if (!std::getline(file_, line)) return false;
    ++line_;
    cells_ = csv_cells(line);
    if (!columns_.empty() && cells_.size() != columns_.size())
      fault(fmt::format("has {} cells, the first line {}", cells_.size(), columns_.size()));
    return true;
  }
  [[nodiscard]] bool has(const char* column) const { return columns_.contains(column); }
  [[nodiscard]] const std::string& text(const char* column) const {
    const auto found = columns_.find(column);
    if (found == columns_.end())
      throw ConfigError(
          kTraceKey,
          fmt::format("'{}' has no column '{}'; give a transactions.csv of a recording", path_, column));
    return cells_[found->second];
  }
  [[nodiscard]] std::uint64_t number(const char* column) const {
    std::string_view digits = text(column);
    const bool hexadecimal = digits.starts_with("0x");
    if (hexadecimal) digits.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size())
      fault(fmt::format("'{}' is no number ({})", text(column), column));
    return value;
  }
  [[nodiscard]] std::uint32_t bytes(const char* column) const {
    const std::uint64_t value = number(column);
    if (value > kMostBytes)
      fault(
          fmt::format("{} is {}; a transaction of a replay has at most {} bytes", column, value, kMostBytes));
    return static_cast<std::uint32_t>(value);
  }
  [[noreturn]] void fault(const std::string& message) const {
    throw ConfigError(kTraceKey, fmt::format("{}:{}: {}", path_, line_, message));
  }

 private:
  std::string path_;
  std::ifstream file_;
  std::size_t line_ = 0;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::string> cells_;
};

sc_time of_ps(std::uint64_t ps) {
  return sc_time(static_cast<double>(ps), sc_core::SC_PS);
}

/// Cycles that a target has each piece. In a table without the column, which says no more of a transaction of
/// several pieces: from the last request to the last response.
std::uint64_t service_of(const Table& table) {
  if (table.has("service")) return table.number("service");
  const std::uint64_t reached = table.number("reached");
  const std::uint64_t answered = table.number("answered");
  return answered > reached ? answered - reached - 1 : 0;
}

}  // namespace

std::vector<ReplayedTransaction> recorded_transactions(const std::string& file, const TlmSettings& settings) {
  Table table(file);
  std::vector<ReplayedTransaction> all;
  struct Known {
    std::size_t place;
    std::uint64_t response;
  };
  std::map<std::uint64_t, Known> known;
  while (table.next()) {
    if (table.text("reached").empty()) continue;  // it sent no packet
    ReplayedTransaction& one = all.emplace_back();
    const auto initiator =
        std::ranges::find(settings.initiators, table.text("initiator"), &TlmSettings::Initiator::name);
    if (initiator == settings.initiators.end())
      table.fault(fmt::format("there is no initiator '{}' in tlm.initiators", table.text("initiator")));
    one.initiator = InitiatorId(static_cast<std::uint32_t>(initiator - settings.initiators.begin()));
    const std::string& command = table.text("command");
    if (command != "read" && command != "write" && command != "nothing")
      table.fault(fmt::format("'{}' is no command; there are read, write and nothing", command));
    one.burst = {command == "read"    ? Access::kRead
                 : command == "write" ? Access::kWrite
                                      : Access::kNothing,
                 table.number("address"), table.bytes("bytes"), table.bytes("streaming_width"),
                 table.bytes("byte_enable_length")};
    one.service = sc_time(settings.period_ns * static_cast<double>(service_of(table)), sc_core::SC_NS);
    const std::uint64_t begin = table.number("begin_ps");
    one.pause = of_ps(begin);
    if (!table.text("after").empty())
      if (const auto before = known.find(table.number("after"));
          before != known.end() && before->second.response <= begin) {
        one.after = before->second.place;
        one.pause = of_ps(begin - before->second.response);
      }
    known[table.number("number")] = {all.size() - 1, table.number("response_ps")};
  }
  if (all.empty()) throw ConfigError(kTraceKey, fmt::format("'{}' has no transaction with packets", file));
  return all;
}

std::vector<ReplayedTransaction> drawn_transactions(const DrawnTraffic& traffic, const TlmSettings& settings,
                                                    const AddressMap& map) {
  std::map<std::size_t, std::size_t> target_at;
  for (std::size_t n = 0; n < settings.targets.size(); ++n)
    target_at[index(settings.targets[n].terminal)] = n;
  std::vector<std::vector<std::uint64_t>> bases(settings.targets.size());
  for (const Region& region : settings.regions) {
    const std::uint64_t step =
        region.granule == 0 ? std::max<std::uint64_t>(traffic.bytes, 64) : region.granule;
    for (std::uint64_t at = 0;
         at + traffic.bytes <= region.size && at / step < kBases * region.targets.size(); at += step)
      if (const auto place = map.find(region.base + at))
        if (auto& of_target = bases[index(place->target)]; of_target.size() < kBases)
          of_target.push_back(region.base + at);
  }
  std::vector<ReplayedTransaction> all;
  for (std::size_t i = 0; i < settings.initiators.size(); ++i) {
    const TerminalId from = settings.initiators[i].terminal;
    if (!traffic.pattern->injects(from)) continue;
    Rng rng(traffic.seed, "levels/" + settings.initiators[i].name);
    const auto target = [&]() -> std::size_t {
      for (int draw = 0; draw < 10000; ++draw) {
        const auto found = target_at.find(index(traffic.pattern->destination(from, rng)));
        if (found != target_at.end() && !bases[found->second].empty()) return found->second;
      }
      throw ConfigError(
          "traffic.pattern",
          fmt::format("it sends what initiator '{}' begins to no terminal of a target; choose another "
                      "pattern, or give a recording with --trace",
                      settings.initiators[i].name));
    };
    const auto likely = static_cast<std::uint64_t>(traffic.per_cycle * 0x1p53);
    for (Cycle t = 0; t < traffic.cycles; ++t) {
      if (rng.next() >> 11 >= likely) continue;
      const auto& of_target = bases[target()];
      ReplayedTransaction& one = all.emplace_back();
      one.initiator = InitiatorId(static_cast<std::uint32_t>(i));
      one.burst = {rng.below(2) == 0 ? Access::kRead : Access::kWrite, of_target[rng.below(of_target.size())],
                   traffic.bytes, traffic.bytes, 0};
      one.pause = sc_time(settings.period_ns * static_cast<double>(t), sc_core::SC_NS);
    }
  }
  return all;
}

}  // namespace noctule::tlm
