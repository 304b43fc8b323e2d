#include "cli/file_arguments.hpp"

#include "thalweg/io/files.hpp"
#include "thalweg/io/raster_sources.hpp"
#include "thalweg/io/reprojection.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;

/// Where a file is, whether it exists or not.
class Place {
  public:
    explicit Place(const fs::path& name) : name_(name) {
        std::error_code error;
        resolved_ = fs::weakly_canonical(fs::absolute(name, error), error);
        if (error) resolved_ = name;
        exists_ = fs::exists(name, error);
    }

    /// Whether both are the same file, also by links.
    [[nodiscard]] bool is(const Place& other) const {
        if (resolved_ == other.resolved_) return true;
        std::error_code error;
        return exists_ && other.exists_ && fs::equivalent(name_, other.name_, error);
    }

  private:
    fs::path name_;
    fs::path resolved_;  // through links and relative parts
    bool exists_ = false;
};

bool is_file(const std::string& name) {
    return !name.empty() && name != kStandardStream;
}

std::vector<Place> places_of(const std::vector<std::string>& names) {
    std::vector<Place> places;
    for (const std::string& name : names)
        if (is_file(name)) places.emplace_back(name);
    return places;
}

Error named_twice(const std::string& name) {
    return Error::input(fmt::format("{} is named for two outputs: give each its own file", name));
}

/// Throws Error::input when an output is the same file as an input, or is named twice.
void check_different(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    const std::vector<Place> taken = places_of(inputs);
    std::vector<Place> places;
    for (const std::string& output : outputs) {
        if (!is_file(output)) continue;
        const Place place(output);
        if (std::ranges::any_of(taken, [&](const Place& input) { return input.is(place); }))
            throw Error::input(
                fmt::format("{} is an input and can't be the output too: name another file", output));
        if (std::ranges::any_of(places, [&](const Place& other) { return other.is(place); }))
            throw named_twice(output);
        places.push_back(place);
    }
}

}  // namespace

Flag reproject_flag() {
    return {.name = "reproject",
            .form = FlagForm::Switch,
            .value = "",
            .sentence =
                "Take a raster in degrees or feet, or with turned or oblong cells, by reprojecting it to "
                "square cells in metres (its UTM zone)."};
}

Degrees degrees_of(const Given& given) {
    return given.has("reproject") ? Degrees::Reprojected : Degrees::Refused;
}

Flag sources_flag() {
    return {
        .name = "vrt-sources",
        .form = FlagForm::Repeated,
        .value = "DIR",
        .sentence = "A folder from which a VRT may take rasters, besides its own. May be given many times."};
}

void allow_sources(const Given& given) {
    for (const std::string& folder : given.values(sources_flag().name)) allow_raster_sources(folder);
}

InputFile::InputFile(const std::string& name, Degrees degrees) : path_(name), typed_name_(name) {
    if (name == kStandardStream) {
        const std::string bytes = read_standard_input();
        folder_ = std::make_unique<TemporaryFolder>();
        typed_name_ = "standard input";
        path_ = folder_->path() / typed_name_;
        write_file_atomically(path_, std::as_bytes(std::span(bytes)));
    }
    if (degrees == Degrees::Reprojected && !name.empty()) read_by([&] { reproject(); });
}

void InputFile::reproject() {
    if (folder_ == nullptr) folder_ = std::make_unique<TemporaryFolder>();
    if (const auto view = raster_in_metres(path_, folder_->path())) {
        path_ = view->path;
        notes_ = {view->note};
    }
}

bool InputFile::is_temporary() const {
    return folder_ != nullptr && path_.parent_path() == folder_->path();
}

std::string InputFile::with_typed_name(std::string message) const {
    if (folder_ == nullptr) return message;
    const std::string hidden = path_.string();
    for (std::size_t place = message.find(hidden); place != std::string::npos;
         place = message.find(hidden, place + typed_name_.size()))
        message.replace(place, hidden.size(), typed_name_);
    return message;
}

OutputFile::OutputFile(const std::string& name, const std::string& extension) : path_(name) {
    if (name != kStandardStream) return;
    folder_ = std::make_unique<TemporaryFolder>();
    path_ = folder_->path() / ("standard_output" + extension);
}

void OutputFile::deliver() const {
    if (is_standard_output()) print_file(path_);
}

void check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    if (std::count(outputs.begin(), outputs.end(), kStandardStream) > 1)
        throw Error::input("only one result can go to standard output, but - is given for more");
    for (const std::string& output : outputs)
        if (is_file(output)) check_writable(output);
    check_different(inputs, outputs);
}

void check_results(const std::vector<std::string>& inputs, const std::vector<std::string>& named,
                   const std::vector<fs::path>& results) {
    check_different(inputs, named);
    const std::vector<Place> places_of_inputs = places_of(inputs), places_of_named = places_of(named);
    for (const fs::path& result : results) {
        const Place place(result);
        if (std::ranges::any_of(places_of_inputs, [&](const Place& input) { return input.is(place); }))
            throw Error::input(fmt::format(
                "{} is an input and would be overwritten: name another folder with --out", result.string()));
        if (std::ranges::any_of(places_of_named, [&](const Place& other) { return other.is(place); }))
            throw named_twice(result.string());
    }
}

std::vector<std::string> files_of_parameters(const ParameterTable& table, const void* parameters,
                                             const fs::path& folder) {
    std::vector<std::string> files;
    for (const Parameter& parameter : table.parameters()) {
        if (parameter.type != ParameterType::File && parameter.type != ParameterType::NumberOrLayer) continue;
        const Value value = parameter.get(parameters);
        const auto* file = std::get_if<std::string>(&value);
        if (file == nullptr || file->empty()) continue;
        std::error_code error;
        const fs::path path = folder / *file;
        if (fs::exists(path, error)) files.push_back(path.string());
    }
    return files;
}

}  // namespace thalweg::cli
