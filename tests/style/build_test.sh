#!/usr/bin/env bash
# Does scripts/build say what the compiler warned of, and refuse it where asked? cmake is replaced by a stand-in.
# Usage: build_test.sh PROJECT.
set -u
project=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/scripts"
cp "$project/scripts/build" "$folder/scripts/"
touch "$folder/CMakePresets.json"
failures=0

cmake_says() { # TEXT CODE
  printf '#!/bin/sh\ncase "$*" in *--build*) echo "%s"; exit %s ;; esac\n' "$1" "$2" >"$folder/bin/cmake"
  chmod +x "$folder/bin/cmake"
}
expect() { # WHAT CODE TEXT [VARIABLE=VALUE]: TEXT is on standard error; empty: nothing of warnings is
  local report code
  report=$(env "${@:4}" PATH="$folder/bin:$PATH" "$folder/scripts/build" release 2>&1 >"$folder/stdout")
  code=$?
  if [ $code -ne "$2" ] || [[ "$report" != *"$3"* ]] || [ -s "$folder/stdout" ] ||
    { [ -z "$3" ] && [[ "$report" == *warn* ]]; }; then
    printf 'FAILED: %s: exit %s, standard error:\n%s\n' "$1" $code "$report"
    failures=$((failures + 1))
  fi
}

cmake_says "models/a.cpp:3:4: warning: unused variable" 0
expect "a warning is shown" 0 "the compiler warns:
models/a.cpp:3:4: warning: unused variable" -u NOCTULE_WERROR
expect "a warning is refused" 2 "models/a.cpp:3:4: warning: unused variable" NOCTULE_WERROR=1
cmake_says "[1/2] Building CXX object warning_test.cpp.o" 0
expect "no warning" 0 "" NOCTULE_WERROR=1
cmake_says "models/a.cpp:3:4: error: expected ;" 1
expect "an error" 2 "error: expected ;" -u NOCTULE_WERROR
echo "build_test: $failures failed"
[ $failures -eq 0 ]
