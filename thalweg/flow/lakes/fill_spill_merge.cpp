#include "thalweg/flow/fill_spill_merge.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 16;
constexpr std::int64_t kStepsPerPoll = 1 << 16;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Depressions that fill, spill and merge.
class Vessels {
  public:
    explicit Vessels(const std::vector<Depression>& depressions)
        : depressions_(depressions),
          water_(depressions.size(), 0.0),
          is_full_(depressions.size(), 0),
          passes_to_(depressions.size()) {
        for (std::size_t i = 0; i < passes_to_.size(); ++i) passes_to_[i] = static_cast<std::int32_t>(i);
    }

    /// Adds water, m^3, at the pit of `basin`.
    void pour(std::int32_t basin, double volume) {
        while (volume > 0.0) {
            const std::int32_t taker = taker_of(basin);
            if (taker == kNoDepression) {
                outflow_ += volume;
                return;
            }
            const double layer = depressions_[at(taker)].layer_volume;
            double& water = water_[at(taker)];
            if (water + volume < layer) {
                water += volume;
                return;
            }
            volume -= layer - water;
            water = layer;
            pass_on(taker);
        }
    }

    /// Fills all that spill out of the domain in the end. The lowest pit of a closed part drains it, so that
    /// what lies around that pit stays empty.
    void fill_all() {
        for (std::size_t i = 1; i < depressions_.size(); ++i) is_full_[i] = 1;
        for (std::size_t i = depressions_.size() - 1; i > 0; --i) {
            const Depression& of = depressions_[i];
            if (!of.can_spill() || (is_full_[at(of.parent)] == 0 && of.parent != kNoDepression &&
                                    depressions_[at(of.parent)].pit == of.pit))
                is_full_[i] = 0;
        }
        for (std::size_t i = 1; i < depressions_.size(); ++i)
            if (is_full_[i] != 0) water_[i] = depressions_[i].layer_volume;
        outflow_ = kInfinite;
    }

    /// Whether it holds water of its own layer, or is about to.
    [[nodiscard]] bool is_wet(std::int32_t depression) const {
        const auto [one, other] = depressions_[at(depression)].children;
        if (one == kNoDepression) return water_[at(depression)] > 0.0;
        return is_full_[at(one)] != 0 && is_full_[at(other)] != 0;
    }

    [[nodiscard]] double layer_water(std::int32_t depression) const { return water_[at(depression)]; }
    [[nodiscard]] bool is_full(std::int32_t depression) const { return is_full_[at(depression)] != 0; }
    [[nodiscard]] double outflow() const { return outflow_; }
    std::vector<std::uint8_t> take_full() && { return std::move(is_full_); }

  private:
    /// What takes the water that comes to the pit of `basin` now.
    std::int32_t taker_of(std::int32_t basin) {
        std::int32_t taker = basin;
        while (passes_to_[at(taker)] != taker) {
            passes_to_[at(taker)] = passes_to_[at(passes_to_[at(taker)])];
            taker = passes_to_[at(taker)];
        }
        return taker;
    }

    /// Lets a depression that is full now spill over its saddle, or become one with its full sibling.
    void pass_on(std::int32_t depression) {
        const Depression& of = depressions_[at(depression)];
        is_full_[at(depression)] = 1;
        passes_to_[at(depression)] = of.spills_into;
        if (of.parent == kNoDepression) return;
        const auto [one, other] = depressions_[at(of.parent)].children;
        if (is_full_[at(one)] == 0 || is_full_[at(other)] == 0) return;
        passes_to_[at(one)] = passes_to_[at(other)] = of.parent;
    }

    const std::vector<Depression>& depressions_;
    std::vector<double> water_;            // m^3, in the layer above where the children spill
    std::vector<std::uint8_t> is_full_;    // per depression
    std::vector<std::int32_t> passes_to_;  // per depression: where its water goes on to; itself: it keeps it
    double outflow_ = 0.0;                 // m^3
};

/// What runs down to the pit of each basin, m^3; to the outside for kDrained.
std::vector<double> gather(const Basins& basins, double runoff, double cell_area, const Progress& progress) {
    std::vector<std::int64_t> cells(at(basins.count()), 0);
    for (std::size_t cell = 0; cell < basins.of_cell.size(); ++cell) {
        if (cell % kStepsPerPoll == 0) progress.poll();
        if (basins.of_cell[cell] != kNoBasin) ++cells[at(basins.of_cell[cell])];
    }
    std::vector<double> volumes(cells.size(), 0.0);
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i] > 0) volumes[i] = runoff * (static_cast<double>(cells[i]) * cell_area);
    return volumes;
}

void check_runoff(double runoff, const char* of, double most) {
    if (runoff >= 0.0 && (runoff <= kMostRunoff || runoff == most)) return;
    throw Error::input(fmt::format("runoff = {}{} is not allowed: from 0 to {} m{}", runoff, of, kMostRunoff,
                                   std::isinf(most) ? ", or inf" : ""));
}

std::vector<double> gather(const Basins& basins, const Field<float>& runoff, const Progress& progress) {
    std::vector<double> depths(at(basins.count()), 0.0);
    for (std::int64_t cell = 0; cell < runoff.size(); ++cell) {
        if (cell % kStepsPerPoll == 0) progress.poll();
        const std::int32_t basin = basins.of_cell[at(cell)];
        if (basin == kNoBasin) continue;
        const double depth = static_cast<double>(runoff[cell]);
        if (!(depth >= 0.0 && depth <= kMostRunoff))
            check_runoff(depth, fmt::format(" at cell {}", cell).c_str(), kMostRunoff);
        depths[at(basin)] += depth;
    }
    for (double& depth : depths) depth *= runoff.grid().cell_area();
    return depths;
}

/// The cells' elevations, m, in ascending order, of the layers that are partly filled.
class PartLayers {
  public:
    PartLayers(std::size_t depressions, const std::vector<Lake>& lakes, const Vessels& vessels)
        : place_(depressions, -1) {
        for (const Lake& lake : lakes) {
            if (vessels.is_full(lake.depression)) continue;
            place_[at(lake.depression)] = static_cast<std::int32_t>(elevations_.size());
            elevations_.emplace_back();
        }
    }

    void sort(const Field<float>& elevation, const DepressionHierarchy& hierarchy, const Progress& progress) {
        if (elevations_.empty()) return;
        for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
            if (cell % kStepsPerPoll == 0) progress.poll();
            const std::int32_t place = place_[at(hierarchy.of_cell[at(cell)])];
            if (place >= 0) elevations_[at(place)].push_back(elevation[cell]);
        }
        parallel_for(0, static_cast<std::int64_t>(elevations_.size()), kLayersPerTask,
                     [&](std::int64_t first, std::int64_t last) {
                         progress.poll();
                         for (std::int64_t i = first; i < last; ++i)
                             std::sort(elevations_[at(i)].begin(), elevations_[at(i)].end());
                     });
    }

    [[nodiscard]] const std::vector<float>& of(std::int32_t depression) const {
        return elevations_[at(place_[at(depression)])];
    }

  private:
    static constexpr std::int64_t kLayersPerTask = 64;
    std::vector<std::int32_t> place_;  // per depression: where its cells stand in elevations_, or -1
    std::vector<std::vector<float>> elevations_;
};

/// The level, m, that `depth` m of water on one cell reaches in a layer: over `flooded` cells from `floor` m
/// up, and over its own.
double level_of(double depth, std::int64_t flooded, double floor, const std::vector<float>& own) {
    double level = floor;
    for (const float next : own) {
        const double area = static_cast<double>(flooded);  // in cells
        const double needed = area * (static_cast<double>(next) - level);
        if (needed >= depth && flooded > 0) break;
        depth -= needed;
        level = static_cast<double>(next);
        ++flooded;
    }
    return flooded > 0 ? level + depth / static_cast<double>(flooded) : level;
}

/// Reads lakes off filled vessels.
class LakeFinder {
  public:
    LakeFinder(const Field<float>& elevation, const Basins& basins, const DepressionHierarchy& hierarchy,
               const Vessels& vessels, const Progress& progress)
        : elevation_(elevation),
          basins_(basins),
          hierarchy_(hierarchy),
          depressions_(hierarchy.depressions),
          vessels_(vessels),
          progress_(progress) {}

    /// `arriving`: what runs down to each basin, m^3.
    void find(const std::vector<double>& arriving, Lakes& result) {
        find_depressions_of_lakes();
        find_levels();
        measure();
        find_inflow(arriving);
        list(result);
    }

    /// What the vessels hold in all lakes, m^3.
    [[nodiscard]] double held() const {
        double sum = 0.0;
        for (const Lake& lake : lakes_) sum += held_by(lake);
        return sum;
    }

  private:
    static constexpr std::int32_t kDry = -1;

    /// The largest depression whose water covers each one's, if any.
    void find_depressions_of_lakes() {
        lake_of_.assign(depressions_.size(), kDry);
        for (std::size_t i = depressions_.size() - 1; i > 0; --i) {
            const auto depression = static_cast<std::int32_t>(i);
            const Depression& of = depressions_[i];
            if (of.parent != kNoDepression && vessels_.is_wet(of.parent)) {
                lake_of_[i] = lake_of_[at(of.parent)];
            } else if (vessels_.is_wet(depression)) {
                lake_of_[i] = static_cast<std::int32_t>(lakes_.size());
                lakes_.push_back({.id = basins_.of_cell[at(of.pit)],
                                  .depression = depression,
                                  .pit = of.pit,
                                  .outlet = vessels_.is_full(depression) ? of.sill(elevation_) : -1});
            }
        }
    }

    void find_levels() {
        PartLayers layers(depressions_.size(), lakes_, vessels_);
        layers.sort(elevation_, hierarchy_, progress_);
        for (Lake& lake : lakes_) {
            const Depression& of = depressions_[at(lake.depression)];
            lake.level = static_cast<double>(of.spill_elevation);
            if (!vessels_.is_full(lake.depression))
                lake.level = std::min(lake.level, part_level(lake, layers.of(lake.depression)));
        }
    }

    [[nodiscard]] double part_level(const Lake& lake, const std::vector<float>& own) const {
        const double depth = vessels_.layer_water(lake.depression) / elevation_.grid().cell_area();
        const Depression& of = depressions_[at(lake.depression)];
        if (of.is_basin()) return level_of(depth, 0, static_cast<double>(own.front()), own);
        const Depression& one = depressions_[at(of.children[0])];
        const Depression& other = depressions_[at(of.children[1])];
        return level_of(depth, one.cells + other.cells, static_cast<double>(one.spill_elevation), own);
    }

    void measure() {
        const double cell_area = elevation_.grid().cell_area();
        for (std::int64_t cell = 0; cell < elevation_.size(); ++cell) {
            if (cell % kStepsPerPoll == 0) progress_.poll();
            const std::int32_t basin = basins_.of_cell[at(cell)];
            if (basin <= kDrained || lake_of_[at(basin)] == kDry) continue;
            Lake& lake = lakes_[at(lake_of_[at(basin)])];
            const double depth = lake.level - static_cast<double>(elevation_[cell]);
            if (!(depth > 0.0)) continue;
            lake.area += cell_area;
            lake.volume += depth * cell_area;
        }
        for (Lake& lake : lakes_) lake.depth = lake.level - static_cast<double>(elevation_[lake.pit]);
    }

    /// Follows what full lakes spill from lake to lake, each behind those that spill into it.
    void find_inflow(const std::vector<double>& arriving) {
        std::vector<std::int32_t> spills_to(lakes_.size(), kDry), awaited(lakes_.size(), 0);
        for (std::size_t i = 0; i < lakes_.size(); ++i) {
            if (lakes_[i].outlet < 0) continue;
            spills_to[i] = lake_of_[at(depressions_[at(lakes_[i].depression)].spills_into)];
            if (spills_to[i] != kDry) ++awaited[at(spills_to[i])];
        }
        for (std::size_t basin = 1; basin < arriving.size(); ++basin)
            if (lake_of_[basin] != kDry) lakes_[at(lake_of_[basin])].inflow += arriving[basin];
        std::vector<std::int32_t> ready;
        for (std::size_t i = 0; i < lakes_.size(); ++i)
            if (awaited[i] == 0) ready.push_back(static_cast<std::int32_t>(i));
        for (std::size_t next = 0; next < ready.size(); ++next) {
            const Lake& lake = lakes_[at(ready[next])];
            const std::int32_t below = spills_to[at(ready[next])];
            if (below == kDry) continue;
            lakes_[at(below)].inflow += std::max(0.0, lake.inflow - held_by(lake));
            if (--awaited[at(below)] == 0) ready.push_back(below);
        }
    }

    /// m^3.
    [[nodiscard]] double held_by(const Lake& lake) const {
        double volume = vessels_.layer_water(lake.depression);
        for (const std::int32_t child : depressions_[at(lake.depression)].children)
            if (child != kNoDepression) volume += depressions_[at(child)].volume;
        return volume;
    }

    /// Leaves out lakes shallower than the numbers can tell.
    void list(Lakes& result) const {
        result.standing_over.resize(at(basins_.count()), kNoDepression);
        for (std::size_t basin = 1; basin < result.standing_over.size(); ++basin)
            if (lake_of_[basin] != kDry) result.standing_over[basin] = lakes_[at(lake_of_[basin])].depression;
        for (const Lake& lake : lakes_) {
            if (lake.area > 0.0) result.lakes.push_back(lake);
            result.volume += lake.volume;
        }
        std::sort(result.lakes.begin(), result.lakes.end(),
                  [](const Lake& a, const Lake& b) { return a.id < b.id; });
    }

    const Field<float>& elevation_;
    const Basins& basins_;
    const DepressionHierarchy& hierarchy_;
    const std::vector<Depression>& depressions_;
    const Vessels& vessels_;
    const Progress& progress_;
    std::vector<std::int32_t> lake_of_;  // per depression: which of lakes_ covers it, or kDry
    std::vector<Lake> lakes_;
};

/// Tells cells of their lakes.
void flood(const Field<float>& elevation, const Basins& basins, const Progress& progress, Lakes& lakes) {
    const std::vector<std::int32_t> lake_over = lakes_over_basins(lakes);
    lakes.water_elevation = Field<float>(elevation.grid(), kNoData);
    lakes.water_depth = Field<float>(elevation.grid());
    lakes.lake = Field<std::int32_t>(elevation.grid());
    parallel_for(0, elevation.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        for (std::int64_t cell = first; cell < last; ++cell) {
            const std::int32_t basin = basins.of_cell[at(cell)];
            if (basin == kNoBasin) lakes.water_depth[cell] = kNoData;
            if (basin <= kDrained || lake_over[at(basin)] < 0) continue;
            const Lake& lake = lakes.lakes[at(lake_over[at(basin)])];
            const double depth = lake.level - static_cast<double>(elevation[cell]);
            if (!(depth > 0.0)) continue;
            lakes.water_elevation[cell] = static_cast<float>(lake.level);
            lakes.water_depth[cell] = static_cast<float>(depth);
            lakes.lake[cell] = lake.id;
        }
    });
}

}  // namespace

std::vector<std::int32_t> lakes_over_basins(const Lakes& lakes) {
    std::vector<std::int32_t> of_depression(lakes.is_full.size(), -1);
    for (std::size_t i = 0; i < lakes.lakes.size(); ++i)
        of_depression[at(lakes.lakes[i].depression)] = static_cast<std::int32_t>(i);
    std::vector<std::int32_t> over(lakes.standing_over.size(), -1);
    for (std::size_t basin = 1; basin < over.size(); ++basin)
        over[basin] = of_depression[at(lakes.standing_over[basin])];
    return over;
}

Lakes fill_basins(const Field<float>& elevation, const Basins& basins, const DepressionHierarchy& hierarchy,
                  const std::vector<double>& arriving, Progress& progress) {
    Vessels vessels(hierarchy.depressions);
    Lakes result;
    for (const double volume : arriving) result.runoff += volume;
    const bool is_endless = std::isinf(result.runoff);
    if (is_endless) {
        vessels.fill_all();
    } else {
        for (std::size_t basin = 0; basin < arriving.size(); ++basin) {
            if (basin % at(kStepsPerPoll) == 0) progress.poll();
            vessels.pour(static_cast<std::int32_t>(basin), arriving[basin]);
        }
    }
    LakeFinder finder(elevation, basins, hierarchy, vessels, progress);
    finder.find(arriving, result);
    result.outflow = vessels.outflow();
    const double expected = is_endless ? finder.held() : result.runoff - result.outflow;  // m^3
    const double all = is_endless ? expected : result.runoff;
    result.volume_error = all > 0.0 ? std::abs(expected - result.volume) / all : 0.0;
    result.is_full = std::move(vessels).take_full();
    return result;
}

Lakes fill_spill_merge(const Field<float>& elevation, const Basins& basins,
                       const DepressionHierarchy& hierarchy, const LakeWater& water, Progress& progress) {
    const std::vector<std::int64_t> places = cells_of_sources(water.sources, elevation);
    if (water.runoff_of_cell.empty()) check_runoff(water.runoff, "", kInfinite);
    std::vector<double> arriving = water.runoff_of_cell.empty()
                                       ? gather(basins, water.runoff, elevation.grid().cell_area(), progress)
                                       : gather(basins, water.runoff_of_cell, progress);
    for (std::size_t i = 0; i < places.size(); ++i)
        arriving[at(basins.of_cell[at(places[i])])] += water.sources[i].volume;
    Lakes lakes = fill_basins(elevation, basins, hierarchy, arriving, progress);
    flood(elevation, basins, progress, lakes);
    return lakes;
}

}  // namespace thalweg
