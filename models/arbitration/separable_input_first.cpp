#include "arbitration/separable_input_first.h"

namespace noctule {
namespace {

const Registration<AllocatorRegistry> kSeparableInputFirstRegistered{
    {{SeparableInputFirst<1>::kName,
      "every group bids for one resource, then every resource takes one bid; the cheapest one",
      {}},
     {allocator_factory<SeparableInputFirst>()}}};

}  // namespace
}  // namespace noctule
