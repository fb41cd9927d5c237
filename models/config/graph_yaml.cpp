#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "config/graph_text.h"
#include "config/spelling.h"
#include "topology/builder.h"

namespace noctule {
namespace {

class YamlGraph {
 public:
  explicit YamlGraph(LineFaults& faults) : faults_(faults) {}

  GraphText read(const ConfigNode& document) {
    if (document.kind != ConfigNode::Kind::kMap) {
      fault(document, "is not a map with the keys routers, terminals and links");
      return {};
    }
    for (const auto& entry : document.entries)
      if (entry.key != "routers" && entry.key != "terminals" && entry.key != "links")
        faults_.add(entry.place.text(),
                    fmt::format("unknown key '{}'; allowed are routers, terminals and links", entry.key));
    read_routers(document);
    if (graph_.routers.empty()) return {};
    read_terminals(document);
    read_links(document);
    return std::move(graph_);
  }

 private:
  using Kind = ConfigNode::Kind;

  void fault(const ConfigNode& node, const std::string& message) { faults_.add(node.place.text(), message); }

  void read_routers(const ConfigNode& document) {
    const auto* entry = document.find("routers");
    if (entry == nullptr) return fault(document, "has no key 'routers'");
    const ConfigNode& list = entry->value;
    if (list.kind == Kind::kScalar) {
      const auto count = number(list, 1, GraphLimits::kRouters, "a number of routers");
      for (std::uint32_t r = 0; count && r < *count; ++r) add_router(list, fmt::format("router_{}", r));
      return;
    }
    if (list.kind != Kind::kList || list.items.empty())
      return fault(list, "routers are a list of names, or their number");
    for (const auto& item : list.items) {
      if (item.kind == Kind::kScalar)
        add_router(item, item.scalar);
      else
        add_placed_router(item);
    }
    if (!graph_.positions.empty() && graph_.positions.size() < graph_.routers.size())
      fault(list, "some routers have a position, and others have none; give all of them one, or none");
  }
  void add_placed_router(const ConfigNode& item) {
    const auto* name = item.find("name");
    const auto* position = item.find("position");
    if (item.kind != Kind::kMap || !only(item, {"name", "position"}) || name == nullptr ||
        name->value.kind != Kind::kScalar)
      return fault(item, "a router is a name, or {name: NAME, position: [X, Y]}");
    add_router(name->value, name->value.scalar);
    if (position == nullptr) return;
    const auto& at = position->value;
    if (at.kind != Kind::kList || at.items.size() != 2)
      return fault(at, "a position is [X, Y]; neighbours are about 1 apart, y grows upwards");
    const auto x = coordinate(at.items[0]);
    const auto y = coordinate(at.items[1]);
    if (x && y) graph_.positions.push_back({*x, *y});
  }
  std::optional<double> coordinate(const ConfigNode& node) {
    double value = 0;
    const char* const end = node.scalar.data() + node.scalar.size();
    const auto read = std::from_chars(node.scalar.data(), end, value);
    if (node.kind == Kind::kScalar && read.ec == std::errc{} && read.ptr == end &&
        std::abs(value) <= GraphLimits::kCoordinate)
      return value;
    fault(node, fmt::format("a coordinate is a number from -{0:g} to {0:g}", GraphLimits::kCoordinate));
    return {};
  }
  void add_router(const ConfigNode& at, const std::string& name) {
    if (!numbers_.emplace(name, graph_.routers.size()).second)
      return fault(at, fmt::format("the router '{}' is given twice", name));
    if (const auto wrong = name_fault(name); !wrong.empty())
      fault(at, fmt::format("a router is called '{}'; {}", name, wrong));
    graph_.routers.push_back(name);
  }

  void read_terminals(const ConfigNode& document) {
    const auto* entry = document.find("terminals");
    if (entry == nullptr) {
      for (std::uint32_t r = 0; r < graph_.routers.size(); ++r)
        graph_.terminals.push_back({r, r, document.place.text()});
      return;
    }
    if (entry->value.kind != Kind::kList) return fault(entry->value, "terminals are a list");
    for (const auto& item : entry->value.items) add_terminals(item);
  }
  void add_terminals(const ConfigNode& item) {
    if (item.kind == Kind::kScalar) {
      if (const auto at = router(item)) push_terminals(item, *at, *at, 1);
      return;
    }
    if (item.kind != Kind::kMap ||
        !only(item, {"router", "count", "injection", "consumption", "attachments"}))
      return fault(item,
                   "a terminal is the name of its router, {router: NAME, count: N}, {injection: NAME, "
                   "consumption: NAME}, or {attachments: [{router: NAME, classes: [CLASS]}, ...]}");
    std::size_t count = 1;
    if (const auto* given = item.find("count")) {
      const auto value = number(given->value, 1, GraphLimits::kTerminals, "a number of terminals");
      if (!value) return;
      count = *value;
    }
    if (const auto* list = item.find("attachments")) return add_attached(item, list->value, count);
    if (const auto at = attachment(item, "a terminal"))
      push_terminals(item, at->injection, at->consumption, count);
  }
  /// By `router`, or by `injection` and `consumption`.
  std::optional<GraphText::Attached> attachment(const ConfigNode& item, const char* what) {
    const auto* here = item.find("router");
    const auto* in = item.find("injection");
    const auto* out = item.find("consumption");
    if ((here != nullptr) == (in != nullptr) || (in != nullptr) != (out != nullptr)) {
      fault(item, fmt::format("{} has a 'router', or both 'injection' and 'consumption'", what));
      return {};
    }
    const auto from = router(here != nullptr ? here->value : in->value);
    const auto to = router(here != nullptr ? here->value : out->value);
    if (!from || !to) return {};
    return GraphText::Attached{*from, *to};
  }
  /// A terminal with an attachment for each of some message classes.
  void add_attached(const ConfigNode& item, const ConfigNode& list, std::size_t count) {
    if (item.find("router") != nullptr || item.find("injection") != nullptr ||
        item.find("consumption") != nullptr)
      return fault(item,
                   "a terminal has 'attachments', or one router or two for all its packets; leave out "
                   "one of the two");
    std::vector<GraphText::Attached> all;
    std::vector<std::string> served;
    if (list.kind != Kind::kList || list.items.empty())
      return fault(list, "attachments are a list of {router: NAME, classes: [CLASS]}");
    for (const auto& one : list.items) {
      const auto* classes = one.find("classes");
      if (one.kind != Kind::kMap || !only(one, {"router", "injection", "consumption", "classes"}) ||
          classes == nullptr || classes->value.kind != Kind::kList || classes->value.items.empty())
        return fault(one,
                     "an attachment is {router: NAME, classes: [CLASS]}, or {injection: NAME, "
                     "consumption: NAME, classes: [CLASS]}, with names of message classes");
      auto at = attachment(one, "an attachment");
      if (!at) return;
      for (const auto& name : classes->value.items) {
        if (name.kind != Kind::kScalar || !is_identifier(name.scalar))
          return fault(name, "a message class is named here, by letters, digits and underscores");
        if (std::ranges::find(served, name.scalar) != served.end())
          return fault(name, fmt::format("the terminal has an attachment for class '{}' already; a class has "
                                         "one",
                                         name.scalar));
        served.push_back(name.scalar);
        at->classes.push_back(name.scalar);
      }
      all.push_back(std::move(*at));
    }
    const std::size_t first = graph_.terminals.size();
    push_terminals(item, all.front().injection, all.front().consumption, count);
    for (std::size_t t = first; t < graph_.terminals.size(); ++t) graph_.terminals[t].attachments = all;
  }
  void push_terminals(const ConfigNode& at, std::uint32_t injection, std::uint32_t consumption,
                      std::size_t count) {
    if (graph_.terminals.size() + count > GraphLimits::kTerminals)
      return fault(at, fmt::format("more than {} terminals", GraphLimits::kTerminals));
    graph_.terminals.insert(graph_.terminals.end(), count, {injection, consumption, at.place.text()});
  }

  void read_links(const ConfigNode& document) {
    const auto* entry = document.find("links");
    if (entry == nullptr) return fault(document, "has no key 'links'");
    if (entry->value.kind != Kind::kList) return fault(entry->value, "links are a list");
    for (const auto& item : entry->value.items) add_link(item);
  }
  void add_link(const ConfigNode& item) {
    constexpr const char* kForms =
        "a link is [A, B] (both ways), {from: A, to: B}, {from: A, out: PORT, to: B, in: PORT}, or {between: "
        "[A, B], ports: [PORT, PORT]}; the last three may have flit_delay, credit_delay and cycles_per_flit";
    if (item.kind == Kind::kList) return add_pair(item, item, nullptr, kForms);
    if (item.kind != Kind::kMap || !only(item, {"from", "to", "out", "in", "between", "ports", "flit_delay",
                                                "credit_delay", "cycles_per_flit"}))
      return fault(item, kForms);
    if (const auto* pair = item.find("between")) {
      if (item.find("from") != nullptr || item.find("to") != nullptr || item.find("out") != nullptr ||
          item.find("in") != nullptr)
        return fault(item, kForms);
      const auto* ports = item.find("ports");
      return add_pair(item, pair->value, ports == nullptr ? nullptr : &ports->value, kForms);
    }
    const auto* from = item.find("from");
    const auto* to = item.find("to");
    if (from == nullptr || to == nullptr || item.find("ports") != nullptr) return fault(item, kForms);
    const auto a = end(from->value, item.find("out"));
    const auto b = end(to->value, item.find("in"));
    if (a && b) connect(item, *a, *b, false);
  }
  void add_pair(const ConfigNode& item, const ConfigNode& pair, const ConfigNode* ports, const char* forms) {
    if (pair.kind != Kind::kList || pair.items.size() != 2) return fault(item, forms);
    if (ports != nullptr && (ports->kind != Kind::kList || ports->items.size() != 2))
      return fault(item, forms);
    GraphText::End ends[2];
    for (std::size_t i = 0; i < 2; ++i) {
      const auto at = router(pair.items[i]);
      if (!at) return;
      ends[i].router = *at;
      if (ports == nullptr) continue;
      const auto number_of = port(ports->items[i]);
      if (!number_of) return;
      ends[i].port = *number_of;
    }
    connect(item, ends[0], ends[1], true);
  }
  void connect(const ConfigNode& item, GraphText::End from, GraphText::End to, bool both_ways) {
    const LinkAttributes own{cycles(item, "flit_delay", 1), cycles(item, "credit_delay", 0),
                             cycles(item, "cycles_per_flit", 1)};
    graph_.links.push_back({from, to, both_ways, item.place.text(), own, own});
  }
  std::optional<std::uint16_t> cycles(const ConfigNode& item, const char* key, std::size_t least) {
    const auto* given = item.find(key);
    if (given == nullptr) return {};
    const auto value = number(given->value, least, kMostLinkCycles, "a number of cycles");
    if (!value) return {};
    return static_cast<std::uint16_t>(*value);
  }
  std::optional<GraphText::End> end(const ConfigNode& name, const ConfigNode::Entry* given) {
    const auto at = router(name);
    if (!at) return {};
    GraphText::End end{*at};
    if (given == nullptr) return end;
    const auto number_of = port(given->value);
    if (!number_of) return {};
    end.port = *number_of;
    return end;
  }

  std::optional<std::uint32_t> router(const ConfigNode& node) {
    if (node.kind != Kind::kScalar) {
      fault(node, "a router is named here");
      return {};
    }
    const auto known = numbers_.find(node.scalar);
    if (known != numbers_.end()) return static_cast<std::uint32_t>(known->second);
    const auto near = nearest(node.scalar, graph_.routers);
    fault(node, fmt::format("no router is called '{}'; {}", node.scalar,
                            near.empty() ? "the first is '" + graph_.routers.front() + "'"
                                         : "did you mean '" + near + "'?"));
    return {};
  }
  std::optional<std::uint16_t> port(const ConfigNode& node) {
    const auto value = number(node, 0, TopologyBuilder::kMostPorts - 1, "the number of a port");
    if (!value) return {};
    return static_cast<std::uint16_t>(*value);
  }
  std::optional<std::size_t> number(const ConfigNode& node, std::size_t least, std::size_t most,
                                    const char* what) {
    const auto& text = node.scalar;
    std::size_t value = most + 1;
    if (node.kind == Kind::kScalar && !text.empty() && text.size() <= 9 &&
        text.find_first_not_of("0123456789") == std::string::npos)
      value = std::stoul(text);
    if (value >= least && value <= most) return value;
    fault(node, fmt::format("{} is expected here, {} to {}", what, least, most));
    return {};
  }
  static bool only(const ConfigNode& map, const std::vector<std::string>& keys) {
    return std::all_of(map.entries.begin(), map.entries.end(), [&](const auto& entry) {
      return std::find(keys.begin(), keys.end(), entry.key) != keys.end();
    });
  }
  static std::string nearest(const std::string& name, const std::vector<std::string>& known) {
    return known.size() > 1000 ? "" : nearest_spelling(name, known);
  }

  LineFaults& faults_;
  GraphText graph_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace

GraphText graph_of_yaml(const ConfigNode& document, LineFaults& faults) {
  return YamlGraph(faults).read(document);
}

}  // namespace noctule
