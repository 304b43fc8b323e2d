#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test. The last line counts them.
#
#   scripts/test.sh [--no-install] [--fast | --long]
#
# --fast        only the tests of the library, each room in one process: under a minute after the build
# --no-install  do not look for missing packages
# --long        also run the tests that take minutes (THALWEG_LONG_TESTS=1)
#
# THALWEG_DATA names a folder with real elevation and surveyed rivers; tests that read it are skipped where it
# is absent.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

pass_on=()
fast=no
for argument in "$@"; do
    case "$argument" in
        --no-install) pass_on=(--no-install) ;;
        --fast) fast=yes ;;
        --long) export THALWEG_LONG_TESTS=1 ;;
        -h | --help) show_help ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done

scripts/build.sh release --all "${pass_on[@]}"

if [ "$fast" = yes ]; then
    say "Running the tests of the library on $cores cores"
    log="build/release/fast-tests.log"
    status=0
    run_test_programs release tests_cli 2>&1 | tee "$log" || status=$?
    # sum <word>: the tests that ended so.
    sum() { awk -v word="$1" '$2 == word && $3 == "]" && $5 ~ /^tests?/ { n += $4 } END { print n + 0 }' "$log"; }
    passed="$(sum PASSED)"
    all="$(ctest --test-dir build/release --show-only | awk '/^Total Tests:/ { print $3 }')"
    failed="$(sum FAILED)"
    printf '\n%s tests are left to a run without --fast\n' "$((all - passed - failed))"
    [ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
    printf '\n%s passed, %s failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ] || exit 1
    exit 0
fi

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
