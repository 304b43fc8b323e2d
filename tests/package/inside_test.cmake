# cmake -D... -P inside_test.cmake: see CMakeLists.txt beside it.
include("${CMAKE_CURRENT_LIST_DIR}/run_step.cmake")

foreach(by_fetch_content OFF ON)
    set(build "${WORK_DIR}/inside-build-${by_fetch_content}")
    file(REMOVE_RECURSE "${build}")
    run_step("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/package/inside" -B "${build}" -G "${GENERATOR}"
        "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
        "-DTHALWEG_SOURCES=${SOURCE_DIR}" "-DBY_FETCH_CONTENT=${by_fetch_content}")
    # Building the whole library would take minutes: what it is built of is compiled by the build under test.
    if(GENERATOR STREQUAL "Ninja")
        run_step("${CMAKE_COMMAND}" --build "${build}" --target CMakeFiles/errors.dir/errors.cpp.o)
    endif()
endforeach()
