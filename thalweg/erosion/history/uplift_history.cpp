#include "thalweg/erosion/uplift_history.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/noise/bases.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kFlexure = 900.0;    // m, of a block's edge
constexpr double kDomeRadius = 0.8;   // of half the longer side
constexpr double kFaultWander = 0.2;  // of half the longer side
constexpr double kFaultLength = 0.8;  // of half the longer side, of the courses' bends

/// The greatest uplift rate, m/yr; no plate does more than a fiftieth.
constexpr double kMostUplift = 1.0;

/// The most that all episodes may move the ground, m: more than any crust.
constexpr double kMostRise = 5e4;

/// An episode with everything left out filled in.
struct PlacedEpisode {
    UpliftEpisode episode;
    Position centre;
    UnitVector direction;
    double half_side = 1.0;  // m
    std::uint64_t key = 0;   // of the fault's course
};

PlacedEpisode placed(UpliftEpisode episode, std::size_t number, const Grid& home, std::uint64_t seed) {
    const auto draw = [&](std::uint64_t what) {
        return unit_double(random_bits(seed, Stream::Uplift, number, what));
    };
    PlacedEpisode found;
    found.half_side = 0.5 * std::max(home.width(), home.height());
    found.centre = {home.west + home.width() * (1.0 + draw(0)) / 3.0,
                    home.north - home.height() * (1.0 + draw(1)) / 3.0};
    if (!episode.centre.empty()) found.centre = {episode.centre[0], episode.centre[1]};
    found.direction = direction_from_north(episode.direction < 0.0 ? 360.0 * draw(2) : episode.direction);
    if (episode.width == 0.0)
        episode.width = episode.pattern == UpliftPattern::Dome ? kDomeRadius * found.half_side : kFlexure;
    found.key = random_bits(seed, Stream::Uplift, number, 3);
    found.episode = std::move(episode);
    return found;
}

/// The pattern's share of the episode's uplift at positions of one row. Not for several threads at once.
class Pattern {
  public:
    explicit Pattern(const PlacedEpisode& placed) : placed_(placed), course_(placed.key) {}

    double operator()(const Position& p) {
        const double x = p.x - placed_.centre.x;
        const double y = p.y - placed_.centre.y;
        const double ahead = placed_.direction.x * x + placed_.direction.y * y;
        const double e = placed_.half_side;
        const double width = placed_.episode.width;
        switch (placed_.episode.pattern) {
            case UpliftPattern::Even:
            case UpliftPattern::Painted:
                break;
            case UpliftPattern::Block: {
                const double c =
                    ahead + kFaultWander * e * course_(p.x / (kFaultLength * e), p.y / (kFaultLength * e));
                const double raised = 1.0 / (1.0 + portable_exp(std::clamp(-4.0 * c / width, -50.0, 50.0)));
                return (0.4 + 0.6 * raised) * (1.0 + 0.4 * std::clamp(c / e, -1.0, 1.0));
            }
            case UpliftPattern::Tilt:
                return 0.5 + 0.5 * std::clamp(ahead / e, -1.0, 1.0);
            case UpliftPattern::Dome: {
                const double inside = std::max(0.0, 1.0 - (x * x + y * y) / (width * width));
                return inside * inside;
            }
        }
        return 1.0;
    }

  private:
    const PlacedEpisode& placed_;
    GradientBasis course_;
};

/// How far episodes move the ground at most, m.
struct TotalRise {
    double rise = 0.0;
    double fall = 0.0;

    void add(const UpliftEpisode& episode, double factor) {
        (episode.uplift > 0.0 ? rise : fall) += std::abs(episode.uplift) * factor * episode.duration;
    }
    [[nodiscard]] double up_and_down() const { return rise + fall; }
    [[nodiscard]] const char* name() const {
        if (fall == 0.0) return "rise";
        return rise == 0.0 ? "fall" : "rise and fall";
    }
};

/// `painted`, where 1 is `rate`, m/yr.
LayerSource painted_source(double rate, const LayerSource& painted) {
    return [rate, painted](const Grid& grid, Progress& progress) {
        Field<float> uplift = painted(grid, progress);
        for (float& value : uplift) value = static_cast<float>(rate * value);
        return uplift;
    };
}

}  // namespace

void UpliftEpisode::declare(Declaration<UpliftEpisode>& d) {
    d.choice("pattern", &UpliftEpisode::pattern,
             {{"even", UpliftPattern::Even, "The whole map alike; a fall of base level is this too."},
              {"block", UpliftPattern::Block, "A block behind a fault, tilted away from it."},
              {"tilt", UpliftPattern::Tilt, "More and more towards one side."},
              {"dome", UpliftPattern::Dome, "Most in the middle of a dome."},
              {"painted", UpliftPattern::Painted, "As the map of uplift_map has it, where 1 is `uplift`."}},
             {.label = "Pattern", .unit = "", .sentence = "How uplift is spread over the map."});
    d.number("duration", &UpliftEpisode::duration,
             {.label = "Duration",
              .unit = "yr",
              .sentence = "How long the episode lasts.",
              .minimum = 0.0,
              .maximum = 1e9,
              .usual = {1e4, 1e7, SliderScale::Logarithmic}});
    d.number("uplift", &UpliftEpisode::uplift,
             {.label = "Uplift rate",
              .unit = "m/yr",
              .sentence = "Rate where it is greatest, but for the tilt of a block.",
              .minimum = -kMostUplift,
              .maximum = kMostUplift,
              .usual = {0.0, 5e-3}});
    d.numbers("centre", &UpliftEpisode::centre,
              {.label = "Centre",
               .unit = "m",
               .sentence = "A place on the fault or in the dome, x and y; none takes one by the seed.",
               .list_size = 0});
    d.number("direction", &UpliftEpisode::direction,
             {.label = "Direction",
              .unit = "degrees",
              .sentence = "Towards which the ground rises, clockwise from north; -1 takes one by the seed.",
              .minimum = -1.0,
              .maximum = 360.0,
              .usual = {0.0, 360.0},
              .automatic = -1.0});
    d.number("width", &UpliftEpisode::width,
             {.label = "Width",
              .unit = "m",
              .sentence =
                  "Width of a block's flexure or radius of a dome; 0 takes 900 m, or 0.4 of the longer side.",
              .minimum = 0.0,
              .maximum = 1e7,
              .usual = {100.0, 20000.0, SliderScale::Logarithmic},
              .automatic = 0.0});
    d.number("precipitation_factor", &UpliftEpisode::precipitation_factor,
             {.label = "Precipitation factor",
              .unit = "1",
              .sentence = "Rain of the episode, as a factor on drainage area.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.2, 4.0}});
}

std::vector<UpliftEpisode> episodes_of(HistoryPreset preset) {
    using enum UpliftPattern;
    switch (preset) {
        case HistoryPreset::RisingBlock:
            return {{.pattern = Block, .duration = 8e5, .uplift = 1.2e-3, .centre = {}}};
        case HistoryPreset::TiltedBlock:
            return {{.pattern = Tilt, .duration = 1.2e6, .uplift = 1.0e-3, .centre = {}}};
        case HistoryPreset::Dome:
            return {{.pattern = Dome, .duration = 1.2e6, .uplift = 1.2e-3, .centre = {}}};
        case HistoryPreset::Pulses:
            return {{.pattern = Block, .duration = 3e5, .uplift = 1.5e-3, .centre = {}},
                    {.pattern = Even, .duration = 4e5, .uplift = 1e-4, .centre = {}},
                    {.pattern = Block, .duration = 2e5, .uplift = 1.5e-3, .centre = {}}};
        case HistoryPreset::Decay:
            break;
    }
    return {{.pattern = Block, .duration = 6e5, .uplift = 1.2e-3, .centre = {}},
            {.pattern = Even, .duration = 2e6, .uplift = 0.0, .centre = {}}};
}

void check_episodes(const std::vector<UpliftEpisode>& episodes, double most_painted) {
    TotalRise total;
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        const UpliftEpisode& episode = episodes[i];
        const auto refuse = [&](const std::string& what) {
            throw Error::input(fmt::format("episode {}: {}", i + 1, what));
        };
        if (!(episode.duration > 0.0) || std::isinf(episode.duration))
            refuse(fmt::format("duration = {} yr is not allowed: give more than 0 yr", episode.duration));
        if (!(std::abs(episode.uplift) <= kMostUplift))
            refuse(fmt::format("uplift = {} m/yr is not allowed: give -1 to 1 m/yr", episode.uplift));
        if (!(episode.precipitation_factor >= 0.0) || std::isinf(episode.precipitation_factor))
            refuse(fmt::format("precipitation_factor = {} is not allowed: give 0 or more",
                               episode.precipitation_factor));
        if (!(episode.width >= 0.0) || std::isinf(episode.width))
            refuse(fmt::format("width = {} m is not allowed: give 0 m or more", episode.width));
        const auto is_finite = [](double value) { return std::isfinite(value); };
        if (!episode.centre.empty() &&
            !(episode.centre.size() == 2 && std::ranges::all_of(episode.centre, is_finite)))
            refuse("centre is not allowed: give x and y in metres, or nothing");
        const bool is_painted = episode.pattern == UpliftPattern::Painted;
        total.add(episode, is_painted ? most_painted : 1.0);
        if (total.up_and_down() > kMostRise)
            refuse(
                fmt::format("uplift = {} m/yr{} for {:.12g} yr brings the {} of all episodes to {:.6g} km: "
                            "give up to 50 km",
                            episode.uplift,
                            is_painted && most_painted != 1.0
                                ? fmt::format(", {:.6g} times that on its map,", most_painted)
                                : "",
                            episode.duration, total.name(), 1e-3 * (total.up_and_down())));
    }
}

LayerSource uplift_source(const UpliftEpisode& episode, std::size_t number, const Grid& home,
                          std::uint64_t seed, const LayerSource& painted) {
    if (episode.pattern == UpliftPattern::Painted) {
        if (!painted)
            throw Error::input(
                fmt::format("episode {}: its uplift is painted, but there is no map of it", number + 1));
        return painted_source(episode.uplift, painted);
    }
    return [placed = placed(episode, number, home, seed)](const Grid& grid, Progress& progress) {
        Field<float> rate(grid);
        for_each_row(grid, [&](int row) {
            progress.poll();
            Pattern pattern(placed);
            for (int column = 0; column < grid.columns; ++column)
                rate(column, row) =
                    static_cast<float>(placed.episode.uplift * pattern(grid.centre(column, row)));
        });
        return rate;
    };
}

}  // namespace thalweg
