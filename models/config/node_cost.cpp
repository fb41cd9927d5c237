#include "config/node_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "config/rules.h"
#include "config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "core/shell_word.h"

namespace noctule {
namespace {

const std::string& text_at(const Json& resolved, const char* section, const char* key) {
  return resolved.at(section).at(key).get_ref<const std::string&>();
}

std::string shown(const Json* value) {
  if (value == nullptr) return "absent";
  return value->is_string() ? value->get<std::string>() : value->dump();
}

/// Keys of two sections whose values differ.
void compare_section(const Json& wanted, const Json& made, const std::string& path,
                     std::vector<std::string>& differing) {
  std::set<std::string> keys;
  for (const Json* section : {&wanted, &made})
    for (const auto& [key, unused] : section->items()) keys.insert(key);
  for (const auto& key : keys)
    if (!wanted.contains(key) || !made.contains(key) || wanted.at(key) != made.at(key))
      differing.push_back(join_key(path, key));
}

/// Keys in which a point's routers are not those of an entry.
std::vector<std::string> differing_keys(const Json& wanted, const NodeCost& cost, const Json& made) {
  std::vector<std::string> differing;
  for (const char* section : {"node", "routing"})
    compare_section(wanted.at(section), made.at(section), section, differing);
  for (const auto& [key, unused] : cost.set) {
    if (key.starts_with("node.") || key.starts_with("routing.")) continue;
    const Json* a = find_value(wanted, key);
    const Json* b = find_value(made, key);
    if (a == nullptr || b == nullptr || *a != *b) differing.push_back(key);
  }
  const Json& classes = wanted.at("message_classes");  // headers carry them, and VCs are theirs
  if (classes.size() > 1 && classes != made.at("message_classes")) differing.emplace_back("message_classes");
  return differing;
}

/// What hardware has in place of something that models alone have, or that no one would build.
struct Stand {
  const char* key;
  const char* wanted;
  const char* made;
};
constexpr std::array kStands = {
    Stand{"node.selection", "random", "rotating"},                // no random numbers
    Stand{"node.vc_allocator", "scan", "separable_input_first"},  // no search through all inputs in turn
    Stand{"routing.tie", "adaptive", "drawn"}};                   // no headers of two signs

/// Takes out of the differing keys those in which the router made stands for the one wanted; says so.
std::vector<std::string> take_stands(std::vector<std::string>& differing, const Json& wanted,
                                     const Json& made) {
  std::vector<std::string> notes;
  for (const Stand& stand : kStands) {
    const auto key = std::find(differing.begin(), differing.end(), stand.key);
    if (key == differing.end() || shown(find_value(wanted, *key)) != stand.wanted ||
        shown(find_value(made, *key)) != stand.made)
      continue;
    notes.push_back(fmt::format("{} {} instead of {}", stand.key, stand.made, stand.wanted));
    differing.erase(key);
  }
  return notes;
}

/// The radix that the hardware was made for: last_x_i=30 is 31.
std::optional<unsigned> radix_made_for(const NodeCost& cost) {
  constexpr std::string_view kPin = "last_x_i=";
  const auto at = cost.tied.find(kPin);
  if (at == std::string::npos) return std::nullopt;
  unsigned last = 0;
  const char* const digits = cost.tied.data() + at + kPin.size();
  if (std::from_chars(digits, cost.tied.data() + cost.tied.size(), last).ec != std::errc{})
    return std::nullopt;
  return last + 1;
}

/// Why routers of this topology cannot be those of the table, which have two dimensions and a terminal;
/// empty: they can.
std::string topology_obstacle(const Json& topology) {
  const auto radix = topology.find("radix");
  if (radix == topology.end() || !radix->is_array())
    return fmt::format("topology.kind is {}; routers in hardware are those of 2-D meshes and tori",
                       topology.at("kind").get<std::string>());
  if (radix->size() != 2)
    return fmt::format("topology.radix has {} dimensions; routers in hardware have 2", radix->size());
  if (const Json terminals = topology.value("terminals_per_router", Json(1)); terminals != 1)
    return fmt::format("topology.terminals_per_router is {}; routers in hardware have one terminal",
                       terminals.dump());
  if (!topology.value("more_terminals", Json::array()).empty())
    return "topology.more_terminals gives routers several terminals; routers in hardware have one";
  return {};
}

/// Is there a router whose RTL is the user's own?
bool has_own_rtl(const Json& wanted) {
  return std::ranges::any_of(wanted.at("nodes"), [](const Json& entry) {
    return entry.contains("rtl") && !entry.at("rtl").value("files", Json::array()).empty();
  });
}

void add_notes(const Json& wanted, const NodeCost& cost, CostAnswer& answer) {
  if (has_own_rtl(wanted))
    answer.notes.emplace_back(
        "RTL of your own was not looked at: these are the figures that the table has for the node model; "
        "`scripts/synthesize` measures yours");
  if (const auto made = radix_made_for(cost)) {
    const Json& radix = wanted.at("topology").at("radix");
    if (std::any_of(radix.begin(), radix.end(), [&](const Json& r) { return r != *made; }))
      answer.notes.push_back(fmt::format("made for radix {}, here it is {}", *made, radix.dump()));
  }
  if (wanted.at("link").at("flit_delay") != 1 || wanted.at("link").at("credit_delay") != 1 ||
      !wanted.at("links").empty())
    answer.notes.emplace_back("registers on the wires between routers are not counted");
}

/// `key=value` as one word of a shell.
std::string setting(const std::string& key, const Json& value) {
  return shell_word(fmt::format("{}={}", key, value == "" ? value.dump() : shown(&value)));
}

std::string remedy_for(const std::string& model, const std::vector<std::string>& differing,
                       const Json& wanted) {
  std::string sets;
  for (const auto& key : differing)
    if (const Json* value = find_value(wanted, key)) sets += " --set " + setting(key, *value);
  return fmt::format(
      "synthesize such a router: `scripts/synthesize FILE.sv --model {}{} --append mine.csv`, then "
      "`cost: {{table: mine.csv}}`",
      model, sets);
}

}  // namespace

const std::vector<CostBook::Entry>& CostBook::entries(const std::string& file) {
  const auto known = tables_.find(file);
  if (known != tables_.end()) return known->second;
  std::vector<Entry> entries;
  for (auto& cost : read_cost_table(file)) {
    Entry entry{std::move(cost), nullptr};
    DecodeOptions options;
    for (const auto& [key, value] : entry.cost.set) options.set.push_back(fmt::format("{}={}", key, value));
    try {
      entry.resolved =
          decode_text(fmt::format("node: {{model: {}}}\n", entry.cost.model), file, options).resolved;
    } catch (const ConfigError&) {
      // A model of a plug-in that is not loaded; its rows are no concern of this configuration.
    }
    entries.push_back(std::move(entry));
  }
  return tables_.emplace(file, std::move(entries)).first->second;
}

std::string CostBook::table_of(const PointConfig& point) const {
  return point.resolved.at("cost").value("table", shipped_);
}

std::vector<CostOfKind> CostBook::find(const PointConfig& point) {
  const std::string file = table_of(point);
  if (file.empty()) throw ConfigError("cost.table", kNoTable);
  const FabricConfig fabric = fabric_from_json(fabric_part(point.resolved));
  std::vector<CostOfKind> all;
  if (routers_alike(fabric) || !topology_obstacle(point.resolved.at("topology")).empty()) {
    CostAnswer found = answer(point.resolved, file);
    all.push_back({{}, std::move(found)});
    return all;
  }
  Json wanted = point.resolved;
  for (RouterKind& kind : router_kinds(fabric, *make_topology(fabric))) {
    wanted["node"] = kind.keys.json();
    CostAnswer found = answer(wanted, file);
    if (kind.links_differ && found.figures != nullptr)
      found.notes.emplace_back(
          "lanes, parallel links or sharing differ among the links of a router; the figures are those of one "
          "whose links are all as its node says");
    all.push_back({std::move(kind), std::move(found)});
  }
  return all;
}

CostAnswer CostBook::answer(const Json& wanted, const std::string& file) {
  const std::string& model = text_at(wanted, "node", "model");
  const std::string& library = text_at(wanted, "cost", "library");
  const std::string& tuning = text_at(wanted, "cost", "tuning");
  CostAnswer answer;
  answer.obstacle = topology_obstacle(wanted.at("topology"));
  if (!answer.obstacle.empty()) return answer;

  std::set<std::string> models;
  std::set<std::string> variants;
  std::vector<std::string> nearest;
  const Entry* nearest_entry = nullptr;
  for (const Entry& entry : entries(file)) {
    models.insert(entry.cost.model);
    if (entry.cost.model != model) continue;
    variants.insert(fmt::format("library {}, tuning {}", entry.cost.library, entry.cost.tuning));
    if (entry.cost.library != library || entry.cost.tuning != tuning || entry.resolved.is_null()) continue;
    auto differing = differing_keys(wanted, entry.cost, entry.resolved);
    auto notes = take_stands(differing, wanted, entry.resolved);
    if (nearest_entry == nullptr ||
        std::pair(differing.size(), notes.size()) < std::pair(nearest.size(), answer.notes.size())) {
      nearest = std::move(differing);
      answer.notes = std::move(notes);
      nearest_entry = &entry;
    }
  }
  if (nearest_entry != nullptr && nearest.empty()) {
    answer.figures = &nearest_entry->cost;
    add_notes(wanted, *answer.figures, answer);
    return answer;
  }
  answer.notes.clear();
  answer.remedy = remedy_for(model, nearest, wanted);
  if (models.count(model) == 0) {
    answer.obstacle = fmt::format("{} has no node model {}; it has {}", file, model, fmt::join(models, ", "));
  } else if (nearest_entry == nullptr) {
    answer.obstacle = fmt::format("{} has {} not with library {}, tuning {}, but with {}", file, model,
                                  library, tuning, fmt::join(variants, "; "));
    answer.remedy = "set cost.library and cost.tuning to one of these, or " + answer.remedy;
  } else {
    std::string text;
    for (const auto& key : nearest)
      text += fmt::format("{}{} is {}, of the router in the table {}", text.empty() ? "" : "; ", key,
                          shown(find_value(wanted, key)), shown(find_value(nearest_entry->resolved, key)));
    answer.obstacle = text;
  }
  return answer;
}

}  // namespace noctule
