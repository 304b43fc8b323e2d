#include "thalweg/project/frame_animation.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/io/animation.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/output/river_picture.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/stage_time.hpp"
#include "thalweg/render/caption.hpp"
#include "thalweg/render/map.hpp"
#include "thalweg/render/meander_map.hpp"
#include "thalweg/render/view.hpp"
#include "thalweg/river/network.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kLeastShare = 1e-4;    // of the greatest value, that colours by logarithms tell (empirical)
constexpr double kRest = 2.0;           // s on the last frame, before the first comes again
constexpr double kViewShape = 0.625;    // height of a view over its width, as in ViewParameters
constexpr double kRiverShape = 0.5625;  // the same of a river, as in RiverViewParameters

/// Whether half the cells still show what a picture of `size` pixels can.
bool can_be_halved(const Grid& grid, int size) {
    return std::max(grid.columns, grid.rows) >= 2 * size;
}

/// The heights of all frames, and the terrain with the greatest relief among them.
struct FrameScale {
    ValueRange heights;
    Field<float> terrain;
};

FrameScale scale_of(const History& frames, const std::vector<double>& times) {
    FrameScale scale;
    double greatest = -1.0;
    for (const double time : times) {
        const Dataset elevation = *frames.find(kElevation, time);
        const Field<float>& heights = elevation.as<Layer>()->values;
        const ValueRange range = value_range(heights, kElevation);
        const bool is_first = scale.terrain.empty();
        scale.heights.low = is_first ? range.low : std::min(scale.heights.low, range.low);
        scale.heights.high = is_first ? range.high : std::max(scale.heights.high, range.high);
        if (range.high - range.low <= greatest) continue;
        greatest = range.high - range.low;
        scale.terrain = heights;
    }
    return scale;
}

LayerStyle style_of(const std::string& layer) {
    return layer_style(layer, description_of(layer).unit);
}

/// What the colours of a layer span in all frames: without those in which nothing is above 0 where they go by
/// its logarithm.
ValueRange range_of(const History& frames, const std::vector<double>& times, const LayerStyle& style) {
    std::optional<ValueRange> range;
    for (const double time : times) {
        const Dataset layer = *frames.find(style.name, time);
        const ValueRange of_frame = layer_range(layer.as<Layer>()->values, style);
        if (style.kind == LayerScale::Logarithmic && !(of_frame.low > 0.0)) continue;
        if (!range) range = of_frame;
        range = {std::min(range->low, of_frame.low), std::max(range->high, of_frame.high)};
    }
    if (!range) return {};
    if (style.kind == LayerScale::Logarithmic) range->low = std::max(range->low, kLeastShare * range->high);
    return *range;
}

/// Draws one frame after another in the same way.
class FramePainter {
  public:
    FramePainter(const AnimationSettings& look, const FrameScale& frames) : view_(look.animation_view) {
        map_parameters_.size = view_parameters_.width = look.animation_size;
        view_parameters_.height =
            std::max(1, static_cast<int>(std::lround(kViewShape * look.animation_size)));
        map_parameters_.scale = view_parameters_.scale = CommonScale{frames.heights, &frames.terrain};
    }

    [[nodiscard]] Image paint(const std::string& time, const Field<float>& elevation,
                              const RiverNetwork* rivers, double sea_level, Progress& progress) {
        map_parameters_.title = time;
        map_parameters_.sea_level = view_parameters_.sea_level = sea_level;
        if (!view_) return draw_map(elevation, rivers, map_parameters_, progress);
        return with_caption(draw_view(elevation, rivers, view_parameters_, progress), time);
    }

  private:
    bool view_;
    MapParameters map_parameters_;
    ViewParameters view_parameters_;
};

/// An animation that begins with its first picture.
class Recording {
  public:
    Recording(AnimationFormat format, double frame_rate, double rest = kRest)
        : format_(format), frame_rate_(frame_rate), rest_(rest) {}

    void add(const Image& image) {
        if (!animation_) animation_ = make_animation(format_, image, frame_rate_, rest_);
        animation_->add(image);
    }

    /// At least one picture must have been added.
    void finish(DrawnAnimation& drawn) {
        drawn.width = animation_->width();
        drawn.height = animation_->height();
        drawn.bytes = animation_->finish();
    }

  private:
    AnimationFormat format_;
    double frame_rate_;
    double rest_;  // s, on the last picture
    std::unique_ptr<Animation> animation_;
};

}  // namespace

void AnimationSettings::declare(Declaration<AnimationSettings>& d) {
    d.integer(
        "animation_size", &AnimationSettings::animation_size,
        {.unit = "pixels", .sentence = "Longer side of the animation.", .minimum = 64, .maximum = 2048});
    d.number("frame_rate", &AnimationSettings::frame_rate,
             {.unit = "1/s",
              .sentence = "Frames of the animation that are shown in a second.",
              .minimum = 0.1,
              .maximum = 60.0});
    d.boolean(
        "animation_view", &AnimationSettings::animation_view,
        {.unit = "", .sentence = "Whether the animation is a view in three dimensions instead of a map."});
    d.boolean(
        "animation_river", &AnimationSettings::animation_river,
        {.unit = "",
         .sentence = "Whether the animation is picture river instead of a map: flowing water of stage "
                     "water from near by. It loops where its times end a loop_period after they begin."});
    d.text("animation_layer", &AnimationSettings::animation_layer,
           {.unit = "",
            .sentence = "The layer that the map shows over the relief, such as discharge, instead of "
                        "elevation and rivers."});
}

void check_animation(const AnimationOptions& options) {
    with_place("--animation ", [&] { (void)animation_format_of(options.file); });
    std::vector<std::string> given;
    if (options.look.animation_view) given.emplace_back("--animation-view");
    if (options.look.animation_river) given.emplace_back("--animation-river");
    if (!options.look.animation_layer.empty()) given.emplace_back("--animation-layer");
    if (given.size() > 1)
        throw Error::input(fmt::format("{} are given: give one of them", fmt::join(given, " and ")));
}

AnimationFrame animation_frame(const AnimationSettings& look, const Grid& grid) {
    AnimationFrame frame{.grid = grid};
    const double size = look.animation_size;
    if (look.animation_river) {
        frame.pixels = kRiverShape * size * size;
        return frame;
    }
    while (can_be_halved(frame.grid, look.animation_size)) frame.grid = frame.grid.coarser();
    frame.pixels = look.animation_view ? kViewShape * size * size : size * size;
    return frame;
}

void FrameAnimation::add(double time, const Landscape& landscape) {
    if (!frames_.times().empty() && frames_.times().back() == time) return;
    if (look_.animation_river) return add_river(time, landscape);
    if (!look_.animation_layer.empty()) return add_layer(time, landscape);
    std::map<std::string, Dataset> frame;
    // The courses of a later year are those of earlier ones too.
    if (const auto* const courses = landscape.find<MeanderHistory>(kCourses);
        courses != nullptr && (!courses_ || time >= frames_.times().back())) {
        courses_ = *courses;
        grid_ = landscape.grid;
    }
    if (courses_ && !look_.animation_view) return frames_.add(time, frame);
    Field<float> elevation = landscape.layer(kElevation);
    while (can_be_halved(elevation.grid(), look_.animation_size)) elevation = half_coarsen(elevation);
    frame.emplace(kElevation, Layer{std::move(elevation), {}});
    frame.emplace(kWaterBoundary,
                  WaterBoundary{.sources = {}, .outlets = {}, .sea_level = landscape.boundary().sea_level});
    if (const auto rivers = landscape.datasets.find(kRivers); rivers != landscape.datasets.end())
        frame.insert(*rivers);
    frames_.add(time, frame);
}

void FrameAnimation::add_river(double time, const Landscape& landscape) {
    if (!has_river_picture(landscape))
        throw Error::input("--animation-river shows what stage water leaves: add that stage");
    grid_ = landscape.grid;
    std::map<std::string, Dataset> frame;
    for (const char* const name :
         {kElevation, kWaterElevation, kWaterDepth, kVelocity, kVelocityEast, kVelocityNorth, kFoam,
          kBedMaterial, kBareRock, kScree, kVegetation, kForest, kSnow, kFormation, kErodibility, kGroundRed,
          kGroundGreen, kGroundBlue})
        if (landscape.has(name)) frame.emplace(name, Layer{landscape.layer(name), {}});
    for (const char* const name : {kFlowingWater, kRiverBeds, kCountryAround, kRock})
        if (const auto held = landscape.datasets.find(name); held != landscape.datasets.end())
            frame.insert(*held);
    frames_.add(time, frame);
}

void FrameAnimation::add_layer(double time, const Landscape& landscape) {
    const LayerStyle style = style_of(look_.animation_layer);
    const bool is_mean = style.kind != LayerScale::Steps && style.kind != LayerScale::Categories;
    Field<float> elevation = landscape.layer(kElevation);
    Field<float> layer = landscape.layer(look_.animation_layer);
    while (can_be_halved(elevation.grid(), look_.animation_size)) {
        elevation = half_coarsen(elevation);
        if (is_mean) layer = half_coarsen(layer);
    }
    std::map<std::string, Dataset> frame;
    frame.emplace(kElevation, Layer{std::move(elevation), {}});
    frame.emplace(look_.animation_layer, Layer{std::move(layer), {}});
    frames_.add(time, frame);
}

DrawnAnimation FrameAnimation::draw(const std::vector<double>& times, AnimationFormat format,
                                    Progress& progress) const {
    if (look_.animation_river) return draw_river(times, format, progress);
    if (!look_.animation_layer.empty()) return draw_layers(times, format, progress);
    if (courses_ && !look_.animation_view) return draw_courses(times, format, progress);
    const FrameScale scale = scale_of(frames_, times);
    FramePainter painter(look_, scale);
    Recording recording(format, look_.frame_rate);
    DrawnAnimation drawn;
    drawn.minimum = scale.heights.low;
    drawn.maximum = scale.heights.high;
    const double share = 1.0 / static_cast<double>(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Landscape frame{.grid = {}, .seed = 0, .datasets = frames_.at(times[i])};
        const double done = share * static_cast<double>(i);
        progress.report(done, fmt::format("drawing frame {} of {}", i + 1, times.size()));
        SilentPart quiet(progress);
        recording.add(painter.paint(time_in_words(times[i], time_), frame.layer(kElevation),
                                    frame.find<RiverNetwork>(kRivers), frame.boundary().sea_level, quiet));
    }
    recording.finish(drawn);
    return drawn;
}

DrawnAnimation FrameAnimation::draw_layers(const std::vector<double>& times, AnimationFormat format,
                                           Progress& progress) const {
    const std::string& name = look_.animation_layer;
    const FrameScale scale = scale_of(frames_, times);
    LayerStyle style = style_of(name);
    style.range = range_of(frames_, times, style);
    Recording recording(format, look_.frame_rate);
    for (std::size_t i = 0; i < times.size(); ++i) {
        progress.report(static_cast<double>(i) / static_cast<double>(times.size()),
                        fmt::format("drawing frame {} of {}", i + 1, times.size()));
        const Landscape frame{.grid = {}, .seed = 0, .datasets = frames_.at(times[i])};
        SilentPart quiet(progress);
        recording.add(draw_layer_map(frame.layer(name), &frame.layer(kElevation), style,
                                     {.size = look_.animation_size,
                                      .title = time_in_words(times[i], time_),
                                      .scale = CommonScale{scale.heights, &scale.terrain}},
                                     quiet));
    }
    DrawnAnimation drawn;
    drawn.minimum = style.range->low;
    drawn.maximum = style.range->high;
    recording.finish(drawn);
    return drawn;
}

DrawnAnimation FrameAnimation::draw_river(const std::vector<double>& times, AnimationFormat format,
                                          Progress& progress) const {
    const auto landscape_at = [&](double time) {
        return Landscape{.grid = grid_, .seed = 0, .datasets = frames_.at(time)};
    };
    const int height = std::max(1, static_cast<int>(std::lround(kRiverShape * look_.animation_size)));
    SilentPart quiet(progress);
    const auto view = river_view(river_, landscape_at(times.front()), look_.animation_size, height, quiet);
    Recording recording(format, look_.frame_rate, 1.0 / look_.frame_rate);
    Image first;
    for (std::size_t i = 0; i < times.size(); ++i) {
        progress.report(static_cast<double>(i) / static_cast<double>(times.size()),
                        fmt::format("drawing frame {} of {}", i + 1, times.size()));
        const Image image = view->draw(river_water_of(landscape_at(times[i])), quiet);
        if (i == 0) first = image;
        const bool comes_round = i > 0 && i + 1 == times.size() && image.rgb == first.rgb;
        if (!comes_round) recording.add(image);
    }
    DrawnAnimation drawn;
    recording.finish(drawn);
    return drawn;
}

DrawnAnimation FrameAnimation::draw_courses(const std::vector<double>& times, AnimationFormat format,
                                            Progress& progress) const {
    Recording recording(format, look_.frame_rate);
    std::vector<double> years = times;
    std::ranges::sort(years);
    const std::string title = time_in_words(years.back(), time_);
    MeanderMap map(*courses_, grid_, {.size = look_.animation_size, .legend = true, .title = title});
    for (std::size_t i = 0; i < years.size(); ++i) {
        progress.report(static_cast<double>(i) / static_cast<double>(years.size()),
                        fmt::format("drawing frame {} of {}", i + 1, years.size()));
        SilentPart quiet(progress);
        map.set_title(time_in_words(years[i], time_));
        recording.add(map.draw(years[i], quiet));
    }
    DrawnAnimation drawn;
    recording.finish(drawn);
    return drawn;
}

}  // namespace thalweg
