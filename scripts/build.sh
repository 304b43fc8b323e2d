#!/usr/bin/env bash
# Builds the program into build/<preset>/thalweg.
#
#   scripts/build.sh [preset] [--all] [--no-install]
#
# preset        release (the default), dev, asan, tsan or ci: see CMakePresets.json
# --all         build the tests and benchmarks as well
# --no-install  do not look for missing packages
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=release
everything=no
for argument in "$@"; do
    case "$argument" in
        --all) everything=yes ;;
        --no-install) install=no ;;
        -h | --help) show_help ;;
        release | dev | asan | tsan | ci | coverage) preset="$argument" ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done

build="build/$preset"
if [ "$everything" = yes ]; then
    install_dependencies --test
    options=(-DTHALWEG_BUILD_TESTS=ON)
    targets=()
else
    install_dependencies
    # A build folder that is there keeps its tests; a fresh one does without them and their packages.
    options=()
    [ -f "$build/CMakeCache.txt" ] || options=(-DTHALWEG_BUILD_TESTS=OFF -DTHALWEG_BUILD_BENCHMARKS=OFF)
    targets=(--target thalweg_cli)
fi
if [ "$everything" = yes ] && [[ "$preset" == release || "$preset" == ci ]]; then
    options+=(-DTHALWEG_BUILD_BENCHMARKS=ON)
fi

say "Configuring $build"
cmake --preset "$preset" "${options[@]}"
say "Building $build on $cores cores"
cmake --build "$build" --parallel "$cores" "${targets[@]}"
