#include "patterns/demand.h"

namespace noctule {

double flits_of(const TrafficPattern::Spread& spread) {
  double flits = spread.uniform;
  for (const auto& [to, rate] : spread.rest) flits += rate;
  return flits;
}

std::vector<bool> senders(const std::vector<ClassDemand>& demand) {
  std::vector<bool> sends;
  for (const ClassDemand& of_class : demand) {
    sends.resize(of_class.sent.size());
    for (std::size_t t = 0; t < of_class.sent.size(); ++t)
      if (flits_of(of_class.sent[t]) > 0) sends[t] = true;
  }
  return sends;
}

ClassDemand demand_of(const Topology& topology, const TrafficPattern& pattern) {
  ClassDemand demand;
  demand.sent.resize(topology.terminals());
  for (std::uint32_t t = 0; t < topology.terminals(); ++t)
    if (pattern.injects(TerminalId{t})) demand.sent[t] = pattern.spread(TerminalId{t});
  return demand;
}

void scale(std::vector<ClassDemand>& demand, double factor) {
  for (ClassDemand& of_class : demand)
    for (auto& spread : of_class.sent) {
      spread.uniform *= factor;
      for (auto& [to, rate] : spread.rest) rate *= factor;
    }
}

}  // namespace noctule
