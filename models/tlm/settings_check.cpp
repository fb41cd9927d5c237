#include "tlm/settings_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "core/error.h"
#include "topology/builder.h"
#include "verify/pair_order.h"

namespace noctule::tlm {
namespace {

using Faults = std::vector<Diagnostic>;

/// Names and terminals of the sockets of one side.
template <class Sockets>
void check_sockets(const Sockets& sockets, const std::string& section, std::size_t terminals,
                   std::set<std::string>& names, Faults& faults) {
  if (sockets.empty())
    faults.push_back({"tlm." + section, "there is none; give each its name and its terminal", {}});
  std::map<TerminalId, std::string> taken;
  for (const auto& socket : sockets) {
    const std::string key = fmt::format("tlm.{}.{}", section, socket.name);
    if (!is_identifier(socket.name))
      faults.push_back({key, "a name consists of letters, digits and underscores", {}});
    if (!names.insert(socket.name).second) faults.push_back({key, "this name is given twice", {}});
    if (index(socket.terminal) >= terminals)
      faults.push_back(
          {key + ".terminal",
           fmt::format("terminal {} is given; the fabric has 0 to {}", index(socket.terminal), terminals - 1),
           {}});
    const auto [other, fresh] = taken.emplace(socket.terminal, socket.name);
    if (!fresh)
      faults.push_back({key + ".terminal",
                        fmt::format("terminal {} is that of {}; each of the {} has its own (topology."
                                    "terminals_per_router gives a router several)",
                                    index(socket.terminal), other->second, section),
                        {}});
  }
}

void check_classes(const TlmSettings& settings, const MessageClasses& classes, Faults& faults) {
  if (!classes.named()) {
    faults.push_back(
        {"message_classes",
         fmt::format("requests and responses need classes of their own: name '{}' and '{}', each with "
                     "its virtual channels",
                     settings.request_class, settings.response_class),
         {}});
    return;
  }
  const std::uint8_t request = classes.number_of(settings.request_class, "tlm.request_class");
  const std::uint8_t response = classes.number_of(settings.response_class, "tlm.response_class");
  if (request == response)
    faults.push_back(
        {"tlm.response_class",
         fmt::format("'{}' is the class of the requests too; requests and responses need classes of "
                     "their own",
                     settings.response_class),
         {}});
  else if (classes[request].interface == classes[response].interface)
    faults.push_back(
        {"message_classes",
         fmt::format("'{}' and '{}' share an interface: responses would wait there behind requests; give "
                     "each its own",
                     settings.request_class, settings.response_class),
         {}});
  const auto& causes = classes.causes(request);
  if (request != response && std::ranges::find(causes, response) == causes.end())
    faults.push_back(
        {"depends",
         fmt::format("a target sends a {} for every {}; say so: {}: [{}]", settings.response_class,
                     settings.request_class, settings.request_class, settings.response_class),
         {}});
}

/// The kernel counts time in its resolution: another period would silently become the nearest one.
void check_period(double period_ns, Faults& faults) {
  if (!(period_ns > 0)) return faults.push_back({"tlm.period", "a cycle takes more than 0 ns", {}});
  const sc_time resolution = sc_core::sc_get_time_resolution();
  const double tick_ns = resolution.to_seconds() * 1e9;
  const double ticks = period_ns / tick_ns;
  const double nearest = std::max(1.0, std::round(ticks));
  constexpr double kRounding = 1e-14;  // 0.7 ns is no exact binary fraction
  if (std::abs(ticks - nearest) <= kRounding * ticks) return;
  faults.push_back({"tlm.period",
                    fmt::format("{} ns is no whole multiple of {}, the resolution of time; give {:.15g}, "
                                "which is the nearest one",
                                period_ns, resolution.to_string(), nearest * tick_ns),
                    {}});
}

void check_numbers(const TlmSettings& settings, const AddressMap& map, Faults& faults) {
  const auto at_least_1 = [&](const std::string& key, std::uint32_t value) {
    if (value < 1) faults.push_back({"tlm." + key, "0 is given; 1 at least is needed", {}});
  };
  at_least_1("request_queue", settings.request_queue);
  at_least_1("response_queue", settings.response_queue);
  at_least_1("response_buffer", settings.response_buffer);
  for (const auto& initiator : settings.initiators) {
    at_least_1(fmt::format("initiators.{}.max_outstanding", initiator.name), initiator.max_outstanding);
    at_least_1(fmt::format("initiators.{}.max_per_id", initiator.name), initiator.max_per_id);
  }
  check_period(settings.period_ns, faults);
  const auto bits = static_cast<unsigned>(std::bit_width(map.last_address()));
  if (bits > settings.packet.address_bits)
    faults.push_back({"tlm.packet.address_bits",
                      fmt::format("a header has {} bits for an address; the map has addresses of {}",
                                  settings.packet.address_bits, bits),
                      {}});
}

}  // namespace

void check_settings(const TlmSettings& settings, const AddressMap& map, const FabricPlan& plan) {
  Faults faults;
  std::set<std::string> names;
  check_sockets(settings.initiators, "initiators", plan.topology->terminals(), names, faults);
  check_sockets(settings.targets, "targets", plan.topology->terminals(), names, faults);
  check_classes(settings, plan.message_classes, faults);
  check_numbers(settings, map, faults);
  for (Diagnostic& fault : level_faults(settings)) faults.push_back(std::move(fault));
  if (plan.multicast)
    faults.push_back({"multicast.planner", "transactions have one target; leave the planner out", {}});
  if (!faults.empty()) throw ConfigError(std::move(faults));
}

namespace {

/// Why requests or responses of some pair may overtake each other; nothing: they cannot.
std::optional<std::string> order_obstacle_of(const TlmSettings& settings, const FabricPlan& plan) {
  std::vector<TerminalPair> there;
  std::vector<TerminalPair> back;
  for (const auto& initiator : settings.initiators)
    for (const auto& target : settings.targets) {
      there.push_back({initiator.terminal, target.terminal});
      back.push_back({target.terminal, initiator.terminal});
    }
  const MessageClasses& classes = plan.message_classes;
  if (auto why = order_obstacle(plan, classes.number_of(settings.request_class, ""), there))
    return settings.request_class + ", " + *why;
  if (auto why = order_obstacle(plan, classes.number_of(settings.response_class, ""), back))
    return settings.response_class + ", " + *why;
  return std::nullopt;
}

}  // namespace

bool keeps_order(const TlmSettings& settings, const FabricPlan& plan) {
  const auto obstacle = order_obstacle_of(settings, plan);
  if (obstacle && settings.reorder == Reorder::kNone)
    throw ConfigError(
        "tlm.reorder",
        fmt::format("none needs a fabric in which the packets of two terminals never overtake each "
                    "other; {}. Use per_target, per_id or buffer, or leave headers no choice: "
                    "dimension order, and one lane for each message class",
                    *obstacle));
  return !obstacle;
}

std::string sockets_text(const TlmSettings& settings, const std::string& text) {
  std::set<std::size_t> named;
  static const std::regex kTerminal("terminal ([0-9]{1,9})");
  for (std::sregex_iterator it(text.begin(), text.end(), kTerminal), end; it != end; ++it)
    named.insert(std::stoul((*it)[1]));
  std::vector<std::string> sockets;
  const auto add = [&](const auto& list, const char* what) {
    for (const auto& socket : list)
      if (named.contains(index(socket.terminal)))
        sockets.push_back(fmt::format("{} {} at terminal {}", what, socket.name, index(socket.terminal)));
  };
  add(settings.initiators, "initiator");
  add(settings.targets, "target");
  return sockets.empty() ? "" : fmt::format(" Sockets there: {}", fmt::join(sockets, ", "));
}

std::vector<BusWidth> usual_widths() {
  return {bus_width<8>(),   bus_width<16>(),  bus_width<32>(),  bus_width<64>(),
          bus_width<128>(), bus_width<256>(), bus_width<512>(), bus_width<1024>()};
}

}  // namespace noctule::tlm
