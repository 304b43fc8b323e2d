#include "thalweg/project/outputs.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/earlier_files.hpp"
#include "thalweg/project/input_files.hpp"
#include "thalweg/project/manifest.hpp"
#include "thalweg/project/pictures.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kDrawingShare = 0.8;  // of the outputs' progress; the rest is for encoding and writing

RasterStorage storage_of(const std::string& layer) {
    const DatasetDescription& described = description_of(layer);
    return {.layer = layer, .unit = described.unit, .whole_numbers = described.whole_numbers};
}

/// Keeps the values as they are in memory, for write_held_layers.
LayerRange hold(const std::filesystem::path& path, const Field<float>& values) {
    write_file_atomically(path,
                          std::as_bytes(std::span(values.data(), static_cast<std::size_t>(values.size()))));
    return range_of(values);
}

Field<float> held_values(const std::filesystem::path& path, const Grid& grid) {
    Field<float> values(grid);
    std::ifstream file(path, std::ios::binary);
    const auto bytes = static_cast<std::streamsize>(sizeof(float)) * values.size();
    if (!file.read(reinterpret_cast<char*>(values.data()), bytes))
        throw Error::failure(path.string() + " can't be read to its end");
    return values;
}

void measure(WrittenFile& written) {
    written.bytes = std::filesystem::file_size(written.staged);
    written.sha256 = sha256_of_file(written.staged);
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

/// What the files of a frame, or of a build, are made from.
struct OutputSource {
    const Landscape& landscape;
    const std::string& title;
    bool is_frame = false;
};

void write_output(WrittenFile& written, const Image& image, const OutputSource& source) {
    const Landscape& landscape = source.landscape;
    const OutputFile& file = written.file;
    const std::filesystem::path& path = written.staged;
    switch (file.kind) {
        case OutputKind::Layer: {
            const RasterFormat format = raster_format_named(file.format);
            if (source.is_frame && is_sixteen_bit(format)) {
                written.held = hold(path, landscape.layer(file.layer));
                return;
            }
            written.encoding = write_layer(path, landscape, file.layer, format);
            break;
        }
        case OutputKind::Encoding: {
            if (source.is_frame) return;
            const RasterStorage storage = storage_of(file.layer);
            write_sidecar(path, path.stem().string(), landscape.grid, storage,
                          sixteen_bit_encoding(range_of(landscape.layer(file.layer)), storage.whole_numbers));
            break;
        }
        case OutputKind::Vectors:
        case OutputKind::Analysis:
            description_of(file.layer).write({path, landscape, file.layer, source.title});
            break;
        case OutputKind::Picture:
            write_png(path, image);
            break;
    }
    measure(written);
}

}  // namespace

RasterEncoding write_layer(const std::filesystem::path& path, const Landscape& landscape,
                           const std::string& name, RasterFormat format,
                           const std::filesystem::path& sidecar) {
    const RasterStorage storage = storage_of(name);
    const RasterEncoding encoding = write_raster(path, landscape.layer(name), format, storage);
    if (!sidecar.empty()) write_sidecar(sidecar, path.filename().string(), landscape.grid, storage, encoding);
    return encoding;
}

std::string note_of_scale(const std::string& file, const std::string& layer, const RasterEncoding& encoding) {
    return fmt::format("{} holds {} in 16 bits: {} = stored x {} + {}{}; {} tells it too", file, layer,
                       description_of(layer).unit, encoding.scale, encoding.offset,
                       encoding.no_data ? ", where 0 is no data" : "", sidecar_of(file).string());
}

std::vector<WrittenFile> write_layers_and_pictures(const Project& project, const Landscape& landscape,
                                                   const std::optional<std::string>& frame,
                                                   StagedFiles& staged, Progress& progress) {
    const std::vector<std::string> held = names_held(landscape);
    std::vector<OutputFile> files = output_files(project, {held.begin(), held.end()});
    for (OutputFile& file : files) file.name = with_suffix(file.name, frame.value_or(""));
    ProgressPart drawing(progress, 0.0, kDrawingShare);
    const std::vector<Image> images = draw_pictures(files, project, landscape, drawing);
    std::vector<WrittenFile> written(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        written[i].staged = staged.stage(project.output_directory / files[i].name);
        written[i].file = std::move(files[i]);
    }
    const OutputSource source{landscape, project.name, frame.has_value()};
    ProgressPart writing(progress, kDrawingShare, 1.0);
    for (std::size_t first = 0; first < written.size(); first += kFilesAtOnce) {
        const std::size_t last = std::min(first + kFilesAtOnce, written.size());
        for (std::size_t i = first; i < last; ++i)
            writing.report(static_cast<double>(first) / static_cast<double>(written.size()),
                           "writing " + written[i].file.name);
        parallel_for(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), 1,
                     [&](std::int64_t i, std::int64_t) {
                         const auto k = static_cast<std::size_t>(i);
                         write_output(written[k], images[k], source);
                     });
    }
    return written;
}

void write_held_layers(const Grid& grid, std::vector<FrameFiles>& frames, Progress& progress) {
    std::map<std::string, LayerRange> ranges;
    for (const FrameFiles& frame : frames)
        for (const WrittenFile& written : frame.files)
            if (written.held) ranges[written.file.layer].add(*written.held);
    for (FrameFiles& frame : frames)
        for (std::size_t i = 0; i < frame.files.size(); ++i) {
            WrittenFile& written = frame.files[i];
            if (!written.held) continue;
            progress.poll();
            WrittenFile& sidecar = frame.files.at(i + 1);  // output_files lists it behind its layer
            RasterStorage storage = storage_of(written.file.layer);
            storage.encoding = sixteen_bit_encoding(ranges[written.file.layer], storage.whole_numbers);
            written.encoding = write_raster(written.staged, held_values(written.staged, grid),
                                            raster_format_named(written.file.format), storage);
            write_sidecar(sidecar.staged, written.file.name, grid, storage, *written.encoding);
            measure(written);
            measure(sidecar);
        }
}

void report_encodings(const std::vector<WrittenFile>& files, RunReport& report) {
    for (const WrittenFile& written : files) {
        if (!written.encoding) continue;
        report.rasters.push_back({written.file.name, written.file.layer, *written.encoding});
        if (is_sixteen_bit(raster_format_named(written.file.format)))
            report.notes.push_back(note_of_scale(written.file.name, written.file.layer, *written.encoding));
    }
}

void report_encodings(const std::vector<FrameFiles>& frames, RunReport& report) {
    std::size_t notes = report.notes.size();
    for (const FrameFiles& frame : frames) {
        report_encodings(frame.files, report);
        // All frames have one scale, which is told with the first.
        if (&frame == &frames.front()) notes = report.notes.size();
        report.notes.resize(notes);
    }
}

std::vector<std::filesystem::path> write_outputs(const Project& project, const Landscape& landscape,
                                                 StagedFiles& staged, RunReport& report, Progress& progress) {
    const std::vector<WrittenFile> written =
        write_layers_and_pictures(project, landscape, std::nullopt, staged, progress);
    report_encodings(written, report);
    std::vector<std::filesystem::path> places;
    for (const WrittenFile& file : written) places.push_back(project.output_directory / file.file.name);
    places.push_back(project.output_directory / kManifestName);
    const std::string manifest = manifest_json(project, landscape.boundary(), written);
    for (const std::filesystem::path& stale :
         stale_files(project.output_directory, kManifestName, manifest, input_files(project)))
        staged.remove(stale);
    write_file_atomically(staged.stage(places.back()), std::as_bytes(std::span(manifest)));
    return places;
}

}  // namespace thalweg
