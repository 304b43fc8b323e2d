// How much another process has worked.
#pragma once

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <sys/types.h>
#include <unistd.h>

namespace thalweg {

/// Seconds of processor time that a running process has taken, user and system.
inline double processor_time(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::istringstream words(text.substr(text.rfind(')') + 1));
    std::string word;
    for (int field = 3; field < 14; ++field) words >> word;  // proc(5)
    double user = 0.0;
    double system = 0.0;
    words >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace thalweg
