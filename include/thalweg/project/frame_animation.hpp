// A series of frames as one moving picture.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/io/animation.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/project/history.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/settings.hpp"
#include "thalweg/project/stage.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thalweg {

/// How an animation looks.
struct AnimationSettings {
    int animation_size = 640;          // pixels, longer side
    double frame_rate = 12.0;          // 1/s
    bool animation_view = false;       // a view in three dimensions instead of a map
    bool animation_river = false;      // the picture river, flowing water from near by, instead of a map
    std::string animation_layer = {};  // that the map shows over the relief; empty: elevation and rivers

    static void declare(Declaration<AnimationSettings>& declaration);
};

/// An animation that is asked for.
struct AnimationOptions {
    std::filesystem::path file;  // .webp or .mp4
    AnimationSettings look = {};
};

/// An animation once it is drawn.
struct DrawnAnimation {
    std::vector<std::byte> bytes;
    int width = 0;         // pixels
    int height = 0;        // pixels
    double minimum = 0.0;  // that the colours span: heights, m, or values of the layer
    double maximum = 0.0;
};

/// Throws Error::input unless the file's name ends in .webp or .mp4, and for two of view, river and layer at
/// once.
void check_animation(const AnimationOptions& options);

/// What the pictures of an animation are drawn from, and how large they are.
struct AnimationFrame {
    Grid grid;
    double pixels = 0.0;
};

/// Of pictures as `look` asks for them, of a landscape on `grid`.
AnimationFrame animation_frame(const AnimationSettings& look, const Grid& grid);

/// Collects the frames' elevation and rivers, or the layer `animation_layer`, reduced to what the picture can
/// show, as a history, and draws them at the end: by colours, shading and a camera that are the same for all,
/// with the time on each, and a rest of 2 s on the last. Same bytes on any number of threads on one machine.
///
/// Of flowing water (animation_river) there is no rest and no time on it, and a last frame that is the first
/// one again is left out: it loops.
///
/// Example:
///     FrameAnimation animation({.animation_size = 480}, {.parameter = "time", .unit = "yr"});
///     animation.add(1e5, landscape);
///     const DrawnAnimation drawn = animation.draw({1e5}, AnimationFormat::Webp, progress);
class FrameAnimation {
  public:
    /// `river` tells where the camera of a river stands.
    FrameAnimation(AnimationSettings look, StageTime time, OutputSettings river = {})
        : look_(std::move(look)), time_(std::move(time)), river_(std::move(river)) {}

    /// Frames come in the order of their times; one of equal time is the same. The landscape has a layer
    /// `elevation`. Throws Error::input for a river where no stage has left flowing water.
    void add(double time, const Landscape& landscape);

    /// One frame after another, of which all have been added, at least one. Throws as draw_map and draw_view.
    [[nodiscard]] DrawnAnimation draw(const std::vector<double>& times, AnimationFormat format,
                                      Progress& progress) const;

  private:
    void add_layer(double time, const Landscape& landscape);
    [[nodiscard]] DrawnAnimation draw_layers(const std::vector<double>& times, AnimationFormat format,
                                             Progress& progress) const;
    [[nodiscard]] DrawnAnimation draw_courses(const std::vector<double>& times, AnimationFormat format,
                                              Progress& progress) const;
    void add_river(double time, const Landscape& landscape);
    [[nodiscard]] DrawnAnimation draw_river(const std::vector<double>& times, AnimationFormat format,
                                            Progress& progress) const;

    AnimationSettings look_;
    StageTime time_;
    OutputSettings river_;
    History frames_;
    std::optional<MeanderHistory> courses_;  // of wandering rivers, which are drawn with what they leave
    Grid grid_;
};

}  // namespace thalweg
