#include "thalweg/project/outputs.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/manifest.hpp"
#include "thalweg/project/pictures.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>

namespace thalweg {
namespace {

RasterFormat raster_format(const std::string& name) {
    static const std::map<std::string, RasterFormat> formats = {{"geotiff", RasterFormat::GeoTiff},
                                                                {"cog", RasterFormat::Cog},
                                                                {"png16", RasterFormat::Png16},
                                                                {"r16", RasterFormat::R16},
                                                                {"exr", RasterFormat::Exr}};
    return formats.at(name);
}

bool holds_whole_numbers(const std::string& layer) {
    const auto& catalogue = layer_catalogue();
    const auto known = std::ranges::find(catalogue, layer, &LayerDescription::name);
    return known != catalogue.end() && known->whole_numbers;
}

/// Cells without data become 0, the value that ids and orders never take.
Field<std::int32_t> whole_numbers(const Field<float>& values) {
    Field<std::int32_t> result(values.grid());
    for (std::int64_t cell = 0; cell < values.size(); ++cell)
        if (!is_no_data(values[cell])) result[cell] = static_cast<std::int32_t>(std::lround(values[cell]));
    return result;
}

WrittenFile write_output(const std::filesystem::path& path, const OutputFile& file, const Project& project,
                         const Landscape& landscape, Progress& progress) {
    WrittenFile written;
    written.file = file;
    switch (file.kind) {
        case OutputKind::Layer:
            written.encoding = write_layer(path, landscape, file.layer, raster_format(file.format));
            break;
        case OutputKind::Network:
            write_network(path, *landscape.rivers);
            break;
        case OutputKind::Picture:
            write_png(path, draw_picture(file, project.name, landscape, progress));
            break;
    }
    written.bytes = std::filesystem::file_size(path);
    written.sha256 = sha256_of_file(path);
    return written;
}

std::set<std::string> names_present(const Landscape& landscape) {
    std::set<std::string> names;
    for (const auto& [name, layer] : landscape.layers) names.insert(name);
    if (landscape.rivers) names.insert(kRivers);
    return names;
}

}  // namespace

RasterEncoding write_layer(const std::filesystem::path& path, const Landscape& landscape,
                           const std::string& name, RasterFormat format) {
    const Field<float>& values = landscape.layer(name);
    return holds_whole_numbers(name) ? write_raster(path, whole_numbers(values), format)
                                     : write_raster(path, values, format);
}

std::vector<std::filesystem::path> write_outputs(const Project& project, const Landscape& landscape,
                                                 StagedFiles& staged, Progress& progress) {
    const std::vector<OutputFile> files = output_files(project, names_present(landscape));
    std::vector<std::filesystem::path> places;
    std::vector<WrittenFile> written;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const double share = 1.0 / static_cast<double>(files.size());
        ProgressPart part(progress, static_cast<double>(i) * share, static_cast<double>(i + 1) * share);
        part.report(0.0, "writing " + files[i].name);
        places.push_back(project.output_directory / files[i].name);
        written.push_back(write_output(staged.stage(places.back()), files[i], project, landscape, part));
    }
    places.push_back(project.output_directory / kManifestName);
    const std::string manifest = manifest_json(project, written);
    write_file_atomically(staged.stage(places.back()), std::as_bytes(std::span(manifest)));
    return places;
}

}  // namespace thalweg
