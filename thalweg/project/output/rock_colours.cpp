#include "thalweg/project/output/rock_colours.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/rock.hpp"
#include "thalweg/rock/rock_body.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace thalweg {
namespace {

/// A formation's colour in a bed of that hardness: lighter where it is harder than the formation's mean.
Colour bed_colour(Colour formation, double hardness) {
    constexpr float kBedContrast = 0.22F;  // of the colour, for a bed half as erodible
    return formation * (1.0F + kBedContrast * static_cast<float>(std::clamp(std::log2(hardness), -1.0, 1.0)));
}

/// What is asked of the ground, ray by ray.
struct RockInCuts {
    RockBody body;
    RockColumns columns;
    Field<float> risen;  // m; empty: nothing has
    std::vector<Category> formations;

    [[nodiscard]] Colour at(const Position& position, double height) const {
        const Grid& grid = columns.base.grid();
        const int column =
            std::clamp(static_cast<int>(std::lround(grid.column_at(position.x))), 0, grid.columns - 1);
        const int row = std::clamp(static_cast<int>(std::lround(grid.row_at(position.y))), 0, grid.rows - 1);
        const std::int64_t cell = grid.index(column, row);
        const RockSample rock = body.sample(columns, cell, risen.empty() ? height : height - risen[cell]);
        const double hardness =
            body.formations()[rock.formation].erodibility_factor / rock.erodibility_factor;
        return bed_colour(formations[rock.formation].colour, hardness);
    }
};

}  // namespace

std::vector<Category> categories_of(const std::vector<Formation>& formations) {
    std::vector<Category> categories;
    for (const Formation& formation : formations)
        categories.push_back({formation.name, srgb(formation.colour)});
    return categories;
}

std::vector<Category> formation_categories(const Landscape& landscape) {
    const Rock* const rock = landscape.find<Rock>(kRock);
    if (rock == nullptr) return {};
    return categories_of(RockBody(rock->parameters, rock->seed, rock->maps).formations());
}

std::vector<Category> formations_of_body(const Landscape& landscape) {
    std::vector<Category> all = formation_categories(landscape);
    if (all.empty()) return all;
    const Rock& rock = landscape.get<Rock>(kRock);
    const RockParameters parameters = RockBody(rock.parameters, rock.seed).parameters();
    const std::size_t column = parameters.formations.size();
    std::vector<Category> kinds(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(column));
    if (parameters.pluton_share > 0.0) kinds.push_back(all[column]);
    if (parameters.dyke_spacing > 0.0) kinds.push_back(all[column + 1]);
    if (parameters.cover > 0.0) kinds.push_back(all[column + 2]);
    return kinds;
}

Field<Colour> rock_at_ground(const Landscape& landscape) {
    const Rock* const rock = landscape.find<Rock>(kRock);
    if (rock == nullptr || !landscape.has(kFormation) || !landscape.has(kErodibility)) return {};
    const RockBody body(rock->parameters, rock->seed);
    const std::vector<Category> categories = formation_categories(landscape);
    const Field<float>& numbers = landscape.layer(kFormation);
    const Field<float>& erodibility = landscape.layer(kErodibility);
    Field<Colour> colours(numbers.grid(), categories.front().colour);
    for (std::int64_t cell = 0; cell < numbers.size(); ++cell) {
        const float number = numbers[cell];
        if (!(number >= 1.0F && number <= static_cast<float>(categories.size()))) continue;
        const std::size_t formation = static_cast<std::size_t>(number) - 1;
        const double hardness = rock->erodibility * body.formations()[formation].erodibility_factor /
                                static_cast<double>(erodibility[cell]);
        colours[cell] = bed_colour(categories[formation].colour, hardness);
    }
    return colours;
}

Field<Colour> washed_ground(const Landscape& landscape) {
    for (const char* const name : {kGroundRed, kGroundGreen, kGroundBlue})
        if (!landscape.has(name)) return {};
    const Field<float>& red = landscape.layer(kGroundRed);
    const Field<float>& green = landscape.layer(kGroundGreen);
    const Field<float>& blue = landscape.layer(kGroundBlue);
    Field<Colour> colours(red.grid(), srgb(0xB0A090));  // of cells without data, which smoothing blends in
    for (std::int64_t cell = 0; cell < red.size(); ++cell)
        if (!is_no_data(red[cell])) colours[cell] = to_srgb({red[cell], green[cell], blue[cell]});
    return colours;
}

GroundColour rock_in_cuts(const Landscape& landscape, Progress& progress) {
    const Rock* const rock = landscape.find<Rock>(kRock);
    if (rock == nullptr) return {};
    RockBody body(rock->parameters, rock->seed, rock->maps);
    RockColumns columns = body.columns(landscape.grid, progress);
    std::ranges::fill(columns.ln_factor, 0.0F);  // which is the same at every depth: it would show as streaks
    const auto held = std::make_shared<const RockInCuts>(
        RockInCuts{std::move(body), std::move(columns),
                   landscape.has(kRockUplift) ? landscape.layer(kRockUplift) : Field<float>(),
                   formation_categories(landscape)});
    return [held](const Position& position, double height) { return held->at(position, height); };
}

}  // namespace thalweg
