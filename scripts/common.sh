# shellcheck shell=bash disable=SC2034
# Sourced by every script in this folder: strict mode, the repository's root as working directory, and how the
# scripts speak, stop and explain themselves.
set -Eeuo pipefail

script_path="$(cd "$(dirname "$0")" && pwd)/$(basename "$0")"
script_name="$(basename "$0")"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"

cores="$(nproc 2>/dev/null || echo 1)"

trap 'printf "\n%s: FAILED at line %s: %s\n" "$script_name" "$LINENO" "$BASH_COMMAND" >&2' ERR

say() { printf '\n== %s\n' "$*"; }

fail() {
    printf '%s: %s\n' "$script_name" "$*" >&2
    exit 1
}

wrong_usage() {
    printf '%s: %s. Try %s --help.\n' "$script_name" "$*" "$script_name" >&2
    exit 2
}

# The comment at the head of the calling script is its help.
show_help() {
    sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$script_path"
    exit 0
}

# install_dependencies <group flag>...: unless the caller was told --no-install.
install_dependencies() {
    if [ "${install:-yes}" = yes ]; then
        "$root/scripts/install-deps.sh" "$@"
    fi
}

# run_test_programs <preset> [left-out program]: each room's tests in as many processes as there are cores. ctest,
# which starts a process per test, takes several times as long under a sanitizer.
run_test_programs() {
    # shellcheck disable=SC2016  # for the inner shell
    find "build/$1/tests" -maxdepth 1 -name 'tests_*' ! -name "${2:-none}" -type f -perm -u+x | sort |
        while read -r program; do
            for ((shard = 0; shard < cores; ++shard)); do printf '%s\0%s\0' "$program" "$shard"; done
        done |
        GTEST_BRIEF=1 GTEST_TOTAL_SHARDS="$cores" xargs -0 -P "$cores" -n 2 sh -c '
            echo "running $0, part $1"
            GTEST_SHARD_INDEX="$1" "$0" || { echo "FAILED: $0, part $1" >&2; exit 1; }'
}
