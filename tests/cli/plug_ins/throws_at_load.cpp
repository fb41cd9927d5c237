// A library whose initializer throws.

#include <stdexcept>

namespace {

int thrown() {
  throw std::runtime_error("not today");
}

const int kNever = thrown();

}  // namespace

extern "C" int noctule_test_never() {
  return kNever;
}
