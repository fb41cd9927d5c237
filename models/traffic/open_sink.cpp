// The default: terminals take every flit that comes.

#include "traffic/sink.h"

namespace noctule {

template <>
SinkRegistry& SinkRegistry::instance() {
  static SinkRegistry registry;
  return registry;
}

namespace {

const Registration<SinkRegistry> kOpen{
    {{"open", "takes every flit that comes", {}},
     [](const SinkContext&, const Parameters&) -> std::shared_ptr<TerminalSink> { return nullptr; }}};

}  // namespace

}  // namespace noctule
