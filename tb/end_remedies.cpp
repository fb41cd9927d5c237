#include "tb/end_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "core/error.h"
#include "run/fabric_verdict.h"

namespace noctule {
namespace {

/// All ways to put so many classes together are tried; of more, that each is alone.
constexpr std::size_t kMostClasses = 5;

class Remedies {
 public:
  Remedies(const MessageClasses& classes, const PointConfig& point) : classes_(classes), point_(point) {}

  std::vector<Json> find() {
    std::vector<Json> found;
    for (auto remedy : {buffers(), lanes()})
      if (remedy) found.push_back(std::move(*remedy));
    return found;
  }

 private:
  /// Is the fabric proved with these keys changed?
  [[nodiscard]] bool proves(const Json& set) const {
    PointConfig changed = point_;
    for (const auto& [key, value] : set.items()) {
      std::string pointer = "/" + key;
      std::ranges::replace(pointer, '.', '/');
      changed.resolved[Json::json_pointer(pointer)] = value;
    }
    try {
      FabricOfPoint fabric = fabric_of(changed);
      fabric.options.find_witness = false;
      return verify(fabric.plan, fabric.options).proved();
    } catch (const ConfigError&) {
      return false;  // the network has no VCs for that
    }
  }

  [[nodiscard]] std::optional<Json> buffers() const {
    std::vector<std::size_t> waiting;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (!classes_.awaited_by(c).empty()) waiting.push_back(c);
    for (std::size_t size = 1; size <= waiting.size(); ++size)
      for (std::uint32_t chosen = 1; chosen < 1U << waiting.size(); ++chosen) {
        if (static_cast<std::size_t>(std::popcount(chosen)) != size) continue;
        Json set = Json::object();
        for (std::size_t n = 0; n < waiting.size(); ++n)
          if ((chosen >> n & 1) != 0)
            set[fmt::format("message_classes.{}.buffer", classes_[waiting[n]].name)] = "unlimited";
        if (proves(set)) return set;
      }
    return std::nullopt;
  }

  /// Each group of classes gets a lane, each class an interface.
  [[nodiscard]] Json lanes_for(const std::vector<std::size_t>& group) const {
    Json set = Json::object();
    const std::size_t groups = 1 + *std::ranges::max_element(group);
    if (groups > point_.resolved.at("node").at("lanes").get<std::size_t>()) set["node.lanes"] = groups;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const auto& now = point_.resolved.at("message_classes").at(classes_[c].name);
      Json vcs = now.at("vcs");
      vcs["lane"] = Json::array({std::to_string(group[c])});
      set[fmt::format("message_classes.{}.vcs", classes_[c].name)] = vcs;
      if (now.at("interface") != "") set[fmt::format("message_classes.{}.interface", classes_[c].name)] = "";
    }
    return set;
  }
  [[nodiscard]] std::optional<Json> lanes() const {
    std::vector<std::size_t> alone(classes_.size());
    for (std::size_t c = 0; c < alone.size(); ++c) alone[c] = c;
    if (classes_.size() <= kMostClasses)
      for (std::size_t groups = 1; groups < classes_.size(); ++groups) {
        std::vector<std::size_t> group(classes_.size());
        if (auto set = divide(group, 1, groups)) return set;
      }
    Json set = lanes_for(alone);
    if (proves(set)) return set;
    return std::nullopt;
  }
  /// Puts class c and all that follow into `groups` groups, of which the first come first.
  [[nodiscard]] std::optional<Json> divide(std::vector<std::size_t>& group, std::size_t c,
                                           std::size_t groups) const {
    const std::size_t used =
        1 + *std::max_element(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(c));
    if (c == group.size()) {
      if (used != groups) return std::nullopt;
      Json set = lanes_for(group);
      return proves(set) ? std::optional<Json>(std::move(set)) : std::nullopt;
    }
    for (group[c] = 0; group[c] <= std::min(used, groups - 1); ++group[c])
      if (auto set = divide(group, c + 1, groups)) return set;
    group[c] = 0;
    return std::nullopt;
  }

  const MessageClasses& classes_;
  const PointConfig& point_;
};

}  // namespace

std::vector<Json> end_remedies(const Certificate& certificate, const PointConfig& point) {
  if (certificate.proved() || !certificate.only_ends_close_cycles() || !certificate.limit.empty()) return {};
  return Remedies(certificate.plan->message_classes, point).find();
}

}  // namespace noctule
