#include "tlm/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

#include "config/model.h"
#include "core/json.h"
#include "core/number_lines.h"
#include "run/inputs.h"
#include "run/resume.h"

namespace noctule::tlm {
namespace {

constexpr const char* kKey = "tlm.calibration";
constexpr const char* kKind = "waits at level loose";

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw ConfigError(kKey, fmt::format("'{}' {}; noctule levels FILE --calibrate OUT makes one", file, why));
}

double number_in(const std::string& file, const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name) || !json.at(name).is_number())
    refuse(file, fmt::format("has no number '{}'", name));
  const double value = json.at(name).get<double>();
  if (!(value >= 0 && value <= 1e9))
    refuse(file, fmt::format("says {} for '{}', which is 0 to 1e9", value, name));
  return value;
}

}  // namespace

std::string calibrated_digest(const Json& resolved) {
  Json part = fabric_part(resolved);
  part.erase("limits");  // of the proof
  const Json& tlm = resolved.at("tlm");
  for (const char* const key : {"packet", "utilisation_window", "request_class", "response_class"})
    part[key] = tlm.at(key);
  for (const char* const key : {"initiators", "targets"})
    for (const auto& [name, socket] : tlm.at(key).items()) part[key].push_back(socket.at("terminal"));
  return point_key({{"calibrated", part}}, input_digest(part));
}

Json calibration_json(const WaitWeights& weights, const std::string& digest) {
  Json document{{"kind", kKind}, {"schema", 1}, {"digest", digest}};
  for (std::size_t n = 0; n < kWaitParts.size(); ++n) document[kWaitParts[n]] = weights.of[n];
  document["steep"] = weights.steep;
  document["busiest"] = weights.busiest;
  return document;
}

WaitWeights read_calibration(const std::string& file, const std::string& digest) {
  require_regular_file(file, kKey);
  std::ifstream stream(file);
  if (!stream) refuse(file, "cannot be read");
  const Json document = Json::parse(std::string(std::istreambuf_iterator<char>(stream), {}), nullptr, false);
  if (!document.is_object() || document.value("kind", Json()) != kKind ||
      document.value("schema", Json()) != 1)
    refuse(file, "is no calibration, or a damaged one");
  const Json given = document.value("digest", Json());
  if (given != digest)
    refuse(file,
           fmt::format("belongs to another fabric, or other places of its sockets (its digest is {}, that "
                       "of this file {})",
                       given.is_string() ? given.get<std::string>() : "missing", digest));
  WaitWeights weights;
  for (std::size_t n = 0; n < kWaitParts.size(); ++n)
    weights.of[n] = number_in(file, document, kWaitParts[n]);
  weights.steep = number_in(file, document, "steep");
  weights.busiest = number_in(file, document, "busiest");
  return weights;
}

void ObservedWaits::ended(const TransactionRecord& record) {
  for (const PieceRecord& piece : record.pieces) {
    if (!piece.complete()) continue;
    for (const bool request : {true, false}) {
      const PacketRecord& packet = request ? piece.request : piece.response;
      packets_.push_back({static_cast<std::uint32_t>(index(record.initiator)),
                          static_cast<std::uint32_t>(index(piece.target)), packet.flits, request, packet.born,
                          packet.consumed});
    }
  }
}

std::vector<WaitSample> ObservedWaits::samples(const FabricPlan& plan, const TlmSettings& settings) const {
  std::vector<Packet> packets = packets_;
  std::ranges::stable_sort(packets, {}, &Packet::born);
  const ZeroLoad zero_load(plan);
  PacketRoutes routes(plan, zero_load);
  LinkUtilisation utilisation(routes, settings.utilisation_window);
  const std::uint8_t request_class =
      plan.message_classes.number_of(settings.request_class, "tlm.request_class");
  const std::uint8_t response_class =
      plan.message_classes.number_of(settings.response_class, "tlm.response_class");
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool, std::uint32_t>, WaitSample> found;
  for (const Packet& packet : packets) {
    TerminalId from = settings.initiators[packet.initiator].terminal;
    TerminalId to = settings.targets[packet.target].terminal;
    if (!packet.request) std::swap(from, to);
    PacketRoute& route = routes.route(from, to, packet.request ? request_class : response_class);
    const WaitShares shares =
        utilisation.shares(route, packet.request, packet.initiator, packet.born, packet.flits);
    if (packet.born < 2 * settings.utilisation_window) continue;  // nothing is known of the window before
    const std::uint64_t alone = routes.zero_load(route, from, packet.flits);
    WaitSample& sum = found[{packet.initiator, packet.target, packet.request, packet.flits}];
    sum.packets += 1;
    sum.wait += static_cast<double>(packet.consumed - packet.born) - static_cast<double>(alone);
    for (std::size_t n = 0; n < kWaitParts.size(); ++n) sum.shares.of[n] += shares.of[n];
    sum.shares.own += shares.own;
    sum.shares.busy += shares.busy;
    sum.shares.busiest = std::max(sum.shares.busiest, shares.busiest);
  }
  std::vector<WaitSample> result;
  for (auto& [key, sum] : found) {
    sum.wait /= sum.packets;
    for (double& part : sum.shares.of) part /= sum.packets;
    sum.shares.own /= sum.packets;
    sum.shares.busy /= sum.packets;
    result.push_back(sum);
  }
  return result;
}

}  // namespace noctule::tlm
