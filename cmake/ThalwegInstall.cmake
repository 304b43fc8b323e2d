# cmake --install: the library with its headers, and the package that find_package(thalweg) reads.
# The program installs itself (cli/CMakeLists.txt).
include(CMakePackageConfigHelpers)

set(THALWEG_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/thalweg")

install(TARGETS thalweg EXPORT thalweg-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/thalweg" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/generated/thalweg/core/version.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/thalweg/core")

install(EXPORT thalweg-targets NAMESPACE thalweg:: DESTINATION "${THALWEG_PACKAGE_DIR}")
# The library is static: whoever links it must find what its rooms link. Their CMakeLists.txt name each package
# once; here the names become the find_dependency lines of the package.
set(THALWEG_FIND_DEPENDENCIES "")
get_target_property(linked thalweg LINK_LIBRARIES)
list(FILTER linked EXCLUDE REGEX "^::@")  # CMake's marks of the folder that a name comes from
list(FILTER linked EXCLUDE REGEX "^/")    # libraries given by their path need not be found
list(FILTER linked EXCLUDE REGEX "^\\$<BUILD_INTERFACE:")  # headers that only the build needs
list(REMOVE_DUPLICATES linked)
foreach(library IN LISTS linked)
    if(library MATCHES "^PkgConfig::(.+)$")
        string(APPEND THALWEG_FIND_DEPENDENCIES "find_dependency(PkgConfig)\n"
            "pkg_check_modules(${CMAKE_MATCH_1} REQUIRED IMPORTED_TARGET ${${CMAKE_MATCH_1}_MODULE_NAME})\n")
    else()
        string(REGEX REPLACE "::.*" "" package "${library}")
        string(APPEND THALWEG_FIND_DEPENDENCIES "find_dependency(${package})\n")
    endif()
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/thalwegConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/thalwegConfig.cmake" INSTALL_DESTINATION "${THALWEG_PACKAGE_DIR}"
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/thalwegConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/thalwegConfig.cmake" "${PROJECT_BINARY_DIR}/thalwegConfigVersion.cmake"
        DESTINATION "${THALWEG_PACKAGE_DIR}")
