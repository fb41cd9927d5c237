#include "traffic/source_claims.h"

#include <cmath>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/foreign_code.h"

namespace noctule {
namespace {

constexpr const char* kKey = "traffic.source";
constexpr double kShareSlack = 1e-6;  // of a sum of shares

[[noreturn]] void refuse(const char* what, const std::string& why) {
  throw ConfigError(kKey, std::string("the source failed: what it gives as ") + what + " " + why);
}

void check_rate(const char* what, double rate) {
  if (!std::isfinite(rate) || rate < 0)
    refuse(what, "has the rate or time " + std::to_string(rate) + "; it is 0 or more");
}

void check_shares(const char* what, const TrafficSource::LengthShares& shares) {
  double sum = 0;
  for (const auto& [length, share] : shares) {
    if (length == 0) refuse(what, "has packets of 0 flits; they have 1 or more");
    check_rate(what, share);
    sum += share;
  }
  if (std::abs(sum - 1) > kShareSlack)
    refuse(what, "has shares that sum to " + std::to_string(sum) + "; they sum to 1");
}

/// `ask`: calls a function of the source.
template <class F>
auto claim(F&& ask) {
  return ask_part(kKey, "the source", std::forward<F>(ask));
}

}  // namespace

void SourceClaims::check_terminal(const char* what, TerminalId terminal) const {
  if (index(terminal) >= terminals_)
    refuse(what, "names terminal " + std::to_string(index(terminal)) + "; there are 0 to " +
                     std::to_string(terminals_ - 1));
}

void SourceClaims::check_class(const char* what, std::uint8_t message_class) const {
  if (message_class >= classes_)
    refuse(what, "names message class " + std::to_string(message_class) + "; there are 0 to " +
                     std::to_string(classes_ - 1));
}

void SourceClaims::check_all(const char* what, std::size_t size) const {
  if (size != terminals_)
    refuse(what, "speaks of " + std::to_string(size) + " terminals; there are " + std::to_string(terminals_));
}

std::optional<TrafficSource::Ends> SourceClaims::ends() const {
  auto ends = claim([&] { return source_.ends(); });
  if (!ends) return ends;
  check_all("ends()", ends->injecting.size());
  check_all("ends()", ends->addressed.size());
  return ends;
}

std::optional<TrafficSource::Offered> SourceClaims::offered() const {
  const auto offered = claim([&] { return source_.offered(); });
  if (!offered) return offered;
  check_rate("offered()", offered->packets_per_node_cycle);
  check_rate("offered()", offered->mean_length_flits);
  return offered;
}

TrafficSource::LengthShares SourceClaims::lengths() const {
  auto lengths = claim([&] { return source_.lengths(); });
  if (!lengths.empty()) check_shares("lengths()", lengths);
  return lengths;
}

std::vector<RegulatedFlow> SourceClaims::regulated() const {
  auto flows = claim([&] { return source_.regulated(); });
  for (const RegulatedFlow& flow : flows) {
    check_terminal("regulated()", flow.source);
    check_terminal("regulated()", flow.destination);
    check_class("regulated()", flow.message_class);
    if (flow.length == 0 || flow.burst == 0)
      refuse("regulated()", "has packets of 0 flits or bursts of 0 packets; both are 1 or more");
  }
  return flows;
}

std::vector<ClassDemand> SourceClaims::demand() const {
  auto demand = claim([&] { return source_.demand(); });
  for (const ClassDemand& of_class : demand) {
    check_class("demand()", of_class.message_class);
    check_all("demand()", of_class.sent.size());
    for (const auto& sent : of_class.sent) {
      check_rate("demand()", sent.uniform);
      for (const auto& [to, rate] : sent.rest) {
        check_terminal("demand()", to);
        check_rate("demand()", rate);
      }
    }
  }
  return demand;
}

std::optional<ClosedLoop> SourceClaims::loop() const {
  auto loop = claim([&] { return source_.loop(); });
  if (!loop) return loop;
  if (loop->chain.size() < 2)
    refuse("loop()", "has a chain of " + std::to_string(loop->chain.size()) + " messages; it has 2 or more");
  for (const ClosedLoop::Step& step : loop->chain) {
    check_class("loop()", step.message_class);
    check_shares("loop()", step.lengths);
  }
  check_all("loop()", loop->requesters.size());
  if (loop->outstanding == 0) refuse("loop()", "has 0 transactions outstanding; there is 1 or more");
  check_rate("loop()", loop->service);
  check_rate("loop()", loop->think);
  return loop;
}

}  // namespace noctule
