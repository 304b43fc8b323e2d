#!/usr/bin/env bash
# Installs the packages that Thalweg needs, on Debian 12 or newer and Ubuntu 24.04 or newer.
#
#   scripts/install-deps.sh          what building and running the program needs, and no more
#   scripts/install-deps.sh --test   and what its tests and benchmarks need, and what makes building again quick
#   scripts/install-deps.sh --dev    and the tools behind scripts/format.sh and scripts/check.sh
#   scripts/install-deps.sh --list   only print the packages, each with its reason
#
# Works as root or with sudo. Does nothing, and needs no network, when everything is there.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# group, package, reason. The groups run and test are required; a package of the group fast or tools that the
# archive lacks is passed over with a message.
packages='
run   g++                  the C++20 compiler (12 or newer)
run   cmake                configures the build (3.25 or newer)
run   ninja-build          runs the build
run   pkg-config           finds cairo, WebP, OpenH264 and TinyGLTF, which bring no CMake package
run   libgdal-dev          reads and writes rasters and vectors (GeoTIFF, COG, PNG, GeoPackage, GeoJSON)
run   libopenexr-dev       writes OpenEXR layers, which GDAL in Debian 12 cannot
run   libtbb-dev           threads: the backend behind thalweg/core/parallel.hpp
run   libfmt-dev           formats text: g++ 12 has no std::format
run   libtomlplusplus-dev  reads project files, with line and column for errors
run   nlohmann-json3-dev   writes manifests and reports
run   libcli11-dev         parses the command line
run   libsqlite3-dev       lets the writing of GeoPackages be cancelled; GDAL brings it
run   libssl-dev           SHA-256 checksums in the manifest
run   libembree-dev        traces rays for shadows and 3-D views without a GPU
run   libcairo2-dev        draws rivers, legends and letters on maps
run   libwebp-dev          writes animations that browsers play
run   libopenh264-dev      encodes animations as H.264, for .mp4
run   libtinygltf-dev      writes meshes as binary glTF
run   fonts-dejavu-core    the typeface on maps
fast  ccache               makes a second build quick
fast  mold                 links several times as fast as the default linker
test  libgtest-dev         test framework
test  libgmock-dev         matchers for tests
test  librapidcheck-dev    property tests
test  libbenchmark-dev     micro-benchmarks of single engines
test  gdal-bin             gdalinfo and ogrinfo, which open every output in tests
test  jq                   reads the reports of scripts/bench.sh
test  python3              takes the examples out of public headers, which a test compiles
tools clang-19             second compiler, and fuzz targets
tools libclang-rt-19-dev   libFuzzer and the sanitizers of clang
tools clang-tidy-19        static checks (older versions fail on the ranges of libstdc++ 12)
tools clang-format-19      layout of the code
tools gcovr                line coverage
tools shellcheck           static checks of the scripts
'

required=(run)
optional=()
for argument in "$@"; do
    case "$argument" in
        --test)
            required=(run test)
            optional=(fast)
            ;;
        --dev) required=(run test) optional=(fast tools) ;;
        --list)
            printf '%s' "$packages" | sed '/^$/d'
            exit 0
            ;;
        -h | --help) show_help ;;
        *) wrong_usage "unknown argument '$argument'" ;;
    esac
done

# missing_of <group>...: the packages of these groups that are not installed, one to a line.
missing_of() {
    [ $# -gt 0 ] || return 0
    local installed group package _
    installed="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')"
    while read -r group package _; do
        [[ " $* " == *" $group "* ]] || continue
        grep -qxF "$package" <<<"$installed" || printf '%s\n' "$package"
    done <<<"$packages"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    elif command -v sudo >/dev/null; then
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        fail "packages are missing (${missing[*]}): run this as root or install sudo; or install them yourself and pass --no-install"
    fi
}

has_candidate() { [[ "$(apt-cache policy "$1" 2>/dev/null)" =~ Candidate:\ [^\(] ]]; }

for command in dpkg-query apt-get; do
    command -v "$command" >/dev/null ||
        fail "this system has no $command: install what '$script_name --list' names by other means and pass --no-install"
done

mapfile -t missing_required < <(missing_of "${required[@]}")
mapfile -t missing_optional < <(missing_of "${optional[@]}")
missing=("${missing_required[@]}" "${missing_optional[@]}")
if [ "${#missing[@]}" -eq 0 ]; then
    printf 'All packages are installed.\n'
    exit 0
fi

# Lists are read again only when something can come of it: an optional package that this system does not offer
# must not cost a download at every run.
out_of_date=no
[ "${#missing_required[@]}" -eq 0 ] && [ -n "$(ls -A /var/lib/apt/lists 2>/dev/null)" ] || out_of_date=yes
for package in "${missing_optional[@]}"; do
    ! has_candidate "$package" || out_of_date=yes
done
if [ "$out_of_date" = yes ]; then
    say "Reading the package lists"
    as_root apt-get -o Acquire::Retries=3 -q update
fi

obtainable=("${missing_required[@]}")
for package in "${missing_optional[@]}"; do
    if has_candidate "$package"; then
        obtainable+=("$package")
    else
        printf '%s: this system offers no package %s; going on without it.\n' "$script_name" "$package"
    fi
done
[ "${#obtainable[@]}" -gt 0 ] || exit 0

say "Installing ${obtainable[*]}"
as_root apt-get -o Acquire::Retries=3 -q install -y --no-install-recommends "${obtainable[@]}"
mapfile -t missing_required < <(missing_of "${required[@]}")
[ "${#missing_required[@]}" -eq 0 ] || fail "these packages could not be installed: ${missing_required[*]}"
