#pragma once
// The event log: one line of comma-separated values for everything that a flit does.
//
//   cycle,router,port,vc,event,packet,flit,source,destination
//   17,router_3_4,x_plus,star0.1,link,12:3,0,12,77
//
// Where message classes have names, the last column is message_class.
// port and vc: where it happened (generate, discard, inject: the injection channel; grant, cross, link: the
// output VC; consume: the consumption channel). event: generate | discard | inject | grant | cross | link |
// consume. packet: its name everywhere (core/packet_name.h), source terminal and number at that source; all
// copies of a multicast share it. flit: number in the packet. destination: consume: the terminal that takes
// the flit; else the one that the packet's header goes to next. generate: one line for each copy of a
// message, in the cycle of its generation, whatever its preparation takes. Lines of one cycle are ordered by
// router, event and place, so that the file does not depend on the order of evaluation.

#include <string>
#include <vector>

#include "blocks/observer.h"
#include "nodes/router_plan.h"
#include "trace/output_file.h"
#include "trace/window.h"

namespace noctule {

/// "generate", "discard", ...
const char* event_name(FlitEvent event);

class EventLog final : public FlitObserver {
 public:
  /// The plan outlives the log. Throws ConfigError (key "events") if the file cannot be created.
  EventLog(std::string path, const FabricPlan& plan, CycleWindow window);

  void on_flit(Cycle t, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t input, Flit flit,
               const Packet& packet) override;
  void on_cycle_end(Cycle t) override;
  /// Writes what is left; throws ConfigError if the file could not be written. May be called again.
  void close();

 private:
  struct Row {
    Cycle cycle;
    std::uint64_t number;
    std::uint32_t router;
    std::uint32_t flit;
    std::uint32_t source;
    std::uint32_t destination;
    std::uint16_t place;
    FlitEvent event;
    std::uint8_t message_class;
  };
  void write_cycle();
  void write(const Row& row);

  const FabricPlan& plan_;
  CycleWindow window_;
  OutputFile file_;
  std::vector<Row> rows_;  ///< of the current cycle
};

}  // namespace noctule
