// thalweg info: what a raster, a project or a river network holds.
#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/raster_summary.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_file.hpp"

#include <algorithm>
#include <utility>

#include "cli/file_arguments.hpp"
#include "cli/standard_streams.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kSquareMetresPerSquareKilometre = 1e6;
constexpr double kMetresPerKilometre = 1e3;

std::string line(const std::string& name, const std::string& value) {
    return fmt::format("{:<12} {}\n", name, value);
}

/// The name that stands first in a coordinate reference system's WKT.
std::string crs_name(const std::string& wkt) {
    const std::size_t open = wkt.find('"');
    const std::size_t close = open == std::string::npos ? open : wkt.find('"', open + 1);
    if (close == std::string::npos) return "none: a local metre grid";
    return wkt.substr(open + 1, close - open - 1);
}

std::string grid_lines(const Grid& grid) {
    return line("size", fmt::format("{} x {} cells", grid.columns, grid.rows)) +
           line("cell", fmt::format("{} m", grid.cell_size)) +
           line("west east", fmt::format("{:.3f} {:.3f} m", grid.west, grid.west + grid.width())) +
           line("south north", fmt::format("{:.3f} {:.3f} m", grid.north - grid.height(), grid.north)) +
           line("CRS", crs_name(grid.crs));
}

std::string raster_text(const fs::path& path, const RasterHints& hints) {
    const RasterInfo info = read_raster_info(path, hints);
    const FieldSummary summary = raster_summary(path, hints);
    const std::int64_t empty_cells = info.grid.cells() - summary.cells_with_data;
    return line("raster",
                fmt::format("{}, {}, {}", info.driver, info.value_type,
                            info.bands == 1 ? "1 band"
                                            : fmt::format("{} bands, of which band 1 is read", info.bands))) +
           grid_lines(info.grid) +
           line("no data",
                fmt::format("{}, {} cells", info.no_data ? fmt::format("{}", *info.no_data) : "no tag",
                            empty_cells)) +
           line("minimum", fmt::format("{:.6g}", summary.minimum)) +
           line("maximum", fmt::format("{:.6g}", summary.maximum)) +
           line("mean", fmt::format("{:.6g}", summary.mean));
}

std::string network_text(const fs::path& path) {
    const RiverNetwork network = read_network(path, NetworkProfile::General);
    double length = 0.0;        // m
    double drained_area = 0.0;  // m^2, through all outlets
    int highest_order = 0;
    for (const Reach& reach : network.reaches) {
        length += reach.length;
        if (reach.next_down < 0) drained_area += reach.upland_area;
        highest_order = std::max(highest_order, reach.strahler);
    }
    const auto outlets = std::count_if(network.nodes.begin(), network.nodes.end(),
                                       [](const RiverNode& node) { return node.kind == NodeKind::Outlet; });
    return line("network",
                fmt::format("{} reaches, {} nodes", network.reaches.size(), network.nodes.size())) +
           line("outlets", fmt::format("{}", outlets)) +
           line("length", fmt::format("{:.1f} km", length / kMetresPerKilometre)) +
           line("drained", fmt::format("{:.1f} km^2", drained_area / kSquareMetresPerSquareKilometre)) +
           line("Strahler", fmt::format("up to {}", highest_order)) + line("CRS", crs_name(network.crs));
}

std::string project_text(const fs::path& path) {
    const Project project = read_project(path);
    print_notes(project.notes);
    return plan_text(project, plan_project(project));
}

void show_file(const Given& given) {
    const std::string& name = given.required_operand(0);
    const fs::path extension = fs::path(name).extension();
    if (extension == ".toml") return print_lines(project_text(name));
    if (extension == ".gpkg" || extension == ".geojson") return print_lines(network_text(name));
    allow_sources(given);
    const InputFile file(name, degrees_of(given), hints_of(given));
    print_lines(file.read_by([&] { return raster_text(file.path(), file.hints()); }));
}

}  // namespace

Verb info_verb() {
    FlagGroup input = input_flags();
    input.flags.push_back(sources_flag());
    return {.name = "info",
            .summary = "Tells what a raster, a project file or a river network holds.",
            .operands = {{"FILE",
                          "raster (- is standard input), project file (.toml) or river network (.gpkg, "
                          ".geojson)"}},
            .groups = {std::move(input)},
            .run = show_file};
}

}  // namespace thalweg::cli
