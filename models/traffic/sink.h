#pragma once
// What terminals do with the flits that arrive: the kinds of sink that a configuration can name.

#include <cstdint>
#include <functional>
#include <memory>

#include "core/registry.h"
#include "core/terminal_sink.h"

namespace noctule {

struct SinkContext {
  std::size_t terminals = 0;
  std::size_t classes = 1;  ///< message classes
  std::uint64_t seed = 1;
};

struct SinkTraits {
  static constexpr const char* kind = "sink";
  /// One for all terminals of a fabric; null: they take every flit that comes.
  using Factory = std::function<std::shared_ptr<TerminalSink>(const SinkContext&, const Parameters&)>;
};
using SinkRegistry = Registry<SinkTraits>;
template <>
SinkRegistry& SinkRegistry::instance();

}  // namespace noctule
