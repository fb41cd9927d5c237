// A library that calls what nobody defines.

extern "C" int noctule_test_defined_nowhere();

namespace {

const int kCalled = noctule_test_defined_nowhere();

}  // namespace

extern "C" int noctule_test_called() {
  return kCalled;
}
