// Networks from a file: topology.kind graph. The file is YAML, or BookSim2's anynet format; its content tells
// which.
//
//   routers: [hub, left, right]           # names, or a number of routers: router_0, router_1, ...
//   # or with their positions in pictures:  [{name: hub, position: [0, 1]}, ...]
//   terminals: [left, {router: right, count: 2}, {injection: left, consumption: right}]
//   # or with places for the packets of single message classes:
//   #   [{attachments: [{router: left, classes: [request]}, {router: right, classes: [response]}]}, ...]
//   links:
//     - [hub, left]                       # both ways, by the next free port at each end
//     - {from: left, to: right}           # one way
//     - {from: left, out: 3, to: right, in: 0}
//     - {between: [hub, right], ports: [2, 1], flit_delay: 4, credit_delay: 4, cycles_per_flit: 2}
//
// Without `terminals` there is one at each router, of the same number.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>

#include "config/graph_text.h"
#include "topology/builder.h"
#include "topology/named_attachments.h"
#include "topology/planes.h"
#include "topology/reachability.h"

namespace noctule {
namespace {

constexpr const char* kKey = "topology.file";

/// Ports for the links, and what no network can have.
class GraphFiller {
 public:
  GraphFiller(const GraphText& graph, LineFaults& faults)
      : graph_(graph), faults_(faults), out_(graph.routers.size()), in_(graph.routers.size()) {}

  /// False: there are faults.
  bool check() {
    if (graph_.routers.size() > GraphLimits::kRouters || graph_.links.size() > GraphLimits::kLinks) {
      faults_.add("", fmt::format("{} routers and {} entries of links; at most {} and {} are possible",
                                  graph_.routers.size(), graph_.links.size(), GraphLimits::kRouters,
                                  GraphLimits::kLinks));
      return false;
    }
    for (const auto& link : graph_.links) place(link);
    if (graph_.terminals.size() < 2)
      faults_.add("", fmt::format("{} terminal(s); a network has two at least", graph_.terminals.size()));
    if (faults_.none()) collect_attachments();
    if (faults_.none()) check_ways();
    return faults_.none();
  }
  void fill(TopologyBuilder& builder) const {
    std::map<std::size_t, std::vector<std::string>> names;
    for (std::size_t r = 0; r < graph_.routers.size(); ++r) {
      const std::size_t ports = std::max(out_[r].size(), in_[r].size());
      auto& list = names[ports];
      for (std::size_t p = list.size(); p < ports; ++p) list.push_back(fmt::format("port_{}", p));
      builder.add_routers(1, list);
    }
    builder.name_routers([names = graph_.routers](RouterId router) { return names[index(router)]; });
    if (!graph_.positions.empty())
      builder.place_routers([places = graph_.positions](RouterId router) { return places[index(router)]; });
    for (const auto& [from, to, own] : placed_) {
      const LinkId link =
          builder.connect(RouterId{from.router}, PortId{from.port}, RouterId{to.router}, PortId{to.port});
      if (own != LinkAttributes{}) builder.set_attributes(link, own);
    }
    for (const Attachment& at : attachments_.front().by_terminal)
      builder.add_terminal(at.injection, at.consumption);
    if (attachments_.front().classes.empty()) return;
    std::vector<std::vector<std::string>> classes;
    for (const Attachments& one : attachments_) {
      if (!classes.empty()) builder.attach(one.by_terminal);
      classes.push_back(one.classes);
    }
    builder.add_geometry(std::make_shared<const NamedAttachments>(std::move(classes)));
  }

 private:
  using End = GraphText::End;
  struct Placed {
    End from;
    End to;
    LinkAttributes own;
  };
  /// One of each terminal.
  struct Attachments {
    std::vector<Attachment> by_terminal;
    std::vector<std::string> classes;  ///< that it is for; none: all
  };
  using Ports = std::vector<const std::string*>;  ///< by port: where its link is given; null: free

  void place(const GraphText::Connection& link) {
    if (link.from.router == link.to.router)
      return faults_.add(link.place, fmt::format("a link leads from '{}' to itself; leave it out",
                                                 graph_.routers[link.from.router]));
    End from = link.from;
    End to = link.to;
    if (!link.both_ways) {
      if (take(out_, from, link, "leaves by") && take(in_, to, link, "enters by"))
        placed_.push_back({from, to, link.there});
      return;
    }
    // Both directions have the same port at an end.
    for (End* end : {&from, &to})
      if (end->port == GraphText::kNextPort)
        end->port = static_cast<std::uint16_t>(std::max(out_[end->router].size(), in_[end->router].size()));
    if (take(out_, from, link, "leaves by") && take(in_, to, link, "enters by") &&
        take(out_, to, link, "leaves by") && take(in_, from, link, "enters by")) {
      placed_.push_back({from, to, link.there});
      placed_.push_back({to, from, link.back});
    }
  }
  bool take(std::vector<Ports>& table, End& end, const GraphText::Connection& link, const char* how) {
    Ports& ports = table[end.router];
    if (end.port == GraphText::kNextPort) end.port = static_cast<std::uint16_t>(ports.size());
    if (end.port >= TopologyBuilder::kMostPorts) {
      faults_.add(link.place, fmt::format("'{}' has more than {} ports", graph_.routers[end.router],
                                          TopologyBuilder::kMostPorts));
      return false;
    }
    if (ports.size() <= end.port) ports.resize(std::size_t{end.port} + 1);
    if (ports[end.port] != nullptr) {
      faults_.add(link.place, fmt::format("a link {} port {} of '{}', which the link at {} has already; give "
                                          "another number, or none",
                                          how, end.port, graph_.routers[end.router], *ports[end.port]));
      return false;
    }
    ports[end.port] = &link.place;
    return true;
  }

  /// Classes that have the same place at every terminal share an attachment.
  void collect_attachments() {
    std::vector<std::string> classes;
    for (const auto& terminal : graph_.terminals)
      for (const auto& at : terminal.attachments)
        for (const auto& name : at.classes)
          if (std::ranges::find(classes, name) == classes.end()) classes.push_back(name);
    if (classes.size() > kMostPlanes)
      return faults_.add("", fmt::format("terminals have attachments for {} message classes; {} are possible",
                                         classes.size(), kMostPlanes));
    if (classes.empty()) return attachments_.push_back({of_class(""), {}});
    for (const auto& name : classes) {
      auto places = of_class(name);
      const auto known = std::ranges::find_if(attachments_, [&](const Attachments& one) {
        return std::ranges::equal(one.by_terminal, places, [](const Attachment& a, const Attachment& b) {
          return a.injection == b.injection && a.consumption == b.consumption;
        });
      });
      if (known != attachments_.end())
        known->classes.push_back(name);
      else
        attachments_.push_back({std::move(places), {name}});
    }
  }
  /// Where packets of a class enter and leave, by terminal.
  std::vector<Attachment> of_class(const std::string& name) {
    std::vector<Attachment> places;
    for (const auto& terminal : graph_.terminals) {
      Attachment at{RouterId{terminal.injection}, RouterId{terminal.consumption}};
      if (!terminal.attachments.empty()) {
        const auto own = std::ranges::find_if(terminal.attachments, [&](const auto& one) {
          return std::ranges::find(one.classes, name) != one.classes.end();
        });
        if (own == terminal.attachments.end())
          faults_.add(terminal.place,
                      fmt::format("the terminal has no attachment for class '{}', which others "
                                  "have one for; name it in the classes of one",
                                  name));
        else
          at = {RouterId{own->injection}, RouterId{own->consumption}};
      }
      places.push_back(at);
    }
    return places;
  }

  /// Every terminal can send to every other one, packets of each class.
  void check_ways() {
    Reachability links(graph_.routers.size());
    for (const auto& link : placed_) links.add(RouterId{link.from.router}, RouterId{link.to.router});
    for (const Attachments& one : attachments_) {
      const auto pair = links.cut_off(one.by_terminal);
      if (!pair) continue;
      const RouterId injection = one.by_terminal[pair->first].injection;
      const auto& from = graph_.routers[index(injection)];
      const std::string of = one.classes.empty() ? "" : fmt::format(" {}", fmt::join(one.classes, ", "));
      const std::string what =
          links.leads_out(injection)
              ? fmt::format(
                    "no links lead from '{}', where this terminal injects{}, to '{}', where the one of "
                    "{} consumes",
                    from, of, graph_.routers[index(one.by_terminal[pair->second].consumption)],
                    graph_.terminals[pair->second].place)
              : fmt::format("no link leaves '{}', where this terminal injects{}", from, of);
      return faults_.add(graph_.terminals[pair->first].place,
                         what + "; add links, or leave out the terminal");
    }
  }

  const GraphText& graph_;
  LineFaults& faults_;
  std::vector<Ports> out_;  ///< by router
  std::vector<Ports> in_;
  std::vector<Placed> placed_;
  std::vector<Attachments> attachments_;
};

/// The first word of a file that is no comment tells the format.
bool is_anynet(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  if (word.starts_with(kByteOrderMark)) word.erase(0, kByteOrderMark.size());
  for (std::string comment; word.starts_with('#') && std::getline(file, comment);)
    if (!(file >> word)) break;
  return word == "router" || word == "node";
}

/// What a YAML file may hold: some 500,000 links, which are read in seconds.
constexpr DocumentLimits kYamlLimits{std::size_t{16} << 20, 1'500'000,
                                     "; write a larger network in the anynet format"};

GraphText read_graph(const std::string& path, LineFaults& faults) {
  require_regular_file(path, kKey);
  if (is_anynet(path)) return graph_of_anynet(path, kKey, faults);
  const auto source = std::make_shared<const std::string>(path);
  Faults found;
  const Place whole{source, 0, 0};
  const std::string text = read_text_file(path, kKey, whole, found, "a YAML file", kYamlLimits);
  ConfigNode document;
  if (found.empty()) document = parse_yaml(text, source, found, kYamlLimits);
  for (const auto& fault : found) faults.add(fault.place.text(), fault.message);
  if (!found.empty()) return {};
  if (document.place.text().empty()) document.place = whole;  // there is nothing in the file
  return graph_of_yaml(document, faults);
}

const Registration<TopologyRegistry> kGraph{
    {{"graph",
      "any network, from a file: routers, terminals and links in YAML, or BookSim2's anynet format",
      {Parameter::file("file", "YAML file with routers, terminals and links, or a file in anynet format")
           .mandatory()}},
     {[](const Parameters& keys, TopologyBuilder& builder) {
       if (!keys.has("file"))
         throw ConfigError(kKey,
                           "graph needs the key 'file': a YAML file with routers, terminals and links, or "
                           "one in BookSim2's anynet format");
       LineFaults faults(kKey);
       const GraphText graph = read_graph(keys.get<std::string>("file"), faults);
       faults.raise();
       GraphFiller filler(graph, faults);
       if (!filler.check()) faults.raise();
       filler.fill(builder);
     }}}};

}  // namespace
}  // namespace noctule
