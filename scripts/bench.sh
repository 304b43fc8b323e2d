#!/usr/bin/env bash
# Measures this machine: builds the program, runs the standard workloads, and prints one Markdown table.
#
#   scripts/bench.sh [erosion] [mountains] [flow] [meander] [particles] [water] [--long] [--no-install]
#
# erosion  25.6 km square of white noise, uplift 1 mm/yr: steady state from 512 to 4096 cells, 1 million years by both definitions
#          of time, the variant of the paper, a kept network with 50 iterations of optimisation, 230 steps of the baseline; rasters
#          of noise that age, beside steps in time; then where the time goes, and what one step of a slider of time takes
# mountains examples/mountains.toml by its stages from 256 to 1024 cells: rock, the whole history, floors, hillslopes, rivers and
#          ground; and one of 41 times in the second half of its history at 256 cells; below the table, creep alone on cells of 30 m
# flow     1024 to 8192 cells: 8 octaves of gradient noise, 1 km high and 3.2 km wide at the largest; the drainage area as
#          one file, in tiles with reading and writing; and 10 000 events of rain on 300 x 200 cells
# meander  a step of half a year of one river of 300, 10 000 and 1 000 000 points at the start, by both schemes; 100 years of
#          10 000 points; 16 rivers of 5000 points on one thread and two; then what a step is made of. ns are per point and step
# particles a cycle of droplets with default parameters on hills of 256 to 2048 cells, on one thread and two, and with more droplets
#          on one thread, by vectors of 4, 8 and 16; "moves" are cells that droplets cross in a second
# water    seeding, compiling and evaluating a river of 40 000 and 1.5 million primitives on one thread, by vectors of 4, 8 and 16;
#          making and evaluating carved beds of five types
# --long   flow also 16384 x 16384 cells in tiles: making them takes 4 GB of memory, and all 4 GB of disk in TMPDIR
#
# Without a name, all six. Times are medians of 5 solves in one process (3 above 1024 cells; work in tiles is done
# once), without reading and writing files. Last, the machine itself is measured, so that figures of two machines
# can be compared.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

extent=25600 # m
benches=()
long=no
for argument in "$@"; do
    case "$argument" in
        erosion | mountains | flow | meander | particles | water) benches+=("$argument") ;;
        all) benches=(erosion mountains flow meander particles water) ;;
        --long) long=yes ;;
        --no-install) install=no ;;
        -h | --help) show_help ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done
[ "${#benches[@]}" -gt 0 ] || benches=(erosion mountains flow meander particles water)
install_dependencies --test
scripts/build.sh release --no-install >/dev/null
cmake --preset release -DTHALWEG_BUILD_BENCHMARKS=ON >/dev/null
cmake --build build/release --parallel "$cores" --target thalweg_benchmarks >/dev/null

program="$root/build/release/thalweg"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

thread_counts=(1)
[ "$cores" -eq 1 ] || thread_counts+=("$cores")

small_repeats=5 # of grids of up to 1024 cells a side
repeats_for() { if [ "$1" -le 1024 ]; then echo "$small_repeats"; else echo 3; fi; }

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
    local cells years start="$work/start.tif" paper=(--lattice four_neighbours --receivers random --coarse-iterations 6
        --fine-iterations 6 --last-iterations 6)
    for cells in 512 1024 2048 4096; do
        "$program" noise --kind white --amplitude 1 --cells "$cells" --extent "$extent,$extent" --seed 1 \
            -o "$start" --progress none >/dev/null
        local erode=(erode "$start" --uplift 1e-3 -o "$work/out.tif")
        row 'erosion, steady state' "$cells" "${erode[@]}" --time inf
        phases
        if [ "$cells" -le 1024 ]; then
            row 'erosion, 1 million years, multilevel' "$cells" "${erode[@]}" --time 1e6 --lattice mesh --time-definition multilevel
            phases
            row 'erosion, 1 million years, full_resolution' "$cells" "${erode[@]}" --time 1e6 --lattice mesh --time-definition full_resolution
            phases
            row "the paper's variant, steady state" "$cells" "${erode[@]}" --time inf "${paper[@]}"
        fi
        if [ "$cells" -eq 512 ]; then
            row "the paper's variant, 1 million years" "$cells" "${erode[@]}" --time 1e6 --time-definition multilevel "${paper[@]}"
            row 'kept network, 50 iterations' "$cells" "${erode[@]}" --time inf --network terrain
            phases
            row 'stepping, 230 steps' "$cells" "${erode[@]}" --method stepping --time 2.3e6 --time-step 1e4
        fi
    done
    local dem="$work/dem.tif"
    "$program" noise --kind gradient --octaves 8 --amplitude 1000 --wavelength 3200 --cells 1024 \
        --extent "$extent,$extent" --seed 1 -o "$dem" --progress none >/dev/null
    for years in 1e5 1e6; do
        row "a raster, $years years" 1024 erode "$dem" --uplift 0 -o "$work/out.tif" --time "$years"
        row "the same by stepping" 1024 erode "$dem" --uplift 0 -o "$work/out.tif" --time "$years" --method stepping
    done
}

# A stage of the last report to a line, of those that are asked for as a jq list; of a stage of many times, one that is not the first.
stage_rows() {
    jq -r --argjson stages "$1" --arg name "$2" '. as $report
        | [.stages[] | select(.stage | IN($stages[]))] | group_by(.stage)[]
        | ([.[].solve_ms] | if length > 1 then .[1:] else . end | sort | .[length / 2 | floor]) as $ms
        | [$name + .[0].stage, "\($report.columns) x \($report.rows)", $report.threads, ($ms * 10 | round / 10),
            ($ms * 1e7 / $report.cells | round / 10), "-"]
        | "| \(map(tostring) | join(" | ")) |"' "$work/report.json"
}

bench_mountains() {
    mountains=yes
    local threads cells stages='["rock", "history", "floors", "hillslopes", "rivers", "ground"]'
    local build=(build "$root/examples/mountains.toml" --out "$work/mountains" --no-cache --progress none
        --report "$work/report.json" --set "output.pictures=[]" --set 'output.layers=["elevation"]')
    for cells in 256 512 1024; do
        for threads in "${thread_counts[@]}"; do
            "$program" "${build[@]}" --set "grid.cells=$cells" --threads "$threads" --repeat "$(repeats_for "$cells")" >/dev/null
            stage_rows "$stages" 'mountains, '
        done
    done
    "$program" "${build[@]}" --set grid.cells=256 --times 4e5:8e5:41 >/dev/null
    stage_rows '["history"]' 'mountains, another time of the '
}

print_creep() {
    [ "${mountains:-no}" = yes ] || return 0
    printf '\n'
    "$root/build/release/benchmarks/thalweg_benchmarks" --benchmark_filter='^creep_of_20000_years/30/' 2>/dev/null
}

# Keeps where the time of the last row went, for later.
phases() {
    jq -r '"| " + (.columns | tostring) + " x " + (.rows | tostring) + " | "
        + ([.stages[-1].phases_ms | to_entries[] | select(.value >= 0.05)
            | "\(.key) \(.value * 10 | round / 10)"] | join(", ")) + " |"' "$work/report.json" >>"$work/phases"
}

# What stands below the table.
print_phases() {
    [ -e "$work/phases" ] || return 0
    printf '\nWhere the time goes, ms, on %s threads (steady state, or steady state, multilevel and full_resolution):\n\n' "${thread_counts[-1]}"
    printf '| cells | phases |\n| --- | --- |\n'
    cat "$work/phases"
    printf '\n'
    "$root/build/release/benchmarks/thalweg_benchmarks" --benchmark_filter='series|in_fours' 2>/dev/null
}

# What the machine does with work of no program in particular, so that tables of two machines can be compared:
# sorting and raising 2^20 floats, streaming through memory, reading at random from 0.5, 4 and 32 MiB.
print_machine() {
    printf '\n'
    "$root/build/release/benchmarks/thalweg_benchmarks" --benchmark_filter='^machine_' 2>/dev/null
}

# More cells than can be held at once: of the same kind, on 4 times the area.
bench_large_flow() {
    local start="$work/large.tif"
    "$program" noise --kind gradient --octaves 8 --amplitude 1000 --wavelength 3200 --cells 16384 \
        --extent "$((2 * extent)),$((2 * extent))" --seed 1 -o "$start" --progress none >/dev/null
    row 'flow in tiles, 512 MiB' 16384 flow "$start" -o "$work/out.tif" --depressions fill --memory-limit 512
    rm "$start"
}

bench_flow() {
    local cells start="$work/start.tif" small_repeats=15 # of some 20 ms each
    for cells in 1024 4096 8192; do
        "$program" noise --kind gradient --octaves 8 --amplitude 1000 --wavelength 3200 --cells "$cells" \
            --extent "$extent,$extent" --seed 1 -o "$start" --progress none >/dev/null
        local flow=(flow "$start" -o "$work/out.tif")
        row 'flow: fill, receivers, area' "$cells" "${flow[@]}" --depressions fill
        [ "$cells" -lt 8192 ] || row 'the same in tiles, 512 MiB' "$cells" "${flow[@]}" --depressions fill --memory-limit 512
        [ "$cells" -lt 8192 ] || break
        row 'flow: breach, receivers, area' "$cells" "${flow[@]}" --depressions breach
        row 'flow: fill, Freeman' "$cells" "${flow[@]}" --depressions fill --routing freeman
        row 'flow: fill, D-infinity' "$cells" "${flow[@]}" --depressions fill --routing dinf
        row 'flow: lakes of 1 m of runoff' "$cells" "${flow[@]}" --depressions lakes --runoff 1
    done
    [ "$long" = no ] || bench_large_flow
    row 'rain: 10 000 events' 300 rain --columns 300 --rows 200 --events 10000 --seed 4 -o "$work/out.tif"
}

bench_water() { waters=yes; }
print_waters() {
    [ "${waters:-no}" = yes ] || return 0
    printf '\n'
    "$root/build/release/benchmarks/thalweg_benchmarks" --benchmark_filter='^(water|beds)_' 2>/dev/null
}

bench_particles() { particles=yes; }
print_particles() {
    [ "${particles:-no}" = yes ] || return 0
    printf '\n'
    "$root/build/release/benchmarks/thalweg_benchmarks" --benchmark_filter='^particles_' 2>/dev/null
}

# Rivers have points and no cells: medians of 5 by the benchmarks, and below the table what steps are made of.
bench_meander() {
    meanders=yes
    "$root/build/release/benchmarks/thalweg_benchmarks" --benchmark_filter='^meander_(step.*extrapolated:1|century|channels)' \
        --benchmark_repetitions=5 --benchmark_report_aggregates_only --benchmark_format=json 2>/dev/null |
        jq -r '.benchmarks[] | select(.aggregate_name == "median")
            | (if .run_name | startswith("meander_step") then "rivers, a step of half a year"
               elif .run_name | startswith("meander_century") then "rivers, 100 years from 10 000 points"
               else "rivers, 10 years of 16 channels" end) as $work
            | [$work, "\(.points | round) points", (.run_name | capture("threads:(?<n>.)").n // "1"),
               (.real_time * 1000 | round / 1000), (.per_point * 1e10 | round / 10), "-"]
            | "| \(map(tostring) | join(" | ")) |"'
}
print_meanders() {
    [ "${meanders:-no}" = yes ] || return 0
    printf '\n'
    "$root/build/release/benchmarks/thalweg_benchmarks" --benchmark_filter='^meander_(phase|step.*extrapolated:0)' 2>/dev/null
}

model="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
printf '%s, %s cores, %s\n\n' "${model:-$(uname -m)}" "$cores" "$("${CXX:-c++}" --version | head -n 1)"
printf '| work | cells | threads | ms | ns per cell | peak memory, MiB |\n| --- | --- | --- | --- | --- | --- |\n'
for bench in "${benches[@]}"; do
    "bench_$bench"
done
print_phases
print_creep
print_meanders
print_particles
print_waters
print_machine
