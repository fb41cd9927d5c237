#include "tb/end_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "config/reference.h"
#include "core/error.h"
#include "core/json.h"
#include "core/shell_word.h"
#include "core/words.h"
#include "run/fabric_verdict.h"
#include "verify/verifier.h"

namespace noctule {
namespace {

/// All ways to put so many classes together are tried; of more, that each is alone.
constexpr std::size_t kMostClasses = 5;

/// Lanes are labels, and labels are texts: as numbers they need no quotes.
Json with_numbers(Json value) {
  if (value.is_structured())
    for (Json& part : value) part = with_numbers(part);
  else if (std::uint64_t number = 0; value.is_string() && read_number(value.get<std::string>(), number))
    return number;
  return value;
}

/// By number of a class: the group that it is in; groups are numbered as they first come.
using Groups = std::vector<std::size_t>;

class Remedies {
 public:
  Remedies(const MessageClasses& classes, const PointConfig& point) : classes_(classes), point_(point) {}

  std::vector<Json> find() {
    std::vector<Json> found;
    for (auto remedy : {buffers(), lanes(), planes()})
      if (remedy) found.push_back(std::move(*remedy));
    return found;
  }

 private:
  /// Is the fabric proved with these keys changed?
  [[nodiscard]] bool proves(const Json& set) const {
    PointConfig changed = point_;
    for (const auto& [key, value] : set.items()) changed.resolved[pointer_to(key)] = value;
    for (Json& plane : changed.resolved["planes"])
      if (!plane.contains("set")) plane["set"] = Json::object();
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

  /// Each group of classes gets lanes of its own, as many as there are for each, and each class an interface.
  [[nodiscard]] Json lanes_for(const Groups& group) const {
    Json set = Json::object();
    const std::size_t groups = 1 + *std::ranges::max_element(group);
    const auto present = point_.resolved.at("node").at("lanes").get<std::size_t>();
    const std::size_t lanes = std::max(groups, present);
    if (lanes > present) set["node.lanes"] = lanes;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const auto& now = point_.resolved.at("message_classes").at(classes_[c].name);
      Json vcs = now.at("vcs");
      vcs["lane"] = Json::array();
      for (std::size_t lane = 0; lane < lanes; ++lane)
        if (lane * groups / lanes == group[c]) vcs["lane"].push_back(std::to_string(lane));
      set[fmt::format("message_classes.{}.vcs", classes_[c].name)] = vcs;
      if (!now.at("interface").get<std::string>().empty())
        set[fmt::format("message_classes.{}.interface", classes_[c].name)] = "";
    }
    return set;
  }
  [[nodiscard]] std::optional<Json> lanes() const {
    return fewest_groups(classes_.size(), 1, [this](const Groups& group) { return lanes_for(group); });
  }

  /// Each group of classes gets a plane. Where there are planes already, those of one that carries several.
  [[nodiscard]] std::optional<Json> planes() const {
    const Json& now = point_.resolved.at("planes");
    std::vector<std::string> names;
    for (const MessageClass& c : classes_) names.push_back(c.name);
    if (now.empty())
      return fewest_groups(names.size(), 2,
                           [&](const Groups& group) { return planes_for(group, names, ""); });
    for (const auto& [plane, keys] : now.items()) {
      const auto carried = keys.at("classes").get<std::vector<std::string>>();
      if (auto set = fewest_groups(carried.size(), 2, [&, &name = plane](const Groups& group) {
            return planes_for(group, carried, name);
          }))
        return set;
    }
    return std::nullopt;
  }
  /// `shared`: the plane that carries all of them now, which keeps the first group; empty: there are none.
  [[nodiscard]] Json planes_for(const Groups& group, const std::vector<std::string>& names,
                                const std::string& shared) const {
    const Json& now = point_.resolved.at("planes");
    Json set = Json::object();
    for (std::size_t g = 0; g <= *std::ranges::max_element(group); ++g) {
      std::vector<std::string> members;
      for (std::size_t n = 0; n < names.size(); ++n)
        if (group[n] == g) members.push_back(names[n]);
      std::string name = shared;
      if (shared.empty() || g > 0) {
        name = fmt::format("{}", fmt::join(members, "_"));
        while (now.contains(name)) name += "_own";
      }
      set[fmt::format("planes.{}.classes", name)] = members;
      if (name != shared && !shared.empty() && !now.at(shared).at("set").empty())
        set[fmt::format("planes.{}.set", name)] = now.at(shared).at("set");
    }
    return set;
  }

  /// What is proved with as few groups of `count` things, `least` at least, as do; make(group of each).
  template <class Make>
  [[nodiscard]] std::optional<Json> fewest_groups(std::size_t count, std::size_t least, Make&& make) const {
    const std::size_t first = count <= kMostClasses ? least : count;
    for (std::size_t groups = std::max(least, first); groups <= count; ++groups) {
      Groups group(count);
      if (auto set = divide(group, 1, groups, make)) return set;
    }
    return std::nullopt;
  }
  /// Puts thing n and all that follow into `groups` groups, of which the first come first.
  template <class Make>
  [[nodiscard]] std::optional<Json> divide(Groups& group, std::size_t n, std::size_t groups,
                                           Make& make) const {
    const std::size_t used =
        1 + *std::max_element(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(n));
    if (n == group.size()) {
      if (used != groups) return std::nullopt;
      Json set = make(group);
      return proves(set) ? std::optional<Json>(std::move(set)) : std::nullopt;
    }
    for (group[n] = 0; group[n] <= std::min(used, groups - 1); ++group[n])
      if (auto set = divide(group, n + 1, groups, make)) return set;
    group[n] = 0;
    return std::nullopt;
  }

  const MessageClasses& classes_;
  const PointConfig& point_;
};

}  // namespace

std::vector<Json> end_remedies(const Certificate& certificate, const PointConfig& point) {
  // A search for worms that deadlock may have been given up: what it would have found matters no more.
  const bool decided = certificate.limit.empty() || certificate.limit == kVerifyCyclesKey;
  if (certificate.proved() || !certificate.only_ends_close_cycles() || !decided) return {};
  return Remedies(certificate.plan->message_classes, point).find();
}

std::string remedy_text(const Json& remedy) {
  std::string text = "  remedy       proved with";
  Json nested = Json::object();
  for (const auto& [key, value] : remedy.items()) {
    text += " --set " + shell_word(fmt::format("{}={}", key, value.dump()));
    nested[pointer_to(key)] = with_numbers(value);
  }
  for (const auto& [section, keys] : nested.items())
    text += fmt::format("\n                 in the file: {}: {}", section, yaml_text(keys));
  return text + '\n';
}

}  // namespace noctule
