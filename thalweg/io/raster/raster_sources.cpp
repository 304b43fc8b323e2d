#include "thalweg/io/raster_sources.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>

#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <fmt/format.h>
#include <gdal_priv.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestVrt = 8;                  // VRTs that refer to VRTs
constexpr std::size_t kHeadBytes = 1 << 16;     // in which a VRT says that it is one
constexpr vsi_l_offset kLargestVrt = 64 << 20;  // bytes

struct XmlFreer {
    void operator()(CPLXMLNode* node) const { CPLDestroyXMLNode(node); }
};
struct VsiCloser {
    void operator()(VSILFILE* file) const { VSIFCloseL(file); }
};
using XmlPointer = std::unique_ptr<CPLXMLNode, XmlFreer>;

struct AllowedPlaces {
    std::mutex mutex;
    std::vector<fs::path> places;  // through links
};

AllowedPlaces& allowed_places() {
    static AllowedPlaces allowed;
    return allowed;
}

fs::path through_links(const fs::path& path) {
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? path : resolved;
}

bool lies_in(const fs::path& file, const fs::path& place) {
    const auto [file_end, place_end] = std::ranges::mismatch(file, place);
    return place_end == place.end();
}

bool is_allowed(const fs::path& resolved) {
    AllowedPlaces& allowed = allowed_places();
    const std::lock_guard lock(allowed.mutex);
    return std::ranges::any_of(allowed.places,
                               [&](const fs::path& place) { return lies_in(resolved, place); });
}

/// Whether the raster at `path` may read `file`: it lies in the folder of the raster, or of the file that the
/// raster is a link to, or below, or it was allowed.
bool may_read(const fs::path& path, const fs::path& file) {
    const fs::path resolved = through_links(file);
    return resolved == through_links(path) || lies_in(resolved, through_links(path.parent_path() / ".")) ||
           lies_in(resolved, through_links(path).parent_path()) || is_allowed(resolved);
}

[[noreturn]] void refuse_source(const std::string& name, const std::string& source, const char* reason) {
    throw Error::input(
        fmt::format("{} refers to \"{}\", {}: give files in its own folder, or name their folder "
                    "with --vrt-sources",
                    name, source, reason));
}

/// Elements of a VRT that name what it reads.
bool names_source(const CPLXMLNode& node) {
    constexpr std::array<std::string_view, 3> kElements = {"SourceFilename", "SourceDataset", "DEMPath"};
    return node.eType == CXT_Element && std::ranges::find(kElements, node.pszValue) != kElements.end();
}

/// Entries of metadata that name rasters of positions.
bool names_positions(const CPLXMLNode& node) {
    const std::string_view key = CPLGetXMLValue(&node, "key", "");
    return node.eType == CXT_Element && (key == "X_DATASET" || key == "Y_DATASET");
}

class VrtChecker {
  public:
    explicit VrtChecker(std::string name) : name_(std::move(name)) {}

    void check_file(const fs::path& path, int depth) {
        if (!is_vrt(path)) return;
        if (depth > kDeepestVrt)
            throw Error::input(
                fmt::format("{} refers to VRTs that refer to VRTs, more than {} deep: make a "
                            "raster of it with gdal_translate",
                            name_, kDeepestVrt));
        const XmlPointer tree(CPLParseXMLFile(path.c_str()));
        for (const CPLXMLNode* node = tree.get(); node != nullptr; node = node->psNext)
            check_node(*node, path, depth);
    }

  private:
    [[nodiscard]] bool is_vrt(const fs::path& path) const {
        const std::unique_ptr<VSILFILE, VsiCloser> file(VSIFOpenL(path.c_str(), "rb"));
        if (file == nullptr) return false;
        std::string head(kHeadBytes, '\0');
        head.resize(VSIFReadL(head.data(), 1, kHeadBytes, file.get()));
        if (head.find("<VRTDataset") == std::string::npos) return false;
        VSIFSeekL(file.get(), 0, SEEK_END);
        if (VSIFTellL(file.get()) <= kLargestVrt) return true;
        throw Error::input(
            fmt::format("{} is a VRT of more than {} MiB: make a raster of it with gdal_translate", name_,
                        kLargestVrt >> 20));
    }

    void check_node(const CPLXMLNode& node, const fs::path& vrt, int depth) {
        if (names_source(node)) {
            const bool is_relative = CPLTestBool(CPLGetXMLValue(&node, "relativeToVRT", "0"));
            check_source(CPLGetXMLValue(&node, "", ""), is_relative, vrt, depth);
        } else if (names_positions(node)) {
            check_source(CPLGetXMLValue(&node, "", ""), false, vrt, depth);
        }
        for (const CPLXMLNode* child = node.psChild; child != nullptr; child = child->psNext)
            if (child->eType == CXT_Element) check_node(*child, vrt, depth);
    }

    void check_source(const std::string& source, bool is_relative, const fs::path& vrt, int depth) {
        const fs::path path = is_relative ? through_links(vrt).parent_path() / source : fs::path(source);
        std::error_code error;
        if (!fs::is_regular_file(path, error)) refuse_source(name_, source, "which is no file");
        if (!may_read(vrt, path)) refuse_source(name_, source, "which lies elsewhere");
        check_file(path, depth + 1);
    }

    std::string name_;
};

}  // namespace

void allow_raster_sources(const fs::path& place) {
    AllowedPlaces& allowed = allowed_places();
    const std::lock_guard lock(allowed.mutex);
    allowed.places.push_back(through_links(place));
}

void check_vrt_sources(const fs::path& path, const std::string& name) {
    VrtChecker(name).check_file(path, 0);
}

std::vector<fs::path> files_of(GDALDataset& dataset) {
    const CPLStringList names(dataset.GetFileList());
    std::vector<fs::path> files;
    for (int i = 0; i < names.Count(); ++i) files.emplace_back(names[i]);
    return files;
}

void check_files_of(GDALDataset& dataset, const fs::path& path, const std::string& name) {
    for (const fs::path& file : files_of(dataset))
        if (!may_read(path, file)) refuse_source(name, file.string(), "which lies elsewhere");
}

}  // namespace thalweg
