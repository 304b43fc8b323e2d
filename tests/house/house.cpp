#include "tests/house/house.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace thalweg::house {
namespace {

constexpr const char* kLibrary = "thalweg/";  // as headers are included
constexpr const char* kPublic = "include/";

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

std::vector<std::string> parts_of(const std::string& path) {
    std::vector<std::string> parts;
    std::istringstream stream(path);
    for (std::string part; std::getline(stream, part, '/');) parts.push_back(part);
    return parts;
}

std::string stem_of(const std::string& file_name) {
    return file_name.substr(0, file_name.find('.'));
}

/// Where a file of the library lies, from its path as it is included: "thalweg/flow/graph/lattice.cpp" and
/// "thalweg/flow/lattice.hpp", whose source that is, are both in flow's inner room "graph".
struct Home {
    std::string room;
    std::string inner;  // empty: of the whole room
    bool is_public = false;
};

class Homes {
  public:
    explicit Homes(const std::vector<SourceFile>& files) {
        for (const SourceFile& file : files) {
            if (file.path.starts_with(kPublic)) public_.insert(file.path.substr(std::string(kPublic).size()));
            const std::vector<std::string> parts = parts_of(file.path);
            if (file.path.ends_with(".cpp") && parts.size() == 4)
                inner_of_source_[parts[1] + "/" + stem_of(parts[3])] = parts[2];
        }
    }

    [[nodiscard]] Home home_of(const std::string& included) const {
        const std::vector<std::string> parts = parts_of(included);
        if (parts.size() < 3) return {};
        Home home{.room = parts[1],
                  .inner = parts.size() > 3 ? parts[2] : "",
                  .is_public = public_.contains(included)};
        const auto source = inner_of_source_.find(parts[1] + "/" + stem_of(parts.back()));
        if (home.inner.empty() && source != inner_of_source_.end()) home.inner = source->second;
        return home;
    }

  private:
    std::set<std::string> public_;
    std::map<std::string, std::string> inner_of_source_;
};

bool is_allowed(const std::string& include, const Home& from, const Homes& homes, const Arrows& arrows) {
    if (!include.starts_with(kLibrary)) return false;
    const Home to = homes.home_of(include);
    const auto row = arrows.find(from.room);
    if (row == arrows.end()) return false;
    if (to.room != from.room) {
        const bool is_inner = !to.is_public && !to.inner.empty();
        return row->second.contains(is_inner ? to.room + "/" + to.inner : to.room) ||
               row->second.contains(include.substr(std::string(kLibrary).size()));
    }
    if (from.inner.empty() || to.inner.empty() || from.inner == to.inner)
        return !from.is_public || to.is_public;
    const auto inner_row = arrows.find(from.room + "/" + from.inner);
    return inner_row != arrows.end() && inner_row->second.contains(to.inner) &&
           (!from.is_public || to.is_public);
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(stream), {}};
}

Arrows read_arrows(const std::string& architecture) {
    static const std::regex row(R"(\| `([a-z/]+)` \|[^|]*\|([^|]*)\|)");
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
    const Homes homes(files);
    std::vector<std::string> forbidden;
    for (const SourceFile& file : files) {
        const bool is_public = file.path.starts_with(kPublic);
        const Home from =
            homes.home_of(is_public ? file.path.substr(std::string(kPublic).size()) : file.path);
        for (const std::string& include : quoted_includes(file))
            if (!is_allowed(include, from, homes, arrows))
                forbidden.push_back(file.path + " includes " + include);
    }
    return forbidden;
}

}  // namespace thalweg::house
