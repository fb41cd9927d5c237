#pragma once
// A network as a file gives it: topology.kind graph.

#include <cstdint>
#include <string>
#include <vector>

#include "config/document.h"
#include "core/number_lines.h"
#include "topology/topology.h"

namespace noctule {

struct GraphLimits {
  static constexpr std::size_t kRouters = 65'536;
  static constexpr std::size_t kLinks = 1'000'000;
  static constexpr std::size_t kTerminals = 65'536;
  static constexpr double kCoordinate = 1e6;
};

/// With the places of everything, for messages. What is faulty is left out.
struct GraphText {
  /// Where packets of these message classes, of all where there are none, enter and leave.
  struct Attached {
    std::uint32_t injection;
    std::uint32_t consumption;
    std::vector<std::string> classes = {};
  };
  struct Terminal {
    std::uint32_t injection;  ///< of the only attachment
    std::uint32_t consumption;
    std::string place;
    std::vector<Attached> attachments = {};  ///< empty: there is that one, for all classes
  };
  static constexpr std::uint16_t kNextPort = 0xffff;
  struct End {
    std::uint32_t router;
    std::uint16_t port = kNextPort;  ///< the next free one
  };
  struct Connection {
    End from;
    End to;
    bool both_ways;
    std::string place;
    LinkAttributes there = {};  ///< of the link from `from`
    LinkAttributes back = {};   ///< of the link from `to`
  };
  std::vector<std::string> routers;
  std::vector<Position> positions;  ///< by router; empty: the file gives none
  std::vector<Terminal> terminals;
  std::vector<Connection> links;
};

/// From a YAML document: a map of routers, terminals and links (see graph_file.cpp). Adds what is wrong.
GraphText graph_of_yaml(const ConfigNode& document, LineFaults& faults);

/// From BookSim2's anynet format: lines "router R [node N | router R [latency]] ...", or "node N router R".
/// Links between routers lead both ways, two routers have one at most. A latency is that of flits and of
/// credits, in cycles; of the way back, too, unless a line that begins with its router says otherwise. Adds
/// what is wrong; throws ConfigError of the key where the file cannot be read.
GraphText graph_of_anynet(const std::string& path, const std::string& key, LineFaults& faults);

}  // namespace noctule
