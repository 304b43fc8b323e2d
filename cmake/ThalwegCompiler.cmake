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

set(THALWEG_JOINED_SOURCES 8 CACHE STRING "How many sources are compiled as one at most; 1 is quicker where single files change")

# thalweg_join_sources(<target> <source>...): compiles them a few at a time, so that what their headers bring is read once
# for all of these. Constants are local to their files: two that name the same one are not joined.
function(thalweg_join_sources target)
    if(THALWEG_JOINED_SOURCES LESS 2)
        return()
    endif()
    set(groups "")
    foreach(source IN LISTS ARGN)
        file(STRINGS "${source}" lines REGEX "^(static |inline )?constexpr ")
        string(REGEX MATCHALL "k[A-Z][A-Za-z0-9]*" names "${lines}")
        set(joined "")
        foreach(group IN LISTS groups)
            set(others ${constants_${group}})
            if(names)
                list(REMOVE_ITEM others ${names})
            endif()
            if("${others}" STREQUAL "${constants_${group}}" AND size_${group} LESS THALWEG_JOINED_SOURCES)
                set(joined ${group})
                break()
            endif()
        endforeach()
        if(NOT joined)
            list(LENGTH groups count)
            set(joined "${target}_${count}")
            list(APPEND groups ${joined})
            set(size_${joined} 0)
        endif()
        list(APPEND constants_${joined} ${names})
        math(EXPR size_${joined} "${size_${joined}} + 1")
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${joined})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
