# cmake --install: the rooms with their public headers, and the package that find_package(thalweg) reads.
# The program installs itself (cli/CMakeLists.txt).
include(CMakePackageConfigHelpers)

set(THALWEG_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/thalweg")

get_property(THALWEG_ROOMS GLOBAL PROPERTY THALWEG_ROOMS)
set(room_targets ${THALWEG_ROOMS})
list(TRANSFORM room_targets PREPEND thalweg_)
install(TARGETS thalweg ${room_targets} EXPORT thalweg-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/thalweg" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/generated/thalweg/core/version.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/thalweg/core")
install(EXPORT thalweg-targets NAMESPACE thalweg:: DESTINATION "${THALWEG_PACKAGE_DIR}")

# The rooms are static: whoever links one must find what it links. Each room's CMakeLists.txt names its packages once;
# here the names become lines of the package: those of a room, before the rooms that stand on it, are read where that
# room or one above it is asked for.
set(THALWEG_FIND_DEPENDENCIES "")
foreach(room IN LISTS THALWEG_ROOMS)
    get_target_property(linked thalweg_${room} LINK_LIBRARIES)
    set(below "")
    set(packages "")
    foreach(library IN LISTS linked)
        if(library MATCHES "^thalweg_(.+)$")
            list(APPEND below ${CMAKE_MATCH_1})
        elseif(library MATCHES "^PkgConfig::(.+)$")
            string(APPEND packages "    find_dependency(PkgConfig)\n"
                "    pkg_check_modules(${CMAKE_MATCH_1} REQUIRED IMPORTED_TARGET ${${CMAKE_MATCH_1}_MODULE_NAME})\n")
        elseif(library MATCHES "^[A-Za-z][A-Za-z0-9_]*(::|$)" AND NOT library MATCHES "^dl$")
            # Not CMake's marks of folders, libraries given by their path, or headers that only the build needs.
            string(REGEX REPLACE "::.*" "" package "${library}")
            string(APPEND packages "    find_dependency(${package})\n")
        endif()
    endforeach()
    string(PREPEND THALWEG_FIND_DEPENDENCIES
        "if(${room} IN_LIST thalweg_rooms)\n    list(APPEND thalweg_rooms ${below})\n${packages}endif()\n")
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/thalwegConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/thalwegConfig.cmake" INSTALL_DESTINATION "${THALWEG_PACKAGE_DIR}"
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/thalwegConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/thalwegConfig.cmake" "${PROJECT_BINARY_DIR}/thalwegConfigVersion.cmake"
        DESTINATION "${THALWEG_PACKAGE_DIR}")
