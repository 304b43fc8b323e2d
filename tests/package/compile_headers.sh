#!/bin/sh
# compile_headers.sh <compiler> <include folder>: compiles every header below it alone.
set -eu
cd "$2"
# shellcheck disable=SC2016 # the inner shell expands it
compile_each='for header; do "$CXX" -std=c++20 -fsyntax-only -I. -x c++ -include "$header" /dev/null || exit 255; done'
find thalweg -name '*.hpp' -print0 | CXX="$1" xargs -0 -P 2 -n 4 sh -c "$compile_each" sh
