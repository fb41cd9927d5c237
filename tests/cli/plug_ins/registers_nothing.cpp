// A library that registers nothing.

extern "C" int noctule_test_nothing() {
  return 0;
}
