// How a caption speaks of the source request_reply.

#include <fmt/format.h>

#include "core/json.h"
#include "traffic/caption.h"
#include "traffic/named_ends.h"

namespace noctule {
namespace {

/// "requests of 1, responses of 5 flits, at most 16 outstanding".
std::string chain_caption(const Parameters& keys) {
  const auto lengths = keys.get<std::vector<std::uint32_t>>("lengths");
  auto names = keys.get<std::vector<std::string>>("chain");
  if (names.empty() && lengths.size() == 2) names = {"request", "response"};
  std::string text;
  for (std::size_t step = 0; step < lengths.size(); ++step)
    text += fmt::format("{}{}s of {}", step == 0 ? "" : ", ", step < names.size() ? names[step] : "message",
                        lengths[step]);
  if (!text.empty()) text += " flits, ";
  text += fmt::format("at most {} outstanding", keys.get<std::uint64_t>("outstanding"));
  if (const auto requesting = listed_terminals(keys, "requesting"))
    text += fmt::format(" at each of terminals {}", *requesting);
  else if (keys.has("requesters") && keys.json().at("requesters").is_number())
    text += fmt::format(" at each of {} terminals", keys.get<std::uint64_t>("requesters"));
  return text;
}

const CaptionOf kRequestReplyCaption{{"request_reply", chain_caption, [](const Parameters& keys) {
                                        return !keys.get<std::vector<std::uint32_t>>("lengths").empty();
                                      }}};

}  // namespace
}  // namespace noctule
