#!/usr/bin/env bash
# Does `noctule check` accept every configuration that we ship, without a warning but those that a story is about? Usage:
# check_configs.sh PROGRAM FOLDER. Files with hundreds of networks take most of the time: with NOCTULE_FULL alone.
# Papers' own tests run a few of their points.
# explore-*.yaml are for `noctule explore`, which says which of their fabrics cannot be built; tests/docs runs them.
set -u
bad=0
count=0
# File, and the one warning that it has to give: the story is about it.
declare -A told=(
  [service-classes.yaml]="noctule: warning: strict: strict priority lets 'bulk' starve: at a link that 'urgent' can fill"
)
long='/greenberg-1997/(figure-[345]|table-1)|/cost/node-models-full'
while IFS= read -r -d '' file; do
  if [ -z "${NOCTULE_FULL:-}" ] && [[ $file =~ $long ]]; then continue; fi
  count=$((count + 1))
  if ! report=$("$1" check "$file" 2>&1); then
    printf '%s: noctule check says:\n%s\n' "$file" "$report"
    bad=$((bad + 1))
    continue
  fi
  story=${told[$(basename "$file")]:-}
  warnings=$(grep 'noctule:' <<<"$report" || true)
  if [ -z "$story" ] && [ -n "$warnings" ]; then
    printf '%s: noctule check warns:\n%s\n' "$file" "$report"
    bad=$((bad + 1))
  elif [ -n "$story" ] && { [[ $warnings != "$story"* ]] || [ "$(wc -l <<<"$warnings")" -ne 1 ]; }; then
    printf '%s: noctule check should warn of this alone: %s\n%s\n' "$file" "$story" "$report"
    bad=$((bad + 1))
  fi
done < <(find "$2" -name '*.yaml' ! -name 'explore-*' -print0 | sort -z)
echo "check_configs: $count files, $bad refused"
[ "$count" -gt 0 ] && [ "$bad" -eq 0 ]
