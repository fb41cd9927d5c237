// Where the transactions of a replay come from.

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "analytic/capacity.h"
#include "core/csv.h"
#include "core/error.h"
#include "core/number_lines.h"
#include "tlm/replay.h"
#include "traffic/lengths.h"

namespace noctule::tlm {
namespace {

constexpr const char* kOption = "--trace";
constexpr std::uint32_t kMostBytes = 1U << 20;
constexpr std::size_t kBases = 64;  // ranges of a target that addresses are drawn from

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const auto from = text.find_first_not_of(kBlanks);
  return from == std::string_view::npos ? "" : text.substr(from, text.find_last_not_of(kBlanks) + 1 - from);
}

/// A table with named columns, and others: rules of lines and cells are those of core/csv_table.h.
class Table {
 public:
  explicit Table(std::string path) : path_(std::move(path)) {
    if (std::filesystem::is_directory(path_))
      refuse("this is a folder; give the transactions.csv of a recording in it");
    if (!std::ifstream(path_))
      refuse(fmt::format("cannot be read: {}; give a transactions.csv", std::strerror(errno)));
  }
  /// Calls f() for each row, of which the other functions tell then.
  template <class F>
  void each_row(F f) {
    each_text_line(
        path_, kOption, "cells with commas between them", [&](std::string_view line, std::size_t at) {
          line_ = at;
          const std::string_view text = without_blanks(line);
          if (text.empty() || text.front() == '#') return true;
          if (std::ranges::count(text, '"') % 2 != 0)
            fault("a quote is not closed; a cell ends on the line where it begins");
          cells_ = csv_cells(std::string(text));
          for (std::string& cell : cells_) cell = without_blanks(cell);
          if (columns_.empty())
            name_columns();
          else if (std::ranges::any_of(cells_, [](const std::string& cell) { return !cell.empty(); }))
            row(f);
          return true;
        });
    if (columns_.empty()) refuse("the file is empty; give a transactions.csv");
  }
  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] bool has(const char* column) const { return columns_.contains(column); }
  [[nodiscard]] const std::string& text(const char* column) const {
    const auto found = columns_.find(column);
    if (found == columns_.end())
      refuse(fmt::format("there is no column '{}'; give a transactions.csv of a recording", column));
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
  [[nodiscard]] std::uint32_t bytes() const {
    const std::uint64_t value = number("bytes");
    if (value > kMostBytes)
      fault(fmt::format("bytes is {}; a transaction of a replay has at most {} bytes", value, kMostBytes));
    return static_cast<std::uint32_t>(value);
  }
  /// Of what is wrong with the line.
  [[noreturn]] void fault(const std::string& message) const { fault_of(line_, message); }
  [[noreturn]] void fault_of(std::size_t line, const std::string& message) const {
    throw ConfigError({{kOption, message, fmt::format("{}:{}", path_, line)}});
  }
  /// Of what is wrong with the file.
  [[noreturn]] void refuse(const std::string& message) const {
    throw ConfigError({{"", message, fmt::format("{} {}", kOption, path_)}});
  }

 private:
  void name_columns() {
    for (std::size_t n = 0; n < cells_.size(); ++n)
      if (!columns_.emplace(cells_[n], n).second)
        fault(fmt::format("there are two columns '{}'; keep one of them", cells_[n]));
  }
  template <class F>
  void row(F& f) {
    if (cells_.size() != columns_.size())
      fault(fmt::format("has {} cells, the first line {}", cells_.size(), columns_.size()));
    f();
  }

  std::string path_;
  std::size_t line_ = 0;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::string> cells_;
};

sc_time of_ps(std::uint64_t ps) {
  return sc_time(static_cast<double>(ps), sc_core::SC_PS);
}

constexpr std::uint64_t kLongestService = 1'000'000'000'000;

/// Cycles that a target has each piece. In a table without the column, which says no more of a transaction of
/// several pieces: from the last request to the last response.
std::uint64_t service_of(const Table& table) {
  if (table.has("service")) return table.number("service");
  const std::uint64_t reached = table.number("reached");
  const std::uint64_t answered = table.number("answered");
  if (answered < reached)
    table.fault(
        fmt::format("it is answered in cycle {}, before it is reached in cycle {}", answered, reached));
  return answered > reached ? answered - reached - 1 : 0;
}

/// Bytes beyond those of the transaction say nothing: without streaming a width may be any number.
Burst burst_of(const Table& table) {
  Burst burst;
  const std::string& command = table.text("command");
  if (command != "read" && command != "write" && command != "nothing")
    table.fault(fmt::format("'{}' is no command; there are read, write and nothing", command));
  burst.access = command == "read" ? Access::kRead : command == "write" ? Access::kWrite : Access::kNothing;
  burst.address = table.number("address");
  burst.length = table.bytes();
  const auto within = [&](const char* column) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(table.number(column), burst.length));
  };
  burst.streaming_width = within("streaming_width");
  burst.byte_enable_length = within("byte_enable_length");
  return burst;
}

/// Refuses what would end without a packet, or go to another target than the line says: errors of latencies
/// would be those of other transactions.
void check_carried(const Table& table, const Burst& burst, const TlmNetwork& network) {
  const TlmSettings& settings = network.settings();
  if (burst.length == 0 && burst.access != Access::kNothing)
    table.fault("bytes is 0, and a read or write has at least one; leave the line out");
  std::vector<Piece> pieces;
  const auto obstacle = cut(burst, network.map(), network.packetizer().most_bytes(), settings.split, pieces);
  if (obstacle == CutFault::kUnmapped)
    table.fault(
        fmt::format("nobody serves all of {} bytes from address 0x{:x} on; give them a region of tlm.map, or "
                    "give tlm.default",
                    std::max(1U, burst.width()), burst.address));
  if (obstacle == CutFault::kTooLarge)
    table.fault(
        fmt::format("{} bytes at address 0x{:x} need several packets, and tlm.split is false; give true",
                    burst.length, burst.address));
  const std::string& serves = settings.targets[index(pieces.front().target)].name;
  if (table.text("target") != serves)
    table.fault(
        fmt::format("the target is '{}', and '{}' serves address 0x{:x}; give the tlm.map of the "
                    "platform that was recorded",
                    table.text("target"), serves, burst.address));
}

/// The same for what is drawn, which a region has room for.
void check_carried(std::uint32_t bytes, std::uint64_t address, const TlmNetwork& network) {
  std::vector<Piece> pieces;
  if (cut({Access::kRead, address, bytes, bytes}, network.map(), network.packetizer().most_bytes(),
          network.settings().split, pieces))
    throw ConfigError(
        "tlm.split", fmt::format("false is given, and {} bytes, which traffic.packet_length gives a "
                                 "transaction, need several packets at address 0x{:x}; give true, or shorter "
                                 "packets",
                                 bytes, address));
}

}  // namespace

std::vector<ReplayedTransaction> recorded_transactions(const std::string& file, const TlmNetwork& network) {
  const TlmSettings& settings = network.settings();
  Table table(file);
  std::vector<ReplayedTransaction> all;
  struct Known {
    std::size_t line = 0;
    std::optional<std::size_t> place = {};  ///< none: it sent no packet
    std::uint64_t response = 0;
  };
  std::map<std::uint64_t, Known> known;
  std::map<std::size_t, std::uint64_t> later;  // by line: `after` that no line up to there has
  table.each_row([&] {
    const std::uint64_t number = table.number("number");
    const auto note = [&](const Known& own) {
      if (const auto [at, fresh] = known.emplace(number, own); !fresh)
        table.fault(fmt::format("number {} is that of line {}, too; give each transaction its own", number,
                                at->second.line));
    };
    if (table.text("reached").empty()) return note({table.line()});  // it sent no packet
    ReplayedTransaction& one = all.emplace_back();
    const auto initiator =
        std::ranges::find(settings.initiators, table.text("initiator"), &TlmSettings::Initiator::name);
    if (initiator == settings.initiators.end())
      table.fault(fmt::format("there is no initiator '{}' in tlm.initiators", table.text("initiator")));
    one.initiator = InitiatorId(static_cast<std::uint32_t>(initiator - settings.initiators.begin()));
    one.burst = burst_of(table);
    check_carried(table, one.burst, network);
    const std::uint64_t service = service_of(table);
    if (service > kLongestService)
      table.fault(
          fmt::format("it is served for {} cycles; at most {} are possible", service, kLongestService));
    one.service = sc_time(settings.period_ns * static_cast<double>(service), sc_core::SC_NS);
    const std::uint64_t begin = table.number("begin_ps");
    one.pause = of_ps(begin);
    const std::uint64_t response = table.number("response_ps");
    if (response < begin)
      table.fault(fmt::format("its response, at {} ps, comes before it begins, at {} ps", response, begin));
    if (!table.text("after").empty()) {
      const std::uint64_t after = table.number("after");
      if (after == number) table.fault("it comes after itself; leave 'after' empty");
      const auto before = known.find(after);
      if (before == known.end()) {
        later.emplace(table.line(), after);
      } else if (before->second.place) {
        if (all[*before->second.place].initiator != one.initiator)
          table.fault(
              fmt::format("it comes after transaction {}, which is of another initiator; give one of its "
                          "own, or leave 'after' empty",
                          after));
        if (before->second.response <= begin) {
          one.after = before->second.place;
          one.pause = of_ps(begin - before->second.response);
        }
      }
    }
    note({table.line(), all.size() - 1, response});
  });
  for (const auto& [line, after] : later)
    if (!known.contains(after))
      table.fault_of(line, fmt::format("it comes after transaction {}, and no line has that number; leave "
                                       "'after' empty where it waits for none",
                                       after));
  for (const char* column : {"number", "initiator", "reached"})
    static_cast<void>(table.text(column));  // no lines
  if (all.empty()) table.refuse("there is no transaction with packets; record one that a target serves");
  return all;
}

std::vector<ReplayedTransaction> drawn_transactions(const DrawnTraffic& traffic, const TlmNetwork& network) {
  const TlmSettings& settings = network.settings();
  const LengthMixture lengths(cumulative(traffic.bytes));
  const std::uint32_t most = std::ranges::max(traffic.bytes).first;
  std::map<std::size_t, std::size_t> target_at;
  for (std::size_t n = 0; n < settings.targets.size(); ++n)
    target_at[index(settings.targets[n].terminal)] = n;
  std::vector<std::vector<std::uint64_t>> bases(settings.targets.size());
  for (const Region& region : settings.regions) {
    const std::uint64_t step = region.granule == 0 ? std::max<std::uint64_t>(most, 64) : region.granule;
    for (std::uint64_t at = 0; at + most <= region.size && at / step < kBases * region.targets.size();
         at += step)
      if (const auto place = network.map().find(region.base + at))
        if (auto& of_target = bases[index(place->target)]; of_target.size() < kBases) {
          check_carried(most, region.base + at, network);
          of_target.push_back(region.base + at);
        }
  }
  std::vector<ReplayedTransaction> all;
  for (std::size_t i = 0; i < settings.initiators.size(); ++i) {
    const TerminalId from = settings.initiators[i].terminal;
    if (!traffic.pattern->injects(from)) continue;
    Rng rng(traffic.seed, "levels/" + settings.initiators[i].name);
    const auto target = [&]() -> std::size_t {
      std::optional<std::size_t> without_room;
      for (int draw = 0; draw < 10000; ++draw) {
        const auto found = target_at.find(index(traffic.pattern->destination(from, rng)));
        if (found == target_at.end()) continue;
        if (!bases[found->second].empty()) return found->second;
        without_room = found->second;
      }
      if (without_room)
        throw ConfigError(
            "tlm.map",
            fmt::format(
                "no region of target '{}', which initiator '{}' is to reach, has room for the {} bytes "
                "of a transaction; give it a larger one (addresses of tlm.default are not drawn), or "
                "draw shorter packets",
                settings.targets[*without_room].name, settings.initiators[i].name, most));
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
      const Access access = rng.below(2) == 0 ? Access::kRead : Access::kWrite;
      const std::uint64_t address = of_target[rng.below(of_target.size())];
      const std::uint32_t bytes = traffic.bytes.size() == 1 ? most : lengths.draw(rng);
      one.burst = {access, address, bytes, bytes, 0};
      one.pause = sc_time(settings.period_ns * static_cast<double>(t), sc_core::SC_NS);
    }
  }
  return all;
}

}  // namespace noctule::tlm
