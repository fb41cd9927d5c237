#pragma once
// Transactions as a waveform, for GTKWave and the like.

#include <string>
#include <vector>

#include "tlm/recording.h"
#include "trace/vcd_writer.h"
#include "transactions/settings.h"

namespace noctule::tlm {

/// A scope for each initiator: valid, address, length (bytes), command (0 read, 1 write, 2 nothing) and phase
/// (0 none, 1 the request waits at the initiator, 2 it is under way, 3 at the target, 4 the response is under
/// way). Of transactions that are open at a time each further one has a scope of its own inside: also_1,
/// also_2, ... Times are in ps. All is held until `write`: transactions end in another order than they begin.
class TransactionWaveform {
 public:
  TransactionWaveform(const TlmSettings& settings, std::string path);
  void add(const TransactionRecord& record);
  /// Throws ConfigError where the file cannot be written. Once.
  void write();

 private:
  struct Span {
    std::uint64_t begin, accepted, reached, answered, response;  ///< ps
    std::uint64_t address;
    std::uint32_t length;
    std::uint8_t command;
  };
  struct Change;
  [[nodiscard]] std::vector<Change> changes_of(VcdWriter& vcd, const std::string& scope,
                                               std::vector<Span>& spans) const;

  std::vector<std::string> scopes_;  ///< by initiator
  double period_ps_;
  std::string path_;
  std::vector<std::vector<Span>> spans_;  ///< by initiator
};

}  // namespace noctule::tlm
