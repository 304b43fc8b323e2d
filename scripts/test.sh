#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test. The last line counts them.
#
#   scripts/test.sh [--no-install] [--long]
#
# --no-install  do not look for missing packages
# --long        also run the tests that take minutes (THALWEG_LONG_TESTS=1)
#
# THALWEG_DATA names a folder with real elevation and surveyed rivers; tests that read it are skipped where it
# is absent.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

pass_on=()
for argument in "$@"; do
    case "$argument" in
        --no-install) pass_on=(--no-install) ;;
        --long) export THALWEG_LONG_TESTS=1 ;;
        -h | --help) show_help ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done

scripts/build.sh release --all "${pass_on[@]}"

say "Running every test on $cores cores"
results="$root/build/release/test-results.xml"
rm -f "$results"
status=0
ctest --test-dir build/release --parallel "$cores" --output-on-failure --no-tests=error \
    --output-junit "$results" || status=$?

# attribute <name>: a count of the first <testsuite> tag of ctest's report.
attribute() { grep -m1 -oP "\b$1=\"\K[0-9]+" "$results"; }
[ -f "$results" ] || fail "ctest left no report (exit code $status)"
failed="$(attribute failures)"
skipped="$(($(attribute skipped) + $(attribute disabled)))"
passed="$(($(attribute tests) - failed - skipped))"
if [ "$skipped" -gt 0 ]; then
    printf '\n%s skipped:\n' "$skipped"
    awk '/: Skipped$/ { getline reason } /^\[  SKIPPED \] .* ms\)$/ { print "  " $4 ": " reason }' "$results"
fi
printf '\n%s passed, %s failed\n' "$passed" "$failed"
[ "$status" -eq 0 ] && [ "$failed" -eq 0 ] || exit 1
