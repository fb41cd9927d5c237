// Which deliberate fault is on (mutants.py).

#include <cstdlib>

bool noctule_fault(int number);

bool noctule_fault(int number) {
  static const char* const given = std::getenv("NOCTULE_TLM_FAULT");
  static const int on = given == nullptr ? 0 : std::atoi(given);
  return on == number;
}
