#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "config/graph_text.h"

namespace noctule {
namespace {

class AnynetGraph {
 public:
  explicit AnynetGraph(LineFaults& faults) : faults_(faults) {}

  GraphText read(std::istream& file, const std::string& path) {
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
      place_ = fmt::format("{}:{}", path, number);
      if (!read_line(line)) break;
    }
    return finish(path);
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  /// Parts of a line: "router 3", "node 5", and a latency behind some.
  struct Part {
    bool router = false;
    std::size_t id = 0;
  };
  /// False: nothing more is worth reading.
  bool read_line(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    std::optional<Part> head;
    bool latency_may_follow = false;
    while (words >> word) {
      if (head && latency_may_follow && is_number(word)) {
        latency_may_follow = false;
        if (word != "1")
          faults_.add(place_,
                      fmt::format("the latency {} of a link; links have the delays of the fabric here: "
                                  "leave it out, and set link.flit_delay for all of them",
                                  word));
        continue;
      }
      if (word != "router" && word != "node") {
        faults_.add(place_, fmt::format("'{}' where 'router' or 'node' is expected", word));
        return true;
      }
      Part part{word == "router", 0};
      if (!(words >> word) || !is_number(word)) {
        faults_.add(place_, fmt::format("'{}' without a number", part.router ? "router" : "node"));
        return true;
      }
      part.id = word.size() > 9 ? GraphLimits::kRouters : std::stoul(word);
      if (part.id >= GraphLimits::kRouters) {
        faults_.add(place_, fmt::format("{} {}; numbers are 0 to {}", part.router ? "router" : "node", word,
                                        GraphLimits::kRouters - 1));
        return true;
      }
      if (!head) {
        head = part;
        if (part.router) routers_ = std::max(routers_, part.id + 1);
        continue;
      }
      latency_may_follow = true;
      join(*head, part);
      if (links_.size() > GraphLimits::kLinks) {
        faults_.add(place_,
                    fmt::format("more than {} links; a graph has at most so many", GraphLimits::kLinks));
        return false;
      }
    }
    return true;
  }
  void join(Part head, Part part) {
    if (!head.router && !part.router)
      return faults_.add(place_,
                         fmt::format("node {} is joined to node {}; a node has a router", head.id, part.id));
    if (head.router && part.router) {
      routers_ = std::max({routers_, head.id + 1, part.id + 1});
      if (head.id == part.id)
        return faults_.add(place_, fmt::format("router {} is joined to itself", head.id));
      const auto pair = std::minmax(head.id, part.id);
      links_.emplace(std::pair(pair.first, pair.second), links_.size());
      if (order_.size() < links_.size()) order_.push_back({head.id, part.id, place_});
      return;
    }
    const std::size_t router = head.router ? head.id : part.id;
    const std::size_t node = head.router ? part.id : head.id;
    routers_ = std::max(routers_, router + 1);
    if (nodes_.size() <= node) nodes_.resize(node + 1, {kNobody, ""});
    if (nodes_[node].first != kNobody && nodes_[node].first != router)
      return faults_.add(place_, fmt::format("node {} is at router {}, and was at router {} at {}", node,
                                             router, nodes_[node].first, nodes_[node].second));
    nodes_[node] = {router, place_};
  }
  GraphText finish(const std::string& path) {
    GraphText graph;
    for (std::size_t r = 0; r < routers_; ++r) graph.routers.push_back(fmt::format("router_{}", r));
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].first == kNobody) {
        faults_.add(path,
                    fmt::format("node {} is missing; nodes are numbered 0 to {}", n, nodes_.size() - 1));
        continue;
      }
      const auto at = static_cast<std::uint32_t>(nodes_[n].first);
      graph.terminals.push_back({at, at, nodes_[n].second});
    }
    for (const auto& link : order_)
      graph.links.push_back(
          {{static_cast<std::uint32_t>(link.from)}, {static_cast<std::uint32_t>(link.to)}, true, link.place});
    return graph;
  }
  static bool is_number(const std::string& word) {
    return word.find_first_not_of("0123456789") == std::string::npos;
  }

  struct Joined {
    std::size_t from;
    std::size_t to;
    std::string place;
  };
  LineFaults& faults_;
  std::string place_;
  std::size_t routers_ = 0;
  std::vector<std::pair<std::size_t, std::string>> nodes_;  ///< by number: router, and where that is said
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> links_;
  std::vector<Joined> order_;
};

}  // namespace

GraphText graph_of_anynet(std::istream& file, const std::string& path, LineFaults& faults) {
  return AnynetGraph(faults).read(file, path);
}

}  // namespace noctule
