#include "thalweg/erosion/rain_events.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/leheny/rain_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr float kLargestHeight = 1e30F;        // units: differences stay finite
constexpr std::int64_t kCellsPerPoll = 65536;  // about 3 ms

/// What is special about a cell; 0 for most.
constexpr std::uint8_t kOutlet = 1;     // water leaves here
constexpr std::uint8_t kHalo = 2;       // stands for the cell on the other side
constexpr std::uint8_t kFirst = 4;      // in the first column, with a copy behind the last
constexpr std::uint8_t kLast = 8;       // in the last column, with a copy before the first
constexpr std::uint8_t kQueued = 0x10;  // waits to be looked at for mudslides

void check_heights(const Field<float>& elevation) {
    for (const float height : elevation)
        if (std::abs(height) > kLargestHeight)
            throw Error::input(fmt::format(
                "a height of {:.9g} is not allowed: from {:.0e} to {:.0e} in units of the model are", height,
                -kLargestHeight, kLargestHeight));
}

}  // namespace

/// The terrain with one more row and column on every side: walls, or copies of the other side.
class RainEvents::Terrain {
  public:
    Terrain(const RainState& state, Edges edges, const RainParameters& parameters, std::uint64_t seed)
        : grid_(state.elevation.grid()),
          stride_(grid_.columns + 2),
          columns_(grid_.columns),
          rows_(grid_.rows),
          wraps_(edges == Edges::Wrapped),
          choice_(stride_, links_of(parameters.neighbours), parameters.erosivity),
          depth_(static_cast<float>(parameters.depth)),
          landslide_(static_cast<float>(parameters.landslide)),
          share_(static_cast<float>(parameters.landslide_share)),
          keeps_pits_(parameters.pits == RainPits::Keep),
          seed_(seed),
          is_unsettled_(state.is_unsettled),
          report_(state.report) {
        lay(state.elevation, outlet_cells(state.elevation, edges));
        for (const std::int64_t cell : state.waiting)
            enqueue(index(grid_.column_of(cell), grid_.row_of(cell)));
    }

    void advance(std::int64_t events, Progress& progress) {
        slide(progress);  // what an event that was cancelled has left
        if (!has_data()) return;
        const std::int64_t first = report_.events;
        const std::int64_t count = events - first;
        const std::int64_t events_per_report = std::max<std::int64_t>(1, count / 100);
        for (std::int64_t event = first; event < events; ++event) {
            if ((event - first) % events_per_report == 0)
                progress.report(static_cast<double>(event - first) / static_cast<double>(count), "raining");
            rain(event, progress);
            if (is_unsettled_) enqueue_everywhere();
            is_unsettled_ = false;
            slide(progress);
        }
    }

    [[nodiscard]] const RainReport& report() const { return report_; }

    [[nodiscard]] RainState state() const {
        RainState state{Field<float>(grid_), report_, is_unsettled_, {}};
        for (int row = 0; row < rows_; ++row)
            for (int column = 0; column < columns_; ++column)
                state.elevation(column, row) = height_[at(index(column, row))];
        for (std::size_t i = looked_at_; i < queue_.size(); ++i) {
            const std::int64_t row = queue_[i] / stride_ - 1;
            state.waiting.push_back(row * columns_ + queue_[i] % stride_ - 1);
        }
        return state;
    }

  private:
    /// One event, but for its mudslides.
    void rain(std::int64_t event, Progress& progress) {
        const std::uint64_t key = random_bits(seed_, Stream::RainStep, static_cast<std::uint64_t>(event));
        path_.clear();
        path_.push_back(first_cell(event));
        bool leaves = false;
        for (std::uint64_t step = 0;; ++step) {
            const std::int64_t cell = path_.back();
            leaves = (flags_[at(cell)] & kOutlet) != 0;
            const std::int64_t next = leaves ? -1 : next_cell(cell, inner_unit(mix64(key ^ step)));
            if (next < 0) break;
            path_.push_back(next);
            count_work(progress);
        }
        ++report_.events;
        report_.visits += std::ssize(path_);
        if (!leaves) ++report_.trapped;
        if (leaves || !keeps_pits_) lower_path();
    }

    /// Lets slide whatever is too steep beside cells that were lowered.
    void slide(Progress& progress) {
        while (looked_at_ < queue_.size()) {  // it grows meanwhile
            const auto cell = queue_[looked_at_++];
            flags_[at(cell)] &= static_cast<std::uint8_t>(~kQueued);
            look_around(cell);
            count_work(progress);
        }
        queue_.clear();
        looked_at_ = 0;
    }

    void enqueue_everywhere() {
        for (int row = 0; row < rows_; ++row)
            for (int column = 0; column < columns_; ++column) enqueue(index(column, row));
    }

    [[nodiscard]] bool has_data() const { return !is_holed_ || !dry_.empty(); }

    [[nodiscard]] std::int64_t index(int column, int row) const {
        return (std::int64_t{row} + 1) * stride_ + column + 1;
    }

    void lay(const Field<float>& elevation, const Field<std::uint8_t>& outlets) {
        const std::size_t size = at((std::int64_t{rows_} + 2) * stride_);
        height_.assign(size, kNoData);
        flags_.assign(size, 0);
        for (int row = 0; row < rows_; ++row) {
            for (int column = 0; column < columns_; ++column) {
                std::uint8_t& flags = flags_[at(index(column, row))];
                flags = outlets(column, row) != 0 ? kOutlet : 0;
                if (wraps_ && column == 0) flags |= kFirst;
                if (wraps_ && column == columns_ - 1) flags |= kLast;
                set(index(column, row), elevation(column, row));
            }
            if (wraps_) flags_[at(index(-1, row))] = flags_[at(index(columns_, row))] = kHalo;
        }
        list_cells_with_data(elevation);
    }

    void list_cells_with_data(const Field<float>& elevation) {
        is_holed_ = std::any_of(elevation.begin(), elevation.end(), is_no_data);
        if (!is_holed_) return;
        for (int row = 0; row < rows_; ++row)
            for (int column = 0; column < columns_; ++column)
                if (!is_no_data(elevation(column, row))) dry_.push_back(index(column, row));
    }

    void set(std::int64_t cell, float height) {
        height_[at(cell)] = height;
        const std::uint8_t flags = flags_[at(cell)];
        if ((flags & (kFirst | kLast)) == 0) return;
        if ((flags & kFirst) != 0) height_[at(cell + columns_)] = height;
        if ((flags & kLast) != 0) height_[at(cell - columns_)] = height;
    }

    /// The cell that a copy stands for.
    [[nodiscard]] std::int64_t home(std::int64_t cell) const {
        if ((flags_[at(cell)] & kHalo) == 0) return cell;
        return cell % stride_ == 0 ? cell + columns_ : cell - columns_;
    }

    [[nodiscard]] std::int64_t first_cell(std::int64_t event) const {
        const std::uint64_t bits =
            random_bits(seed_, Stream::RainPlace, static_cast<std::uint64_t>(event)) >> 32;
        if (is_holed_) return dry_[at(static_cast<std::int64_t>(bits * dry_.size() >> 32))];
        const auto cells = static_cast<std::uint64_t>(rows_) * static_cast<std::uint64_t>(columns_);
        const auto cell = static_cast<std::int64_t>(bits * cells >> 32);
        return index(static_cast<int>(cell % columns_), static_cast<int>(cell / columns_));
    }

    /// Where rain goes from the cell, or -1 where it can't.
    [[nodiscard]] std::int64_t next_cell(std::int64_t cell, float u) const {
        const int direction = choice_.direction(height_.data() + cell, u);
        return direction < 0 ? -1 : home(cell + choice_.step(at(direction)));
    }

    void lower_path() {
        report_.eroded += std::ssize(path_);
        for (const std::int64_t cell : path_) {
            lower(cell, height_[at(cell)] - depth_);
            enqueue(cell);
        }
    }

    void lower(std::int64_t cell, float height) {
        report_.removed += static_cast<double>(height_[at(cell)]) - height;
        set(cell, height);
    }

    void count_work(const Progress& progress) {
        if (++work_ % kCellsPerPoll == 0) progress.poll();
    }

    void enqueue(std::int64_t cell) {
        if ((flags_[at(cell)] & kQueued) != 0) return;
        flags_[at(cell)] |= kQueued;
        queue_.push_back(cell);
    }

    /// Brings down the neighbours that stand too high above the cell.
    void look_around(std::int64_t cell) {
        if (!choice_.has_higher_by(height_.data() + cell, landslide_)) return;
        const float here = height_[at(cell)];
        for (std::size_t d = 0; d < 8; ++d) {
            if (!choice_.is_joined(d)) continue;
            const std::int64_t neighbour = home(cell + choice_.step(d));
            if (height_[at(neighbour)] - here > landslide_) bring_down(neighbour, here);
        }
    }

    void bring_down(std::int64_t cell, float below) {
        float height = height_[at(cell)];
        while (height - below > landslide_) {
            const float lower = height - share_ * (height - below);
            height = lower < height ? lower : std::nextafter(height, below);
            ++report_.mudslides;
        }
        lower(cell, height);
        enqueue(cell);
    }

    Grid grid_;
    std::int64_t stride_;
    int columns_;
    int rows_;
    bool wraps_;
    RainChoice choice_;
    float depth_;
    float landslide_;
    float share_;
    bool keeps_pits_;
    std::uint64_t seed_;
    std::vector<float> height_;
    std::vector<std::uint8_t> flags_;
    bool is_holed_ = false;
    std::vector<std::int64_t> dry_;    // cells with data, listed where others have none
    std::vector<std::int64_t> path_;   // of the present event
    std::vector<std::int64_t> queue_;  // cells that were lowered
    std::size_t looked_at_ = 0;        // of the queue
    bool is_unsettled_;
    RainReport report_;
    std::int64_t work_ = 0;  // cells that were visited or looked around
};

std::uint8_t links_of(Neighbours neighbours) {
    return neighbours == Neighbours::Four ? kAxes : kAllEight;
}

RainEvents::RainEvents(const RainState& state, Edges edges, const RainParameters& parameters,
                       std::uint64_t seed) {
    check_heights(state.elevation);
    terrain_ = std::make_unique<Terrain>(state, edges, parameters, seed);
}
RainEvents::RainEvents(RainEvents&& other) noexcept = default;
RainEvents& RainEvents::operator=(RainEvents&& other) noexcept = default;
RainEvents::~RainEvents() = default;

void RainEvents::advance(std::int64_t events, Progress& progress) {
    terrain_->advance(events, progress);
}

std::int64_t RainEvents::events() const {
    return terrain_->report().events;
}

RainState RainEvents::state() const {
    return terrain_->state();
}

RainResult rain_events(const Field<float>& elevation, Edges edges, const RainParameters& parameters,
                       std::uint64_t seed, Progress& progress) {
    RainEvents rain({.elevation = elevation, .report = {}, .waiting = {}}, edges, parameters, seed);
    rain.advance(parameters.events, progress);
    RainState state = rain.state();
    return {std::move(state.elevation), state.report};
}

void RainParameters::declare(Declaration<RainParameters>& d) {
    const char* const source = "Leheny 1995";
    d.integer("events", &RainParameters::events,
              {.label = "Rain events",
               .group = "Rain",
               .unit = "1",
               .sentence = "How many units of rain fall, one after the other; 0 leaves the start.",
               .minimum = 0.0,
               .maximum = 1e12,
               .usual = {1000.0, 1e6, SliderScale::Logarithmic},
               .source = "Leheny 1995, for 300 x 200 cells"});
    d.number("erosivity", &RainParameters::erosivity,
             {.label = "Erosivity",
              .group = "Rain",
              .unit = "1/unit",
              .sentence = "How strongly rain prefers the steepest way, E; 0 takes every way down alike.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {1e-3, 1.0, SliderScale::Logarithmic},
              .source = source});
    d.number("depth", &RainParameters::depth,
             {.label = "Depth of erosion",
              .group = "Rain",
              .unit = "unit",
              .sentence = "What each visit of rain takes off a cell, D.",
              .minimum = 0.0,
              .maximum = 1e9,
              .usual = {1.0, 100.0, SliderScale::Logarithmic},
              .source = source});
    d.number(
        "landslide", &RainParameters::landslide,
        {.label = "Mudslide threshold",
         .group = "Mudslides",
         .unit = "unit",
         .sentence = "Difference of height between neighbours above which the taller one slides, M; inf: "
                     "no mudslides.",
         .minimum = 0.0,
         .maximum = 1e9,
         .usual = {100.0, 1e4, SliderScale::Logarithmic},
         .source = source,
         .infinity_allowed = true,
         .minimum_excluded = true});
    d.number("landslide_share", &RainParameters::landslide_share,
             {.label = "Share that slides",
              .group = "Mudslides",
              .unit = "1",
              .sentence = "Share of the difference that the taller one loses at once.",
              .minimum = 0.01,
              .maximum = 0.9,
              .usual = {0.05, 0.5},
              .source = source,
              .enabled_when = {differs("landslide", {std::numeric_limits<double>::infinity()})}});
    d.choice("neighbours", &RainParameters::neighbours,
             {{"four", Neighbours::Four, "The cells beside a cell."},
              {"eight", Neighbours::Eight, "The cells beside a cell and those at its corners."}},
             {.label = "Neighbours",
              .group = "Rain",
              .unit = "",
              .sentence = "Which cells are neighbours: those beside a cell, or also those at corners.",
              .is_advanced = true});
    d.choice(
        "sinks", &RainParameters::pits,
        {{"keep", RainPits::Keep,
          "Rain that ends in a pit erodes nothing, since nothing carries the rock out."},
         {"deepen", RainPits::Deepen, "Rain that ends in a pit erodes its path all the same, the pit too."}},
        {.label = "Pits",
         .group = "Rain",
         .unit = "",
         .sentence =
             "Whether rain that ends where no neighbour is lower leaves its way as it was, or erodes it "
             "all the same.",
         .is_advanced = true});
}

}  // namespace thalweg
