#include "trace/event_log.h"

#include "blocks/router_layout.h"
#include "trace/flit_destination.h"

#include <algorithm>
#include <tuple>

namespace noctule {

const char* event_name(FlitEvent event) {
  switch (event) {
    case FlitEvent::kGenerate:
      return "generate";
    case FlitEvent::kDiscard:
      return "discard";
    case FlitEvent::kInject:
      return "inject";
    case FlitEvent::kGrant:
      return "grant";
    case FlitEvent::kCross:
      return "cross";
    case FlitEvent::kLink:
      return "link";
    case FlitEvent::kConsume:
      return "consume";
  }
  return "unknown";
}

EventLog::EventLog(std::string path, const FabricPlan& plan, CycleWindow window)
    : plan_(plan), window_(window), file_(std::move(path), "events") {
  file_ << "cycle,router,port,vc,event,packet,flit,source,destination"
        << (plan_.message_classes.named() ? ",message_class\n" : "\n");
}

void EventLog::on_flit(Cycle t, RouterId router, FlitEvent event, std::uint16_t place, std::uint16_t input,
                       Flit flit, const Packet& packet) {
  if (!window_.contains(t)) return;
  const TerminalId destination = flit_destination(plan_, router, event, place, packet);
  // Unlimited consumption takes the flit from an input: there is no output.
  if (place == kNoSlot)
    place = static_cast<std::uint16_t>(plan_.routers[index(router)]->outputs.size() + input);
  rows_.push_back({t, packet.number, static_cast<std::uint32_t>(router), flit.number(),
                   static_cast<std::uint32_t>(packet.source), static_cast<std::uint32_t>(destination), place,
                   event, packet.message_class});
}

void EventLog::on_cycle_end(Cycle /*t*/) {
  if (!rows_.empty()) write_cycle();
}

void EventLog::write_cycle() {
  std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return std::tie(a.router, a.event, a.place, a.number, a.flit) <
           std::tie(b.router, b.event, b.place, b.number, b.flit);
  });
  for (const Row& row : rows_) write(row);
  rows_.clear();
}

void EventLog::write(const Row& row) {
  const RouterPlan& plan = *plan_.routers[row.router];
  const bool input = row.event <= FlitEvent::kInject;
  const std::size_t links = input ? plan.link_inputs() : plan.link_outputs();
  file_ << row.cycle << ',' << plan_.topology->router_name(RouterId{row.router}) << ',';
  if (!input && row.place >= plan.outputs.size()) {
    file_ << "consumption," << plan.inputs[row.place - plan.outputs.size()].name;
  } else if (const VcPlan& vc = (input ? plan.inputs : plan.outputs)[row.place]; row.place >= links) {
    // Unlimited injection channels have no numbers: the terminal's.
    const bool unlimited = input && plan_.nodes[RouterId{row.router}].injection_channels == kUnlimited;
    file_ << (input ? "injection," : "consumption,")
          << (unlimited ? (row.place - links) / plan.injection_vcs : row.place - links);
  } else {
    const auto [port, rest] = vc.parts();
    file_ << port << ',' << rest;
  }
  file_ << ',' << event_name(row.event) << ',' << std::uint64_t{row.source} << ':' << row.number << ','
        << std::uint64_t{row.flit} << ',' << std::uint64_t{row.source} << ','
        << std::uint64_t{row.destination};
  if (plan_.message_classes.named()) file_ << ',' << plan_.message_classes[row.message_class].name;
  file_ << '\n';
}

void EventLog::close() {
  write_cycle();
  file_.close();
}

}  // namespace noctule
