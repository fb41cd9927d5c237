// Runs Google Benchmark inside sc_main.

#include <benchmark/benchmark.h>

#include "kernel/systemc.h"

int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
