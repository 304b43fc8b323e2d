#!/usr/bin/env bash
# Lays out all C++ files by .clang-format.
#
#   scripts/format.sh           rewrites files
#   scripts/format.sh --check   changes nothing; names the files that differ and fails if there are any
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mode=(-i)
for argument in "$@"; do
    case "$argument" in
        --check) mode=(--dry-run --Werror) ;;
        -h | --help) show_help ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done

command -v clang-format-19 >/dev/null || fail "clang-format-19 is missing: run scripts/install-deps.sh --dev"
mapfile -t files < <(find include thalweg cli tests benchmarks -name "*.hpp" -o -name "*.cpp" | sort)
printf 'clang-format-19 on %s files\n' "${#files[@]}"
printf '%s\0' "${files[@]}" | xargs -0 -P "$cores" -n 16 clang-format-19 "${mode[@]}"
