#!/usr/bin/env bash
# The checks that go deeper than the tests. The last line counts them.
#
#   scripts/check.sh [check]... [--no-install]
#
# shell     shellcheck on all scripts
# docs      the shell commands of README.md and the tutorial, pasted in order into an empty folder
# tidy      clang-tidy-19 on thalweg/ and cli/
# asan      the tests under AddressSanitizer and UndefinedBehaviorSanitizer, but those of slow numbers below
# tsan      the tests of parallel work under ThreadSanitizer
# fuzz      each fuzz target for 30 seconds, all at once
# coverage  line coverage of thalweg/ by the tests of its rooms, at least 85 %
#
# Without a name, all but coverage run, in this order.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

fuzz_seconds=30
least_coverage=85 # percent of the lines of thalweg/
# Tests of work that runs on several threads say so in their names.
parallel_tests='*thread*:*Thread*:*parallel*:*Parallel*:*cancel*:*Progress*'

# What takes minutes under AddressSanitizer and runs no line that others do not: times, the same on several threads
# (ThreadSanitizer runs those), searches by hand, and statistics of numbers.
slow_numbers='*_soon:*_threads*:Resolution.*:Braids.have_about*:Chutes.make_*:Chutes.are_as_many*:ResolveFlats.finds_what_a_slow*'
slow_numbers+=':LeastCostBreach.drains_every*:Knickpoints.are_none*:ErosionSeries.gives_the_bytes*:ErosionHistory.is_the_same_at*'
slow_numbers+=':TrunkOracle.*:ChiProfiles.tell_the_error*:Landslides.have_the_areas*:JunctionTemplates.let_*:StreamTree.keeps_all*:MeanderingDroplets.*'

checks=()
for argument in "$@"; do
    case "$argument" in
        shell | docs | tidy | asan | tsan | coverage | fuzz) checks+=("$argument") ;;
        --no-install) install=no ;;
        -h | --help) show_help ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done
[ "${#checks[@]}" -gt 0 ] || checks=(shell docs tidy asan tsan fuzz)
install_dependencies --dev

# build <preset> [cmake --build arguments]
build() {
    local preset="$1"
    shift
    cmake --preset "$preset" -DTHALWEG_BUILD_TESTS=ON >/dev/null
    cmake --build "build/$preset" --parallel "$cores" "$@"
}

check_shell() { shellcheck scripts/*.sh tests/package/*.sh .ci/run; }

# shell_blocks <file>: its shell commands, but for blocks that call scripts of the repository.
shell_blocks() {
    awk '/^```sh$/ { block = ""; inside = 1; next }
         /^```$/ { if (inside && block !~ /\.\/scripts\//) printf "%s", block; inside = 0; next }
         inside { block = block $0 "\n" }' "$1"
}

check_docs() {
    build release --target thalweg_cli
    local file folder
    for file in README.md docs/tutorial.md; do
        folder="$(mktemp -d)"
        ln -s "$root/examples" "$folder/examples"
        shell_blocks "$file" >"$folder/commands.sh"
        [ "$(grep -c '^thalweg ' "$folder/commands.sh")" -gt 4 ] || fail "$file has no shell commands"
        (cd "$folder" && PATH="$root/build/release:$PATH" bash -euxo pipefail commands.sh >/dev/null)
        rm -rf "$folder"
    done
}

check_tidy() {
    # Sources that are compiled as one are read as one: five times as fast.
    cmake --preset tidy >/dev/null
    grep -oP '"file": "\K[^"]+' build/tidy/compile_commands.json | sort -u |
        xargs -P "$cores" -n 1 clang-tidy-19 -p build/tidy --quiet --use-color=false \
            --checks=-bugprone-suspicious-include --header-filter='/(thalweg|cli)/[a-z_/.]+\.[ch]pp$' \
            2> >(grep -v 'warnings generated' >&2)
}

check_asan() {
    build asan
    # GDAL and its drivers keep what they registered until the process ends.
    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 GTEST_FILTER="-$slow_numbers" run_test_programs asan
}

check_tsan() {
    local rooms=(tests_core tests_grid tests_noise tests_water tests_rock tests_flow tests_ground tests_erosion tests_particles tests_river tests_riverscape tests_meander)
    build tsan --target "${rooms[@]}"
    GTEST_FILTER="$parallel_tests" run_test_programs tsan
}

check_coverage() {
    # Not the program's own tests: one of them fills a disk, which breaks the counts, and libgcov's complaint stands
    # in the output that the others compare. Nor those that measure time: counting makes everything slow.
    local rooms=(tests_core tests_grid tests_noise tests_water tests_rock tests_flow tests_ground tests_erosion tests_particles tests_river tests_riverscape tests_meander tests_io tests_render tests_project)
    build coverage --target "${rooms[@]}"
    find build/coverage -name '*.gcda' -delete
    GTEST_FILTER='-Polls.*_soon' run_test_programs coverage tests_cli
    # Threads count without waiting for each other, so that a count may be wrong; whether a line ran is not.
    gcovr --root . --filter 'thalweg/' --filter 'include/' --exclude-throw-branches --sort-percentage -j "$cores" \
        --gcov-ignore-parse-errors --fail-under-line "$least_coverage" build/coverage 2>build/coverage/gcovr.log || {
        tail -n 20 build/coverage/gcovr.log
        return 1
    }
}

# seed_corpus <fuzz target> <folder>: valid inputs to start from.
seed_corpus() {
    case "$1" in
        raster_fuzz)
            gdal_create -q -of GTiff -ot Float32 -outsize 5 4 -burn 12.5 -a_nodata -9999 -a_srs EPSG:32611 \
                -a_ullr 500000 4000120 500150 4000000 "$2/float.tif"
            gdal_translate -q -of COG -ot Int16 "$2/float.tif" "$2/tiled.tif"
            gdal_translate -q -ot UInt16 -co ENDIANNESS=BIG -a_nodata 0 "$2/float.tif" "$2/big_endian.tif"
            gdal_translate -q -ot Float64 -co COMPRESS=LZW -co PREDICTOR=3 "$2/float.tif" "$2/double.tif"
            gdal_translate -q -of AAIGrid "$2/float.tif" "$2/text.asc"
            gdal_translate -q -of PNG -ot UInt16 -a_nodata none "$2/float.tif" "$2/grey.png"
            ;;
        project_fuzz) cp examples/*.toml "$2" ;;
        *) ;;
    esac
}

# fuzz_target <program>
fuzz_target() {
    local corpus
    corpus="build/fuzz/corpus/$(basename "$1")"
    mkdir -p "$corpus"
    seed_corpus "$(basename "$1")" "$corpus"
    "$1" "$corpus" -max_total_time="$fuzz_seconds" -timeout=10 -rss_limit_mb=4096 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="build/fuzz/"
}

check_fuzz() {
    build fuzz --target fuzzers
    local target running=() process
    while read -r target; do
        fuzz_target "$target" &
        running+=("$!")
    done < <(find build/fuzz/tests/fuzz -maxdepth 1 -name '*_fuzz' -type f | sort)
    for process in "${running[@]}"; do wait "$process"; done
}

passed=0
failed_checks=()
for check in "${checks[@]}"; do
    say "Check: $check"
    start="$SECONDS"
    # A subshell of its own, so that the first failing command ends the check.
    set +e
    trap - ERR
    (
        set -e
        "check_$check"
    )
    status=$?
    set -e
    printf '%s: %s after %s s\n' "$check" "$([ "$status" -eq 0 ] && echo passed || echo FAILED)" "$((SECONDS - start))"
    if [ "$status" -eq 0 ]; then passed=$((passed + 1)); else failed_checks+=("$check"); fi
done

[ "${#failed_checks[@]}" -eq 0 ] || printf '\nFailed: %s\n' "${failed_checks[*]}"
printf '\n%s passed, %s failed\n' "$passed" "${#failed_checks[@]}"
[ "${#failed_checks[@]}" -eq 0 ]
