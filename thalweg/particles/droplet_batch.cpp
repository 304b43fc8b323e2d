#include "thalweg/particles/droplet_batch.hpp"

#include "thalweg/core/cancelling.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

/// Runs droplets on one ground into one set of traces.
class DropletRunner {
  public:
    DropletRunner(const DropletLaw& law, const DropletGround& ground, const GroundTiles& tiles,
                  DropletTraces& traces)
        : law_(law), ground_(ground), tiles_(tiles), traces_(traces) {}

    void run(const DropletStart& start) {
        Droplet droplet = start.droplet;
        enter(column_of(droplet), row_of(droplet));
        int steps = 0;
        while (!has_left_ && steps < law_.steps) {
            const bool goes_on =
                is_water(ground_.kinds[cell_]) ? step_in_water(droplet, steps) : step(droplet, steps);
            if (!goes_on) break;
            ++steps;
        }
        end(start, droplet, steps);
    }

  private:
    static constexpr int kLastCells = 32;           // over which a load is spread at the end (empirical)
    static constexpr int kMostTurns = 8;            // in a hollow, until it stays there (empirical)
    static constexpr std::int32_t kLeastLoad = 64;  // units, half a millimetre

    static int column_of(const Droplet& droplet) { return static_cast<int>(droplet.place.x); }
    static int row_of(const Droplet& droplet) { return static_cast<int>(droplet.place.y); }

    void enter(int column, int row) {
        column_ = column;
        row_ = row;
        cell_ = static_cast<std::int64_t>(row) * ground_.columns + column;
        has_left_ = ground_.kinds[cell_] == CellKind::Border;
        lowest_ = foot_ = ground_.surface(cell_);
        turns_ = 0;
        length_ = law_.cell_size;
    }

    /// Crosses into the next cell; false where the droplet ends.
    bool step(Droplet& droplet, int number) {
        const GroundCell& here = ground_.cells[cell_];
        const Vector2 gradient = gradient_at(law_, ground_, column_, row_);
        const Vector2 direction = turned(law_, droplet.direction, gradient, here, length_);
        if (direction.x == 0.0F && direction.y == 0.0F) return false;
        droplet.direction = direction;
        const std::int64_t next = advance(droplet);
        const float surface = ground_.surface(next);
        leave_trace(droplet);
        exchange(droplet, here.elevation - surface);
        cross_into(droplet, next, number);
        return can_go_on(droplet, surface);
    }

    /// Goes straight on through still water, where the load settles. A droplet that has nothing left to lay
    /// down goes on below the lake, if that spills; else it ends there.
    bool step_in_water(Droplet& droplet, int number) {
        if (droplet.load <= kLeastLoad || (droplet.direction.x == 0.0F && droplet.direction.y == 0.0F)) {
            lay_down(droplet.load, std::min(number, 1));
            droplet.load = 0;
            return spill(droplet);
        }
        const std::int64_t next = advance(droplet);
        leave_trace(droplet);
        const GroundCell& here = ground_.cells[cell_];
        const float depth = ground_.surface(cell_) - here.elevation;
        lay(droplet, settled(law_, droplet, depth, length_, here));
        cross_into(droplet, next, number);
        return can_go_on(droplet, ground_.surface(next));
    }

    /// Sets a droplet on the sill of its lake, on its way down; false where the lake keeps its water.
    bool spill(Droplet& droplet) {
        if (ground_.kinds[cell_] == CellKind::Sea) {
            has_left_ = true;
            return false;
        }
        const ParticleLake& lake = ground_.lakes[ground_.lake[cell_] - 1];
        if (lake.sill < 0) return false;
        const int columns = ground_.columns;
        const int row = lake.sill / columns;
        const int rows_down = lake.to / columns - lake.from / columns;
        const auto x = static_cast<float>(lake.to % columns - lake.from % columns);
        const auto y = static_cast<float>(rows_down);
        const float size = std::sqrt(x * x + y * y);
        droplet.direction = {x / size, y / size};
        droplet.place = {static_cast<float>(lake.sill % columns) + 0.5F, static_cast<float>(row) + 0.5F};
        enter(lake.sill % columns, row);
        return true;
    }

    /// Moves the droplet on by one column or row; returns the cell that it comes to.
    std::int64_t advance(Droplet& droplet) {
        const float major = std::max(std::abs(droplet.direction.x), std::abs(droplet.direction.y));
        droplet.place.x += droplet.direction.x / major;
        droplet.place.y += droplet.direction.y / major;
        length_ = law_.cell_size / major;
        ++traces_.tally.moves;
        return static_cast<std::int64_t>(row_of(droplet)) * ground_.columns + column_of(droplet);
    }

    void cross_into(Droplet& droplet, std::int64_t next, int number) {
        last_cells_[static_cast<std::size_t>(number % kLastCells)] = cell_;
        droplet.volume *= law_.evaporation_length / (law_.evaporation_length + length_);
        column_ = column_of(droplet);
        row_ = row_of(droplet);
        cell_ = next;
        has_left_ = ground_.kinds[next] == CellKind::Border;
    }

    /// Lets a droplet that has climbed as far as it can turn round; false where it has done so too often.
    bool can_go_on(Droplet& droplet, float elevation) {
        if (elevation < lowest_) {
            lowest_ = elevation;
            turns_ = 0;
        }
        foot_ = std::min(foot_, elevation);
        if (elevation <= foot_ + law_.climb_limit) return true;
        foot_ = elevation;
        droplet.direction = {};
        return ++turns_ < kMostTurns;
    }

    void leave_trace(const Droplet& droplet) {
        CellTrace& trace = traces_.cells[at(cell_)];
        const float water = kTraceOfDroplet * droplet.volume;
        trace.water += static_cast<std::int64_t>(std::floor(water + 0.5F));
        trace.east += static_cast<std::int64_t>(std::floor(water * droplet.direction.x + 0.5F));
        trace.south += static_cast<std::int64_t>(std::floor(water * droplet.direction.y + 0.5F));
    }

    void exchange(Droplet& droplet, float drop) {
        const GroundCell& here = ground_.cells[cell_];
        if (ground_.kinds[cell_] == CellKind::Inlet) return feed(droplet, here, drop);
        lay(droplet, -exchanged(law_, droplet, drop, length_, here));
    }

    /// Lays `amount` units down in this cell; takes them up where that is less than 0.
    void lay(Droplet& droplet, std::int32_t amount) {
        droplet.load -= amount;
        traces_.cells[at(cell_)].elevation += amount;
        traces_.is_tile_touched[at(tiles_.tile_of(column_, row_))] = 1;
    }

    /// Gives a droplet what it can carry.
    void feed(Droplet& droplet, const GroundCell& here, float drop) {
        constexpr float kMostLoad = 0x1p30F;
        const float load = equilibrium_load(law_, droplet.volume, drop / length_, here.discharge);
        const std::int32_t fed = std::max(static_cast<std::int32_t>(std::min(load, kMostLoad)), droplet.load);
        traces_.tally.sediment_entered += fed - droplet.load;
        droplet.load = fed;
    }

    void end(const DropletStart& start, const Droplet& droplet, int steps) {
        DropletTally& tally = traces_.tally;
        const double share = static_cast<double>(droplet.volume) / static_cast<double>(start.droplet.volume);
        const std::int64_t water = std::llround(static_cast<double>(start.water) * share);
        tally.water_evaporated += start.water - water;
        if (has_left_) {
            tally.water_left += water;
            tally.sediment_left += droplet.load;
        } else {
            traces_.at_rest.push_back({.cell = cell_, .water = water});
            lay_down(droplet.load, std::min(steps, kLastCells));
        }
    }

    /// Spreads a load over the last cells, or this one where there are none.
    void lay_down(std::int64_t load, int cells) {
        if (cells == 0) last_cells_[0] = cell_;
        const std::int64_t count = std::max(cells, 1);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t cell = last_cells_[at(i)];
            const std::int64_t part = load / count + (i < load % count ? 1 : 0);
            traces_.cells[at(cell)].elevation += part;
            const auto column = static_cast<int>(cell % ground_.columns);
            const auto row = static_cast<int>(cell / ground_.columns);
            traces_.is_tile_touched[at(tiles_.tile_of(column, row))] = 1;
        }
    }

    const DropletLaw& law_;
    const DropletGround& ground_;
    const GroundTiles& tiles_;
    DropletTraces& traces_;

    // Of the droplet that runs.
    std::int64_t cell_ = 0;
    int column_ = 0;
    int row_ = 0;
    float lowest_ = 0.0F;  // m, so far
    float foot_ = 0.0F;    // m, lowest since it last turned round
    int turns_ = 0;        // since it came to the lowest place
    float length_ = 1.0F;  // m, of the last step
    bool has_left_ = false;
    std::array<std::int64_t, kLastCells> last_cells_ = {};
};

}  // namespace

DropletTally& DropletTally::operator+=(const DropletTally& other) {
    moves += other.moves;
    water_evaporated += other.water_evaporated;
    water_left += other.water_left;
    sediment_entered += other.sediment_entered;
    sediment_left += other.sediment_left;
    return *this;
}

void run_droplets(const DropletLaw& law, const DropletGround& ground, const GroundTiles& tiles,
                  std::span<const DropletStart> starts, DropletTraces& traces) {
    DropletRunner runner(law, ground, tiles, traces);
    constexpr std::size_t kDropletsPerPoll = 64;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        if (i % kDropletsPerPoll == 0) poll_cancelled();
        runner.run(starts[i]);
    }
}

}  // namespace thalweg
