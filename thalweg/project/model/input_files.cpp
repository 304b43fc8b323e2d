#include "thalweg/project/input_files.hpp"

#include <system_error>
#include <variant>

namespace thalweg {

std::vector<std::string> files_of_stage(const Stage& stage, const void* parameters,
                                        const std::filesystem::path& folder) {
    std::vector<std::string> files;
    for (const Parameter& parameter : stage.parameters->parameters()) {
        if (parameter.type != ParameterType::File && parameter.type != ParameterType::NumberOrLayer) continue;
        const Value value = parameter.get(parameters);
        const auto* file = std::get_if<std::string>(&value);
        if (file == nullptr || file->empty()) continue;
        std::error_code error;
        const std::filesystem::path path = folder / *file;
        if (std::filesystem::exists(path, error)) files.push_back(path.string());
    }
    if (!stage.edits) return files;
    for (const StageEdit& edit : stage.edits(parameters))
        for (std::string& file : files_of_stage(*edit.stage, edit.parameters.get(), folder))
            files.push_back(std::move(file));
    return files;
}

std::vector<std::string> input_files(const Project& project) {
    std::vector<std::string> files;
    if (project.start) files.push_back(project.start->file.string());
    if (!project.grid_file.empty()) files.push_back(project.grid_file.string());
    for (const StageUse& use : project.stages)
        for (std::string& file : files_of_stage(*use.stage, use.parameters.get(), project.base_directory))
            files.push_back(std::move(file));
    return files;
}

}  // namespace thalweg
