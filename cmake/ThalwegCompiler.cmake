# Warnings, floating-point rules and build accelerators, for every target of ours.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    # Paths below the base folder are cached as relative ones, so that all checkouts share what one compiled.
    # The sloppiness is what ccache asks for with precompiled headers: nothing here defines macros within them or
    # reads the time.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
        CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_link_options(-fuse-ld=mold)
endif()

# thalweg_compile_options(<target>): the rules of the house.
# -ffp-contract=off keeps results equal between instruction sets (see ARCHITECTURE.md, determinism).
function(thalweg_compile_options target)
    target_compile_options(${target} PRIVATE
        $<$<CXX_COMPILER_ID:GNU,Clang>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;-ffp-contract=off>)
    # g++ 12 takes strings in structs that are copied whole for uninitialised.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
endfunction()

# Headers of the standard library and of tests take half of the time of a build: g++ reads them precompiled.
# Sources include all that they use none the less (clang-tidy and other compilers read them without).
set(is_gnu OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(is_gnu ON)
endif()
option(THALWEG_PRECOMPILE_HEADERS "Compile headers that nearly all sources include once" ${is_gnu})
set(THALWEG_COMMON_HEADERS <algorithm> <any> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits> <map>
    <memory> <optional> <set> <span> <string> <string_view> <utility> <variant> <vector>)

# thalweg_precompile(<target> <owner> <header>...): the headers are compiled with <owner>, and used by <target>, which
# must have its compile options.
function(thalweg_precompile target owner)
    if(NOT THALWEG_PRECOMPILE_HEADERS)
        return()
    endif()
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
    if(target STREQUAL owner)
        target_precompile_headers(${target} PRIVATE ${ARGN})
    else()
        target_precompile_headers(${target} REUSE_FROM ${owner})
    endif()
endfunction()
