// What terminals offer and take: load, source and sink of a configuration.

#include <fmt/format.h>

#include "analytic/capacity.h"
#include "config/model.h"
#include "core/fixed_point.h"
#include "core/foreign_code.h"
#include "core/json.h"

namespace noctule {
namespace {

bool has_serialisers(const LinkDescriptions& links) {
  return links.any([](const LinkDescription& link) { return link.cycles_per_flit > 1; });
}

}  // namespace

double ideal_capacity(const Topology& topology, const LinkDescriptions& links) {
  if (!has_serialisers(links)) return topology.capacity();
  std::vector<double> rates;
  for (const Link& link : topology.links()) rates.push_back(1.0 / links[link.id].cycles_per_flit);
  return capacity_of(topology, rates);
}

OfferedLoad offered_load(const ModelConfig& model, const Topology& topology, const LinkDescriptions& links) {
  const auto& traffic = model.traffic;
  OfferedLoad load;
  load.tau_max_packets_per_node_cycle =
      topology.bisection_limits() && !has_serialisers(links)
          ? tau_max(topology.bisection(), static_cast<double>(topology.terminals()), kCrossingFraction,
                    worm_cycles(traffic.mean_length))
          : ideal_capacity(topology, links) / worm_cycles(traffic.mean_length);
  const double flits_per_message = traffic.mean_length * traffic.mean_destinations;
  switch (traffic.load_unit) {
    case LoadUnit::kFlitsPerNodeCycle:
      load.packets_per_node_cycle = traffic.offered_load / flits_per_message;
      break;
    case LoadUnit::kPacketsPerNodeCycle:
      load.packets_per_node_cycle = traffic.offered_load;
      break;
    case LoadUnit::kNormalized:
      load.packets_per_node_cycle = traffic.offered_load * load.tau_max_packets_per_node_cycle;
      break;
  }
  if (load.packets_per_node_cycle > 1)
    throw ConfigError("traffic.offered_load",
                      fmt::format("{} means {} packets per terminal and cycle; at most 1 can be offered",
                                  traffic.offered_load, load.packets_per_node_cycle));
  load.flits_per_node_cycle = load.packets_per_node_cycle * flits_per_message;
  load.normalized = traffic.load_unit == LoadUnit::kNormalized
                        ? traffic.offered_load
                        : load.packets_per_node_cycle / load.tau_max_packets_per_node_cycle;
  return load;
}

std::shared_ptr<TerminalSink> make_sink(const ModelConfig& model, const Topology& topology) {
  const SinkContext context{topology.terminals(), model.message_classes.size(), model.seed};
  const auto& sink = model.traffic.sink;
  return ask_part("traffic.sink", "the sink",
                  [&] { return SinkRegistry::instance().at(sink.name).make(context, sink.keys); });
}

std::unique_ptr<TrafficSource> make_source(const ModelConfig& model, std::shared_ptr<const Topology> topology,
                                           std::shared_ptr<const TrafficPattern> pattern,
                                           const OfferedLoad& load, Carried carried) {
  SourceContext context;
  context.carried = std::move(carried);
  context.packet_rate = to_fixed_point(load.packets_per_node_cycle);
  context.topology = std::move(topology);
  context.pattern = std::move(pattern);
  context.lengths = cumulative(model.traffic.lengths);
  context.seed = model.seed;
  context.multicasts = model.traffic.multicasts;
  context.classes.clear();
  for (std::size_t c = 0; c < model.message_classes.size(); ++c)
    context.classes.push_back(
        {model.message_classes[c].name, model.message_classes[c].buffer, model.message_classes.causes(c)});
  const auto& source = model.traffic.source;
  return make_part("traffic.source", "the source",
                   [&] { return SourceRegistry::instance().at(source.name).make(context, source.keys); });
}

}  // namespace noctule
