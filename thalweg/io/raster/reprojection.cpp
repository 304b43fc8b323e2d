#include "thalweg/io/reprojection.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/gdal/gdal_session.hpp"
#include "thalweg/io/raster/georeference.hpp"
#include "thalweg/io/raster/open_raster.hpp"
#include "thalweg/io/raster_sources.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include <cpl_string.h>
#include <fmt/format.h>
#include <gdal_priv.h>
#include <gdal_utils.h>
#include <ogr_spatialref.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

/// How far a value may come from beside its place, cells: GDAL interpolates places between some exact ones.
constexpr const char* kLargestShift = "0.01";

struct WarpOptionsFreer {
    void operator()(GDALWarpAppOptions* options) const { GDALWarpAppOptionsFree(options); }
};
struct TranslateOptionsFreer {
    void operator()(GDALTranslateOptions* options) const { GDALTranslateOptionsFree(options); }
};

/// Arguments as GDAL's programs take them.
class Arguments {
  public:
    explicit Arguments(const std::vector<std::string>& arguments) {
        for (const std::string& argument : arguments) list_.AddString(argument.c_str());
    }
    [[nodiscard]] char** get() { return list_.List(); }

  private:
    CPLStringList list_;
};

[[noreturn]] void refuse(const fs::path& raster, const GdalSession& session) {
    session.check_memory();
    throw Error::input(
        fmt::format("{} can't be reprojected to metres: {}", raster.string(), session.failure()));
}

/// A view of band 1 alone: the other bands of a picture would be reprojected for nothing, or as its mask. It
/// is written and opened anew, since a view refers to the dataset that it was made of, which ends here.
DatasetPointer first_band_view(DatasetPointer dataset, const fs::path& raster, const fs::path& view,
                               const GdalSession& session) {
    if (dataset->GetRasterCount() <= 1) return dataset;
    Arguments arguments({"-of", "VRT", "-b", "1"});
    const std::unique_ptr<GDALTranslateOptions, TranslateOptionsFreer> options(
        GDALTranslateOptionsNew(arguments.get(), nullptr));
    DatasetPointer band(GDALDataset::FromHandle(
        GDALTranslate(view.c_str(), GDALDataset::ToHandle(dataset.get()), options.get(), nullptr)));
    if (band == nullptr) refuse(raster, session);
    band.reset();
    band.reset(GDALDataset::Open(view.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR));
    if (band == nullptr) refuse(raster, session);
    return band;
}

/// How numbers of the band become metres: a view keeps numbers, and must be told.
void copy_units(GDALDataset& from, GDALDataset& to) {
    GDALRasterBand& source = *from.GetRasterBand(1);
    GDALRasterBand& target = *to.GetRasterBand(1);
    target.SetScale(source.GetScale());
    target.SetOffset(source.GetOffset());
    target.SetUnitType(source.GetUnitType());
}

/// What is known of a raster beside what it says.
struct SourceHints {
    std::optional<std::string> crs;  // of one that names none
    std::optional<double> no_data;
};

/// The view in `target`.
DatasetPointer warped_view(GDALDataset& dataset, const fs::path& raster, const fs::path& view,
                           const SourceHints& hints, const std::string& target, const GdalSession& session) {
    std::vector<std::string> words = {"-of",        "VRT", "-r",        "cubic", "-ot",        "Float32",
                                      "-dstnodata", "nan", "-novshift", "-et",   kLargestShift};
    if (hints.crs) words.insert(words.end(), {"-s_srs", *hints.crs});
    if (hints.no_data) words.insert(words.end(), {"-srcnodata", fmt::format("{}", *hints.no_data)});
    if (!target.empty()) words.insert(words.end(), {"-t_srs", target});
    Arguments arguments(words);
    const std::unique_ptr<GDALWarpAppOptions, WarpOptionsFreer> options(
        GDALWarpAppOptionsNew(arguments.get(), nullptr));
    GDALDatasetH source = GDALDataset::ToHandle(&dataset);
    int wrong_usage = FALSE;
    DatasetPointer warped(
        GDALDataset::FromHandle(GDALWarp(view.c_str(), nullptr, 1, &source, options.get(), &wrong_usage)));
    if (warped == nullptr) refuse(raster, session);
    copy_units(dataset, *warped);
    return warped;
}

/// Whether georeference_of takes the raster.
bool is_in_metres(GDALDataset& dataset, const std::string& name) {
    try {
        georeference_of(dataset, name, false);
        return true;
    } catch (const Error&) {
        return false;
    }
}

std::string note_of(const fs::path& raster, GDALDataset& warped, bool assumed) {
    std::array<double, 6> transform{};
    warped.GetGeoTransform(transform.data());
    const OGRSpatialReference* reference = warped.GetSpatialRef();
    const char* crs = reference != nullptr ? reference->GetName() : nullptr;
    return fmt::format(
        "{} {}was reprojected to {}, {} x {} cells of {:.6g} m, by cubic convolution",
        raster.filename().string(),
        assumed ? "names no coordinate system, was taken to be in degrees of WGS 84, and " : "",
        crs != nullptr ? crs : "square cells", warped.GetRasterXSize(), warped.GetRasterYSize(),
        transform[1]);
}

}  // namespace

std::optional<RasterInMetres> raster_in_metres(const fs::path& raster, const fs::path& folder,
                                               std::optional<double> no_data) {
    const GdalSession session;
    const ReadingOptions reading;
    // Views take the name over, so it is absolute.
    DatasetPointer dataset = open_dataset(fs::absolute(raster).string(), raster.string());
    if (dataset == nullptr || dataset->GetRasterCount() == 0) return std::nullopt;
    const bool assumed = looks_like_degrees(*dataset);
    if (!assumed && is_in_metres(*dataset, raster.string())) return std::nullopt;
    for (const fs::path& file : files_of(*dataset)) allow_raster_sources(file);
    const std::string target = metric_crs_of(*dataset);
    dataset = first_band_view(std::move(dataset), raster, folder / "band.vrt", session);
    RasterInMetres view{.path = folder / "metres.vrt", .note = ""};
    const DatasetPointer warped = warped_view(
        *dataset, raster, view.path,
        {assumed ? std::optional<std::string>("EPSG:4326") : std::nullopt, no_data}, target, session);
    view.note = note_of(raster, *warped, assumed);
    return view;
}

}  // namespace thalweg
