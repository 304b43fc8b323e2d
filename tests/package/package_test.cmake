# cmake -D... -P package_test.cmake: see CMakeLists.txt beside it.

include("${CMAKE_CURRENT_LIST_DIR}/run_step.cmake")

set(prefix "${WORK_DIR}/prefix")
set(consumer "${WORK_DIR}/consumer-build")
file(REMOVE_RECURSE "${prefix}" "${consumer}" "${WORK_DIR}/configured")

run_step("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
run_step("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/package/consumer" -B "${consumer}" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
    "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DEXPECTED_PREFIX=${prefix}" "-DDOCUMENTS=${SOURCE_DIR}")
if(step_output MATCHES "faulty|does not exist")
    message(FATAL_ERROR "configuring a consumer frightens its user:\n${step_output}")
endif()
run_step("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${WORK_DIR}/configured" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" -DTHALWEG_BUILD_BENCHMARKS=OFF)
if(step_output MATCHES "faulty|does not exist")
    message(FATAL_ERROR "configuring frightens the user:\n${step_output}")
endif()
run_step("${CMAKE_COMMAND}" --build "${consumer}")
run_step("${consumer}/version")
if(NOT step_output STREQUAL "${VERSION}\n")
    message(FATAL_ERROR "the consumer printed '${step_output}', not the version ${VERSION}")
endif()

# A user of one room finds it without the packages of those above.
file(REMOVE_RECURSE "${WORK_DIR}/routing-build")
run_step("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/package/routing" -B "${WORK_DIR}/routing-build" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
    "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}")
run_step("${CMAKE_COMMAND}" --build "${WORK_DIR}/routing-build")
run_step("${WORK_DIR}/routing-build/routing")

# Every header that was installed compiles alone.
run_step("${SOURCE_DIR}/tests/package/compile_headers.sh" "${CXX_COMPILER}" "${prefix}/include")

# The README's C++ example must not only compile.
file(GLOB examples "${consumer}/example_*.cpp")
foreach(source IN LISTS examples)
    get_filename_component(name "${source}" NAME_WE)
    file(MAKE_DIRECTORY "${consumer}/run-${name}")
    file(COPY "${SOURCE_DIR}/examples/brook.geojson" DESTINATION "${consumer}/run-${name}/examples")
    execute_process(COMMAND "${consumer}/${name}" WORKING_DIRECTORY "${consumer}/run-${name}"
        RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${name} of README.md failed (${status}):\n${output}")
    endif()
endforeach()
