#include "routing/turn_rule.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace noctule {
namespace {

/// Words of turn models, and the directions of a mesh that they mean.
constexpr std::array<std::pair<const char*, const char*>, 4> kTurnModelWords{
    {{"west", "x_minus"}, {"east", "x_plus"}, {"north", "y_minus"}, {"south", "y_plus"}}};

bool matches(const std::string& glob, const std::string& name) {
  return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
}

std::vector<std::string> words_of(std::string text) {
  for (auto arrow = text.find("->"); arrow != std::string::npos; arrow = text.find("->", arrow + 4))
    text.replace(arrow, 2, " -> ");
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// A turn that some path makes, which is no more than `detours` hops longer than a shortest one and does not
/// turn back. If any does, that of its two links alone does.
bool on_a_path(const Topology& topology, const Link& before, const Link& after, unsigned detours) {
  return before.from != after.to && topology.distance(before.from, after.to) + detours >= 2;
}

/// Calls `visit(link, before)` for the possible turns of a rule, `before` null for injection, until it says
/// true.
template <class Visit>
bool any_turn(const Topology& topology, const TurnRule& rule, unsigned detours, Visit visit) {
  for (const auto& link : topology.links()) {
    if (!rule.leads_onto(topology, link)) continue;
    if (rule.from_injection && visit(link, nullptr)) return true;
    for (std::size_t p = 0; p < topology.ports(link.from); ++p) {
      if (rule.from[topology.direction(link.from, PortId(p))] == 0) continue;
      const auto* before = topology.incoming(link.from, PortId(p));
      if (before != nullptr && on_a_path(topology, *before, link, detours) && visit(link, before))
        return true;
    }
  }
  return false;
}

bool shares_turn(const Topology& topology, const TurnRule& rule, const Link& link, const Link* before,
                 const TurnRule& other) {
  const auto out = topology.direction(link.from, link.out);
  if (!other.leads_onto(topology, link) || (rule.to[out] & other.to[out]) == 0) return false;
  if (before == nullptr) return other.from_injection;
  const auto in = topology.direction(before->to, before->in);
  return (rule.from[in] & other.from[in]) != 0;
}

}  // namespace

std::vector<TurnRule> TurnParser::rules(const std::string& key, const std::vector<std::string>& texts) {
  std::vector<TurnRule> all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    TurnRule rule;
    rule.key = fmt::format("{}[{}]", key, i);
    rule.text = texts[i];
    rule.from.assign(topology_.directions().size(), 0);
    rule.to.assign(topology_.directions().size(), 0);
    rule.at.assign(topology_.routers(), true);
    if (parse(rule)) all.push_back(std::move(rule));
  }
  return all;
}

ChannelSet TurnParser::channels(const std::string& key, const std::vector<std::string>& texts) {
  ChannelSet set(topology_.directions().size(), 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    TurnRule named;
    named.key = fmt::format("{}[{}]", key, i);
    named.text = texts[i];
    const auto words = words_of(texts[i]);
    if (words.size() == 1)
      parse_channel(named, words[0], set);
    else
      refuse(named, "is not one channel");
  }
  return set;
}

bool TurnParser::parse(TurnRule& rule) {
  const auto words = words_of(rule.text);
  const auto arrows = std::count(words.begin(), words.end(), "->");
  if (arrows == 0) return refuse(rule, "has no '->'");
  if (arrows > 1) return refuse(rule, "has more than one '->': one turn per entry");
  if (words[0] == "->") return refuse(rule, "has nothing before '->'");
  if (words[1] != "->") return refuse(rule, "has more than one word before '->'");
  if (words.size() == 2) return refuse(rule, "has nothing after '->'");
  if (words[2] == "injection" || words[2] == "any")
    return refuse(rule, fmt::format("leads to '{}', which is no channel ('*' is every channel)", words[2]));

  rule.from_injection = words[0] == "injection" || words[0] == "any";
  if (words[0] == "any") {
    if (!parse_channel(rule, "*", rule.from)) return false;
  } else if (!rule.from_injection && !parse_channel(rule, words[0], rule.from)) {
    return false;
  }
  if (!parse_channel(rule, words[2], rule.to)) return false;
  for (std::size_t i = 3; i < words.size(); i += 2) {
    if (std::count(words.begin() + 3, words.begin() + static_cast<std::ptrdiff_t>(i), words[i]) > 0)
      return refuse(rule, fmt::format("says '{}' twice", words[i]));
    if (!parse_condition(rule, words[i], i + 1 < words.size() ? words[i + 1] : "")) return false;
  }
  return true;
}

bool TurnParser::parse_condition(TurnRule& rule, const std::string& word, const std::string& value) {
  if (word != "on" && word != "at")
    return refuse(
        rule,
        fmt::format("has '{}' after the turn; there may be 'on wrap', 'on inner' and 'at ROUTER'", word));
  if (value.empty()) return refuse(rule, fmt::format("has nothing after '{}'", word));
  if (word == "on") {
    if (value != "wrap" && value != "inner")
      return refuse(rule, fmt::format("says 'on {}'; allowed are 'on wrap' and 'on inner'", value));
    rule.where = value == "wrap" ? TurnRule::Where::kWrap : TurnRule::Where::kInner;
    return true;
  }
  bool any = false;
  for (std::size_t r = 0; r < rule.at.size(); ++r) {
    rule.at[r] = matches(value, topology_.router_name(RouterId(static_cast<std::uint32_t>(r))));
    any = any || rule.at[r];
  }
  if (any) return true;
  const auto last = RouterId(static_cast<std::uint32_t>(topology_.routers() - 1));
  return refuse(rule, fmt::format("is about routers '{}', but none is called so: there are {} to {}", value,
                                  topology_.router_name(RouterId{0}), topology_.router_name(last)));
}

bool TurnParser::parse_channel(const TurnRule& rule, const std::string& text, ChannelSet& set) {
  const auto dot = text.find('.');
  const auto direction = text.substr(0, dot);
  if (direction.empty()) return refuse(rule, fmt::format("has no direction in '{}'", text));
  ClassSet classes = 0;
  if (!parse_class(rule, dot == std::string::npos ? "*" : text.substr(dot + 1), classes)) return false;
  bool any = false;
  std::string known;
  for (std::size_t p = 0; p < set.size(); ++p) {
    const auto& name = topology_.directions()[p];
    known += (p > 0 ? ", " : "") + name;
    if (!matches(direction, name)) continue;
    set[p] |= classes;
    any = true;
  }
  if (any) return true;
  for (const auto& [word, name] : kTurnModelWords)
    if (direction == word && std::ranges::find(topology_.directions(), name) != topology_.directions().end())
      return refuse(rule, fmt::format("names the direction '{}', which is {} here: this topology has {}",
                                      word, name, known));
  return refuse(rule, fmt::format("names the direction '{}', but this topology has {}", direction, known));
}

bool TurnParser::parse_class(const TurnRule& rule, const std::string& text, ClassSet& set) {
  set = 0;
  for (unsigned c = 0; c < classes_; ++c)
    if (matches(text, std::to_string(c))) set |= static_cast<ClassSet>(1U << c);
  if (set != 0) return true;
  const bool number = !text.empty() && text.find_first_not_of("0123456789*?[]!-") == std::string::npos;
  if (!number)
    return refuse(rule,
                  fmt::format("has the class '{}', which is neither a number nor a glob of some", text));
  return refuse(rule,
                fmt::format("has the class {}, but routing.classes is {}, so that there {}", text, classes_,
                            classes_ == 1 ? "is 0 alone" : fmt::format("are 0 to {}", classes_ - 1)));
}

bool TurnParser::refuse(const TurnRule& rule, const std::string& why) {
  faults_.push_back(
      {rule.key,
       fmt::format("'{}' {}; {}", rule.text, why, rule.to.empty() ? channel_example() : turn_example()),
       {}});
  return false;
}

std::string TurnParser::channel_example() const {
  return fmt::format("write DIRECTION or DIRECTION.CLASS, for example '{}.0' or '*.0'",
                     topology_.directions()[0]);
}

std::string TurnParser::turn_example() const {
  const auto directions = topology_.directions();
  return fmt::format(
      "write FROM -> TO [on wrap | on inner] [at ROUTER], for example '{} -> {}' or "
      "'any -> {}.0 on inner at {}'",
      directions.size() <= 2 ? "injection" : directions[directions.size() - 2],
      directions[std::min<std::size_t>(1, directions.size() - 1)], directions[0],
      topology_.router_name(RouterId{0}));
}

void TurnParser::find_dead(const std::vector<TurnRule>& forbid, const std::vector<TurnRule>& allow,
                           unsigned detours) {
  const char* const no_turn = detours == 0
                                  ? "worms take shortest paths, and none of this topology makes such a turn"
                                  : "worms never turn back, and this topology has no other such turn";
  const auto check = [&](const TurnRule& rule) {
    if (any_turn(topology_, rule, detours, [](const Link&, const Link*) { return true; })) return true;
    const bool any_link = std::ranges::any_of(
        topology_.links(), [&](const Link& link) { return rule.leads_onto(topology_, link); });
    const char* kind = rule.where == TurnRule::Where::kWrap    ? "wrap link"
                       : rule.where == TurnRule::Where::kInner ? "inner link"
                                                               : "link";
    faults_.push_back(
        {rule.key,
         fmt::format("'{}' can never match: {}; remove it, or correct it", rule.text,
                     any_link ? no_turn : fmt::format("no {} leaves there in that direction", kind)),
         {}});
    return false;
  };
  for (const auto& rule : forbid) check(rule);
  for (const auto& rule : allow) {
    if (!check(rule)) continue;
    const bool lifts = any_turn(topology_, rule, detours, [&](const Link& link, const Link* before) {
      return std::ranges::any_of(
          forbid, [&](const TurnRule& other) { return shares_turn(topology_, rule, link, before, other); });
    });
    if (!lifts)
      faults_.push_back(
          {rule.key,
           fmt::format("'{}' allows nothing that is forbidden: no entry of routing.forbid matches "
                       "any of its turns; remove it, or correct it",
                       rule.text),
           {}});
  }
}

void TurnParser::finish() const {
  if (!faults_.empty()) throw ConfigError(faults_);
}

}  // namespace noctule
