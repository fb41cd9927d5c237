#include "tlm/recording.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "core/error.h"
#include "core/json.h"
#include "tlm/flow_latency.h"
#include "tlm/network.h"
#include "tlm/transaction_waveform.h"
#include "trace/output_file.h"

namespace noctule::tlm {
namespace {

const char* status_name(::tlm::tlm_response_status status) {
  static constexpr std::array<const char*, 7> kNames{
      "ok",          "incomplete",       "generic_error", "address_error", "command_error",
      "burst_error", "byte_enable_error"};
  return kNames[static_cast<std::size_t>(1 - static_cast<int>(status))];
}

std::string in_folder(const std::string& folder, const char* name) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw ConfigError("record", fmt::format("cannot make the folder '{}': {}", folder, error.message()));
  return (std::filesystem::path(folder) / name).string();
}

}  // namespace

/// Writes what it is told of.
class Recording::Files final : public TransactionObserver {
 public:
  Files(const TlmNetwork& network, const std::string& folder)
      : settings_(network.settings()),
        moves_flits_(settings_.level == Level::kCycle),
        latencies_(settings_),
        lines_(in_folder(folder, "transactions.csv"), "record"),
        tasks_(in_folder(folder, "tasks.txt"), "record"),
        summary_(in_folder(folder, "transactions.json"), "record"),
        waveform_(settings_, in_folder(folder, "transactions.vcd")) {
    lines_
        << "number,initiator,target,command,address,bytes,streaming_width,byte_enable_length,status,begin_ps,"
           "accepted_ps,first_flit,reached,answered,last_flit,response_ps,pieces,after,service\n";
    tasks_ << fmt::format(
        "# Requests (q) and responses (p) of transactions: traffic.source: {{kind: workload, file: ...}}\n");
  }
  void ended(const TransactionRecord& record) override {
    if (closed_) return;
    latencies_.ended(record);
    waveform_.add(record);
    line(record);
    if (record.complete())
      for (std::size_t n = 0; n < record.pieces.size(); ++n) tasks(record, n);
  }
  void close() {
    if (closed_) return;
    closed_ = true;
    summary_ << latencies_.json().dump(1) << '\n';
    lines_.close();
    tasks_.close();
    summary_.close();
    waveform_.write();
  }

 private:
  void line(const TransactionRecord& record) {
    static constexpr std::array<const char*, 3> kCommands{"read", "write", "nothing"};
    const bool complete = record.complete();
    const Burst& burst = record.burst;
    lines_ << fmt::format(
        "{},{},{},{},0x{:x},{},{},{},{},{},{},", record.number,
        settings_.initiators[index(record.initiator)].name,
        record.pieces.empty() ? "" : settings_.targets[index(record.pieces.front().target)].name,
        kCommands[static_cast<std::size_t>(burst.access)], burst.address, burst.length, burst.streaming_width,
        burst.byte_enable_length, status_name(record.status), picoseconds(record.begin),
        picoseconds(record.accepted));
    if (complete && moves_flits_) lines_ << record.pieces.front().request.injected;
    lines_ << ',';
    if (complete)
      lines_ << record.reached() << ',' << record.answered() << ',';
    else
      lines_ << ",,";
    if (complete && moves_flits_) lines_ << record.returned();
    lines_ << fmt::format(",{},{},", picoseconds(record.response), record.pieces.size());
    if (record.before) lines_ << record.before->number;
    lines_ << ',';
    if (complete) lines_ << record.service();
    lines_ << '\n';
  }

  void tasks(const TransactionRecord& record, std::size_t n) {
    const PieceRecord& piece = record.pieces[n];
    const std::size_t near = index(settings_.initiators[index(record.initiator)].terminal);
    const std::size_t far = index(settings_.targets[index(piece.target)].terminal);
    tasks_ << fmt::format("{} {} {} id=q{}.{} class={}", near, far, piece.request.flits, record.number, n,
                          settings_.request_class);
    if (record.before && piece.request.born > record.before->consumed) {
      tasks_ << " after=";
      for (std::size_t b = 0; b < record.before->pieces; ++b)
        tasks_ << fmt::format("{}p{}.{}", b == 0 ? "" : ",", record.before->number, b);
      tasks_ << " compute=" << piece.request.born - record.before->consumed;
    } else {
      tasks_ << " at=" << piece.request.born;
    }
    tasks_ << fmt::format("\n{} {} {} id=p{}.{} class={} after=q{}.{} compute={}\n", far, near,
                          piece.response.flits, record.number, n, settings_.response_class, record.number, n,
                          piece.response.born - piece.request.consumed);
  }

  TlmSettings settings_;
  bool moves_flits_;
  FlowLatencies latencies_;
  OutputFile lines_;
  OutputFile tasks_;
  OutputFile summary_;
  TransactionWaveform waveform_;
  bool closed_ = false;
};

Recording::Recording(TlmNetwork& network, const std::string& folder)
    : files_(std::make_shared<Files>(network, folder)) {
  network.observe(files_);
}

Recording::~Recording() {
  try {
    close();
  } catch (const std::exception&) {  // `close` tells
  }
}

void Recording::close() {
  files_->close();
}

}  // namespace noctule::tlm
