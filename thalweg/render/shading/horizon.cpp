#include "thalweg/render/shading/horizon.hpp"

#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace thalweg {
namespace {

constexpr double kRadians = std::numbers::pi / 180.0;
constexpr std::int64_t kLinesPerPiece = 16;
constexpr float kBeyond =
    0.5F + 1e-5F;          // cells beyond the edge that a line may run: one of two lines always does
constexpr int kTile = 32;  // cells, side of the square that is transposed at a time

/// Heights or horizons in lines along x. A transposed sheet has the field's rows along x.
struct Sheet {
    int width = 0;
    int height = 0;
    std::vector<float> values;

    Sheet(int w, int h) : width(w), height(h), values(static_cast<std::size_t>(w) * h) {}
    float* line(int y) { return values.data() + static_cast<std::size_t>(y) * width; }
    const float* line(int y) const { return values.data() + static_cast<std::size_t>(y) * width; }
};

/// Copies rows to columns, tile by tile.
void transpose(const float* from, int width, int height, float* to) {
    parallel_for(0, height, kTile, [&](std::int64_t first, std::int64_t last) {
        for (int x0 = 0; x0 < width; x0 += kTile)
            for (int y = static_cast<int>(first); y < last; ++y)
                for (int x = x0; x < std::min(x0 + kTile, width); ++x)
                    to[static_cast<std::size_t>(x) * height + y] =
                        from[static_cast<std::size_t>(y) * width + x];
    });
}

/// The points passed so far that can still be a horizon: the upper hull, nearest on top.
class Hull {
  public:
    explicit Hull(int capacity) : points_(static_cast<std::size_t>(capacity)) {}

    void clear() { count_ = 0; }

    /// Steepest rise per step from (x, z) to any earlier point, at least 0; then adds (x, z).
    float pass(float x, float z) {
        while (count_ >= 2 && !steeper(points_[count_ - 1], points_[count_ - 2], x, z)) --count_;
        const float steepest = count_ > 0 ? (points_[count_ - 1].z - z) / (x - points_[count_ - 1].x) : 0.0F;
        points_[count_++] = {x, z};
        return std::max(0.0F, steepest);
    }

  private:
    struct Point {
        float x = 0.0F;
        float z = 0.0F;
    };
    /// Whether `near` stands higher than `far`, seen from (x, z): rises compared without dividing.
    static bool steeper(Point near, Point far, float x, float z) {
        return (near.z - z) * (x - far.x) > (far.z - z) * (x - near.x);
    }

    std::vector<Point> points_;
    std::size_t count_ = 0;
};

/// Two neighbouring lines, and how much the upper one counts.
struct Between {
    int lower;
    int upper;
    float share;
};

/// Linear interpolation that leaves out a side without data.
float between(float lower, float upper, float share) {
    if (is_no_data(lower)) return upper;
    if (is_no_data(upper)) return lower;
    return lower + (upper - lower) * share;
}

/// A direction across a sheet: `shear` lines per step of x, which runs against the direction looked in.
struct Sweep {
    double shear = 0.0;   // |shear| <= 1
    bool forward = true;  // whether x ascends along the sweep
    float scale = 1.0F;   // from rise per step to tangent
};

/// How far sheared lines lie from the one that they begin on, at each x: whole lines and the rest.
class Drift {
  public:
    Drift(double shear, int width) : lines_(static_cast<std::size_t>(width)), shares_(lines_.size()) {
        for (int x = 0; x < width; ++x) {
            const double drift = shear * x;
            lines_[x] = static_cast<int>(std::floor(drift));
            shares_[x] = static_cast<float>(drift - lines_[x]);
        }
    }

    /// The lines of a sheet of `height` on either side of the place of line `start` at x.
    [[nodiscard]] Between at(int start, int x, int height) const {
        const int lower = start + lines_[x];
        if (lower < 0) return {0, 0, 0.0F};
        if (lower >= height - 1) return {height - 1, height - 1, 0.0F};
        return {lower, lower + 1, shares_[x]};
    }
    /// Whether that place is on the sheet, or beyond its edge by at most kBeyond.
    [[nodiscard]] bool is_on(int start, int x, int height) const {
        const int lower = start + lines_[x];
        return (lower >= 0 && lower < height - 1) || (lower == height - 1 && shares_[x] <= kBeyond) ||
               (lower == -1 && 1.0F - shares_[x] <= kBeyond);
    }

  private:
    std::vector<int> lines_;
    std::vector<float> shares_;
};

/// Horizons along one sheared line, which begins as line `start` at x = 0.
void sweep_line(const Sheet& heights, const Sweep& sweep, const Drift& drift, int start, Hull& hull,
                float* horizon) {
    hull.clear();
    const int step = sweep.forward ? 1 : -1;
    int x = sweep.forward ? 0 : heights.width - 1;
    for (int i = 0; i < heights.width; ++i, x += step) {
        if (!drift.is_on(start, x, heights.height)) {
            horizon[x] = kNoData;
            continue;
        }
        const Between rows = drift.at(start, x, heights.height);
        const float z = between(heights.line(rows.lower)[x], heights.line(rows.upper)[x], rows.share);
        horizon[x] = is_no_data(z) ? kNoData : hull.pass(static_cast<float>(i), z) * sweep.scale;
    }
}

/// Horizons of all cells of a sheet.
void sweep_sheet(const Sheet& heights, const Sweep& sweep, Sheet& tangent) {
    const double reach = sweep.shear * (heights.width - 1);
    const int first = static_cast<int>(std::floor(-std::max(0.0, reach)));
    const int last = static_cast<int>(std::ceil(heights.height - 1 - std::min(0.0, reach)));
    // Sweep every sheared line that touches the sheet.
    Sheet sheared(heights.width, last - first + 1);
    const Drift away(sweep.shear, heights.width);
    parallel_for(0, sheared.height, kLinesPerPiece, [&](std::int64_t begin, std::int64_t end) {
        Hull hull(heights.width);
        for (int line = static_cast<int>(begin); line < end; ++line)
            sweep_line(heights, sweep, away, first + line, hull, sheared.line(line));
    });
    // Bring the lines back to the cells between them.
    const Drift back(-sweep.shear, heights.width);
    parallel_for(0, heights.height, kLinesPerPiece, [&](std::int64_t begin, std::int64_t end) {
        for (int y = static_cast<int>(begin); y < end; ++y) {
            for (int x = 0; x < heights.width; ++x) {
                const Between lines = back.at(y - first, x, sheared.height);
                const bool blank = is_no_data(heights.line(y)[x]);
                tangent.line(y)[x] =
                    blank ? kNoData
                          : between(sheared.line(lines.lower)[x], sheared.line(lines.upper)[x], lines.share);
            }
        }
    });
}

/// A field with its transpose, and room for horizons in both.
class HorizonSweeper {
  public:
    HorizonSweeper(const Field<float>& elevation, double exaggeration)
        : grid_(elevation.grid()),
          per_step_(exaggeration / grid_.cell_size),
          rows_(grid_.columns, grid_.rows),
          columns_(grid_.rows, grid_.columns),
          turned_(grid_.rows, grid_.columns),
          straight_(grid_.columns, grid_.rows) {
        rows_.values = elevation.values();
        transpose(elevation.data(), grid_.columns, grid_.rows, columns_.values.data());
    }

    void tangent_towards(double azimuth, Field<float>& tangent) {
        // Unit step towards the azimuth, in columns (east) and rows (south).
        const double east = std::sin(azimuth * kRadians);
        const double south = -std::cos(azimuth * kRadians);
        const bool along_rows = std::abs(east) >= std::abs(south);
        const double along = along_rows ? east : south;
        Sweep sweep;
        sweep.shear = (along_rows ? south : east) / along;
        sweep.forward = along < 0.0;
        sweep.scale = static_cast<float>(per_step_ / std::hypot(1.0, sweep.shear));
        if (along_rows) {
            sweep_sheet(rows_, sweep, straight_);
            std::copy(straight_.values.begin(), straight_.values.end(), tangent.begin());
        } else {
            sweep_sheet(columns_, sweep, turned_);
            transpose(turned_.values.data(), grid_.rows, grid_.columns, tangent.data());
        }
    }

  private:
    Grid grid_;
    double per_step_;  // exaggerated metres to cells
    Sheet rows_;
    Sheet columns_;
    Sheet turned_;
    Sheet straight_;
};

}  // namespace

Field<float> horizon_tangent(const Field<float>& elevation, double azimuth, double exaggeration) {
    Field<float> tangent(elevation.grid());
    HorizonSweeper(elevation, exaggeration).tangent_towards(azimuth, tangent);
    return tangent;
}

void sweep_horizons(const Field<float>& elevation, const std::vector<double>& azimuths, double exaggeration,
                    const std::function<void(double azimuth, const Field<float>& tangent)>& use,
                    const Progress& progress) {
    HorizonSweeper sweeper(elevation, exaggeration);
    Field<float> tangent(elevation.grid());
    for (const double azimuth : azimuths) {
        progress.poll();
        sweeper.tangent_towards(azimuth, tangent);
        use(azimuth, tangent);
    }
}

}  // namespace thalweg
