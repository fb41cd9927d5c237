#include "verify/unicast/pair_flows.h"

#include <algorithm>

namespace noctule {
namespace {

constexpr std::size_t kMostFlows = 100'000;  ///< kept

}  // namespace

const PairFlows::Flow* PairFlows::from_to(RouterId from, RouterId to, unsigned message_class) {
  if (flows_.size() <= message_class) flows_.resize(message_class + 1);
  const std::uint64_t key = std::uint64_t{index(from)} << 32 | index(to);
  if (const auto known = flows_[message_class].find(key); known != flows_[message_class].end())
    return &known->second;
  if (kept_ >= kMostFlows) {
    for (auto& of_class : flows_) of_class.clear();
    kept_ = 0;
  }
  graph_.limit(most_states_ - std::min(most_states_, states_));
  graph_.explore(to, {from}, message_class);
  states_ += graph_.size();
  if (!graph_.complete()) return nullptr;
  HeaderFlow headers(channels_);
  Flow flow;
  rate_[index(from)] = 1;
  const bool followed =
      headers.follow(graph_, rate_, [&](ChannelId c, double f) { flow.flits.emplace_back(c, f); });
  rate_[index(from)] = 0;
  if (!followed) return nullptr;
  flow.least_hops = headers.least_hops();
  links_given_ = links_given_ && headers.links_given();
  classes_given_ = classes_given_ && headers.classes_given();
  ++kept_;
  return &flows_[message_class].emplace(key, std::move(flow)).first->second;
}

}  // namespace noctule
