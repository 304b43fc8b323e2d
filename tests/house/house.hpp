// What the house tests know of the repository: its rooms, its files and their includes.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace thalweg::house {

/// For every room ("flow") and inner room ("flow/graph"), what it may include besides itself. Of a room:
/// rooms
/// ("grid": their public headers, and all headers of rooms without inner rooms), inner rooms of theirs
/// ("flow/graph") and single headers ("render/image.hpp"). Of an inner room: inner rooms beside it ("graph").
using Arrows = std::map<std::string, std::set<std::string>>;

/// The tables of section "Rooms and arrows" of ARCHITECTURE.md.
Arrows read_arrows(const std::string& architecture);

/// One source file: its path below the repository's root and its lines.
struct SourceFile {
    std::string path;
    std::vector<std::string> lines;

    [[nodiscard]] bool is_header() const { return path.ends_with(".hpp"); }
};

/// All .hpp, .cpp and .hpp.in files below `root`/`folder`, in order of their paths.
std::vector<SourceFile> read_sources(const std::filesystem::path& root, const std::string& folder);

/// Files that `file` includes in quotes.
std::vector<std::string> quoted_includes(const SourceFile& file);

/// One line "path includes header" for every include in `files`, sources of the library and its public
/// headers, that `arrows` does not allow. A public header lives in the inner room of the source of its name.
std::vector<std::string> forbidden_includes(const std::vector<SourceFile>& files, const Arrows& arrows);

std::string read_text(const std::filesystem::path& path);

}  // namespace thalweg::house
