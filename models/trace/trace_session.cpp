#include "trace/trace_session.h"

#include "core/error.h"
#include "trace/glob.h"
#include "trace/gtkw.h"

namespace noctule {

std::vector<RouterId> TraceOptions::traced(const Topology& topology, const std::string& fabric) const {
  std::vector<RouterId> routers;
  if (vcd.empty()) return routers;
  const GlobSet globs(scope);
  for (std::uint32_t r = 0; r < topology.routers(); ++r)
    if (globs.may_concern(fabric, topology.router_name(RouterId{r}))) routers.push_back(RouterId{r});
  return routers;
}

TraceSession::TraceSession(const TraceOptions& options, Fabric& fabric) {
  if (!options.gtkw.empty() && options.vcd.empty())
    throw ConfigError("trace.gtkw", "a save file for GTKWave needs a waveform: give trace.vcd, too");
  if (options.window.cycles == 0)
    throw ConfigError("trace.cycles", "a window of 0 cycles shows nothing; give at least 1");
  // A waveform of nothing is refused before the event log of an earlier run goes.
  if (!options.vcd.empty())
    waveform_ = std::make_unique<Waveform>(options.vcd, fabric, options.scope, options.window);
  if (!options.events.empty()) {
    events_ = std::make_unique<EventLog>(options.events, fabric.plan(), options.window);
    observers_.add(*events_);
    files_.push_back(options.events);
  }
  if (waveform_) {
    observers_.add(*waveform_);
    files_.push_back(options.vcd);
    if (!options.gtkw.empty()) {
      const auto written = write_gtkw(options.gtkw, *waveform_);
      files_.insert(files_.end(), written.begin(), written.end());
    }
  }
  if (options.any() || fabric.options().observed) fabric.observe(observers_);
}

TraceSession::~TraceSession() {
  try {
    close();
  } catch (const std::exception&) {  // nobody asked for the result
  }
}

void TraceSession::close() {
  if (events_) events_->close();
  if (waveform_) waveform_->close();
}

}  // namespace noctule
