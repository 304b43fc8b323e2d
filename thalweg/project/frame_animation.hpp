// A series of frames as one moving picture.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/project/landscape.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// How an animation looks.
struct AnimationSettings {
    int animation_size = 640;     // pixels, longer side
    double frame_rate = 12.0;     // 1/s
    bool animation_view = false;  // a view in three dimensions instead of a map

    static void declare(Declaration<AnimationSettings>& declaration);
};

/// An animation that is asked for.
struct AnimationOptions {
    std::filesystem::path file;  // .webp
    AnimationSettings look = {};
};

/// An animation once it is drawn.
struct DrawnAnimation {
    std::vector<std::byte> bytes;
    int width = 0;         // pixels
    int height = 0;        // pixels
    double minimum = 0.0;  // m, heights that the colours span
    double maximum = 0.0;
};

/// "250 000 years", "steady state".
std::string years_in_words(double time);

/// Throws Error::input unless the file's name ends in .webp.
void check_animation(const AnimationOptions& options);

/// Memory that an animation of so many frames of `grid` takes at once, bytes.
double animation_bytes(const AnimationSettings& look, const Grid& grid, std::size_t frames);

/// Collects the frames' elevation and rivers, reduced to what the picture can show, and draws them at the
/// end: by colours, shading and a camera that are the same for all, with the year on each, and a rest of 2 s
/// on the last. Same bytes on any number of threads on one machine.
class FrameAnimation {
  public:
    explicit FrameAnimation(AnimationSettings look) : look_(look) {}

    /// The landscape has a layer `elevation`.
    void add(double time, const Landscape& landscape);

    /// Of at least one frame. Throws as draw_map and draw_view.
    [[nodiscard]] DrawnAnimation draw(Progress& progress) const;

  private:
    struct Frame {
        double time;  // yr
        Field<float> elevation;
        std::optional<Dataset> rivers;  // a RiverNetwork
        double sea_level;               // m
    };

    AnimationSettings look_;
    std::vector<Frame> frames_;
};

}  // namespace thalweg
