#include "tb/proof_assumptions.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>

namespace noctule {
namespace {

/// Routers in RTL are simulated as they are, and judged by their node model.
std::string of_rtl(const PointSpec& spec) {
  std::size_t count = 0;
  std::optional<RouterId> first;
  for (std::size_t r = 0; r < spec.rtl.size(); ++r) {
    if (!spec.rtl[r]) continue;
    if (!first) first = RouterId(r);
    ++count;
  }
  if (!first) return "";
  const std::string others = count == 1 ? " does" : fmt::format(" and {} more in RTL do", count - 1);
  return fmt::format(
      "{}{} what the node model does, with the same routing: the RTL itself was not looked at; noctule cosim "
      "compares it with the model",
      spec.topology->router_name(*first), others);
}

/// Sources whose terminals answer what they take, where nothing says that an answer may keep them waiting.
std::string of_ends(const PointSpec& spec) {
  if (!spec.source->closed_loop()) return "";
  const MessageClasses& classes = spec.message_classes;
  for (std::size_t c = 0; c < classes.size(); ++c)
    if (!classes.causes(c).empty()) return "";
  return "terminals take every packet, however many answers they owe: nothing is said in depends. Where "
         "yours "
         "have room for a few only, say which class follows which (configs/ends.md)";
}

}  // namespace

std::vector<std::string> proof_assumptions(const PointSpec& spec) {
  std::vector<std::string> all;
  for (std::string text : {of_rtl(spec), of_ends(spec)})
    if (!text.empty()) all.push_back(std::move(text));
  return all;
}

}  // namespace noctule
