#!/usr/bin/env bash
# Measures this machine: builds the program, runs the standard workloads, and prints one Markdown table.
#
#   scripts/bench.sh [erosion] [flow] [--no-install]
#
# erosion  512, 1024 and 2048 cells: 25.6 km square, uplift 1 mm/yr, steady state and 1 million years
# flow     1024 and 4096 cells: 8 octaves of gradient noise, 1 km high and 3.2 km wide at the largest
#
# Without a name, both. Times are medians of 5 solves in one process (1 above 1024 cells), without reading and
# writing files.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

extent=25600 # m
benches=()
for argument in "$@"; do
    case "$argument" in
        erosion | flow) benches+=("$argument") ;;
        all) benches=(erosion flow) ;;
        --no-install) install=no ;;
        -h | --help) show_help ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done
[ "${#benches[@]}" -gt 0 ] || benches=(erosion flow)
install_dependencies --test
scripts/build.sh release --no-install >/dev/null

program="$root/build/release/thalweg"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

thread_counts=(1)
[ "$cores" -eq 1 ] || thread_counts+=("$cores")

repeats_for() { if [ "$1" -le 1024 ]; then echo 5; else echo 1; fi; }

# row <work> <cells along a side> <thalweg arguments>...: one line of the table for each number of threads.
row() {
    local name="$1" cells="$2" threads report="$work/report.json"
    shift 2
    for threads in "${thread_counts[@]}"; do
        "$program" "$@" --threads "$threads" --repeat "$(repeats_for "$cells")" --report "$report" --progress none >/dev/null
        jq -r --arg name "$name" '[$name, "\(.columns) x \(.rows)", .threads, (.solve_ms * 10 | round / 10),
            (.solve_ms * 1e7 / .cells | round / 10), (.peak_memory_bytes / 1048576 | round)]
            | "| \(map(tostring) | join(" | ")) |"' "$report"
    done
}

bench_erosion() {
    local cells start="$work/start.tif"
    for cells in 512 1024 2048; do
        "$program" noise --kind white --amplitude 1 --cells "$cells" --extent "$extent,$extent" --seed 1 \
            -o "$start" --progress none >/dev/null
        row 'erosion, steady state' "$cells" erode "$start" --uplift 1e-3 --time inf -o "$work/out.tif"
        row 'erosion, 1 million years' "$cells" erode "$start" --uplift 1e-3 --time 1e6 -o "$work/out.tif"
    done
}

bench_flow() {
    local cells start="$work/start.tif"
    for cells in 1024 4096; do
        "$program" noise --kind gradient --octaves 8 --amplitude 1000 --wavelength 3200 --cells "$cells" \
            --extent "$extent,$extent" --seed 1 -o "$start" --progress none >/dev/null
        row 'flow: breach, receivers, area' "$cells" flow "$start" --depressions breach -o "$work/out.tif"
        row 'flow: fill, receivers, area' "$cells" flow "$start" --depressions fill -o "$work/out.tif"
    done
}

model="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
printf '%s, %s cores, %s\n\n' "${model:-$(uname -m)}" "$cores" "$("${CXX:-c++}" --version | head -n 1)"
printf '| work | cells | threads | ms | ns per cell | peak memory, MiB |\n| --- | --- | --- | --- | --- | --- |\n'
for bench in "${benches[@]}"; do
    "bench_$bench"
done
