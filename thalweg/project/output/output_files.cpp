#include "thalweg/project/output_files.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace thalweg {
namespace {

const std::map<std::string, RasterFormat>& raster_formats() {
    static const std::map<std::string, RasterFormat> formats = {{"geotiff", RasterFormat::GeoTiff},
                                                                {"cog", RasterFormat::Cog},
                                                                {"png16", RasterFormat::Png16},
                                                                {"r16", RasterFormat::R16},
                                                                {"exr", RasterFormat::Exr}};
    return formats;
}

std::string format_name(RasterFormat format) {
    const auto found =
        std::ranges::find(raster_formats(), format, &std::pair<const std::string, RasterFormat>::second);
    return found->first;
}

std::string extension_of(const std::string& format) {
    if (format == "geotiff" || format == "cog") return ".tif";
    if (format == "png16") return ".png";
    return "." + format;
}

/// What file names begin with; nothing for a project without a name.
std::string prefix_of(const Project& project) {
    return project.name.empty() ? "" : project.name + "_";
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

/// Whether "all" layers hold this one.
bool is_of_all(const std::string& layer, const Project& project) {
    return std::ranges::any_of(project.stages,
                               [&](const StageUse& use) { return is_made_unasked(use, layer); });
}

std::vector<std::string> layers_to_write(const Project& project, const std::set<std::string>& present) {
    std::vector<std::string> layers;
    const std::vector<std::string>& named = project.output.layers;
    for (const std::string& layer : present)
        if (names_cells(layer) && (has(named, layer) || (has(named, "all") && is_of_all(layer, project))))
            layers.push_back(layer);
    return layers;
}

/// What a file holds, for a sentence.
std::string in_words(const OutputFile& file) {
    switch (file.kind) {
        case OutputKind::Layer:
            return fmt::format("layer \"{}\" as {}", file.layer, file.format);
        case OutputKind::Encoding:
            return fmt::format("the scale of layer \"{}\" as {}", file.layer, file.format);
        case OutputKind::Vectors:
            return fmt::format("{} as {}", file.layer == kRivers ? "the network" : file.layer, file.format);
        case OutputKind::Analysis:
        case OutputKind::Mesh:
        case OutputKind::Texture:
            return fmt::format("{} as {}", file.layer, file.format);
        case OutputKind::Picture:
            return file.layer.empty() ? fmt::format("picture {}", file.format)
                                      : fmt::format("the picture of layer \"{}\"", file.layer);
    }
    return "";
}

/// A layer's file, and behind it that of its scale where it has one.
void add_layer(std::vector<OutputFile>& files, const std::string& name, const std::string& layer,
               const std::string& format) {
    files.push_back({name, OutputKind::Layer, layer, format});
    if (is_sixteen_bit(raster_format_named(format)))
        files.push_back({sidecar_of(name).string(), OutputKind::Encoding, layer, "json"});
}

OutputKind output_kind(DatasetKind kind) {
    switch (kind) {
        case DatasetKind::Layer:
            return OutputKind::Layer;
        case DatasetKind::Vectors:
            return OutputKind::Vectors;
        case DatasetKind::Mesh:
            return OutputKind::Mesh;
        case DatasetKind::Texture:
            return OutputKind::Texture;
        case DatasetKind::Analysis:
        case DatasetKind::Settings:
            break;
    }
    return OutputKind::Analysis;
}

/// The file of a dataset that is no layer, and behind that of a texture what its bytes stand for.
void add_dataset(std::vector<OutputFile>& files, const std::string& name, const std::string& dataset,
                 const std::string& format) {
    const OutputKind kind = output_kind(description_of(dataset).kind);
    files.push_back({name, kind, dataset, format});
    if (kind == OutputKind::Texture)
        files.push_back({sidecar_of(name).string(), OutputKind::Encoding, dataset, "json"});
}

/// The file that is named for a dataset, and that of its scale where it has one.
void add_named(std::vector<OutputFile>& files, const NamedFile& file) {
    const std::string name = file.path.string();
    if (names_cells(file.dataset))
        return add_layer(files, name, file.dataset, format_name(raster_format_of(name)));
    const std::string extension = file.path.extension().string();
    add_dataset(files, name, file.dataset, extension.empty() ? "" : extension.substr(1));
}

/// In which formats a project writes datasets of a kind that are no layers.
std::vector<std::string> formats_of(const OutputSettings& output, DatasetKind kind) {
    if (kind == DatasetKind::Vectors) return output.networks;
    if (kind == DatasetKind::Mesh) return {"glb"};
    if (kind == DatasetKind::Texture) return {"png"};
    return output.analyses;
}

/// The files of datasets of one kind that the project writes.
void add_datasets(std::vector<OutputFile>& files, const Project& project, DatasetKind kind,
                  const std::set<std::string>& present) {
    const std::vector<std::string> formats = formats_of(project.output, kind);
    for (const DatasetDescription& dataset : dataset_catalogue()) {
        if (dataset.kind != kind || !present.contains(dataset.name)) continue;
        if (dataset.only_when_named && !has(project.output.layers, dataset.name)) continue;
        for (const std::string& format : formats) {
            if (format == "csv" && !dataset.has_table) continue;
            add_dataset(files, prefix_of(project) + dataset.name + extension_of(format), dataset.name,
                        format);
        }
    }
}

/// The dataset without which a picture cannot be drawn, and the stage that leaves it.
struct PictureNeed {
    std::string dataset = kElevation;
    std::string stage = {};
};

PictureNeed need_of(const std::string& picture) {
    if (picture == "courses") return {kCourses, "meander"};
    if (picture == "river") return {kVelocity, "water"};
    return {};
}

void add_pictures(std::vector<OutputFile>& files, const Project& project,
                  const std::vector<std::string>& layers, const std::set<std::string>& present) {
    for (const std::string& picture : project.output.pictures) {
        if (picture == "layers") {
            for (const std::string& layer : layers)
                files.push_back(
                    {prefix_of(project) + layer + "_map.png", OutputKind::Picture, layer, picture});
        } else if (present.contains(need_of(picture).dataset)) {
            files.push_back({prefix_of(project) + picture + ".png", OutputKind::Picture, "", picture});
        }
    }
}

}  // namespace

RasterFormat raster_format_named(const std::string& name) {
    return raster_formats().at(name);
}

std::string frame_suffix(std::size_t frame) {
    return fmt::format("_{:04d}", frame);
}

std::string with_suffix(const std::string& name, const std::string& suffix) {
    const std::size_t dot = name.find('.');  // names of projects and layers hold none
    return name.substr(0, dot) + suffix + (dot == std::string::npos ? "" : name.substr(dot));
}

void check_different(const std::vector<OutputFile>& files) {
    std::map<std::string, const OutputFile*> by_name;
    for (const OutputFile& file : files) {
        const auto [other, is_new] = by_name.emplace(file.name, &file);
        if (!is_new)
            throw Error::input(
                fmt::format("{} and {} would both be {}: name each once, or give the layer another name",
                            in_words(*other->second), in_words(file), file.name));
    }
}

std::vector<OutputFile> output_files(const Project& project, const std::set<std::string>& present) {
    const std::vector<std::string> layers = layers_to_write(project, present);
    std::vector<OutputFile> files;
    for (const std::string& layer : layers)
        for (const std::string& format : project.output.formats)
            add_layer(files, prefix_of(project) + layer + extension_of(format), layer, format);
    for (const NamedFile& file : project.named_files)
        if (present.contains(file.dataset)) add_named(files, file);
    for (const DatasetKind kind :
         {DatasetKind::Vectors, DatasetKind::Analysis, DatasetKind::Mesh, DatasetKind::Texture})
        add_datasets(files, project, kind, present);
    add_pictures(files, project, layers, present);
    return files;
}

std::vector<OutputFile> output_files(const Project& project) {
    std::set<std::string> present = layers_before(project, project.stages.size()).present();
    // They may be there at other times than the project's own.
    for (const NamedFile& file : project.named_files) present.insert(file.dataset);
    for (const std::string& picture : project.output.pictures) {
        const PictureNeed need = need_of(picture);
        if (!need.stage.empty() && !present.contains(need.dataset))
            throw Error::input(fmt::format("the picture {} shows what stage {} leaves: add that stage",
                                           picture, need.stage));
    }
    return output_files(project, present);
}

std::vector<std::filesystem::path> output_places(const Project& project, std::size_t frames) {
    std::vector<std::filesystem::path> places;
    const std::vector<OutputFile> files = output_files(project);
    for (std::size_t frame = 0; frame < std::max<std::size_t>(frames, 1); ++frame)
        for (const OutputFile& file : files)
            places.push_back(project.output_directory /
                             (frames == 0 ? file.name : with_suffix(file.name, frame_suffix(frame))));
    if (!project.output_directory.empty())
        places.push_back(project.output_directory / (frames == 0 ? kManifestName : kFramesName));
    return places;
}

}  // namespace thalweg
