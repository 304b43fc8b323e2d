#include "thalweg/meander/events/course_search.hpp"

#include "thalweg/grid/sampling.hpp"
#include "thalweg/meander/events/least_cost_path.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace thalweg {
namespace {

constexpr double kAround = 3.0;  // widths of the channel, around a point at which a course is to end
constexpr double kNowhere = std::numeric_limits<double>::infinity();

Position place_of_point(const ChannelLine& line, std::size_t i) {
    return {.x = line.x[i], .y = line.y[i]};
}

double distance_between(Position a, Position b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

/// Height of the ground, m; NaN off the terrain.
double ground_at(const Field<float>& elevation, Position place) {
    const Grid& grid = elevation.grid();
    const bool is_on = place.x >= grid.west && place.y <= grid.north && place.x <= grid.west + grid.width() &&
                       place.y >= grid.north - grid.height();
    return is_on ? sample_bilinear(elevation, place) : std::numeric_limits<float>::quiet_NaN();
}

/// The channel that a cell is nearest to, of those that a course through it would meet.
struct NearChannel {
    std::int32_t channel = -1;
    std::int32_t point = 0;
    double distance = kNowhere;  // m
};

/// The ground around a channel's point, on cells that are as wide as the channel.
class CourseGround {
  public:
    CourseGround(const MeanderState& state, const ChannelPoint& from, const CourseTarget& target)
        : state_(state),
          from_(from),
          target_(target),
          line_(state.channels[from.channel].line),
          start_(place_of_point(line_, from.point)),
          width_(line_.values.width[from.point]),
          graph_(state.network.reaches) {
        if (!target.is_given()) slope_ = (line_.z.front() - line_.z.back()) / length_of(line_);
        choose_cells();
        find_near_channels();
        ground_.cut.assign(near_.size(), std::numeric_limits<float>::infinity());
        ground_.is_end.assign(near_.size(), 0);
        for (std::int64_t cell = 0; cell < ground_.grid.cells(); ++cell) set_cell(cell);
    }

    [[nodiscard]] std::optional<FoundCourse> found() const {
        const auto start = static_cast<std::int32_t>(cell_at(start_));
        const std::vector<std::int32_t> path = least_cost_path(ground_, start);
        if (path.size() < 2) return std::nullopt;
        FoundCourse course{.corners = straightened(ground_, path)};
        const NearChannel& near = near_[path.back()];
        if (near.channel >= 0) {
            end_in_channel({.channel = static_cast<std::size_t>(near.channel),
                            .point = static_cast<std::size_t>(near.point)},
                           course);
        } else {
            end_at_outlet(course);
        }
        course.corners.front() = start_;
        course.bed = std::min(course.bed, line_.z[from_.point]);
        return course;
    }

  private:
    void choose_cells() {
        constexpr int kCells = 150;      // to each side
        constexpr double kBeyond = 1.3;  // of the distance of a target
        Position furthest = target_.place.value_or(start_);
        if (target_.mouth)
            furthest = place_of_point(state_.channels[target_.mouth->channel].line, target_.mouth->point);
        const double aside = std::max(kCells * width_, kBeyond * distance_between(start_, furthest));
        const int cells = 2 * kCells + 1;
        const double size = 2.0 * aside / cells;
        ground_.depth = line_.values.depth[from_.point];
        ground_.grid = {.columns = cells,
                        .rows = cells,
                        .cell_size = size,
                        .west = start_.x - 0.5 * cells * size,
                        .north = start_.y + 0.5 * cells * size};
    }

    [[nodiscard]] std::int64_t cell_at(Position place) const {
        const Grid& grid = ground_.grid;
        const auto column = static_cast<int>(std::lround(grid.column_at(place.x)));
        const auto row = static_cast<int>(std::lround(grid.row_at(place.y)));
        return grid.contains(column, row) ? grid.index(column, row) : -1;
    }

    void find_near_channels() {
        near_.resize(static_cast<std::size_t>(ground_.grid.cells()));
        for (std::size_t c = 0; c < state_.channels.size(); ++c)
            for (std::size_t i = 0; i < state_.channels[c].line.size(); ++i)
                if (!is_to_be_left({c, i})) mark_around({c, i});
    }

    /// Whether a point lies on what the channel will have left then, which a course to a given target may
    /// cross.
    [[nodiscard]] bool is_to_be_left(const ChannelPoint& at) const {
        if (!target_.is_given() || at.channel != from_.channel || at.point <= from_.point) return false;
        if (!target_.mouth || target_.mouth->channel != from_.channel) return true;
        const double spacing = length_of(line_) / static_cast<double>(line_.size() - 1);
        return static_cast<double>(target_.mouth->point - at.point) * spacing > kAround * width_ &&
               at.point < target_.mouth->point;
    }

    /// Marks the cells from which a course would meet a channel at one of its points.
    void mark_around(const ChannelPoint& at) {
        const Grid& grid = ground_.grid;
        const ChannelLine& line = state_.channels[at.channel].line;
        const Position place = place_of_point(line, at.point);
        const double reach = 0.5 * (width_ + line.values.width[at.point]) + grid.cell_size;
        const int west = std::max(0, static_cast<int>(std::ceil(grid.column_at(place.x - reach))));
        const int east =
            std::min(grid.columns - 1, static_cast<int>(std::floor(grid.column_at(place.x + reach))));
        const int north = std::max(0, static_cast<int>(std::ceil(grid.row_at(place.y + reach))));
        const int south = std::min(grid.rows - 1, static_cast<int>(std::floor(grid.row_at(place.y - reach))));
        for (int row = north; row <= south; ++row)
            for (int column = west; column <= east; ++column) {
                NearChannel& near = near_[grid.index(column, row)];
                const double distance = distance_between(grid.centre(column, row), place);
                if (distance <= reach && distance < near.distance)
                    near = {.channel = static_cast<std::int32_t>(at.channel),
                            .point = static_cast<std::int32_t>(at.point),
                            .distance = distance};
            }
    }

    void set_cell(std::int64_t cell) {
        const Grid& grid = ground_.grid;
        const Position place = grid.centre(grid.column_of(cell), grid.row_of(cell));
        NearChannel& near = near_[cell];
        const double level = line_.z[from_.point] + ground_.depth - slope_ * distance_between(place, start_);
        if (near.channel >= 0 && !is_way_out(near, place)) {
            if (!may_end_in(near, level - ground_.depth)) return;
            ground_.is_end[cell] = 1;
            ground_.cut[cell] = 0.0F;
            return;
        }
        near = {};
        const double ground = state_.elevation ? ground_at(*state_.elevation, place) : level;
        // Off the terrain only where the ground falls as fast as the river to its rim.
        const bool is_rim = std::isnan(ground) && !target_.is_given() && !(rim_beside(place) > level);
        const double cut = std::isnan(ground) ? 0.0 : std::max(0.0, ground - level);
        if (cut > state_.parameters.avulsion_depth || (std::isnan(ground) && !is_rim)) return;
        ground_.cut[cell] = static_cast<float>(cut);
        if (is_rim || (target_.place && cell == cell_at(*target_.place))) ground_.is_end[cell] = 1;
    }

    /// Height of the ground at the rim that a place off the terrain is beside, m.
    [[nodiscard]] double rim_beside(Position place) const {
        const Grid& grid = state_.elevation->grid();
        return ground_at(*state_.elevation,
                         {.x = std::clamp(place.x, grid.west, grid.west + grid.width()),
                          .y = std::clamp(place.y, grid.north - grid.height(), grid.north)});
    }

    /// Whether a place is so near to the start that a course may come through it, though it is beside its own
    /// channel.
    [[nodiscard]] bool is_way_out(const NearChannel& near, Position place) const {
        constexpr double kWayOut = 4.0;  // widths
        if (near.channel != static_cast<std::int32_t>(from_.channel)) return false;
        if (distance_between(place, start_) > kWayOut * width_) return false;
        if (target_.is_given()) return true;
        const std::size_t i = from_.point;
        const double bulge_x = line_.x[i] - 0.5 * (line_.x[i - 1] + line_.x[i + 1]);
        const double bulge_y = line_.y[i] - 0.5 * (line_.y[i - 1] + line_.y[i + 1]);
        return bulge_x * (place.x - start_.x) + bulge_y * (place.y - start_.y) > 0.0;
    }

    [[nodiscard]] bool may_end_in(const NearChannel& near, double bed) const {
        const auto channel = static_cast<std::size_t>(near.channel);
        if (target_.place) return false;
        if (target_.mouth) {
            const ChannelLine& line = state_.channels[channel].line;
            return channel == target_.mouth->channel && line.z[target_.mouth->point] <= bed &&
                   distance_between(place_of_point(line, static_cast<std::size_t>(near.point)),
                                    place_of_point(line, target_.mouth->point)) < kAround * width_;
        }
        return !graph_.flows_into(near.channel, static_cast<std::int64_t>(from_.channel)) &&
               state_.channels[channel].line.z[static_cast<std::size_t>(near.point)] <= bed;
    }

    void end_in_channel(ChannelPoint mouth, FoundCourse& course) const {
        const ChannelLine& line = state_.channels[mouth.channel].line;
        const Reach& reach = state_.network.reaches[mouth.channel];
        if (mouth.channel != from_.channel)
            if (const auto node = node_near_point(state_, mouth, kNearNode))
                mouth.point = *node == reach.from_node ? 0 : line.size() - 1;
        course.mouth = mouth;
        course.bed = line.z[mouth.point];
        course.corners.back() = place_of_point(line, mouth.point);
    }

    /// At the target, or at the last place on the terrain.
    void end_at_outlet(FoundCourse& course) const {
        course.bed = line_.z[from_.point];
        if (target_.place) course.corners.back() = *target_.place;
        if (!state_.elevation) return;
        Position on = course.corners[course.corners.size() - 2];
        Position& end = course.corners.back();
        constexpr int kHalvings = 30;
        for (int i = 0; i < kHalvings && !target_.place; ++i) {
            const Position middle{.x = 0.5 * (on.x + end.x), .y = 0.5 * (on.y + end.y)};
            (std::isnan(ground_at(*state_.elevation, middle)) ? end : on) = middle;
        }
        if (!target_.place) end = on;
        course.bed = std::min(course.bed, ground_at(*state_.elevation, end) - ground_.depth);
    }

    const MeanderState& state_;
    ChannelPoint from_;
    const CourseTarget& target_;
    const ChannelLine& line_;
    Position start_;
    double width_;        // m
    double slope_ = 0.0;  // m/m
    ReachGraph graph_;
    DiggingGround ground_ = {};
    std::vector<NearChannel> near_ = {};  // of each cell
};

}  // namespace

std::optional<FoundCourse> find_course(const MeanderState& state, const ChannelPoint& from,
                                       const CourseTarget& target) {
    return CourseGround(state, from, target).found();
}

}  // namespace thalweg
