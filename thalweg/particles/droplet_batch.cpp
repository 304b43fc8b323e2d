#include "thalweg/particles/droplet_batch.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/particles/ground_materials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

/// Finds the ways of droplets on one ground.
class DropletRunner {
  public:
    DropletRunner(const DropletLaw& law, const DropletGround& ground, const GroundTiles& tiles,
                  DropletTraces& traces)
        : law_(law), ground_(ground), tiles_(tiles), traces_(traces) {}

    void run(const DropletStart& start) {
        Droplet droplet = start.droplet;
        const std::int64_t first = std::ssize(traces_.steps);
        enter(column_of(droplet), row_of(droplet));
        for (int steps = 0; !has_left_ && steps < law_.steps; ++steps) {
            const bool goes_on =
                is_water(ground_.kinds[cell_]) ? step_in_water(droplet) : step_on_land(droplet);
            if (!goes_on) break;
        }
        end(start, droplet);
        traces_.paths.push_back({.first = first,
                                 .steps = std::ssize(traces_.steps) - first,
                                 .volume = start.droplet.volume,
                                 .feed = start.feed,
                                 .has_left = has_left_});
        traces_.steps.push_back({.cell = static_cast<std::int32_t>(cell_)});
    }

  private:
    static constexpr int kMostStops = 8;             // in a hollow, until it stays there (empirical)
    static constexpr float kSettlingLengths = 8.0F;  // in still water: 3e-4 of a load is left

    static int column_of(const Droplet& droplet) { return static_cast<int>(droplet.place.x); }
    static int row_of(const Droplet& droplet) { return static_cast<int>(droplet.place.y); }

    [[nodiscard]] std::int64_t cell_of(const Droplet& droplet) const {
        return static_cast<std::int64_t>(row_of(droplet)) * ground_.columns + column_of(droplet);
    }

    void enter(int column, int row) {
        column_ = column;
        row_ = row;
        cell_ = static_cast<std::int64_t>(row) * ground_.columns + column;
        has_left_ = ground_.kinds[cell_] == CellKind::Border;
        lowest_ = release_ = ground_.surface(cell_);
        has_climbed_ = false;
        is_falling_ = false;
        stops_ = 0;
        way_in_water_ = 0.0F;
        length_ = law_.cell_size;
    }

    /// Crosses into the next cell; false where the droplet ends.
    bool step_on_land(Droplet& droplet) {
        way_in_water_ = 0.0F;
        if (has_climbed_) return turn_back(droplet);
        if (is_falling_) return fall(droplet);
        const Vector2 gradient = gradient_at(law_, ground_, column_, row_);
        droplet.direction = turned(law_, droplet.direction, gradient, ground_.cells[cell_], length_);
        return advance(droplet);
    }

    /// Goes back from a bank that is too high, and falls.
    bool turn_back(Droplet& droplet) {
        has_climbed_ = false;
        is_falling_ = true;
        release_ = lowest_;
        droplet.direction = {-droplet.direction.x, -droplet.direction.y};
        return advance(droplet);
    }

    /// Goes the way that water takes over flats and through lakes, or to the lowest neighbour. Where there is
    /// no way down the droplet goes on as it came; false where it has done so too often.
    bool fall(Droplet& droplet) {
        const int way = way_down();
        if (way >= kRoot) {
            is_falling_ = false;
            return ++stops_ < kMostStops;
        }
        const float size = way % 2 == 0 ? 1.0F : std::numbers::sqrt2_v<float>;
        droplet.direction = {static_cast<float>(kColumnStep[way]) / size,
                             static_cast<float>(kRowStep[way]) / size};
        droplet.place = {static_cast<float>(column_) + 0.5F, static_cast<float>(row_) + 0.5F};
        return advance(droplet);
    }

    [[nodiscard]] int way_down() const {
        const std::array<std::int32_t, 8> steps = index_steps(ground_.columns);
        const auto surface_at = [&](int way) { return ground_.surface(cell_ + steps[at(way)]); };
        float lowest = ground_.surface(cell_);
        int way = ground_.ways == nullptr ? kPit : ground_.ways[cell_];
        // A lake rises to its sill, whatever has slid there since it was level.
        const bool is_lake = ground_.kinds[cell_] == CellKind::Lake;
        if (way < kRoot && (is_lake || surface_at(way) <= lowest)) return way;
        way = kPit;
        for (int d = 0; d < 8; ++d) {
            if (!(surface_at(d) < lowest)) continue;
            lowest = surface_at(d);
            way = d;
        }
        return way;
    }

    /// Goes straight on through still water. A droplet whose load has settled, or that comes to the shore,
    /// goes to the sill and on below it if the lake is full; else it ends there.
    bool step_in_water(Droplet& droplet) {
        if (!is_falling_) {
            const bool has_settled = way_in_water_ > kSettlingLengths * law_.settling_length;
            if (!has_settled && !(surface_ahead(droplet) > ground_.surface(cell_))) {
                way_in_water_ += length_;
                return advance(droplet);
            }
            if (!leaves_water()) return false;
            is_falling_ = true;
        }
        release_ = std::min(release_, ground_.surface(cell_) - law_.climb_limit);
        return fall(droplet);
    }

    /// m, of the cell that a droplet comes to next.
    [[nodiscard]] float surface_ahead(Droplet droplet) const {
        move_on(droplet);
        return ground_.surface(cell_of(droplet));
    }

    /// Whether water goes on from here; in the sea it has left.
    bool leaves_water() {
        has_left_ = ground_.kinds[cell_] == CellKind::Sea;
        return !has_left_ && ground_.lakes[ground_.lake[cell_] - 1].sill >= 0;
    }

    /// Moves a droplet to the next column or row; returns the length of that, m.
    float move_on(Droplet& droplet) const {
        if (droplet.direction.x == 0.0F && droplet.direction.y == 0.0F) return 0.0F;
        const float major = std::max(std::abs(droplet.direction.x), std::abs(droplet.direction.y));
        droplet.place.x += droplet.direction.x / major;
        droplet.place.y += droplet.direction.y / major;
        return law_.cell_size / major;
    }

    /// Moves the droplet on by one column or row; false where nothing drives it.
    bool advance(Droplet& droplet) {
        length_ = move_on(droplet);
        if (length_ == 0.0F) return false;
        leave_trace(droplet);
        droplet.volume *= law_.evaporation_length / (law_.evaporation_length + length_);
        column_ = column_of(droplet);
        row_ = row_of(droplet);
        cell_ = cell_of(droplet);
        has_left_ = ground_.kinds[cell_] == CellKind::Border;
        look_at(ground_.surface(cell_));
        return true;
    }

    /// Sees whether a droplet has climbed too far, or a fall has come to lower ground than it has seen.
    void look_at(float surface) {
        has_climbed_ = !is_falling_ && surface > lowest_ + law_.climb_limit;
        if (surface < release_) is_falling_ = false;
        if (surface < lowest_) stops_ = 0;
        lowest_ = std::min(lowest_, surface);
    }

    void leave_trace(const Droplet& droplet) {
        ++traces_.tally.moves;
        CellTrace& trace = traces_.cells[at(cell_)];
        const float water = kTraceOfDroplet * droplet.volume;
        const auto visit = static_cast<std::int64_t>(std::floor(water + 0.5F));
        trace.visits += visit;
        trace.water += visit;
        trace.east += static_cast<std::int64_t>(std::floor(water * droplet.direction.x + 0.5F));
        trace.south += static_cast<std::int64_t>(std::floor(water * droplet.direction.y + 0.5F));
        touch();
        traces_.steps.push_back({.cell = static_cast<std::int32_t>(cell_), .length = length_});
    }

    void touch() { traces_.is_touched[at(tiles_.word_of(column_, row_))] |= GroundTiles::bit_of(column_); }

    void end(const DropletStart& start, const Droplet& droplet) {
        DropletTally& tally = traces_.tally;
        const double share = static_cast<double>(droplet.volume) / static_cast<double>(start.droplet.volume);
        const std::int64_t water = std::llround(static_cast<double>(start.water) * share);
        tally.water_evaporated += start.water - water;
        if (has_left_) {
            tally.water_left += water;
        } else {
            traces_.at_rest.push_back({.cell = cell_, .water = water});
            touch();
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
    float lowest_ = 0.0F;        // m, so far
    bool has_climbed_ = false;   // more than it may
    bool is_falling_ = false;    // since it has climbed too far, or left a lake
    float release_ = 0.0F;       // m, below which it falls no more
    int stops_ = 0;              // where nothing was lower, since it came to the lowest place
    float way_in_water_ = 0.0F;  // m, since it came to still water
    float length_ = 1.0F;        // m, of the last step
    bool has_left_ = false;
};

/// Moves sediment along the ways of droplets.
class SedimentMover {
  public:
    SedimentMover(const DropletLaw& law, const DropletGround& ground, DropletTraces& traces)
        : law_(law), ground_(ground), traces_(traces) {}

    void run(const DropletPath& path) {
        const std::span<const PathStep> steps(&traces_.steps[at(path.first)], at(path.steps) + 1);
        DropletCargo cargo = {.volume = path.volume, .feed = path.feed};
        float from = ground_.surface(steps[0].cell);
        for (std::int64_t i = 0; i < path.steps; ++i) {
            const float surface = ground_.surface(steps[at(i)].cell);
            cargo.above = from - surface;
            move(cargo, steps[at(i)], ground_.surface(steps[at(i) + 1].cell));
            const float length = steps[at(i)].length;
            cargo.volume *= law_.evaporation_length / (law_.evaporation_length + length);
            from = surface;
        }
        if (path.has_left)
            traces_.tally.sediment_left += cargo.load;
        else
            lay_down(cargo, steps);
    }

  private:
    static constexpr std::int64_t kLastCells = 32;  // over which a load is spread at the end (empirical)

    void move(DropletCargo& cargo, const PathStep& step, float next) {
        const GroundCell& here = ground_.cells[step.cell];
        switch (ground_.kinds[step.cell]) {
            case CellKind::Inlet:
                return feed(cargo, step.cell);
            case CellKind::Lake:
            case CellKind::Sea: {
                const float room = ground_.surface(step.cell) - here.elevation - left_open(step.cell);
                return lay(cargo, step.cell, settled(law_, cargo, room, step.length, here));
            }
            case CellKind::Sill:
                cargo.above = 0.0F;
                [[fallthrough]];
            default:
                lay(cargo, step.cell, -taken(cargo, step, here.elevation - next));
        }
    }

    /// What the droplet takes from ground that goes down by `drop` m; less than 0 where it lays down.
    [[nodiscard]] std::int32_t taken(const DropletCargo& cargo, const PathStep& step, float drop) const {
        const GroundCell& here = ground_.cells[step.cell];
        std::int32_t amount = exchanged(law_, cargo, drop, step.length, here);
        if (amount <= 0) return amount;
        if (ground_.roots != nullptr) amount = taken_between_roots(amount, ground_.roots[step.cell]);
        if (ground_.erodibility == nullptr) return amount;
        return taken_of(amount, share_of(cargo, here), ground_.loose[step.cell],
                        ground_.erodibility[step.cell]);
    }

    /// The depth of still water that sediment leaves open, m: more towards the sill, so that filled lakes
    /// drain.
    [[nodiscard]] float left_open(std::int32_t cell) const {
        constexpr float kAtSill = 0.02F;  // of a cell's size (empirical)
        constexpr float kWay = 10.0F;     // cells, on which it halves (empirical)
        if (ground_.kinds[cell] != CellKind::Lake) return 0.0F;
        const std::int32_t sill = ground_.lakes[ground_.lake[cell] - 1].sill;
        if (sill < 0) return 0.0F;
        const std::int32_t columns = sill % ground_.columns - cell % ground_.columns;
        const std::int32_t rows = sill / ground_.columns - cell / ground_.columns;
        const auto x = static_cast<float>(columns);
        const auto y = static_cast<float>(rows);
        return kAtSill * law_.cell_size * kWay / (kWay + std::sqrt(x * x + y * y));
    }

    /// Lays `amount` units down in a cell; takes them up where that is less than 0.
    void lay(DropletCargo& cargo, std::int64_t cell, std::int32_t amount) {
        if (ground_.pigment != nullptr) move_pigment(cargo, cell, amount);
        cargo.load -= amount;
        traces_.cells[at(cell)].elevation += amount;
    }

    void move_pigment(DropletCargo& cargo, std::int64_t cell, std::int32_t laid) {
        if (laid > 0)
            lay_pigment(traces_.pigment[at(cell)], cargo.pigment, laid);
        else
            cargo.pigment = mixed_pigment(cargo.pigment, cargo.load, -laid, ground_.pigment[cell]);
    }

    /// Gives a droplet what it brings.
    void feed(DropletCargo& cargo, std::int64_t cell) {
        constexpr float kMostLoad = 0x1p30F;
        const float load = equilibrium_load(law_, cargo.volume, cargo.feed, ground_.cells[cell].discharge);
        const std::int32_t fed = std::max(static_cast<std::int32_t>(std::min(load, kMostLoad)), cargo.load);
        traces_.tally.sediment_entered += fed - cargo.load;
        if (ground_.pigment != nullptr) move_pigment(cargo, cell, cargo.load - fed);
        cargo.load = fed;
    }

    /// Spreads a load over the last cells of a way.
    void lay_down(const DropletCargo& cargo, std::span<const PathStep> steps) {
        const std::int64_t count = std::min(std::ssize(steps), kLastCells);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t part = cargo.load / count + (i < cargo.load % count ? 1 : 0);
            const std::int64_t cell = steps[steps.size() - 1 - at(i)].cell;
            traces_.cells[at(cell)].elevation += part;
            if (ground_.pigment != nullptr) lay_pigment(traces_.pigment[at(cell)], cargo.pigment, part);
        }
    }

    const DropletLaw& law_;
    const DropletGround& ground_;
    DropletTraces& traces_;
};

constexpr std::size_t kDropletsPerPoll = 64;

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
    traces.paths.clear();
    traces.steps.clear();
    DropletRunner runner(law, ground, tiles, traces);
    for (std::size_t i = 0; i < starts.size(); ++i) {
        if (i % kDropletsPerPoll == 0) poll_cancelled();
        runner.run(starts[i]);
    }
}

void move_sediment(const DropletLaw& law, const DropletGround& ground, DropletTraces& traces) {
    SedimentMover mover(law, ground, traces);
    for (std::size_t i = 0; i < traces.paths.size(); ++i) {
        if (i % kDropletsPerPoll == 0) poll_cancelled();
        mover.run(traces.paths[i]);
    }
}

}  // namespace thalweg
