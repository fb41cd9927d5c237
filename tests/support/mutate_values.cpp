#include "support/mutate_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "config/rules.h"

namespace noctule::mutations {

using Type = Parameter::Type;

namespace {

const Parameter& source_declaration() {
  std::string nearest;
  static const Parameter declaration = find_declarations("traffic.source", nearest).front();
  return declaration;
}

}  // namespace

Json raw(const std::string& text) {
  return Json{{kRaw, text}};
}

std::string chosen(const Json& resolved, const std::string& key, const Parameter& variant) {
  return find_value(resolved, join_key(key, variant.discriminator))->get<std::string>();
}

const std::vector<std::string>& wrong_values(Type type) {
  static const std::vector<std::string> kInteger{"abc", "1.5",  "[1, 2]", "{a: 1}", "true", "'5'",
                                                 "",    "0x10", "1_000",  "012",    ".inf", "1e-1"};
  static const std::vector<std::string> kReal{"abc", "[0.5]", "{a: 1}", "yes", "\"0.5\"",
                                              "",    ".nan",  ".inf",   "0,5", "-.inf"};
  static const std::vector<std::string> kBoolean{"2", "maybe", "[true]", "{a: b}", "'true'", "", "0"};
  static const std::vector<std::string> kText{"[a]", "{a: b}", ""};
  static const std::vector<std::string> kChoice{"qqqqqqqq", "[a]", "{a: b}", "17", "true", ""};
  static const std::vector<std::string> kList{"5", "word", "{a: 1}", "", "[[1]]", "[[[]]]"};
  static const std::vector<std::string> kSection{"5", "word", "[1]"};
  static const std::vector<std::string> kVariant{"5", "qqqqqqqq", "[1]", "{qqqq: 1}"};
  switch (type) {
    case Type::kInteger:
      return kInteger;
    case Type::kReal:
      return kReal;
    case Type::kBoolean:
      return kBoolean;
    case Type::kText:
      return kText;
    case Type::kChoice:
      return kChoice;
    case Type::kList:
      return kList;
    case Type::kVariant:
      return kVariant;
    default:
      return kSection;
  }
}

bool LegalValues::hangs_together(const std::string& key) const {
  static constexpr std::array kAlways{"scan",
                                      "ties",
                                      "injection_channels",
                                      "transit_first",
                                      "vc_allocator",
                                      "speculative",
                                      "switch_allocator",
                                      "switch_allocation_delay",
                                      "injection_delay",
                                      "consumption_channels",
                                      "consumption_delay",
                                      "traversal_delay",
                                      "early_routing",
                                      "consumption_access",
                                      "unicast_access",
                                      "consumption_wait",
                                      "acquisition",
                                      "retransmission_buffers",
                                      "consumption_vcs",
                                      "forwarding"};
  static constexpr std::array kWithoutOutputBuffers{
      "selection",        "output_depth",         "release", "link_sharing", "arbiter",
      "injection_refill", "connections_per_cycle"};
  if (key.starts_with("traffic.multicast.")) return true;  // with the planner, and with each other
  if (key.compare(0, 5, "node.") != 0) return false;
  const auto is_key = [name = key.substr(5)](const char* other) { return name == other; };
  return std::ranges::any_of(kAlways, is_key) || (*find_value(resolved_, "node.output_depth") == 0 &&
                                                  std::ranges::any_of(kWithoutOutputBuffers, is_key));
}

std::optional<Json> LegalValues::value(const Target& target) {
  const auto& p = target.declaration;
  if (is_discriminator(target.key) || hangs_together(target.key)) return std::nullopt;
  if (target.key == "sweep") return axis();
  if (target.key == "traffic.packet_lengths") return raw("[{length: 3}, {length: 7, weight: 2.5}]");
  if (target.key == "node.crossbars") return raw("[{}]");
  if (target.key == "traffic.source_queue" &&
      chosen(resolved_, "traffic.source", source_declaration()) == "static")
    return std::nullopt;
  switch (p.type) {
    case Type::kBoolean: {
      static const std::array<const char*, 6> kWords{"true", "false", "yes", "no", "On", "OFF"};
      return raw(any(kWords, rng_));
    }
    case Type::kInteger:
      return integer(target);
    case Type::kReal:
      return real(target);
    case Type::kText: {
      static const std::array<const char*, 6> kTexts{"a word",     "31",         "true",
                                                     "'quo\"ted'", "\"tab\\t\"", "Zürich"};
      return target.key.find("file") == std::string::npos ? std::optional<Json>(raw(any(kTexts, rng_)))
                                                          : std::nullopt;
    }
    case Type::kChoice:
      return any(p.choices, rng_);
    case Type::kList:
      if (target.key == "plots") return raw("[link_heat_map, latency_histogram]");
      if (target.key == "trace.scope") return raw("['*', router_3_4.*]");
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool LegalValues::is_discriminator(const std::string& key) const {
  return std::ranges::any_of(sections_, [&](const Target& s) {
    return s.declaration.type == Type::kVariant && join_key(s.key, s.declaration.discriminator) == key;
  });
}

Json LegalValues::integer(const Target& target) {
  const auto& p = target.declaration;
  if (!p.choices.empty() && rng_.below(3) == 0) return any(p.choices, rng_);
  auto low = static_cast<std::int64_t>(p.minimum);
  if (target.key == "measurement.cycles") low = 1000;
  if (target.key == "measurement.batches") return raw("4");
  if (target.key == "node.parallel_links") return 1;
  if (target.key == "node.output_depth" || target.key == "link.credit_delay") low = 1;
  if (target.key == "node.lanes") low = find_value(resolved_, "node.parallel_links")->get<std::int64_t>();
  const double room = std::min(p.maximum - static_cast<double>(low), 12.0);
  const auto value = low + static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(room) + 1));
  // Other ways to write it.
  const auto form = rng_.below(6);
  if (form == 0) return raw(fmt::format("{}.0", value));
  if (form == 1 && value % 10 == 0 && value > 0) return raw(fmt::format("{}e1", value / 10));
  if (form == 2 && value >= 0) return raw(fmt::format("+{}", value));
  return value;
}

Json LegalValues::real(const Target& target) {
  const auto& p = target.declaration;
  const double low = p.minimum > -1e9 ? p.minimum : -1e9;
  const double high = std::min(p.maximum, low + 1);
  const double part = static_cast<double>(1 + rng_.below(999)) / 1000;
  const double value = low + (high - low) * part;
  return target.key == "traffic.offered_load" ? Json(part / 1000) : Json(value);
}

Json LegalValues::axis() {
  static const std::array<const char*, 4> kAxes{
      "{seed: [1, 2, 3]}", "{traffic.packet_length: {from: 2, to: 8, step: 3}}",
      "{traffic.offered_load: {from: 0.001, to: 0.003, step: 0.001}}",
      "{measurement.occupancy_interval: [10, 1e2]}"};
  document_.erase("compare");
  if (document_.contains("traffic") && document_["traffic"].is_object())
    document_["traffic"].erase("packet_lengths");
  return raw(any(kAxes, rng_));
}

}  // namespace noctule::mutations
