// What another program finds in an exported network, with nothing but its lines.
#include "thalweg/core/random.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/river/extract.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/flow/terrains.hpp"
#include "tests/io/temporary_folder.hpp"
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

namespace thalweg {
namespace {

using Place = std::array<double, 3>;

/// An exported line: where it begins and ends, and the order that it says it has.
struct ExportedLine {
    Place begin;
    Place end;
    int strahler;
};

std::vector<ExportedLine> lines_in(const std::filesystem::path& path) {
    GDALAllRegister();
    const std::unique_ptr<GDALDataset> dataset(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
    std::vector<ExportedLine> lines;
    for (auto& feature : dataset->GetLayerByName("reach")) {
        const OGRLineString& line = *feature->GetGeometryRef()->toLineString();
        const int last = line.getNumPoints() - 1;
        lines.push_back({.begin = {line.getX(0), line.getY(0), line.getZ(0)},
                         .end = {line.getX(last), line.getY(last), line.getZ(last)},
                         .strahler = feature->GetFieldAsInteger("strahler")});
    }
    return lines;
}

/// Strahler's order by its definition, from the lines that end where a line begins.
int order_of(const ExportedLine& line, const std::multimap<Place, const ExportedLine*>& by_end) {
    int highest = 0;
    int with_highest = 0;
    const auto [first, last] = by_end.equal_range(line.begin);
    for (auto above = first; above != last; ++above) {
        const int order = order_of(*above->second, by_end);
        with_highest = order > highest ? 1 : with_highest + (order == highest ? 1 : 0);
        highest = std::max(highest, order);
    }
    return highest == 0 ? 1 : highest + (with_highest > 1 ? 1 : 0);
}

TEST(ExportedNetwork, has_the_orders_that_its_lines_alone_tell_in_a_sample_of_100_reaches) {
    const TemporaryFolder folder;
    const Field<float> z = tests::white_terrain(160, 140, 8);
    QuietProgress progress;
    const FlowResult flow = route(z, {}, progress);
    write_network(folder / "rivers.gpkg",
                  extract_network(flow.tree, flow.drainage_area, flow.elevation,
                                  {.min_area = 10.0 * z.grid().cell_area()}, progress));
    for (const std::string name : {"rivers.gpkg", "rivers.geojson"}) {
        write_network(folder / name, read_network(folder / "rivers.gpkg"));
        const std::vector<ExportedLine> lines = lines_in(folder / name);
        ASSERT_GT(lines.size(), 300U);
        std::multimap<Place, const ExportedLine*> by_end;
        for (const ExportedLine& line : lines) by_end.emplace(line.end, &line);
        int highest = 0;
        for (std::uint64_t draw = 0; draw < 100; ++draw) {
            const ExportedLine& line = lines[random_bits(5, Stream::Noise, draw) % lines.size()];
            ASSERT_EQ(line.strahler, order_of(line, by_end)) << name << ", draw " << draw;
            highest = std::max(highest, line.strahler);
        }
        EXPECT_GE(highest, 3);
    }
}

}  // namespace
}  // namespace thalweg
