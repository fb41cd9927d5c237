#!/usr/bin/env bash
# Can a stranger use noctule as an installed package? Installs the build, builds the project beside this
# script against it, and looks for what its plug-in adds in the installed program.
# Usage: run.sh BUILD_FOLDER WORK_FOLDER CMAKE CXX_COMPILER [CMAKE_ARGUMENT...]
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1 work=$2 cmake=$3 compiler=$4
shift 4

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log"
# The package must not remember where it was installed, nor where it was built.
mv "$work/first" "$work/prefix"
if grep -rlF -e "$build" -e "$work/first" "$work/prefix" --include='*.cmake'; then
  fail "these files of the package name the folder that it was built in"
fi

"$cmake" -S "$here/stranger" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release "$@"
"$cmake" --build "$work/build"

program=$work/prefix/bin/noctule
if [ -x "$program" ]; then
  plugin=$work/build/libmine.so
  list=$("$program" --load "$plugin" list)
  for name in yx_order star mine bursty stride farthest_last; do
    grep -qw "$name" <<<"$list" || fail "noctule --load libmine.so list does not show '$name':
$list"
    "$program" --load "$plugin" list "$name" >/dev/null || fail "noctule list $name"
  done
  grep -qw yx_order <<<"$("$program" list)" && fail "yx_order is listed without the plug-in"
  "$program" --load "$plugin" run "$here/stranger/mine.yaml" --json --quiet --out "$work/results" \
    >"$work/result.json" || fail "noctule run with the plug-in's parts"
  grep -q '"status": *"stable"' "$work/result.json" || fail "the plug-in's network is not stable"
  "$program" --load "$plugin" run "$here/stranger/star.yaml" --json --quiet --out "$work/star" \
    >"$work/star.json" || fail "noctule run with the plug-in's topology"
  grep -q '"status": *"stable"' "$work/star.json" || fail "the plug-in's topology is not stable"
  "$program" --load "$plugin" run "$here/stranger/chiplets.yaml" --json --quiet --out "$work/chiplets" \
    >"$work/chiplets.json" || fail "noctule run with a graph of unequal parts and the plug-in's pattern"
  grep -q '"status": *"stable"' "$work/chiplets.json" || fail "the graph of unequal parts is not stable"
  ls "$work"/chiplets/*.vcd >/dev/null || fail "the graph of unequal parts has no waveform"
  "$program" --load "$plugin" check "$here/stranger/chiplets.yaml" --draw --out "$work/chiplets" \
    >"$work/chiplets.txt" || fail "noctule check of a graph of unequal parts"
  ls "$work"/chiplets/*.svg >/dev/null || fail "the graph of unequal parts is not drawn"
  "$program" --load "$plugin" run "$here/stranger/copies.yaml" --json --quiet --out "$work/copies" \
    >"$work/copies.json" || fail "noctule run with the plug-in's planner"
  grep -q '"status": *"stable"' "$work/copies.json" || fail "the plug-in's planner is not stable"
  "$work/prefix/share/noctule/scripts/plot" "$work/results" >"$work/plots.txt" || fail "the installed scripts/plot"
  "$program" --load "$plugin" verify "$here/stranger/mine.yaml" --json --out "$work/results" >"$work/verify.json" ||
    fail "noctule verify does not prove the plug-in's relation"
  grep -q '"verdict": *"proved"' "$work/verify.json" || fail "noctule verify says nothing of a proof"
  # One file, one command: the installed headers are found.
  CXX=$compiler "$program" plug-in "$here/stranger/yx_order.cpp" --out "$work/plug-in" >"$work/plug-in.txt" ||
    fail "noctule plug-in: $(cat "$work/plug-in.txt")"
  grep -q 'yx_order.so adds routing yx_order$' "$work/plug-in.txt" || fail "noctule plug-in says: $(cat "$work/plug-in.txt")"
  printf 'topology: {kind: mesh, radix: [4, 4]}\nrouting: yx_order\n' >"$work/yx.yaml"
  "$program" --load "$work/plug-in/yx_order.so" verify "$work/yx.yaml" --out "$work/yx" >"$work/yx.txt" ||
    fail "the plug-in of one file is not proved: $(cat "$work/yx.txt")"
  printf 'topology: {kind: torus, radix: [31, 31]}\nnode: four_classes\n' >"$work/cost.yaml"
  "$program" cost "$work/cost.yaml" >"$work/cost.txt" || fail "noctule cost finds no table of hardware cost"
  "$work/prefix/share/noctule/scripts/synthesize" --check >"$work/check.txt" || fail "$(cat "$work/check.txt")"
  code=0
  "$program" --load "$work/build/no-such-library.so" list >/dev/null 2>"$work/error" || code=$?
  [ $code -eq 2 ] || fail "a library that does not exist: exit code $code, expected 2"
fi
"$work/build/own_main" || fail "own_main, a program around two fabrics: exit code $?"
"$work/build/tlm_main" "$here/stranger/platform.yaml" || fail "tlm_main, processors and memories on a fabric: exit code $?"
code=0
sed 's/ram_0, ram_1]/ram_0, ram_7]/' "$here/stranger/platform.yaml" >"$work/bad.yaml"
"$work/build/tlm_main" "$work/bad.yaml" >/dev/null 2>"$work/error" || code=$?
[ $code -eq 2 ] && grep -q "bad.yaml:16:.*ram_7" "$work/error" ||
  fail "a platform with a target that is not there: exit code $code, $(cat "$work/error")"
# The platform that is there to be copied: every command of its page, as it stands there, and twice the same.
page=$work/page
mkdir -p "$page/build"
ln -s "$build" "$page/build/release"
flags=
for argument in "$@"; do
  case "$argument" in -DCMAKE_CXX_FLAGS=*) flags=${argument#*=} ;; esac
done
sed -n '/^```sh$/,/^```$/{/^```/!p}' "$work/prefix/share/noctule/configs/platform/README.md" >"$page/commands.sh"
sed -n '/^```$/,/^```$/{/^```/!p}' <(sed '/^```sh$/,/^```$/d' "$work/prefix/share/noctule/configs/platform/README.md") >"$page/shown.txt"
grep '^my-platform/build/platform ' "$page/commands.sh" >"$page/runs.sh"
(cd "$page" && CXX=$compiler CXXFLAGS=$flags bash -e commands.sh >log.txt 2>&1) ||
  fail "a command of the page of the platform:
$(cat "$page/log.txt")"
for time in first second; do
  (cd "$page" && bash -e runs.sh >$time.txt) || fail "the platform, for the $time time"
done
cmp "$page/first.txt" "$page/second.txt" || fail "the platform does not do the same twice"
diff "$page/shown.txt" <(head -n "$(wc -l <"$page/shown.txt")" "$page/first.txt") ||
  fail "the platform does not print what its page shows"
[ "$(grep -c ' right$' "$page/first.txt")" -eq $((8 * $(wc -l <"$page/runs.sh"))) ] || fail "the platform checks too little"
for level in approximate loose; do
  grep -q "level=$level" "$page/runs.sh" || fail "the page does not run the platform at level $level"
done
platform() { # EXPECTED_CODE ARGUMENT...
  local code=0 expected=$1
  shift
  "$page/my-platform/build/platform" "$@" >"$work/platform.txt" 2>"$work/error" || code=$?
  [ "$code" -eq "$expected" ] || fail "platform $*: exit code $code, expected $expected: $(cat "$work/error" "$work/platform.txt")"
}
sed 's/add    r4 r3/add    r4 1/' "$page/my-platform/sum.txt" >"$work/wrong.txt"
platform 1 "$page/my-platform/platform.yaml" --program "$work/wrong.txt"
grep -q 'added up the copy *WRONG' "$work/platform.txt" || fail "a wrong sum is not found: $(cat "$work/platform.txt")"
sed 's/add    r4 r3/add    r16 r3/' "$page/my-platform/sum.txt" >"$work/wrong.txt"
platform 2 "$page/my-platform/platform.yaml" --program "$work/wrong.txt"
grep -q "wrong.txt:[0-9]*: 'r16'" "$work/error" || fail "a bad register has no place: $(cat "$work/error")"
platform 2 "$page/my-platform/platform.yaml" --set tlm.level=losse
grep -q "losse" "$work/error" || fail "a bad level is not named: $(cat "$work/error")"
sed 's/ram_3/ram_4/' "$page/my-platform/platform.yaml" >"$work/renamed.yaml"
platform 2 "$work/renamed.yaml" --program "$page/my-platform/sum.txt"
grep -q "'ram_3' is missing" "$work/error" || fail "a socket without its name is not named: $(cat "$work/error")"
echo "installed package: done"
