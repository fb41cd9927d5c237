// The headers that tests share are compiled with this file.

extern "C" int sc_main(int, char**);
int sc_main(int, char**) {
  return 0;
}
