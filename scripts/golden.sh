#!/usr/bin/env bash
# Compares every file that the examples leave at 256 cells with the checksums in tests/golden/. Bits are the same
# on one system and compiler alone (ARCHITECTURE.md): elsewhere it is skipped, with exit code 77.
#
#   scripts/golden.sh [--renew] [--program FILE] [--compiler NAME] [example]...
#
# --renew     write the checksums in place of comparing; CHANGELOG.md then says what has changed, and why
# --program   the program that builds them (default: build/release/thalweg)
# --compiler  what it was compiled with, such as "GNU 12.2.0" (default: what CMake found for build/release)
#
# Without an example, such as range, all of them but the two large scenes of riverscapes, whose rivers take as long at
# any number of cells.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

renew=no
program="build/release/thalweg"
compiler=""
examples=()
while [ "$#" -gt 0 ]; do
    case "$1" in
        --renew) renew=yes ;;
        --program | --compiler)
            [ "$#" -gt 1 ] || wrong_usage "$1 needs a value"
            [ "$1" = --program ] && program="$2" || compiler="$2"
            shift
            ;;
        -h | --help) show_help ;;
        -*) wrong_usage "unknown flag '$1'" ;;
        *) examples+=("$1") ;;
    esac
    shift
done
[ "${#examples[@]}" -gt 0 ] || mapfile -t examples < <(basename --suffix .toml examples/*.toml | grep -vxE 'braided-valley|mountain-rivers')
for example in "${examples[@]}"; do
    [ -f "examples/$example.toml" ] || wrong_usage "there is no example '$example'"
done
[ -x "$program" ] || fail "$program is not there: run scripts/build.sh first"

lists="tests/golden"
platform_file="$lists/platform.txt"
if [ -z "$compiler" ]; then
    settings=(build/release/CMakeFiles/*/CMakeCXXCompiler.cmake)
    setting() { sed -n "s/^set($1 \"\(.*\)\")$/\1/p" "${settings[0]}"; }
    compiler="$(setting CMAKE_CXX_COMPILER_ID) $(setting CMAKE_CXX_COMPILER_VERSION)"
fi
platform="$(. /etc/os-release && echo "$ID $VERSION_ID"), $(uname -m), $compiler"
if [ "$renew" = yes ]; then
    mkdir -p "$lists"
    echo "$platform" >"$platform_file"
elif [ "$platform" != "$(cat "$platform_file")" ]; then
    echo "golden checksums are for $(cat "$platform_file"), and this is $platform"
    exit 77
fi

# checksums_of <example>: "SHA-256  file", in the order of the names.
checksums_of() {
    local folder status=0
    folder="$(mktemp -d)"
    "$program" build "examples/$1.toml" --cells 256 --out "$folder/out" >/dev/null 2>"$folder/messages" || status=$?
    if [ "$status" -eq 0 ]; then
        (cd "$folder/out" && find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum)
    else
        cat "$folder/messages" >&2
    fi
    rm -rf "$folder"
    return "$status"
}

differing=()
for example in "${examples[@]}"; do
    list="$lists/$example.sha256"
    sums="$(checksums_of "$example")" || fail "examples/$example.toml can't be built"
    if [ "$renew" = yes ]; then
        printf '%s\n' "$sums" >"$list"
    elif ! changes="$(diff "$list" <(printf '%s\n' "$sums"))"; then
        differing+=("$example")
        printf '%s: other bytes than in %s (<), now (>):\n%s\n' "$example" "$list" "$changes"
    fi
done
[ "${#differing[@]}" -eq 0 ] ||
    fail "the bytes of ${differing[*]} have changed. If that is meant: scripts/golden.sh --renew ${differing[*]}, and a line in CHANGELOG.md"
