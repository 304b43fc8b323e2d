// Pictures of wandering rivers: where they run, and where they ran.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_maps.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/image.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace thalweg {

/// Sand that grows over in a forest, as from the air; or pale to dark by age, as lidar shows flood plains.
enum class MeanderColours { Natural, Ages };

/// How a picture of wandering rivers looks.
struct MeanderMapStyle {
    int size = 1280;  // pixels, longer side of the picture
    MeanderColours colours = MeanderColours::Natural;
    double oldest = 0.0;                      // yr, at which colours end; 0: the span of the history
    double shading = 1.0;                     // strength of scroll bars and banks, 0 (flat colours) to 2
    bool legend = false;                      // whether scale bar and legend are drawn around it
    std::string title = {};                   // above it; empty for none
    MeanderMapParameters maps = {};           // of lakes and scroll bars; not declared
    const Field<float>* elevation = nullptr;  // m, of ground to shade; null: a plain; not declared
    double sea_level = -std::numeric_limits<double>::infinity();  // m; ground below is water; not declared

    static void declare(Declaration<MeanderMapStyle>& declaration);
};

/// Pictures of one history in one year after another: what channels have left by its age (ChannelYears of
/// meander/meander_maps.hpp), with scroll bars as shaded relief; oxbow lakes as they fill (oxbow_water), from
/// water to swamp; and on top the channels in their true width, at least a pixel and a half. Ground where
/// none has been is a wooded plain, or the shaded elevation.
///
/// What channels have left is kept from picture to picture on cells of half a pixel, and brought on, so that
/// a picture costs O(pixels + points + what has changed). Keeps references to the history and the elevation;
/// the same bits on any number of threads, in whatever years pictures were drawn before. Throws Error::input
/// as ChannelYears does, for years that go back, or for a size beyond what is declared.
///
/// Example:
///     MeanderMap map(history, grid, {.size = 1280});
///     const Image first = map.draw(0.0, progress);
///     const Image later = map.draw(50.0, progress);
class MeanderMap {
  public:
    MeanderMap(const MeanderHistory& history, const Grid& grid, const MeanderMapStyle& style);
    MeanderMap(const MeanderMap&) = delete;
    MeanderMap& operator=(const MeanderMap&) = delete;
    ~MeanderMap();

    /// Another title for pictures to come, where the style has one.
    void set_title(std::string title);

    /// The last record of or before `year`, which never goes back.
    Image draw(double year, Progress& progress);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// One such picture, of the last record or the last one of or before `year`.
Image draw_meander_map(const MeanderHistory& history, const Grid& grid, const MeanderMapStyle& style,
                       Progress& progress, std::optional<double> year = {});

}  // namespace thalweg
