#include "thalweg/project/output_files.hpp"

#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace thalweg {
namespace {

std::string extension_of(const std::string& format) {
    if (format == "geotiff" || format == "cog") return ".tif";
    if (format == "png16") return ".png";
    return "." + format;
}

/// What file names begin with; nothing for a project without a name.
std::string prefix_of(const Project& project) {
    return project.name.empty() ? "" : project.name + "_";
}

std::vector<std::string> layers_to_write(const OutputSettings& output, const std::set<std::string>& present) {
    std::vector<std::string> layers;
    const bool all = std::ranges::find(output.layers, "all") != output.layers.end();
    for (const std::string& layer : present)
        if (names_cells(layer) && ((all && !is_on_request(layer)) ||
                                   std::ranges::find(output.layers, layer) != output.layers.end()))
            layers.push_back(layer);
    return layers;
}

void add_pictures(std::vector<OutputFile>& files, const Project& project,
                  const std::vector<std::string>& layers, bool has_elevation) {
    for (const std::string& picture : project.output.pictures) {
        if (picture == "layers") {
            for (const std::string& layer : layers)
                files.push_back(
                    {prefix_of(project) + layer + "_map.png", OutputKind::Picture, layer, picture});
        } else if (has_elevation) {
            files.push_back({prefix_of(project) + picture + ".png", OutputKind::Picture, "", picture});
        }
    }
}

}  // namespace

std::string with_suffix(const std::string& name, const std::string& suffix) {
    const std::filesystem::path path = name;
    return path.stem().string() + suffix + path.extension().string();
}

std::vector<OutputFile> output_files(const Project& project, const std::set<std::string>& present) {
    const std::vector<std::string> layers = layers_to_write(project.output, present);
    std::vector<OutputFile> files;
    for (const std::string& layer : layers)
        for (const std::string& format : project.output.formats)
            files.push_back(
                {prefix_of(project) + layer + extension_of(format), OutputKind::Layer, layer, format});
    if (present.contains(kRivers))
        for (const std::string& format : project.output.networks)
            files.push_back(
                {prefix_of(project) + "rivers" + extension_of(format), OutputKind::Network, "", format});
    if (present.contains(kLakes))
        for (const std::string& format : project.output.networks)
            files.push_back(
                {prefix_of(project) + kLakes + extension_of(format), OutputKind::Lakes, "", format});
    for (const std::string layer : {kProfiles, kKnickpoints, kBasins, kCatchments})
        if (present.contains(layer) &&
            std::ranges::find(project.output.layers, layer) != project.output.layers.end())
            for (const std::string& format : project.output.networks)
                files.push_back(
                    {prefix_of(project) + layer + extension_of(format), OutputKind::Vectors, layer, format});
    for (const std::string_view analysis : kAnalyses)
        if (analysis != kAllAnalyses && present.contains(std::string(analysis)))
            for (const std::string& format : project.output.analyses)
                files.push_back({fmt::format("{}{}.{}", prefix_of(project), analysis, format),
                                 OutputKind::Analysis, std::string(analysis), format});
    add_pictures(files, project, layers, present.contains("elevation"));
    return files;
}

}  // namespace thalweg
