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

say "Growing examples/range.toml"
# Progress goes to standard error, the names of the files to standard output.
files="$(build/release/thalweg build examples/range.toml --out "$root/out/range")"

say "Pictures"
grep '\.png$' <<<"$files"
say "Files for GIS, game engines and 3-D programs"
grep -v '\.png$' <<<"$files"
printf '\nThe program is %s/build/release/thalweg; try it with --help.\n' "$root"
