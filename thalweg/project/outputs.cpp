#include "thalweg/project/outputs.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/project/manifest.hpp"
#include "thalweg/project/pictures.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace thalweg {
namespace {

constexpr double kDrawingShare = 0.8;  // of the outputs' progress; the rest is for encoding and writing

RasterFormat raster_format(const std::string& name) {
    static const std::map<std::string, RasterFormat> formats = {{"geotiff", RasterFormat::GeoTiff},
                                                                {"cog", RasterFormat::Cog},
                                                                {"png16", RasterFormat::Png16},
                                                                {"r16", RasterFormat::R16},
                                                                {"exr", RasterFormat::Exr}};
    return formats.at(name);
}

/// Cells without data become 0, the value that ids and orders never take.
Field<std::int32_t> whole_numbers(const Field<float>& values) {
    Field<std::int32_t> result(values.grid());
    for (std::int64_t cell = 0; cell < values.size(); ++cell)
        if (!is_no_data(values[cell])) result[cell] = static_cast<std::int32_t>(std::lround(values[cell]));
    return result;
}

/// The picture of each file that is one; for others an empty image.
std::vector<Image> draw_pictures(const std::vector<OutputFile>& files, const Project& project,
                                 const Landscape& landscape, Progress& progress) {
    const auto pictures = std::ranges::count(files, OutputKind::Picture, &OutputFile::kind);
    std::vector<Image> images(files.size());
    double drawn = 0.0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].kind != OutputKind::Picture) continue;
        const double share = 1.0 / static_cast<double>(pictures);
        ProgressPart part(progress, drawn, drawn + share);
        part.report(0.0, "drawing " + files[i].name);
        images[i] = draw_picture(files[i], project.name, landscape, part);
        drawn += share;
    }
    return images;
}

WrittenFile write_output(const std::filesystem::path& path, const OutputFile& file, const Image& image,
                         const std::string& title, const Landscape& landscape) {
    WrittenFile written;
    written.file = file;
    switch (file.kind) {
        case OutputKind::Layer:
            written.encoding = write_layer(path, landscape, file.layer, raster_format(file.format));
            break;
        case OutputKind::Network:
            write_vectors(path, landscape, kRivers);
            break;
        case OutputKind::Lakes:
            write_vectors(path, landscape, kLakes);
            break;
        case OutputKind::Vectors:
            write_vectors(path, landscape, file.layer);
            break;
        case OutputKind::Analysis:
            write_analysis(path, *landscape.analyses, file.layer, title);
            break;
        case OutputKind::Picture:
            write_png(path, image);
            break;
    }
    written.bytes = std::filesystem::file_size(path);
    written.sha256 = sha256_of_file(path);
    return written;
}

std::set<std::string> names_present(const Landscape& landscape) {
    std::set<std::string> names;
    for (const auto& [name, layer] : landscape.layers) names.insert(name);
    for (const char* name : kVectors)
        if (has_vectors(landscape, name)) names.insert(name);
    if (landscape.analyses) names.insert(kAnalyses.begin(), kAnalyses.end());
    return names;
}

}  // namespace

RasterEncoding write_layer(const std::filesystem::path& path, const Landscape& landscape,
                           const std::string& name, RasterFormat format) {
    const Field<float>& values = landscape.layer(name);
    return holds_whole_numbers(name) ? write_raster(path, whole_numbers(values), format)
                                     : write_raster(path, values, format);
}

std::vector<WrittenFile> write_layers_and_pictures(const Project& project, const Landscape& landscape,
                                                   const std::string& suffix, StagedFiles& staged,
                                                   Progress& progress) {
    std::vector<OutputFile> files = output_files(project, names_present(landscape));
    for (OutputFile& file : files) file.name = with_suffix(file.name, suffix);
    ProgressPart drawing(progress, 0.0, kDrawingShare);
    const std::vector<Image> images = draw_pictures(files, project, landscape, drawing);
    std::vector<std::filesystem::path> staged_places;
    for (const OutputFile& file : files)
        staged_places.push_back(staged.stage(project.output_directory / file.name));
    std::vector<WrittenFile> written(files.size());
    ProgressPart writing(progress, kDrawingShare, 1.0);
    for (std::size_t first = 0; first < files.size(); first += kFilesAtOnce) {
        const std::size_t last = std::min(first + kFilesAtOnce, files.size());
        for (std::size_t i = first; i < last; ++i)
            writing.report(static_cast<double>(first) / static_cast<double>(files.size()),
                           "writing " + files[i].name);
        parallel_for(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), 1,
                     [&](std::int64_t i, std::int64_t) {
                         const auto k = static_cast<std::size_t>(i);
                         written[k] =
                             write_output(staged_places[k], files[k], images[k], project.name, landscape);
                     });
    }
    return written;
}

std::vector<std::filesystem::path> write_outputs(const Project& project, const Landscape& landscape,
                                                 StagedFiles& staged, Progress& progress) {
    const std::vector<WrittenFile> written =
        write_layers_and_pictures(project, landscape, "", staged, progress);
    std::vector<std::filesystem::path> places;
    for (const WrittenFile& file : written) places.push_back(project.output_directory / file.file.name);
    places.push_back(project.output_directory / kManifestName);
    const std::string manifest = manifest_json(project, landscape.boundary, written);
    write_file_atomically(staged.stage(places.back()), std::as_bytes(std::span(manifest)));
    return places;
}

}  // namespace thalweg
