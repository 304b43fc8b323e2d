#include "thalweg/project/output/pictures.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/river/network.hpp"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Pictures, of_a_map_keep_the_lines_of_rivers_where_the_layer_of_water_is_of_lakes) {
    const Grid grid{.columns = 40, .rows = 40, .cell_size = 5.0, .north = 200.0};
    Landscape landscape;
    landscape.grid = grid;
    Field<float> slope(grid);
    for (std::int64_t cell = 0; cell < slope.size(); ++cell)
        slope[cell] = static_cast<float>(grid.column_of(cell));
    landscape.set(kElevation, slope);
    RiverNetwork rivers;
    Reach reach;
    reach.points = {{10.0, 100.0, 1.0}, {190.0, 100.0, 1.0}};
    reach.width = 30.0;
    reach.bankfull_discharge = 20.0;
    reach.upland_area = 1e8;
    rivers.reaches.push_back(reach);
    landscape.put(kRivers, rivers);
    const auto map = [&] {
        QuietProgress progress;
        return draw_picture({.name = "map.png", .kind = OutputKind::Picture, .layer = "", .format = "map"},
                            "lakes", {}, landscape, progress);
    };
    const Image with_river = map();
    Field<float> depth(grid);
    depth(3, 3) = 2.0F;
    landscape.set(kWaterDepth, depth);
    EXPECT_EQ(map().rgb, with_river.rgb);
    landscape.put(kRivers, RiverNetwork{});
    EXPECT_NE(map().rgb, with_river.rgb);
}

}  // namespace
}  // namespace thalweg
