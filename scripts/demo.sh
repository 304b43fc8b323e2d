#!/usr/bin/env bash
# From a fresh checkout to a finished landscape: installs what is missing, builds the program, runs the default
# project and says where its pictures and files are.
#
#   scripts/demo.sh [--no-install]
#
# --no-install  do not look for missing packages
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

pass_on=()
for argument in "$@"; do
    case "$argument" in
        --no-install) pass_on=(--no-install) ;;
        -h | --help) show_help ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done

scripts/build.sh release "${pass_on[@]}"

output="$root/out/range"
say "Growing examples/range.toml"
build/release/thalweg build examples/range.toml --out "$output"

say "Pictures"
find "$output" -name '*.png' | sort
say "Files for GIS, game engines and 3-D programs"
find "$output" -type f ! -name '*.png' | sort
printf '\nThe program is %s/build/release/thalweg; try it with --help.\n' "$root"
