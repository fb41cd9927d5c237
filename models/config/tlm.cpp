#include "config/tlm.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/json.h"

namespace noctule {
namespace {

/// Reads values of the section and remembers what is wrong.
class Reader {
 public:
  explicit Reader(const Json& section) : section_(section) {}

  TlmSettings read() {
    sockets();
    const Json& map = section_.at("map");
    for (std::size_t r = 0; r < map.size(); ++r) settings_.regions.push_back(region(map[r], r));
    if (const auto name = text(section_, "default"); !name.empty())
      settings_.otherwise = target(name, "tlm.default");
    numbers();
    if (!faults_.empty()) throw ConfigError(std::move(faults_));
    return std::move(settings_);
  }

 private:
  static std::string text(const Json& at, const char* key) { return at.at(key).get<std::string>(); }

  void sockets() {
    for (const auto& [name, given] : section_.at("initiators").items()) {
      TlmSettings::Initiator& one = settings_.initiators.emplace_back();
      one.name = name;
      one.terminal = TerminalId(given.at("terminal").get<std::uint32_t>());
      one.bus_width = given.at("bus_width").get<unsigned>();
      one.max_outstanding = given.at("max_outstanding").get<std::uint32_t>();
      if (given.at("max_per_id").is_number()) one.max_per_id = given.at("max_per_id").get<std::uint32_t>();
    }
    for (const auto& [name, given] : section_.at("targets").items())
      settings_.targets.push_back({name, TerminalId(given.at("terminal").get<std::uint32_t>()),
                                   given.at("bus_width").get<unsigned>()});
  }

  Region region(const Json& given, std::size_t number) {
    const std::string key = fmt::format("tlm.map[{}]", number);
    Region region;
    region.base = bytes(text(given, "base"), key + ".base");
    region.size = bytes(text(given, "size"), key + ".size");
    region.offset = bytes(text(given, "offset"), key + ".offset");
    const std::string name = text(given, "target");
    const bool shared = given.contains("interleave");
    if (name.empty() == !shared)
      faults_.push_back({key,
                         shared ? "has a target and an interleave; leave one of them out"
                                : "has no target; name one, or several with interleave: {granule, over}",
                         {}});
    if (!name.empty()) region.targets.push_back(target(name, key + ".target"));
    if (!shared) return region;
    const Json& interleave = given.at("interleave");
    region.granule = bytes(text(interleave, "granule"), key + ".interleave.granule");
    region.hash = interleave.at("hash").get<bool>();
    for (const auto& one : interleave.at("over"))
      region.targets.push_back(target(one.get<std::string>(), key + ".interleave.over"));
    return region;
  }

  TargetId target(const std::string& name, const std::string& key) {
    const auto found = std::ranges::find(settings_.targets, name, &TlmSettings::Target::name);
    if (found == settings_.targets.end()) {
      std::vector<std::string> names;
      for (const auto& one : settings_.targets) names.push_back(one.name);
      faults_.push_back({key,
                         fmt::format("there is no target '{}' in tlm.targets; there are: {}", name,
                                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))),
                         {}});
      return TargetId{0};
    }
    return TargetId(static_cast<std::uint32_t>(found - settings_.targets.begin()));
  }

  /// A number of 64 bits: "4096", "0x1000", "4KiB"; single _ or ' between digits are ignored.
  std::uint64_t bytes(const std::string& given, const std::string& key) {
    std::string digits = given;
    unsigned shift = 0;
    for (const auto& [unit, bits] : {std::pair("KiB", 10U), {"MiB", 20U}, {"GiB", 30U}, {"TiB", 40U}})
      if (digits.ends_with(unit)) {
        digits.resize(digits.size() - 3);
        while (digits.ends_with(' ')) digits.pop_back();
        shift = bits;
        break;
      }
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    std::erase_if(digits, [](char c) { return c == '_' || c == '\''; });
    std::uint64_t value = 0;
    const char* const first = digits.data() + (hexadecimal ? 2 : 0);
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(first, last, value, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != last || value > ~std::uint64_t{0} >> shift) {
      faults_.push_back(
          {key,
           fmt::format("'{}' is no number of 64 bits; write it in decimal, in hexadecimal with 0x, or "
                       "as 4KiB, 16MiB, 2GiB",
                       given),
           {}});
      return 1;
    }
    return value << shift;
  }

  void numbers() {
    const Json& packet = section_.at("packet");
    settings_.packet = {packet.at("flit_bytes").get<std::uint32_t>(),
                        packet.at("address_bits").get<unsigned>(), packet.at("length_bits").get<unsigned>(),
                        packet.at("id_bits").get<unsigned>()};
    const auto level = std::ranges::find(kLevels, text(section_, "level"));
    settings_.level = static_cast<Level>(level - kLevels.begin());
    const auto contention = std::ranges::find(kContentions, text(section_, "contention"));
    settings_.contention = static_cast<Contention>(contention - kContentions.begin());
    settings_.utilisation_window = section_.at("utilisation_window").get<Cycle>();
    settings_.period_ns = section_.at("period").get<double>();
    settings_.split = section_.at("split").get<bool>();
    const auto reorder = std::ranges::find(kReorders, text(section_, "reorder"));
    settings_.reorder = static_cast<Reorder>(reorder - kReorders.begin());
    settings_.end_req_by_return = section_.at("end_req") == "return";
    const std::string dmi = text(section_, "dmi");
    settings_.grants_dmi = dmi == "by_level" ? settings_.level == Level::kLoose : dmi == "granted";
    settings_.keep_delay = section_.at("return_delay") == "keep";
    settings_.strict = section_.at("strict").get<bool>();
    settings_.request_queue = section_.at("request_queue").get<std::uint32_t>();
    settings_.response_queue = section_.at("response_queue").get<std::uint32_t>();
    settings_.response_buffer = section_.at("response_buffer").get<std::uint32_t>();
    settings_.request_class = text(section_, "request_class");
    settings_.response_class = text(section_, "response_class");
    for (Diagnostic& fault : level_faults(settings_)) faults_.push_back(std::move(fault));
  }

  const Json& section_;
  TlmSettings settings_;
  std::vector<Diagnostic> faults_;
};

}  // namespace

TlmSettings tlm_from_json(const Json& resolved) {
  TlmSettings settings = Reader(resolved.at("tlm")).read();
  // What these refuse belongs to the file, whoever reads it. That there are sockets is for who builds a
  // network.
  if (!settings.regions.empty())
    (void)AddressMap(settings.regions, settings.targets.size(), settings.otherwise);
  const Packetizer packetizer(settings.packet);
  return settings;
}

}  // namespace noctule
