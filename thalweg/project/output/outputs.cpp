#include "thalweg/project/output/outputs.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/input_files.hpp"
#include "thalweg/project/output/earlier_files.hpp"
#include "thalweg/project/output/manifest.hpp"
#include "thalweg/project/output/pictures.hpp"

#include <algorithm>
#include <fstream>
#include <map>
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
std::vector<Image> draw_pictures(const std::vector<WrittenFile>& files, const Project& project,
                                 const Landscape& landscape, Progress& progress) {
    const auto is_picture = [](const WrittenFile& written) {
        return written.file.kind == OutputKind::Picture;
    };
    const double share = 1.0 / std::max(1.0, static_cast<double>(std::ranges::count_if(files, is_picture)));
    std::vector<Image> images(files.size());
    double drawn = 0.0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!is_picture(files[i])) continue;
        ProgressPart part(progress, drawn, drawn + share);
        part.report(0.0, "drawing " + files[i].file.name);
        images[i] = draw_picture(files[i].file, project.name, project.output, landscape, part);
        drawn += share;
    }
    return images;
}

/// What the files of a frame, or of a build, are made from.
struct OutputSource {
    const Landscape& landscape;
    const std::string& title;
    bool is_frame = false;
    bool is_listed = true;  // in a manifest
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
            written.encoding =
                write_raster(path, landscape.layer(file.layer), format, storage_of(file.layer));
            break;
        }
        case OutputKind::Encoding: {
            if (auto* const write_scale = description_of(file.layer).write_scale; write_scale != nullptr) {
                write_scale({path, landscape, file.layer, source.title});
                break;
            }
            if (source.is_frame) return;
            const RasterStorage storage = storage_of(file.layer);
            write_sidecar(path, path.stem().string(), landscape.grid, storage,
                          sixteen_bit_encoding(range_of(landscape.layer(file.layer)), storage.whole_numbers));
            break;
        }
        case OutputKind::Vectors:
        case OutputKind::Analysis:
        case OutputKind::Mesh:
        case OutputKind::Texture:
            description_of(file.layer).write({path, landscape, file.layer, source.title});
            break;
        case OutputKind::Picture:
            write_png(path, image);
            break;
    }
    if (source.is_listed) measure(written);
}

/// What stands above charts.
const std::string& title_of(const Project& project) {
    return project.name.empty() && project.start ? project.start->title : project.name;
}

/// What to tell of a 16-bit file: its scale and offset, and where they stand.
std::string note_of_scale(const std::string& file, const std::string& layer, const RasterEncoding& encoding) {
    return fmt::format("{} holds {} in 16 bits: {} = stored x {} + {}{}; {} tells it too", file, layer,
                       description_of(layer).unit, encoding.scale, encoding.offset,
                       encoding.no_data ? ", where 0 is no data" : "", sidecar_of(file).string());
}

}  // namespace

std::vector<WrittenFile> stage_files(std::vector<OutputFile> files, const Project& project,
                                     StagedFiles& staged) {
    std::vector<WrittenFile> written(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        written[i].staged = staged.stage(project.output_directory / files[i].name);
        written[i].file = std::move(files[i]);
    }
    return written;
}

void write_files(std::vector<WrittenFile>& files, const Project& project, const Landscape& landscape,
                 bool is_frame, Progress& progress) {
    ProgressPart drawing(progress, 0.0, kDrawingShare);
    const std::vector<Image> images = draw_pictures(files, project, landscape, drawing);
    const bool has_folder = !project.output_directory.empty();
    const OutputSource source{landscape, title_of(project), is_frame, has_folder};
    const std::size_t at_once = has_folder ? kFilesAtOnce : 1;
    ProgressPart writing(progress, kDrawingShare, 1.0);
    for (std::size_t first = 0; first < files.size(); first += at_once) {
        const std::size_t last = std::min(first + at_once, files.size());
        for (std::size_t i = first; i < last; ++i)
            writing.report(static_cast<double>(first) / static_cast<double>(files.size()),
                           "writing " + std::filesystem::path(files[i].file.name).filename().string());
        parallel_for(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), 1,
                     [&](std::int64_t i, std::int64_t) {
                         const auto k = static_cast<std::size_t>(i);
                         write_output(files[k], images[k], source);
                     });
    }
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

std::filesystem::path stage_manifest(const Project& project, const std::string& name, const std::string& text,
                                     StagedFiles& staged) {
    for (const std::filesystem::path& stale :
         stale_files(project.output_directory, name, text, input_files(project)))
        staged.remove(stale);
    std::filesystem::path place = project.output_directory / name;
    write_file_atomically(staged.stage(place), std::as_bytes(std::span(text)));
    return place;
}

}  // namespace thalweg
