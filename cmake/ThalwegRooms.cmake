# One library a room. thalweg_<room> is linked as thalweg::<room>; thalweg::thalweg is all of them.
#
# thalweg_room([<room above which this one stands>...]): the room of this folder, of all its sources. Kernels
# (*.kernel.cpp) are compiled once for 4 floats a vector (any machine) and, on x86-64, again for 8 (AVX2) and 16
# (AVX-512). They read THALWEG_LANES; callers pick by vector_lanes() at run time. Such a file must include no inline
# functions but those of internal linkage, as in thalweg/core/vectors.hpp: the linker could otherwise keep a wide copy
# for everyone.

add_library(thalweg INTERFACE)
add_library(thalweg::thalweg ALIAS thalweg)
set(THALWEG_IS_X86_64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(THALWEG_IS_X86_64 ON)
endif()

function(thalweg_room)
    get_filename_component(room "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
    set(target thalweg_${room})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
    set(kernels ${sources})
    list(FILTER sources EXCLUDE REGEX "\\.kernel\\.cpp$")
    list(FILTER kernels INCLUDE REGEX "\\.kernel\\.cpp$")
    add_library(${target} ${sources})
    add_library(thalweg::${room} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
    thalweg_compile_options(${target})
    thalweg_precompile(${target} thalweg_core ${THALWEG_COMMON_HEADERS} <fmt/format.h>)
    foreach(below IN LISTS ARGN)
        target_link_libraries(${target} PUBLIC thalweg_${below})
    endforeach()
    thalweg_join_sources(${target} ${sources})
    foreach(kernel IN LISTS kernels)
        thalweg_vector_kernel(${target} "${kernel}")
    endforeach()
    target_link_libraries(thalweg INTERFACE ${target})
    set_property(GLOBAL APPEND PROPERTY THALWEG_ROOMS ${room})
endfunction()

function(thalweg_vector_kernel target file)
    set(lanes 4)
    if(THALWEG_IS_X86_64)
        list(APPEND lanes 8 16)
    endif()
    get_filename_component(name "${file}" NAME_WE)
    foreach(count IN LISTS lanes)
        set(object "thalweg_${name}_${count}")
        add_library(${object} OBJECT "${file}")
        thalweg_compile_options(${object})
        target_include_directories(${object} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}")
        set_target_properties(${object} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_compile_definitions(${object} PRIVATE THALWEG_LANES=${count})
        target_compile_options(${object} PRIVATE -fno-math-errno -fno-trapping-math $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi>)
        if(count EQUAL 8)
            target_compile_options(${object} PRIVATE -mavx2)
        elseif(count EQUAL 16)
            target_compile_options(${object} PRIVATE -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
        endif()
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
endfunction()
