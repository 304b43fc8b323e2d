#include "cli/file_arguments.hpp"

#include "thalweg/io/files.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/raster_sources.hpp"
#include "thalweg/io/reprojection.hpp"

#include <algorithm>
#include <utility>

#include "cli/parameter_flags.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;

/// Where a file is, whether it exists or not.
class Place {
  public:
    explicit Place(const fs::path& name) : name_(name), resolved_(resolved_place(name)) {
        std::error_code error;
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

/// Of inputs, and of all files that a raster among them is made of.
std::vector<Place> places_of_inputs(const std::vector<std::string>& names) {
    std::vector<Place> places;
    for (const std::string& name : names)
        if (is_file(name))
            for (const fs::path& file : files_of_raster(name)) places.emplace_back(file);
    return places;
}

/// What the flags say of a raster.
struct HintSettings {
    std::vector<double> height_range = {0.0, 1000.0};  // m
    double cell_size = 1.0;                            // m
    double nodata = 0.0;

    static void declare(Declaration<HintSettings>& d) {
        d.numbers(
            "height_range", &HintSettings::height_range,
            {.unit = "m",
             .sentence = "Heights of the numbers 0 and 65535 (255) of a .r16, a PNG or another raster of "
                         "16 (8) bits: MIN,MAX.",
             .list_size = 2});
        d.number("cell_size", &HintSettings::cell_size,
                 {.unit = "m",
                  .sentence = "Side of the cells of a raster without coordinates.",
                  .minimum = 0.0,
                  .maximum = 1e6,
                  .minimum_excluded = true});
        d.number("nodata", &HintSettings::nodata,
                 {.unit = "as stored",
                  .sentence = "Number in the raster that stands for no data, beside what the raster says."});
    }
};

Error named_twice(const std::string& name) {
    return Error::input(fmt::format("{} is named for two outputs: give each its own file", name));
}

/// Throws Error::input when an output is the same file as an input, or is named twice.
void check_different(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    const std::vector<Place> taken = places_of_inputs(inputs);
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

FlagGroup input_flags() {
    FlagGroup group{
        "Input",
        {{.name = "reproject",
          .form = FlagForm::Switch,
          .value = "",
          .sentence =
              "Take a raster in degrees or feet, or with turned or oblong cells, by reprojecting it to "
              "square cells in metres (its UTM zone)."}}};
    const ParameterTable& table = parameters_of<HintSettings>();
    for (Flag& flag : parameter_flags(table)) {
        for (const Parameter& parameter : table.parameters())  // what a file says itself has no default
            if (flag_name(parameter.name) == flag.name)
                flag.limits = fmt::format("unit {}; {}", parameter.notes.unit, parameter.allowed());
        group.flags.push_back(std::move(flag));
    }
    return group;
}

RasterHints hints_of(const Given& given) {
    HintSettings settings;
    set_parameters(parameters_of<HintSettings>(), given, &settings);
    RasterHints hints;
    if (given.has("height-range")) {
        hints.height_range = {settings.height_range.at(0), settings.height_range.at(1)};
        if (settings.height_range[0] >= settings.height_range[1])
            throw Error::input(fmt::format("--height-range {} is not allowed: give the lower height first",
                                           given.required_value("height-range")));
    }
    if (given.has("cell-size")) hints.cell_size = settings.cell_size;
    if (given.has("nodata")) hints.no_data = settings.nodata;
    return hints;
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

InputFile::InputFile(const std::string& name, Degrees degrees, RasterHints hints)
    : path_(name), typed_name_(name), hints_(hints) {
    if (name == kStandardStream) {
        folder_ = std::make_unique<TemporaryFolder>();
        typed_name_ = "standard input";
        path_ = folder_->path() / typed_name_;
        save_standard_input(path_);
    }
    if (degrees == Degrees::Reprojected && !name.empty()) read_by([&] { reproject(); });
}

void InputFile::reproject() {
    if (folder_ == nullptr) folder_ = std::make_unique<TemporaryFolder>();
    if (const auto view = raster_in_metres(path_, folder_->path(), hints_.no_data)) {
        path_ = view->path;
        hints_.no_data.reset();  // the view has heeded it
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

void check_inputs_differ(const std::vector<std::string>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (inputs[i] == inputs[k] ||
                (is_file(inputs[i]) && is_file(inputs[k]) && Place(inputs[i]).is(Place(inputs[k]))))
                throw Error::input(fmt::format("{} is named twice: name different files", inputs[i]));
}

void check_results(const std::vector<std::string>& inputs, const std::vector<std::string>& named,
                   const std::vector<fs::path>& results) {
    check_different(inputs, named);
    const std::vector<Place> places_read = places_of_inputs(inputs), places_of_named = places_of(named);
    for (const fs::path& result : results) {
        const Place place(result);
        if (std::ranges::any_of(places_read, [&](const Place& input) { return input.is(place); }))
            throw Error::input(fmt::format(
                "{} is an input and would be overwritten: name another folder with --out", result.string()));
        if (std::ranges::any_of(places_of_named, [&](const Place& other) { return other.is(place); }))
            throw named_twice(result.string());
    }
}

std::optional<std::filesystem::path> output_folder(const Given& given) {
    const auto folder = given.value("out");
    if (!folder) return std::nullopt;
    if (*folder == kStandardStream)
        throw Error::input("--out - is not allowed: a build writes several files, so give a folder");
    if (folder->empty()) throw Error::input("--out \"\" is not allowed: give a folder");
    return *folder;
}

}  // namespace thalweg::cli
