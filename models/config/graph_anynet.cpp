#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "config/graph_text.h"

namespace noctule {
namespace {

class AnynetGraph {
 public:
  explicit AnynetGraph(LineFaults& faults) : faults_(faults) {}

  GraphText read(const std::string& path, const std::string& key) {
    each_word_line(path, key, "router R [node N | router R [latency]] ...", [&](const WordLine& line) {
      place_ = line.place;
      return read_line(line.words);
    });
    finish(path);
    return std::move(graph_);
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  /// Parts of a line: "router 3", "node 5", and a latency behind some.
  struct Part {
    bool router = false;
    std::size_t id = 0;
  };
  /// False: nothing more is worth reading.
  bool read_line(const std::vector<std::string_view>& words) {
    std::optional<Part> head;
    std::size_t link = kNobody;  // the last one joined
    bool latency_may_follow = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i];
      if (head && latency_may_follow && is_number(word)) {
        latency_may_follow = false;
        set_latency(head->id, link, word);
        continue;
      }
      if (word != "router" && word != "node") {
        faults_.add(place_, fmt::format("'{}' where 'router' or 'node' is expected", word));
        return true;
      }
      Part part{word == "router", 0};
      if (++i == words.size() || !is_number(words[i])) {
        faults_.add(place_, fmt::format("'{}' without a number", word));
        return true;
      }
      const auto parsed = std::from_chars(words[i].data(), words[i].data() + words[i].size(), part.id);
      if (parsed.ec != std::errc{} || part.id >= GraphLimits::kRouters) {
        faults_.add(place_,
                    fmt::format("{} {}; numbers are 0 to {}", word, words[i], GraphLimits::kRouters - 1));
        return true;
      }
      if (!head) {
        head = part;
        if (part.router) routers_ = std::max(routers_, part.id + 1);
        continue;
      }
      latency_may_follow = true;
      link = join(*head, part);
      if (graph_.links.size() > GraphLimits::kLinks) {
        faults_.add(place_,
                    fmt::format("more than {} links; a graph has at most so many", GraphLimits::kLinks));
        return false;
      }
    }
    return true;
  }
  /// The number of the link; kNobody: a node was joined, or the line is wrong.
  std::size_t join(Part head, Part part) {
    if (head.router && part.router) return join_routers(head.id, part.id);
    if (head.router || part.router)
      join_node(head.router ? part.id : head.id, head.router ? head.id : part.id);
    else
      faults_.add(place_, fmt::format("node {} is joined to node {}; a node has a router", head.id, part.id));
    return kNobody;
  }
  std::size_t join_routers(std::size_t a, std::size_t b) {
    routers_ = std::max({routers_, a + 1, b + 1});
    if (a == b) {
      faults_.add(place_, fmt::format("router {} is joined to itself", a));
      return kNobody;
    }
    const auto [known, fresh] = joined_.try_emplace({std::min(a, b), std::max(a, b)}, graph_.links.size());
    if (fresh)
      graph_.links.push_back(
          {{static_cast<std::uint32_t>(a)}, {static_cast<std::uint32_t>(b)}, true, place_});
    return known->second;
  }
  void join_node(std::size_t node, std::size_t router) {
    routers_ = std::max(routers_, router + 1);
    if (nodes_.size() <= node) nodes_.resize(node + 1, {kNobody, ""});
    if (nodes_[node].first != kNobody && nodes_[node].first != router)
      return faults_.add(place_, fmt::format("node {} is at router {}, and was at router {} at {}", node,
                                             router, nodes_[node].first, nodes_[node].second));
    nodes_[node] = {router, place_};
  }
  /// Of the link from the router at the head of the line; that of the other direction is 1 where nobody says
  /// it.
  void set_latency(std::size_t head, std::size_t number, std::string_view word) {
    std::uint16_t cycles = 0;
    std::from_chars(word.data(), word.data() + word.size(), cycles);
    if (number == kNobody) {
      if (word != "1")
        faults_.add(place_,
                    fmt::format("the latency {} of a node; nodes are at their routers: leave it out", word));
      return;
    }
    if (cycles < 1 || cycles > kMostLinkCycles)
      return faults_.add(
          place_, fmt::format("the latency {} of a link; 1 to {} are possible", word, kMostLinkCycles));
    auto& link = graph_.links[number];
    const bool there = link.from.router == head;
    auto& said = latencies_.try_emplace({number, there}, cycles, place_).first->second;
    if (said.first != cycles)
      return faults_.add(
          place_, fmt::format("the latency {} of a link that has the latency {} at {}; give one", cycles,
                              said.first, said.second));
    (there ? link.there : link.back) = {cycles, cycles, {}};
  }
  void finish(const std::string& path) {
    for (std::size_t r = 0; r < routers_; ++r) graph_.routers.push_back(fmt::format("router_{}", r));
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].first == kNobody) {
        faults_.add(path,
                    fmt::format("node {} is missing; nodes are numbered 0 to {}", n, nodes_.size() - 1));
        continue;
      }
      const auto at = static_cast<std::uint32_t>(nodes_[n].first);
      graph_.terminals.push_back({at, at, nodes_[n].second});
    }
  }
  static bool is_number(std::string_view word) {
    return word.find_first_not_of("0123456789") == std::string_view::npos;
  }

  LineFaults& faults_;
  std::string place_;
  std::size_t routers_ = 0;
  std::vector<std::pair<std::size_t, std::string>> nodes_;  ///< by number: router, and where that is said
  std::map<std::pair<std::size_t, std::size_t>, std::size_t>
      joined_;  ///< routers, low number first: the link
  /// By link and direction: what its latency is, and where that is said.
  std::map<std::pair<std::size_t, bool>, std::pair<std::uint16_t, std::string>> latencies_;
  GraphText graph_;
};

}  // namespace

GraphText graph_of_anynet(const std::string& path, const std::string& key, LineFaults& faults) {
  return AnynetGraph(faults).read(path, key);
}

}  // namespace noctule
