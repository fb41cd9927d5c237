#!/usr/bin/env bash
# What does a user without root or network see when packages are missing? apt-get, sudo and id are replaced by
# stand-ins, so that nothing is installed. Usage: setup_test.sh PROJECT.
set -u
project=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/scripts"
cp "$project/scripts/setup" "$project"/scripts/packages*.txt "$folder/scripts/"
failures=0

stand_in() { # NAME BODY
  printf '#!/bin/sh\n%s\n' "$2" >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}
expect() { # WHAT CODE TEXT: runs setup with the stand-ins first in PATH
  local report code
  report=$(PATH="$folder/bin:$PATH" "$folder/scripts/setup" 2>&1 >"$folder/stdout")
  code=$?
  if [ $code -ne "$2" ] || [[ "$report" != *"$3"* ]] || [ -s "$folder/stdout" ]; then
    printf 'FAILED: %s: exit %s, standard error:\n%s\n' "$1" $code "$report"
    failures=$((failures + 1))
  fi
}

if ! command -v dpkg-query >/dev/null; then
  echo "setup_test: not Debian, nothing to test"
  exit 0
fi
stand_in sudo 'exit 1'
stand_in apt-get "echo \"\$@\" >>$folder/apt.log; exit 100"
printf 'made-up-package-a\nmade-up-package-b no-such-command-b\nmade-up-shell sh\n' >"$folder/scripts/packages.txt"

stand_in id 'echo 1000'
expect "no root: names the packages" 2 "missing and could not be installed here: made-up-package-a made-up-package-b"
expect "no root: names the command" 2 \
  "apt-get install -y --no-install-recommends made-up-package-a made-up-package-b"
[ ! -e "$folder/apt.log" ] || { echo "FAILED: apt-get was called without root"; failures=$((failures + 1)); }

stand_in id 'echo 0'
expect "root without network" 2 "could not be installed here: made-up-package-a made-up-package-b"
grep -q update "$folder/apt.log" || { echo "FAILED: no apt-get update"; failures=$((failures + 1)); }

# An apt-get that works: the package is there afterwards.
stand_in dpkg-query "[ -e $folder/there ] && printf installed"
stand_in apt-get "case \"\$*\" in *install*) touch $folder/there ;; esac"
expect "root with network" 0 "missing: made-up-package-a made-up-package-b"
expect "nothing missing" 0 ""
echo "setup_test: $failures failed"
[ $failures -eq 0 ]
