// Routes from a text file: lines "router destination output ...", "#" starts a comment. The destination is
// the name of a router where a terminal consumes, or * for all that have no line of their own at this router;
// an output is PORT or PORT.CLASS, in the order of preference. What a worm is offered depends on where it is
// and where it goes alone. Nothing is claimed of deadlocks: the verifier finds out.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/number_lines.h"
#include "routing/relation.h"
#include "topology/reachability.h"

namespace noctule {
namespace {

constexpr const char* kName = "table";
constexpr const char* kKey = "routing.file";
constexpr unsigned kMostClasses = 64;

class Table final : public RoutingRelation {
 public:
  Table(std::shared_ptr<const Topology> topology, const std::string& path)
      : topology_(std::move(topology)), classes_(topology_->links().size(), 0) {
    for (std::uint32_t r = 0; r < topology_->routers(); ++r)
      by_name_.emplace(topology_->router_name(RouterId{r}), r);
    rows_.resize(topology_->routers());
    read(path);
    follow_all(path);
    VcField field{"class", {}};
    for (unsigned c = 0; c < most_classes_; ++c) field.values.push_back(std::to_string(c));
    fields_.push_back(std::move(field));
  }

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link& link) const override { return classes_[index(link.id)]; }
  [[nodiscard]] std::string class_name(const Link&, VcClass vc_class) const override {
    return "class" + std::to_string(index(vc_class));
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    return index(vc_class) < 64 && (used_[index(link.id)] >> index(vc_class) & 1) != 0;
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass vc_class) const override {
    return {static_cast<std::uint8_t>(vc_class)};
  }
  void candidates(RouterId here, RouterId destination, RouteState, CandidateList& list) const override {
    if (const auto* outputs = row(here, destination))
      for (const Candidate& output : *outputs) list.add(output);
  }
  [[nodiscard]] RoutingClaims claims() const override { return {minimal_, false, "none"}; }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    std::vector<RouterId> here{source};  // where worms can be after so many hops
    for (unsigned hops = 0; hops <= topology_->routers(); ++hops) {
      if (here.size() == 1 && here.front() == destination) return hops;
      std::vector<RouterId> next;
      for (const RouterId router : here) {
        const auto* outputs = row(router, destination);
        if (router == destination || outputs == nullptr) return kHopsVary;
        for (const Candidate& output : *outputs) next.push_back(topology_->outgoing(router, output.port)->to);
      }
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      here = std::move(next);
    }
    return kHopsVary;
  }

 private:
  using Outputs = std::vector<Candidate>;
  /// What a line gives.
  struct Entry {
    Outputs outputs;
    std::size_t line = 0;  ///< its number
  };
  struct Row {
    std::unordered_map<std::uint32_t, Entry> to;
    Entry others;
  };

  [[nodiscard]] const Entry* entry(RouterId here, RouterId destination) const {
    const Row& at = rows_[index(here)];
    const auto known = at.to.find(static_cast<std::uint32_t>(destination));
    if (known != at.to.end()) return &known->second;
    return at.others.outputs.empty() ? nullptr : &at.others;
  }
  [[nodiscard]] const Outputs* row(RouterId here, RouterId destination) const {
    const Entry* const known = entry(here, destination);
    return known == nullptr ? nullptr : &known->outputs;
  }

  void read(const std::string& path) {
    LineFaults faults(kKey);
    each_word_line(path, kKey, "router destination PORT.CLASS ...", [&](const WordLine& line) {
      const std::size_t number = std::stoul(line.place.substr(line.place.rfind(':') + 1));
      if (auto fault = add({line.words.begin(), line.words.end()}, number); !fault.empty())
        faults.add(line.place, std::move(fault));
      return true;
    });
    faults.raise();
  }
  /// What is wrong with a line; empty: nothing.
  std::string add(const std::vector<std::string>& words, std::size_t line) {
    if (words.size() < 3) return "a line is 'router destination output ...', and this one ends too early";
    const auto here = by_name_.find(words[0]);
    if (here == by_name_.end()) return unknown(words[0]);
    const auto there = by_name_.find(words[1]);
    if (words[1] != "*" && there == by_name_.end()) return unknown(words[1]);
    if (words[0] == words[1])
      return fmt::format("'{}' is the destination: worms are consumed there", words[0]);
    Outputs outputs;
    for (std::size_t i = 2; i < words.size(); ++i) {
      Candidate output;
      if (auto fault = parse(RouterId{here->second}, words[i], output); !fault.empty()) return fault;
      if (std::find(outputs.begin(), outputs.end(), output) != outputs.end())
        return fmt::format("output '{}' is given twice", words[i]);
      outputs.push_back(output);
    }
    Row& row = rows_[here->second];
    Entry& place = words[1] == "*" ? row.others : row.to[there->second];
    if (!place.outputs.empty())
      return fmt::format("'{} {}' has a line already, number {}; give all outputs in one", words[0], words[1],
                         place.line);
    place = {std::move(outputs), line};
    return {};
  }
  [[nodiscard]] std::string unknown(const std::string& name) const {
    return fmt::format("no router is called '{}'; the first is '{}'", name,
                       topology_->router_name(RouterId{0}));
  }
  std::string parse(RouterId here, const std::string& text, Candidate& output) {
    const auto dot = text.find('.');
    const std::string port = text.substr(0, dot);
    unsigned vc_class = 0;
    if (dot != std::string::npos) {
      const std::string number = text.substr(dot + 1);
      if (number.empty() || number.size() > 2 ||
          number.find_first_not_of("0123456789") != std::string::npos ||
          static_cast<unsigned>(std::stoul(number)) >= kMostClasses)
        return fmt::format("'{}' has the class '{}'; classes are numbers 0 to {}", text, number,
                           kMostClasses - 1);
      vc_class = static_cast<unsigned>(std::stoul(number));
    }
    std::string known;
    for (std::size_t p = 0; p < topology_->ports(here); ++p) {
      const Link* link = topology_->outgoing(here, PortId(p));
      if (link == nullptr) continue;
      const auto& name = topology_->port_name(here, PortId(p));
      known += (known.empty() ? "" : ", ") + name;
      if (name != port) continue;
      output = {PortId(p), VcClass(static_cast<std::uint16_t>(vc_class))};
      classes_[index(link->id)] = std::max(classes_[index(link->id)], vc_class + 1);
      most_classes_ = std::max(most_classes_, vc_class + 1);
      return {};
    }
    return fmt::format("no link leaves {} by '{}'; those that do: {}", topology_->router_name(here), port,
                       known);
  }

  /// Which channels worms take, that each of them has a line wherever it comes, and a way to its end.
  void follow_all(const std::string& path) {
    used_.assign(topology_->links().size(), 0);
    const auto starts = topology_->injects();
    const auto ends = topology_->consumes();
    LineFaults faults(kKey);
    for (std::uint32_t d = 0; d < ends.size(); ++d) {
      if (!ends[d]) continue;
      std::vector<bool> seen(ends.size());
      std::vector<RouterId> todo;
      std::vector<std::pair<RouterId, RouterId>> steps;
      bool complete = true;
      for (std::uint32_t s = 0; s < starts.size(); ++s)
        if (starts[s] && s != d) todo.push_back(RouterId{s});
      while (!todo.empty()) {
        const RouterId here = todo.back();
        todo.pop_back();
        if (index(here) == d || seen[index(here)]) continue;
        seen[index(here)] = true;
        const auto* outputs = row(here, RouterId{d});
        if (outputs == nullptr) {
          complete = false;
          faults.add(path, fmt::format("no line says how a worm at {} goes on to {}; add one, '{} {} OUTPUT'",
                                       topology_->router_name(here), topology_->router_name(RouterId{d}),
                                       topology_->router_name(here), topology_->router_name(RouterId{d})));
          continue;
        }
        for (const Candidate& output : *outputs) {
          const Link& link = *topology_->outgoing(here, output.port);
          used_[index(link.id)] |= std::uint64_t{1} << index(output.vc_class);
          minimal_ = minimal_ &&
                     topology_->distance(link.to, RouterId{d}) + 1 == topology_->distance(here, RouterId{d});
          todo.push_back(link.to);
          steps.emplace_back(here, link.to);
        }
      }
      if (complete) check_arrival(path, RouterId{d}, starts, steps, faults);
    }
    faults.raise();
  }
  /// From everywhere that a worm comes to there is a way on to its destination. `steps`: all that worms for
  /// it take.
  void check_arrival(const std::string& path, RouterId destination, const std::vector<bool>& starts,
                     const std::vector<std::pair<RouterId, RouterId>>& steps, LineFaults& faults) const {
    Reachability ways(topology_->routers());
    for (const auto& [from, to] : steps) ways.add(from, to);
    const std::vector<bool> arrives = ways.leading_to(destination);
    const auto lost = std::find_if(steps.begin(), steps.end(), [&](const auto& step) {
      return starts[index(step.first)] && !arrives[index(step.first)];
    });
    const auto trapped =
        lost != steps.end() ? lost : std::find_if(steps.begin(), steps.end(), [&](const auto& step) {
          return !arrives[index(step.first)];
        });
    if (trapped == steps.end()) return;
    const RouterId here = trapped->first;
    const std::string to = topology_->router_name(destination);
    std::string way = topology_->router_name(here);
    std::vector<bool> seen(topology_->routers());
    RouterId at = here;
    while (!seen[index(at)]) {
      seen[index(at)] = true;
      at = topology_->outgoing(at, row(at, destination)->front().port)->to;
      way += " -> " + topology_->router_name(at);
    }
    faults.add(
        fmt::format("{}:{}", path, entry(here, destination)->line),
        fmt::format("a worm at {} never comes to {}: its lines lead it {}, and round again; give one of "
                    "these routers an output that leads to {}",
                    topology_->router_name(here), to, way, to));
  }

  std::shared_ptr<const Topology> topology_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
  std::vector<Row> rows_;            ///< by router
  std::vector<unsigned> classes_;    ///< by link
  std::vector<std::uint64_t> used_;  ///< by link: classes
  unsigned most_classes_ = 1;
  bool minimal_ = true;
  std::vector<VcField> fields_;
};

const Registration<RoutingRegistry> kRegistered{
    {{kName,
      "routes from a file, on any topology: for a router and a destination the outputs to choose from",
      {Parameter::file("file",
                       "text file with lines 'router destination PORT.CLASS ...'; destination * = all others")
           .mandatory()}},
     [](std::shared_ptr<const Topology> topology, const Parameters& parameters) {
       if (!parameters.has("file"))
         throw ConfigError(kKey,
                           "table needs the key 'file': a text file with lines 'router destination "
                           "PORT.CLASS ...'");
       return std::make_unique<Table>(std::move(topology), parameters.get<std::string>("file"));
     }}};

}  // namespace
}  // namespace noctule
