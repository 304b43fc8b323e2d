#include "tests/house/house.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace thalweg::house {
namespace {

constexpr const char* kLibrary = "thalweg/";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> names_in_backticks(const std::string& text) {
    static const std::regex name("`([^`]+)`");
    std::vector<std::string> names;
    for (std::sregex_iterator match(text.begin(), text.end(), name), end; match != end; ++match)
        names.push_back((*match)[1]);
    return names;
}

// "thalweg/flow/lattice.hpp" -> "flow/lattice.hpp"
std::string below_library(const std::string& path) {
    return path.substr(std::string(kLibrary).size());
}

std::string room_of(const std::string& path_below_library) {
    return path_below_library.substr(0, path_below_library.find('/'));
}

bool is_allowed(const std::string& include, const std::string& room, const Arrows& arrows) {
    if (!include.starts_with(kLibrary)) return false;
    const std::string header = below_library(include);
    const std::string target = room_of(header);
    const auto row = arrows.find(room);
    if (row == arrows.end()) return false;
    return target == room || row->second.contains(target) || row->second.contains(header);
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(stream), {}};
}

Arrows read_arrows(const std::string& architecture) {
    static const std::regex row(R"(\| `([a-z]+)` \|[^|]*\|([^|]*)\|)");
    Arrows arrows;
    bool in_section = false;
    for (const std::string& line : lines_of(architecture)) {
        if (line.starts_with("## ")) in_section = line == "## Rooms and arrows";
        std::smatch match;
        if (!in_section || !std::regex_match(line, match, row)) continue;
        const std::vector<std::string> targets = names_in_backticks(match[2]);
        arrows[match[1]] = {targets.begin(), targets.end()};
    }
    return arrows;
}

std::vector<SourceFile> read_sources(const std::filesystem::path& root, const std::string& folder) {
    std::vector<SourceFile> files;
    if (!std::filesystem::exists(root / folder)) return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".hpp") || name.ends_with(".cpp") || name.ends_with(".hpp.in"))
            files.push_back({std::filesystem::relative(entry.path(), root).generic_string(),
                             lines_of(read_text(entry.path()))});
    }
    std::sort(files.begin(), files.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    return files;
}

std::vector<std::string> quoted_includes(const SourceFile& file) {
    static const std::regex include(R"x(\s*#\s*include\s*"([^"]+)".*)x");
    std::vector<std::string> includes;
    for (const std::string& line : file.lines) {
        std::smatch match;
        if (std::regex_match(line, match, include)) includes.push_back(match[1]);
    }
    return includes;
}

std::vector<std::string> forbidden_includes(const std::vector<SourceFile>& files, const Arrows& arrows) {
    std::vector<std::string> forbidden;
    for (const SourceFile& file : files) {
        const std::string room = room_of(below_library(file.path));
        for (const std::string& include : quoted_includes(file))
            if (!is_allowed(include, room, arrows)) forbidden.push_back(file.path + " includes " + include);
    }
    return forbidden;
}

}  // namespace thalweg::house
