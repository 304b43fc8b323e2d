// One droplet at a time, step by step: what droplet_lanes.hpp does in vectors.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/particles/droplets/droplet_batch.hpp"
#include "thalweg/particles/ground/ground_materials.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "tests/particles/cell_stream.hpp"

namespace thalweg::tests {

/// What droplets read of a cell.
struct GroundCell {
    float elevation = 0.0F;  // m
    CellStream stream = {};
    float visits = 0.0F;  // of mean droplets in this batch
    float owed = 0.0F;    // m, that droplets have laid down and the ground has not
};

/// What droplets brought to a cell and left there.
struct SlowTrace {
    std::int64_t elevation = 0;  // units
    std::int64_t soil = 0;       // of these
    std::int64_t visits = 0;     // 2^-12 of a mean droplet
    std::int64_t east = 0;       // water times direction
    std::int64_t south = 0;
    friend bool operator==(const SlowTrace&, const SlowTrace&) = default;
};

/// The ground as single droplets look at it, and traces that tell visits.
struct SlowGround {
    const DropletGround& from;
    const CellTrace* traces = nullptr;

    [[nodiscard]] CellKind kind(std::int64_t cell) const {
        return static_cast<CellKind>(from.places[cell] & kKindOfPlace);
    }
    [[nodiscard]] int direction(std::int64_t cell) const {
        return (from.places[cell] >> kDirectionShift) & kDirectionOfPlace;
    }
    [[nodiscard]] float elevation(std::int64_t cell) const {
        if (from.elevation[cell] == kNoGround) return kNoData;
        return static_cast<float>(from.elevation[cell] * kElevationUnit);
    }
    [[nodiscard]] float surface(std::int64_t cell) const {
        return std::max(elevation(cell), stream(cell).water_level);
    }
    [[nodiscard]] CellStream stream(std::int64_t cell) const {
        return stream_in(from.streams[cell], from.stream_scale);
    }
    [[nodiscard]] GroundCell operator[](std::int64_t cell) const {
        const auto visits = std::bit_cast<float>(traces[cell].visits);
        return {.elevation = elevation(cell),
                .stream = stream(cell),
                .visits = std::abs(visits),
                .owed = std::signbit(visits) ? 1.0F : 0.0F};
    }
};

/// What is taken of a cell.
struct TakenUnits {
    std::int32_t soil = 0;
    std::int32_t beneath = 0;  // would be taken of sediment besides, once soil is gone
};

/// The units that droplets take of their `share` of the soil of a cell, at `erodibility` of the speed at
/// which they would take `wanted` of sediment, and `most` of all.
inline TakenUnits taken_of_soil(std::int32_t wanted, float most, float share, std::int32_t soil,
                                float erodibility) {
    const auto there = static_cast<std::int32_t>(share * static_cast<float>(soil));
    const float fast = std::min(static_cast<float>(wanted) * erodibility, most);
    const auto units = static_cast<std::int32_t>(std::floor(fast + 0.5F));
    if (units < there) return {.soil = units};
    const float later = std::min(static_cast<float>(wanted) - static_cast<float>(there) / erodibility,
                                 most - static_cast<float>(there));
    return {.soil = there, .beneath = static_cast<std::int32_t>(std::floor(std::max(later, 0.0F) + 0.5F))};
}

/// The soil in `laid` units of a load of `soil` and other sediment, of which such shares would come down.
inline std::int32_t soil_laid(std::int32_t laid, std::int32_t soil, std::int32_t load, float share_of_soil,
                              float share_of_rest) {
    const float of_soil = static_cast<float>(soil) * share_of_soil;
    const float all = of_soil + static_cast<float>(load - soil) * share_of_rest;
    const float part = all > 0.0F ? static_cast<float>(laid) * (of_soil / all) : 0.0F;
    return std::clamp(static_cast<std::int32_t>(std::floor(part + 0.5F)), std::max(laid - (load - soil), 0),
                      std::min(soil, laid));
}

/// The units that droplets take of a cell where they would take `wanted` of sediment: that much of their
/// `share` of the `loose` sediment there, and beneath it bedrock at `erodibility` of that speed.
inline std::int32_t taken_of(std::int32_t wanted, float share, std::int32_t loose, float erodibility) {
    const auto covered =
        std::min(static_cast<std::int32_t>(share * static_cast<float>(std::max(loose, 0))), wanted);
    const float bare = static_cast<float>(wanted - covered) * erodibility;
    return covered + static_cast<std::int32_t>(std::floor(bare + 0.5F));
}

/// The units that are taken where roots hold a share of them, 0 to 1.
inline std::int32_t taken_between_roots(std::int32_t wanted, float held) {
    return static_cast<std::int32_t>(std::floor(static_cast<float>(wanted) * (1.0F - held) + 0.5F));
}

/// Pigment of a load, 0 to 1, once `taken` units of ground with `of_ground` have come to its `load`.
inline float mixed_pigment(float pigment, std::int32_t load, std::int32_t taken, float of_ground) {
    const float all = static_cast<float>(load) + static_cast<float>(taken);
    if (!(all > 0.0F)) return of_ground;
    return pigment + (of_ground - pigment) * (static_cast<float>(taken) / all);
}

/// What a droplet brings to a cell.
struct DropletCargo {
    float volume = 1.0F;                 // of a mean droplet
    std::int32_t load = 0;               // units on a cell
    std::int32_t soil = 0;               // of these
    float above = 0.0F;                  // m, by which it has come down to the cell
    float pigments[kMostPigments] = {};  // 1, of the load
    float feed = 0.0F;                   // DropletStart::feed
};

/// C V: what the droplet carries in equilibrium, units on a cell.
inline float equilibrium_load(const DropletLaw& law, float volume, float slope, const CellStream& stream) {
    return law.capacity * volume * stream.entrainment * std::max(slope, 0.0F);
}

/// A step to the next column or row.
struct SlowStep {
    Vector2 ahead;      // columns and rows
    Vector2 direction;  // of length 1
    float length;       // m; 0 where nothing drives the droplet
};

/// The step of a droplet that is driven by a vector of any length.
inline SlowStep step_by(Vector2 drive, float cell_size) {
    constexpr float kLeastDrive = 1e-12F;
    const float major = std::max(std::abs(drive.x), std::abs(drive.y));
    if (!(major > kLeastDrive)) return {};
    const float scale = 1.0F / major;
    const Vector2 ahead = {drive.x * scale, drive.y * scale};
    const float size = std::sqrt(ahead.x * ahead.x + ahead.y * ahead.y);
    const float to_unit = 1.0F / size;
    return {.ahead = ahead, .direction = {ahead.x * to_unit, ahead.y * to_unit}, .length = cell_size * size};
}

/// What drives a droplet after a step of `length` m, under gravity and the stream.
inline Vector2 turned(const DropletLaw& law, Vector2 direction, Vector2 gradient, const CellStream& stream,
                      float length) {
    const float rise = std::sqrt(1.0F + gradient.x * gradient.x + gradient.y * gradient.y);
    const float pull = -length * law.gravity / rise;
    const float push = length * (direction.x * stream.push_east + direction.y * stream.push_south);
    return {direction.x + pull * gradient.x + push * stream.push_east,
            direction.y + pull * gradient.y + push * stream.push_south};
}

/// The share of a cell's change in a batch that is a droplet's.
inline float share_of(const DropletCargo& cargo, const GroundCell& cell) {
    return cargo.volume < cell.visits ? cargo.volume / cell.visits : 1.0F;
}

/// What a droplet that goes down by `drop` m over `length` m could take from its cell at most, units.
inline float most_taken(const DropletLaw& law, const DropletCargo& cargo, float drop, float length,
                        const GroundCell& cell) {
    const float load = static_cast<float>(cargo.load);
    const float half = 0.5F * 0x1p17F * share_of(cargo, cell);
    return std::min({std::max(drop, 0.0F) * half, 0x1p24F, 0x1p30F - load,
                     equilibrium_load(law, cargo.volume, drop / length, cell.stream) - load});
}

/// What such a droplet takes from its cell, units; less than 0 where it lays down. All droplets of a batch
/// take at most half of the way down to where they go, and lay down half of the way up to where they come
/// from, so that they neither dig hollows nor dam themselves up. Where the ground has still to take
/// something, nothing is laid down.
inline std::int32_t exchanged(const DropletLaw& law, const DropletCargo& cargo, float drop, float length,
                              const GroundCell& cell) {
    constexpr float kUnits = 0x1p17F;  // in a metre
    constexpr float kMost = 0x1p24F;   // units in a step, 128 m: floats count up to here
    constexpr float kMostLoad = 0x1p30F;
    const float load = static_cast<float>(cargo.load);
    const float wanted = equilibrium_load(law, cargo.volume, drop / length, cell.stream) - load;
    const float amount = wanted * (length / (length + law.exchange_length));
    const float half = 0.5F * kUnits * share_of(cargo, cell);
    const float most_taken = std::min({std::max(drop, 0.0F) * half, kMost, kMostLoad - load});
    const float room = cell.owed > 0.0F ? 0.0F : std::max(cargo.above, 0.0F) * half;
    const float most_laid = std::min({room, kMost, load});
    const float capped = std::clamp(amount, -most_laid, std::max(most_taken, 0.0F));
    return static_cast<std::int32_t>(std::floor(capped + 0.5F));
}

/// What a droplet lays down in still water of such a depth, m, along `length` m; units.
inline std::int32_t settled(const DropletLaw& law, const DropletCargo& cargo, float depth, float length,
                            const GroundCell& cell) {
    constexpr float kUnits = 0x1p17F;  // in a metre
    constexpr float kMost = 0x1p24F;   // units
    const float load = static_cast<float>(cargo.load);
    const float open = std::clamp(depth, 0.0F, 0x1p12F);
    const float room = cell.owed > 0.0F ? 0.0F : open * kUnits * share_of(cargo, cell);
    const float of_sediment = length / (length + law.settling_length);
    const float of_soil = length / (length + law.soil_settling_length);
    const float would = load * of_sediment + static_cast<float>(cargo.soil) * (of_soil - of_sediment);
    const float amount = std::min({would, room, kMost, load});
    return static_cast<std::int32_t>(std::floor(amount + 0.5F));
}

/// Rise of the ground per m at a cell, which is no border.
inline Vector2 gradient_at(const DropletLaw& law, const SlowGround& ground, int column, int row) {
    const std::int64_t columns = ground.from.columns;
    const std::int64_t cell = row * columns + column;
    const auto rise = [&](std::int64_t step) {
        return ground.elevation(cell + step) - ground.elevation(cell - step);
    };
    const float x = rise(1);
    const float y = rise(columns);
    const float scale = 0.5F / law.cell_size;
    if (law.is_fourth_order && column > 1 && row > 1 && column < ground.from.columns - 2 &&
        row < ground.from.rows - 2) {
        constexpr float kNear = 4.0F / 3.0F;
        constexpr float kFar = 1.0F / 6.0F;
        const Vector2 fine = {scale * (kNear * x - kFar * rise(2)),
                              scale * (kNear * y - kFar * rise(2 * columns))};
        if (!std::isnan(fine.x) && !std::isnan(fine.y)) return fine;
    }
    return {scale * x, scale * y};
}

/// A step of a droplet.
struct PathStep {
    std::int64_t cell = 0;   // in which it begins
    float length = 0.0F;     // m; 0 where the droplet ends
    bool goes_back = false;  // from a bank
};

/// What single droplets leave behind.
struct SlowTraces {
    std::vector<SlowTrace> cells = {};
    std::vector<PigmentTrace> pigments = {};
    std::vector<std::int64_t> at_rest = {};  // water, per cell
    DropletTally tally = {};
    std::vector<PathStep> steps = {};  // of the droplet at hand
    bool has_left = false;             // at its end
};

/// Finds the paths of droplets on one ground.
class DropletRunner {
  public:
    DropletRunner(const DropletLaw& law, const SlowGround& ground, SlowTraces& traces)
        : law_(law), ground_(ground), traces_(traces) {}

    void run(const DropletStart& start) {
        Droplet droplet = start.droplet;
        traces_.steps.clear();
        enter(column_of(droplet), row_of(droplet));
        for (int steps = 0; !has_left_ && steps < law_.steps; ++steps) {
            const bool goes_on =
                is_water(ground_.kind(cell_)) ? step_in_water(droplet) : step_on_land(droplet);
            if (!goes_on) break;
        }
        end(start, droplet);
        traces_.has_left = has_left_;
        traces_.steps.push_back({.cell = cell_});
    }

  private:
    static constexpr int kMostStops = 8;             // in a hollow, until it stays there (empirical)
    static constexpr float kSettlingLengths = 8.0F;  // in still water: 3e-4 of a load is left

    static int column_of(const Droplet& droplet) { return static_cast<int>(droplet.place.x); }
    static int row_of(const Droplet& droplet) { return static_cast<int>(droplet.place.y); }

    [[nodiscard]] std::int64_t cell_of(const Droplet& droplet) const {
        return static_cast<std::int64_t>(row_of(droplet)) * ground_.from.columns + column_of(droplet);
    }

    void enter(int column, int row) {
        column_ = column;
        row_ = row;
        cell_ = static_cast<std::int64_t>(row) * ground_.from.columns + column;
        has_left_ = ground_.kind(cell_) == CellKind::Border;
        lowest_ = release_ = ground_.surface(cell_);
        has_climbed_ = false;
        is_falling_ = goes_back_ = false;
        stops_ = 0;
        distance_in_water_ = 0.0F;
        length_ = law_.cell_size;
    }

    /// Crosses into the next cell; false where the droplet ends.
    bool step_on_land(Droplet& droplet) {
        distance_in_water_ = 0.0F;
        if (has_climbed_) return turn_back(droplet);
        if (is_falling_) return fall(droplet);
        const Vector2 gradient = gradient_at(law_, ground_, column_, row_);
        return advance(droplet, turned(law_, droplet.direction, gradient, ground_.stream(cell_), length_));
    }

    /// Goes back from a bank that is too high, or from a lake above a sill that has been cut, and falls.
    bool turn_back(Droplet& droplet) {
        has_climbed_ = false;
        is_falling_ = true;
        goes_back_ = !is_water(ground_.kind(cell_));
        release_ = lowest_;
        return advance(droplet, {-droplet.direction.x, -droplet.direction.y});
    }

    /// Goes in the direction that water takes over flats and through lakes, or to the lowest neighbour. Where
    /// there is no way down the droplet goes on as it came; false where it has done so too often.
    bool fall(Droplet& droplet) {
        const int direction = direction_down();
        if (direction >= kRoot) {
            is_falling_ = goes_back_ = false;
            return ++stops_ < kMostStops;
        }
        const float size = direction % 2 == 0 ? 1.0F : std::numbers::sqrt2_v<float>;
        droplet.place = {static_cast<float>(column_) + 0.5F, static_cast<float>(row_) + 0.5F};
        return advance(droplet, {static_cast<float>(kColumnStep[direction]) / size,
                                 static_cast<float>(kRowStep[direction]) / size});
    }

    [[nodiscard]] int direction_down() const {
        const std::array<std::int32_t, 8> steps = index_steps(ground_.from.columns);
        const auto surface_at = [&](int direction) { return ground_.surface(cell_ + steps[at(direction)]); };
        float lowest = ground_.surface(cell_);
        int direction = ground_.direction(cell_);
        // A lake rises to its sill, whatever has slid there since it was level.
        const bool is_lake = ground_.kind(cell_) == CellKind::Lake;
        if (direction < kRoot && (is_lake || surface_at(direction) <= lowest)) return direction;
        direction = kPit;
        for (int d = 0; d < 8; ++d) {
            if (!(surface_at(d) < lowest)) continue;
            lowest = surface_at(d);
            direction = d;
        }
        return direction;
    }

    /// Goes straight on through still water. A droplet whose load has settled, or that comes to the shore,
    /// goes to the sill and on below it if the lake is full; else it ends there.
    bool step_in_water(Droplet& droplet) {
        goes_back_ = false;
        const bool spills =
            ground_.kind(cell_) == CellKind::Lake && (ground_.from.places[cell_] & kKeepsWater) == 0;
        if (has_climbed_ && spills) return turn_back(droplet);
        if (!is_falling_) {
            const bool has_settled = distance_in_water_ > kSettlingLengths * law_.settling_length;
            if (!has_settled && !(surface_ahead(droplet) > ground_.surface(cell_))) {
                distance_in_water_ += length_;
                return advance(droplet, droplet.direction);
            }
            if (!leaves_water()) return false;
            is_falling_ = true;
        }
        release_ = std::min(release_, ground_.surface(cell_) - law_.climb_limit);
        return fall(droplet);
    }

    /// m, of the cell that a droplet comes to next.
    [[nodiscard]] float surface_ahead(Droplet droplet) const {
        move_by(step_by(droplet.direction, law_.cell_size), droplet);
        return ground_.surface(cell_of(droplet));
    }

    /// Whether water goes on from here; in the sea it has left.
    bool leaves_water() {
        has_left_ = ground_.kind(cell_) == CellKind::Sea;
        return !has_left_ && (ground_.from.places[cell_] & kKeepsWater) == 0;
    }

    static void move_by(const SlowStep& step, Droplet& droplet) {
        droplet.place.x += step.ahead.x;
        droplet.place.y += step.ahead.y;
    }

    /// Moves the droplet on by one column or row; false where nothing drives it.
    bool advance(Droplet& droplet, Vector2 drive) {
        const SlowStep step = step_by(drive, law_.cell_size);
        length_ = step.length;
        if (length_ == 0.0F) return false;
        move_by(step, droplet);
        droplet.direction = step.direction;
        leave_trace(droplet);
        droplet.volume *= law_.evaporation_length / (law_.evaporation_length + length_);
        column_ = column_of(droplet);
        row_ = row_of(droplet);
        cell_ = cell_of(droplet);
        has_left_ = ground_.kind(cell_) == CellKind::Border;
        look_at(ground_.surface(cell_));
        return true;
    }

    /// Sees whether a droplet has climbed too far, or a fall has come to lower ground than it has seen.
    void look_at(float surface) {
        has_climbed_ = !is_falling_ && surface > lowest_ + law_.climb_limit;
        if (surface < release_) is_falling_ = goes_back_ = false;
        if (surface < lowest_) stops_ = 0;
        lowest_ = std::min(lowest_, surface);
    }

    void leave_trace(const Droplet& droplet) {
        ++traces_.tally.moves;
        SlowTrace& trace = traces_.cells[at(cell_)];
        const float water = kTraceOfDroplet * droplet.volume;
        const auto visit = std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(water + 0.5F)), 1);
        trace.visits += visit;
        trace.east += static_cast<std::int64_t>(std::floor(water * droplet.direction.x + 0.5F));
        trace.south += static_cast<std::int64_t>(std::floor(water * droplet.direction.y + 0.5F));
        traces_.steps.push_back({.cell = cell_, .length = length_, .goes_back = goes_back_});
    }

    void end(const DropletStart& start, const Droplet& droplet) {
        DropletTally& tally = traces_.tally;
        const double share = static_cast<double>(droplet.volume) / static_cast<double>(start.droplet.volume);
        const std::int64_t water = std::llround(static_cast<double>(start.water) * share);
        tally.water_evaporated += start.water - water;
        if (has_left_) {
            tally.water_left += water;
        } else {
            traces_.at_rest[at(cell_)] += water;
        }
    }

    const DropletLaw& law_;
    const SlowGround& ground_;
    SlowTraces& traces_;

    // Of the droplet that runs.
    std::int64_t cell_ = 0;
    int column_ = 0;
    int row_ = 0;
    float lowest_ = 0.0F;             // m, so far
    bool has_climbed_ = false;        // more than it may
    bool is_falling_ = false;         // since it has climbed too far, or left a lake
    bool goes_back_ = false;          // from where it has climbed to
    float release_ = 0.0F;            // m, below which it falls no more
    int stops_ = 0;                   // where nothing was lower, since it came to the lowest place
    float distance_in_water_ = 0.0F;  // m, since it came to still water
    float length_ = 1.0F;             // m, of the last step
    bool has_left_ = false;
};

/// Moves sediment along the paths of droplets.
class SedimentMover {
  public:
    SedimentMover(const DropletLaw& law, const SlowGround& ground, SlowTraces& traces)
        : law_(law), ground_(ground), traces_(traces) {}

    void run(const DropletStart& start) {
        const std::span<const PathStep> steps(traces_.steps);
        DropletCargo cargo = {.volume = start.droplet.volume, .feed = start.feed};
        float from = ground_.surface(steps[0].cell);
        for (std::int64_t i = 0; i + 1 < std::ssize(steps); ++i) {
            const float surface = ground_.surface(steps[at(i)].cell);
            cargo.above = from - surface;
            move(cargo, steps[at(i)], ground_.surface(steps[at(i) + 1].cell));
            const float length = steps[at(i)].length;
            cargo.volume *= law_.evaporation_length / (law_.evaporation_length + length);
            from = surface;
        }
        if (traces_.has_left)
            leave(cargo);
        else
            lay_down(cargo, steps);
    }

  private:
    static constexpr std::int64_t kLastCells = 32;  // over which a load is spread at the end (empirical)

    void leave(const DropletCargo& cargo) {
        traces_.tally.sediment_left += cargo.load;
        traces_.tally.soil_left += cargo.soil;
    }

    void move(DropletCargo& cargo, const PathStep& step, float next) {
        const GroundCell here = ground_[step.cell];
        switch (ground_.kind(step.cell)) {
            case CellKind::Inlet:
                return feed(cargo, step.cell);
            case CellKind::Lake:
            case CellKind::Sea: {
                const float room = ground_.surface(step.cell) - here.elevation - here.stream.entrainment;
                const std::int32_t amount = settled(law_, cargo, room, step.length, here);
                return lay(cargo, step.cell, amount,
                           soil_laid(amount, cargo.soil, cargo.load,
                                     step.length / (step.length + law_.soil_settling_length),
                                     step.length / (step.length + law_.settling_length)));
            }
            case CellKind::Sill:
                cargo.above = 0.0F;
                [[fallthrough]];
            default:
                exchange(cargo, step, here.elevation - next);
        }
    }

    /// Takes from ground that goes down by `drop` m, or lays down there.
    void exchange(DropletCargo& cargo, const PathStep& step, float drop) {
        const GroundCell here = ground_[step.cell];
        std::int32_t amount = exchanged(law_, cargo, drop, step.length, here);
        if (amount <= 0)
            return lay(cargo, step.cell, -amount, soil_laid(-amount, cargo.soil, cargo.load, 1.0F, 1.0F));
        if (step.goes_back) return;
        if (ground_.from.roots != nullptr)
            amount = taken_between_roots(amount, ground_.from.roots[step.cell]);
        TakenUnits taken = {.beneath = amount};
        const float share = share_of(cargo, here);
        std::int32_t sediment = ground_.from.loose == nullptr ? 0 : ground_.from.loose[step.cell];
        if (ground_.from.soil != nullptr) {
            const std::int32_t soil = ground_.from.soil[step.cell];
            taken = taken_of_soil(amount, most_taken(law_, cargo, drop, step.length, here), share, soil,
                                  law_.soil_erodibility);
            sediment -= soil;
        }
        traces_.tally.soil_taken += taken.soil;
        if (ground_.from.erodibility != nullptr)
            taken.beneath = taken_of(taken.beneath, share, sediment, ground_.from.erodibility[step.cell]);
        lay(cargo, step.cell, -(taken.soil + taken.beneath), -taken.soil);
    }

    /// Lays `amount` units down in a cell, of which `soil` are soil; takes them up where that is less than 0.
    void lay(DropletCargo& cargo, std::int64_t cell, std::int32_t amount, std::int32_t soil) {
        if (is_washed()) move_pigments(cargo, cell, amount);
        cargo.load -= amount;
        cargo.soil -= soil;
        traces_.cells[at(cell)].elevation += amount;
        traces_.cells[at(cell)].soil += soil;
    }

    [[nodiscard]] bool is_washed() const { return ground_.from.pigments[0] != nullptr; }

    void move_pigments(DropletCargo& cargo, std::int64_t cell, std::int32_t laid) {
        if (laid > 0) return lay_pigments(traces_.pigments[at(cell)], cargo.pigments, laid);
        for (int p = 0; p < kMostPigments && ground_.from.pigments[p] != nullptr; ++p)
            cargo.pigments[p] =
                mixed_pigment(cargo.pigments[p], cargo.load, -laid, ground_.from.pigments[p][cell]);
    }

    /// Gives a droplet what it brings.
    void feed(DropletCargo& cargo, std::int64_t cell) {
        constexpr float kMostLoad = 0x1p30F;
        const float load = equilibrium_load(law_, cargo.volume, cargo.feed, ground_[cell].stream);
        const std::int32_t fed = std::max(static_cast<std::int32_t>(std::min(load, kMostLoad)), cargo.load);
        traces_.tally.sediment_entered += fed - cargo.load;
        if (is_washed()) move_pigments(cargo, cell, cargo.load - fed);
        cargo.load = fed;
    }

    /// Spreads a load over the last cells of a path.
    void lay_down(const DropletCargo& cargo, std::span<const PathStep> steps) {
        const std::int64_t count = std::min(std::ssize(steps), kLastCells);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t part = cargo.load / count + (i < cargo.load % count ? 1 : 0);
            const std::int64_t cell = steps[steps.size() - 1 - at(i)].cell;
            traces_.cells[at(cell)].elevation += part;
            traces_.cells[at(cell)].soil += cargo.soil / count + (i < cargo.soil % count ? 1 : 0);
            if (is_washed()) lay_pigments(traces_.pigments[at(cell)], cargo.pigments, part);
        }
    }

    const DropletLaw& law_;
    const SlowGround& ground_;
    SlowTraces& traces_;
};

/// Lets droplets run and move sediment; `visits` knows how many there are of all of them.
inline SlowTraces run_slowly(const DropletLaw& law, const DropletGround& ground,
                             std::span<const CellTrace> visits, std::span<const DropletStart> starts) {
    const std::size_t cells = at(std::int64_t{ground.columns} * ground.rows);
    SlowTraces traces = {.cells = std::vector<SlowTrace>(cells),
                         .pigments = std::vector<PigmentTrace>(cells),
                         .at_rest = std::vector<std::int64_t>(cells)};
    const SlowGround seen{ground, visits.data()};
    DropletRunner runner(law, seen, traces);
    SedimentMover mover(law, seen, traces);
    for (const DropletStart& start : starts) {
        runner.run(start);
        mover.run(start);
    }
    return traces;
}

}  // namespace thalweg::tests
