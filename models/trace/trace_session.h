#pragma once
// All that a run records about its flits: waveform, its save file for a viewer, event log.

#include <memory>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "trace/event_log.h"
#include "trace/observer_list.h"
#include "trace/waveform.h"

namespace noctule {

struct TraceOptions {
  std::string vcd;                      ///< waveform file; empty: none
  std::string gtkw;                     ///< save file for the waveform; empty: none
  std::string events;                   ///< event log; empty: none
  std::vector<std::string> scope{"*"};  ///< globs: what of the hierarchy the waveform shows
  CycleWindow window;                   ///< cycles that waveform and event log cover

  /// Must the fabric be built with FabricOptions::observed?
  [[nodiscard]] bool any() const { return !vcd.empty() || !events.empty(); }
  /// Routers that the waveform of a fabric of this name may show (FabricOptions::with_blocks).
  [[nodiscard]] std::vector<RouterId> traced(const Topology& topology, const std::string& fabric) const;
};

/// Attaches itself to a fabric that was built with FabricOptions::observed, before the simulation starts. The
/// fabric outlives the session; nothing is simulated after the session's end.
class TraceSession {
 public:
  /// Throws ConfigError where a file cannot be created or a glob chooses nothing.
  TraceSession(const TraceOptions& options, Fabric& fabric);
  /// Closes what is still open; errors go unreported.
  ~TraceSession();
  TraceSession(const TraceSession&) = delete;
  TraceSession& operator=(const TraceSession&) = delete;

  /// One more observer of the same fabric; it outlives the session.
  void add(FlitObserver& observer) { observers_.add(observer); }
  /// Ends all files at the last cycle performed; what is simulated after that is not recorded. Throws
  /// ConfigError for a file that could not be written. May be called again.
  void close();
  /// Everything that was written.
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  /// Null if there is none.
  [[nodiscard]] const Waveform* waveform() const { return waveform_.get(); }

 private:
  ObserverList observers_;
  std::unique_ptr<EventLog> events_;
  std::unique_ptr<Waveform> waveform_;
  std::vector<std::string> files_;
};

}  // namespace noctule
