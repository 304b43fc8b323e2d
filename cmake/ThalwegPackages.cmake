# thalweg_find_openexr(): OpenEXR without the words of Debian 12's Imath, whose list of targets names a Python library
# of another package and takes that for a faulty installation.
macro(thalweg_find_openexr)
    set(thalweg_log_level "${CMAKE_MESSAGE_LOG_LEVEL}")
    set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
    find_package(OpenEXR CONFIG REQUIRED)
    if(thalweg_log_level)
        set(CMAKE_MESSAGE_LOG_LEVEL "${thalweg_log_level}")
    else()
        unset(CMAKE_MESSAGE_LOG_LEVEL)
    endif()
endmacro()
