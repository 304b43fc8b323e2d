#!/usr/bin/env bash
# From a fresh checkout to a finished landscape: installs what building and running take, builds the program, runs
# the first project of README.md and one with rivers that wander, and says where its pictures and files are. Details go to build/demo.log.
#
#   scripts/demo.sh [--no-install]
#
# --no-install  do not look for missing packages
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

for argument in "$@"; do
    case "$argument" in
        --no-install) install=no ;;
        -h | --help) show_help ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done

log="$root/build/demo.log"
mkdir -p "$root/build"
: >"$log"

# step <what it does> <command>...: runs it into the log, and says how long it took.
step() {
    local what="$1" start="$SECONDS"
    shift
    printf '%s ... ' "$what"
    if ! "$@" >>"$log" 2>&1 </dev/null; then
        trap - ERR
        printf 'FAILED. The end of %s:\n\n' "$log" >&2
        tail -n 20 "$log" >&2
        exit 1
    fi
    printf '%s s\n' "$((SECONDS - start))"
}

wander() { build/release/thalweg build examples/meanders.toml --out "$root/out/meanders"; }
flow() {
    build/release/thalweg build examples/riverscape.toml --out "$root/out/riverscape" \
        --set output.layers=elevation,water_depth,velocity,foam,flow_map,mesh
    build/release/thalweg build examples/riverscape.toml --times 0:5:31 --set water.loop_period=5 \
        --set output.pictures= --set output.layers=foam --out "$root/out/flowing" \
        --animation "$root/out/flowing/river.mp4" --animation-river --animation-size 480 --frame-rate 6
}
grow() { build/release/thalweg build examples/mountains.toml --out "$root/out/mountains"; }

[ "${install:-yes}" = no ] ||
    step "Installing packages, at first some 300 (0.2 GB to download, 1 GB on disk), for 1 to 6 minutes" \
        scripts/install-deps.sh
step "Building the program on $cores cores, at first for $((6 / cores + 1)) minutes or so" \
    scripts/build.sh release --no-install
step "Growing examples/mountains.toml, for half a minute or so" grow
step "Letting the rivers of examples/meanders.toml wander, for some ten seconds" wander
step "Growing a river from uplift to its bank, examples/riverscape.toml, for a quarter of a minute" flow

printf '\nPictures:\n'
ls "$root"/out/{mountains,meanders,riverscape}/*.png
printf '\nThe river of the last, flowing:\n%s\n' "$root/out/flowing/river.mp4"
printf '\nFiles for GIS, game engines and 3-D programs lie beside them. The program is\n%s/build/release/thalweg; try it with --help. Details of all this are in %s.\n' \
    "$root" "$log"
