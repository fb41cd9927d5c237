#pragma once
// Shared by the tests of message classes with priorities and weights: fabrics whose classes have VCs of their
// own.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fabric/closed_loop_support.h"

namespace noctule::fabric_test {

inline constexpr std::uint8_t kHigh = 0;

/// A router of one kind whose lanes are shared out among the classes.
struct Kind {
  std::string name;
  Json set;
  Cycle credit_delay = 1;
};

/// Each class has its share of the lanes and an interface of its own.
inline MessageClasses apart(std::vector<MessageClass> classes, unsigned lanes) {
  const auto each = lanes / static_cast<unsigned>(classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::vector<std::string>& mine = classes[c].vcs["lane"];
    for (unsigned l = 0; l < each; ++l) mine.push_back(std::to_string(c * each + l));
    classes[c].interface = static_cast<std::uint8_t>(c);
  }
  return MessageClasses(std::move(classes));
}
inline MessageClasses high_and_low(unsigned lanes) {
  return apart({{"high", {}, 0, {}, 1}, {"low", {}, 0, {}, 0}}, lanes);
}

struct Served {
  Served(const MessageClasses& classes, std::shared_ptr<const Topology> topology, const Kind& kind,
         LinkedOptions options = {})
      : Served(plan_with(classes, std::move(topology), "dimension_order", kind.set, "generic"), [&] {
          options.credit_delay = kind.credit_delay;
          return options;
        }()) {}
  explicit Served(FabricPlan plan, const LinkedOptions& options = {})
      : fabric(make_fabric(std::move(plan), options)) {
    fabric->attach(source);
  }
  /// Flits of a class consumed so far.
  [[nodiscard]] double flits(std::uint8_t of_class) const {
    double sum = 0;
    for (const Delivery& d : source->deliveries)
      if (d.message_class == of_class) sum += d.length;
    return sum;
  }
  std::shared_ptr<ListSource> source = std::make_shared<ListSource>();
  std::unique_ptr<Fabric> fabric;
};

/// The left half of a row of eight sends to the right half, over one link, in packets of 4 and 5 flits: every
/// terminal one every `every` cycles.
inline void send_across(ListSource& source, std::uint8_t of_class, Cycle every, Cycle from, Cycle end) {
  for (Cycle t = from; t < end; t += every)
    for (std::uint32_t s = 0; s < 4; ++s) {
      const auto n = static_cast<std::uint32_t>(t / every) + s;
      source.add(s, {t, TerminalId{4 + n % 4}, 4 + n / 4 % 2, of_class});
    }
}

}  // namespace noctule::fabric_test
