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
        while (!has_left_ && steps < law_.steps && step(droplet, steps)) ++steps;
        end(start, droplet, steps);
    }

  private:
    static constexpr int kLastCells = 32;  // over which a load is spread at the end (empirical)
    static constexpr int kMostTurns = 8;   // in a hollow, until it stays there (empirical)

    static int column_of(const Droplet& droplet) { return static_cast<int>(droplet.place.x); }
    static int row_of(const Droplet& droplet) { return static_cast<int>(droplet.place.y); }

    void enter(int column, int row) {
        column_ = column;
        row_ = row;
        cell_ = static_cast<std::int64_t>(row) * ground_.columns + column;
        has_left_ = ground_.kinds[cell_] == CellKind::Border;
        lowest_ = foot_ = ground_.cells[cell_].elevation;
        turns_ = 0;
        length_ = law_.cell_size;
    }

    /// Crosses into the next cell; false where the droplet ends in this one.
    bool step(Droplet& droplet, int number) {
        const GroundCell& here = ground_.cells[cell_];
        const Vector2 gradient = gradient_at(law_, ground_, column_, row_);
        const Vector2 direction = turned(law_, droplet.direction, gradient, here, length_);
        const float major = std::max(std::abs(direction.x), std::abs(direction.y));
        if (!(major > 0.0F)) return false;
        droplet.direction = direction;

        // Go on by one column or row.
        droplet.place.x += direction.x / major;
        droplet.place.y += direction.y / major;
        length_ = law_.cell_size / major;
        const int column = column_of(droplet);
        const int row = row_of(droplet);
        const std::int64_t next = static_cast<std::int64_t>(row) * ground_.columns + column;
        const float drop = here.elevation - ground_.cells[next].elevation;

        leave_trace(droplet, here, drop);
        last_cells_[static_cast<std::size_t>(number % kLastCells)] = cell_;
        droplet.volume *= law_.evaporation_length / (law_.evaporation_length + length_);

        column_ = column;
        row_ = row;
        cell_ = next;
        has_left_ = ground_.kinds[next] == CellKind::Border;
        return can_go_on(droplet, ground_.cells[next].elevation);
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

    void leave_trace(Droplet& droplet, const GroundCell& here, float drop) {
        CellTrace& trace = traces_.cells[at(cell_)];
        const float water = kTraceOfDroplet * droplet.volume;
        trace.water += static_cast<std::int64_t>(water + 0.5F);
        trace.east += static_cast<std::int64_t>(std::floor(water * droplet.direction.x + 0.5F));
        trace.south += static_cast<std::int64_t>(std::floor(water * droplet.direction.y + 0.5F));
        if (ground_.kinds[cell_] == CellKind::Inlet) return feed(droplet, here, drop);
        const std::int32_t amount = exchanged(law_, droplet, drop, length_, here.discharge);
        droplet.load += amount;
        trace.elevation -= amount;
        traces_.is_tile_touched[at(tiles_.tile_of(column_, row_))] = 1;
    }

    /// Gives a droplet what it can carry.
    void feed(Droplet& droplet, const GroundCell& here, float drop) {
        constexpr float kMostLoad = 0x1p30F;
        const float load = equilibrium_load(law_, droplet.volume, drop / length_, here.discharge);
        const auto fed = static_cast<std::int32_t>(std::min(load, kMostLoad));
        traces_.tally.sediment_entered += fed - droplet.load;
        droplet.load = fed;
    }

    void end(const DropletStart& start, const Droplet& droplet, int steps) {
        DropletTally& tally = traces_.tally;
        tally.moves += steps;
        const double share = static_cast<double>(droplet.volume) / static_cast<double>(start.droplet.volume);
        const std::int64_t water = std::llround(static_cast<double>(start.water) * share);
        tally.water_evaporated += start.water - water;
        if (has_left_) {
            tally.water_left += water;
            tally.sediment_left += droplet.load;
        } else {
            tally.water_evaporated += water;
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
