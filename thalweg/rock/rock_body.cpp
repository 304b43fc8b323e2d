#include "thalweg/rock/rock_body.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/rock/rock_keys.hpp"
#include "thalweg/rock/stratigraphy.hpp"
#include "thalweg/rock/structure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// A cell's surface cuts this share of its size of the column: the mean slope of mountains. Empirical.
constexpr double kCutByCell = 0.5;

/// What holds a river up holds a slope up, if less so: S_c grows with k to the power of minus this.
/// Empirical, by the curvature of steep slopes.
constexpr double kSlopeByStrength = 0.5;

/// What is no part of the column, behind it in the list.
const Formation kGranite{"granite", 1e4, 0.5, 1.3, "#c4a59d"};
const Formation kDyke{"dyke", 20.0, 0.55, 1.2, "#3f4549"};
const Formation kCover{"cover", 200.0, 3.0, 0.5, "#d8cfa4"};

/// Adds a formation that the body has, under another name where the column uses its name.
void add_formation(Formation formation, std::vector<Formation>& formations) {
    const auto same = [&](const Formation& other) { return other.name == formation.name; };
    if (std::any_of(formations.begin(), formations.end(), same)) formation.name += " intrusion";
    formations.push_back(std::move(formation));
}

/// All that a row of columns is made by.
struct Structure {
    Structure(const RockParameters& parameters, std::uint64_t seed, double cell_size)
        : strike(direction_from_north(parameters.strike)),
          dip(direction_from_north(parameters.dip)),
          tilt(direction_from_north(parameters.unconformity_tilt)),
          folds(parameters, seed),
          faults(parameters, seed, cell_size),
          joints(parameters, seed, cell_size),
          heterogeneity(parameters, seed, cell_size),
          dykes(parameters, seed, cell_size),
          surfaces(parameters, seed) {}

    UnitVector strike;
    UnitVector dip;   // x: its sine, y: its cosine
    UnitVector tilt;  // of older beds, the same
    Folds folds;
    Faults faults;
    Joints joints;
    Heterogeneity heterogeneity;
    Dykes dykes;
    Surfaces surfaces;
};

void structure_row(const RockParameters& parameters, std::uint64_t seed, int row, RockColumns& columns) {
    const Grid& grid = columns.base.grid();
    Structure structure(parameters, seed, grid.cell_size);
    for (int column = 0; column < grid.columns; ++column) {
        const Position p = grid.centre(column, row);
        const std::int64_t cell = grid.index(column, row);
        const double along = structure.strike.x * p.x + structure.strike.y * p.y;
        const double across = structure.strike.y * p.x - structure.strike.x * p.y;
        const Faults::Effect faults =
            parameters.fault_spacing > 0.0 ? structure.faults.at(p) : Faults::Effect{};
        const double joints = parameters.joint_spacing > 0.0 ? structure.joints.at(p) : 0.0;
        columns.base[cell] =
            static_cast<float>(structure.dip.x * across + structure.folds(across, along) + faults.lift);
        columns.ln_factor[cell] =
            static_cast<float>(faults.ln_factor + joints + structure.heterogeneity.at(p));
        if (!columns.pluton_top.empty())
            columns.pluton_top[cell] = static_cast<float>(structure.surfaces.pluton_top(p));
        if (!columns.dyke.empty()) columns.dyke[cell] = static_cast<float>(structure.dykes.at(p));
        if (!columns.cover_base.empty())
            columns.cover_base[cell] = static_cast<float>(structure.surfaces.cover_base(p));
        if (!columns.old_land.empty()) {
            columns.old_land[cell] = static_cast<float>(structure.surfaces.old_land(p));
            columns.older[cell] = static_cast<float>(structure.tilt.x * across);
        }
    }
}

/// The value of the cell in which the position lies, or of the nearest one.
float nearest(const Field<float>& field, const Position& p) {
    const auto cell = [](double place, int cells) {
        return static_cast<int>(std::clamp(std::floor(place + 0.5), 0.0, static_cast<double>(cells - 1)));
    };
    const Grid& grid = field.grid();
    return field(cell(grid.column_at(p.x), grid.columns), cell(grid.row_at(p.y), grid.rows));
}

/// What maps tell, over what the body has.
void map_row(const RockMaps& maps, int row, RockColumns& columns) {
    const Grid& grid = columns.base.grid();
    for (int column = 0; column < grid.columns; ++column) {
        const Position p = grid.centre(column, row);
        const std::int64_t cell = grid.index(column, row);
        if (!maps.erodibility_factor.empty()) {
            const float factor = sample_bilinear(maps.erodibility_factor, p);
            if (!is_no_data(factor)) columns.ln_factor[cell] += static_cast<float>(portable_log(factor));
        }
        if (!maps.formation.empty()) {
            const float number = nearest(maps.formation, p);
            if (!is_no_data(number)) columns.mapped[cell] = static_cast<std::uint8_t>(number);
        }
    }
}

void check_maps(const RockMaps& maps, std::size_t formations) {
    for (const float factor : maps.erodibility_factor)
        if (!is_no_data(factor) && !(factor > 0.0F && std::isfinite(factor)))
            throw Error::input(
                fmt::format("a factor of {} on erodibility is not allowed: give more than 0", factor));
    for (const float number : maps.formation)
        if (!is_no_data(number) &&
            !(number >= 0.0F && number <= static_cast<float>(formations) && std::floor(number) == number))
            throw Error::input(fmt::format(
                "the map of formations holds {}, which is none: give 1 to {}, or 0 for that of the body",
                number, formations));
}

/// The rock of cells at heights. Not for several threads at once.
class Sampler {
  public:
    Sampler(const RockBody& body, const RockColumns& columns, std::uint64_t seed)
        : formations_(body.formations()),
          columns_(columns),
          stratigraphy_(body.parameters(), seed),
          older_(body.parameters(), rock_bits(seed, RockUse::OlderColumn)),
          tilt_cosine_(direction_from_north(body.parameters().unconformity_tilt).y),
          window_(kCutByCell * columns.base.grid().cell_size),
          cosine_(direction_from_north(body.parameters().dip).y),
          granite_(static_cast<std::uint8_t>(body.parameters().formations.size())) {
        for (const Formation& formation : formations_)
            ln_factors_.push_back(portable_log(formation.erodibility_factor));
    }

    RockSample at(std::int64_t cell, double z) {
        Bed bed = bed_at(cell, cosine_ * z + columns_.base[cell]);
        if (!columns_.pluton_top.empty() && z < columns_.pluton_top[cell]) become(bed, granite_, 1.0);
        if (!columns_.dyke.empty() && columns_.dyke[cell] > 0.0F)
            become(bed, static_cast<std::uint8_t>(granite_ + 1), columns_.dyke[cell]);
        bed.ln_factor += columns_.ln_factor[cell];
        if (!columns_.cover_base.empty() && z > columns_.cover_base[cell])
            become(bed, static_cast<std::uint8_t>(granite_ + 2), 1.0);
        if (!columns_.mapped.empty() && columns_.mapped[cell] > 0)
            bed = mapped(static_cast<std::uint8_t>(columns_.mapped[cell] - 1), columns_.ln_factor[cell]);
        const Formation& formation = formations_[bed.formation];
        const double strength = ln_factors_[bed.formation] - bed.ln_factor;
        return {portable_exp(bed.ln_factor),
                formation.critical_slope * portable_exp(kSlopeByStrength * strength), bed.formation};
    }

  private:
    /// At the stratigraphic height s, m.
    Bed bed_at(std::int64_t cell, double s) {
        if (columns_.old_land.empty() || s >= columns_.old_land[cell]) return stratigraphy_.at(s, window_);
        return older_.at(tilt_cosine_ * s + columns_.older[cell], window_);
    }

    /// Of one formation, without beds, but with faults, joints and heterogeneity.
    [[nodiscard]] Bed mapped(std::uint8_t formation, float ln_factor) const {
        return {ln_factors_[formation] + static_cast<double>(ln_factor), formation};
    }

    /// Lets a share of the bed be of another formation.
    void become(Bed& bed, std::uint8_t formation, double share) const {
        bed.ln_factor += share * (ln_factors_[formation] - bed.ln_factor);
        if (share >= 0.5) bed.formation = formation;
    }

    const std::vector<Formation>& formations_;
    std::vector<double> ln_factors_;  // of erodibility, of the formations
    const RockColumns& columns_;
    Stratigraphy stratigraphy_;
    Stratigraphy older_;  // below the unconformity
    double tilt_cosine_;
    double window_;  // m
    double cosine_;
    std::uint8_t granite_;  // dyke and cover follow
};

}  // namespace

RockBody::RockBody(const RockParameters& parameters, std::uint64_t seed, RockMaps maps)
    : parameters_(resolved(parameters, seed)),
      seed_(seed),
      formations_(parameters_.formations),
      maps_(std::move(maps)) {
    check_rock(parameters);
    // Each at a place of its own behind the column, whether the body has it or not.
    add_formation(kGranite, formations_);
    add_formation(kDyke, formations_);
    add_formation(kCover, formations_);
    check_maps(maps_, formations_.size());
}

RockColumns RockBody::columns(const Grid& grid, Progress& progress) const {
    RockColumns columns;
    columns.base = Field<float>(grid);
    columns.ln_factor = Field<float>(grid);
    if (parameters_.pluton_share > 0.0) columns.pluton_top = Field<float>(grid);
    if (parameters_.dyke_spacing > 0.0) columns.dyke = Field<float>(grid);
    if (parameters_.cover > 0.0) columns.cover_base = Field<float>(grid);
    if (parameters_.unconformity > 0.0) {
        columns.old_land = Field<float>(grid);
        columns.older = Field<float>(grid);
    }
    if (!maps_.formation.empty()) columns.mapped = Field<std::uint8_t>(grid);
    for_each_row(grid, [&](int row) {
        progress.poll();
        structure_row(parameters_, seed_, row, columns);
        map_row(maps_, row, columns);
    });
    return columns;
}

RockSurface RockBody::at(const RockColumns& columns, const Field<float>& z, Progress& progress) const {
    const Grid& grid = z.grid();
    RockSurface surface{Field<float>(grid), Field<float>(grid), Field<std::uint8_t>(grid)};
    for_each_row(grid, [&](int row) {
        progress.poll();
        Sampler sampler(*this, columns, seed_);
        for (int column = 0; column < grid.columns; ++column) {
            const std::int64_t cell = grid.index(column, row);
            if (is_no_data(z[cell])) {
                surface.erodibility_factor[cell] = surface.critical_slope[cell] = kNoData;
                continue;
            }
            const RockSample rock = sampler.at(cell, z[cell]);
            surface.erodibility_factor[cell] = static_cast<float>(rock.erodibility_factor);
            surface.critical_slope[cell] = static_cast<float>(rock.critical_slope);
            surface.formation[cell] = rock.formation;
        }
    });
    return surface;
}

RockSample RockBody::sample(const RockColumns& columns, std::int64_t cell, double z) const {
    return Sampler(*this, columns, seed_).at(cell, z);
}

}  // namespace thalweg
