#include "thalweg/riverscape/bed_tree.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/riverscape/beds/bed_deflectors.hpp"
#include "thalweg/riverscape/beds/bed_evaluator.hpp"
#include "thalweg/riverscape/beds/bed_tree_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace thalweg {

namespace {

// Lists hold what may reach a point or one beside it, to which the stream function is differenced.
constexpr float kListedMore = 1.03F;
constexpr float kListedEdge = kListedMore * kChannelEdge;

/// The capsules of pieces of lines, `reach(a, b)` m wide to each side; none where a line ends.
template <class Node, class Reach>
std::vector<Capsule> capsules_of(const std::vector<Node>& nodes, const Reach& reach) {
    std::vector<Capsule> capsules(nodes.size(), Capsule{.radius = -1.0F});
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
        if (nodes[i].per_square > 0.0F)
            capsules[i] = {nodes[i].x, nodes[i].y, nodes[i + 1].x, nodes[i + 1].y,
                           reach(nodes[i], nodes[i + 1])};
    return capsules;
}

std::vector<Capsule> capsules_of(const std::vector<BedMound>& mounds) {
    std::vector<Capsule> capsules;
    for (const BedMound& m : mounds) {
        const float along = 1.0F / std::sqrt(m.along_x * m.along_x + m.along_y * m.along_y);
        const float across = 1.0F / std::sqrt(m.across_x * m.across_x + m.across_y * m.across_y);
        capsules.push_back({m.x, m.y, m.x, m.y, std::max(along, across)});
    }
    return capsules;
}

std::vector<Capsule> capsules_of(const std::vector<BedDeflector>& deflectors) {
    std::vector<Capsule> capsules;
    for (const BedDeflector& d : deflectors) capsules.push_back({d.x, d.y, d.x, d.y, kListedMore * d.reach});
    return capsules;
}

/// The power of two, m, nearest to the median radius, for cells with few and short lists.
CellLists lists_of(const std::vector<Capsule>& capsules, float scale, float least) {
    std::vector<float> radii;
    for (const Capsule& capsule : capsules)
        if (capsule.radius > 0.0F) radii.push_back(capsule.radius);
    if (radii.empty()) return {};
    std::nth_element(radii.begin(), radii.begin() + std::ssize(radii) / 2, radii.end());
    float size = least;
    while (size < scale * radii[radii.size() / 2] && size < 1024.0F) size *= 2.0F;
    return {capsules, size};
}

/// What runs through sections of valleys.
class SectionFlow {
  public:
    SectionFlow(const BedCourses& courses, const BedTree::Parts& parts)
        : courses_(courses), parts_(parts), channels_(courses.valleys.size()) {
        std::size_t node = 0;
        for (std::size_t c = 0; c < courses.courses.size(); ++c) {
            channels_[courses.courses[c].valley].push_back(c);
            first_node_.push_back(node);
            node += courses.courses[c].points.size();
        }
    }

    struct Through {
        double flow = 0.0;       // m^3/s, by the valley's own channels
        bool is_shared = false;  // with the water of another valley, or of another bend
    };

    /// Through the section half way between a point and the next one, of so many samples for each of the
    /// valley's channels.
    [[nodiscard]] Through through(std::size_t valley, std::size_t first, int samples_each,
                                  BedEvaluator& evaluator) const {
        const std::vector<Position> section = section_at(valley, first);
        const int samples = 1 + samples_each * static_cast<int>(channels_[valley].size()) /
                                    static_cast<int>(section.size() - 1);  // of each piece
        std::vector<Position> places;
        for (std::size_t piece = 0; piece + 1 < section.size(); ++piece)
            for (int k = 0; k < samples; ++k)
                places.push_back(between(section[piece], section[piece + 1], (k + 0.5) / samples));
        Through through;
        std::vector<BedPoint> found(places.size());
        evaluator.evaluate_all(places, [&](std::size_t i, const BedPoint& here) { found[i] = here; });
        for (std::size_t i = 0; i < found.size() && !through.is_shared; ++i) {
            const BedPoint& here = found[i];
            if (here.course < 0) continue;
            through.is_shared = !is_of_section(here, places[i], valley, first);
            const std::size_t piece = i / static_cast<std::size_t>(samples);
            const double east = section[piece + 1].x - section[piece].x;
            const double north = section[piece + 1].y - section[piece].y;
            through.flow += (here.sample.velocity_x * north - here.sample.velocity_y * east) *
                            (here.sample.water - here.sample.elevation) / samples;
        }
        return through;
    }

  private:
    /// From the right to the left: the middles of the valley's channels, and at both ends the edge of the
    /// outermost one's support.
    [[nodiscard]] std::vector<Position> section_at(std::size_t valley, std::size_t first) const {
        const ValleyPoint& middle = courses_.valleys[valley].points[first];
        const auto offset = [&](std::size_t channel) {
            const BedCoursePoint& at = courses_.courses[channel].points[first];
            return (at.x - middle.x) * middle.normal_x + (at.y - middle.y) * middle.normal_y;
        };
        std::vector<std::size_t> channels = channels_[valley];
        std::ranges::sort(channels, {}, offset);
        std::vector<Position> section = {edge_of(channels.front(), first, -1.0)};
        for (const std::size_t channel : channels) section.push_back(edge_of(channel, first, 0.0));
        section.push_back(edge_of(channels.back(), first, 1.0));
        return section;
    }

    /// Half way between a channel's point and the next one: the left edge of its support for `side` 1, the
    /// right one for -1, its middle for 0.
    [[nodiscard]] Position edge_of(std::size_t channel, std::size_t first, double side) const {
        const BedCoursePoint& a = courses_.courses[channel].points[first];
        const BedCoursePoint& b = courses_.courses[channel].points[first + 1];
        const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-12);
        const double reach = side * 0.5 * kChannelEdge * std::max(a.width, b.width);
        return {0.5 * (a.x + b.x) - reach * (b.y - a.y) / length,
                0.5 * (a.y + b.y) + reach * (b.x - a.x) / length};
    }

    static Position between(const Position& a, const Position& b, double part) {
        return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
    }

    /// Whether the water at a place is that of the valley, near this point of it.
    [[nodiscard]] bool is_of_section(const BedPoint& here, const Position& at, std::size_t valley,
                                     std::size_t point) const {
        constexpr double kWithin = 2.0;  // widths along the course
        const auto number = static_cast<std::size_t>(here.course);
        const BedCourse& course = courses_.courses[number];
        if (course.valley != valley) return false;
        double least = std::numeric_limits<double>::infinity();
        double along = 0.0;
        const auto x = static_cast<float>(at.x - parts_.primitives.origin.x);
        const auto y = static_cast<float>(at.y - parts_.primitives.origin.y);
        for (const std::uint32_t node : parts_.segments.at(x, y)) {
            if (parts_.primitives.nodes[node].course != number) continue;
            const BedCoursePoint& of = course.points[node - first_node_[number]];
            const double distance = std::hypot(of.x - at.x, of.y - at.y);
            if (distance >= least) continue;
            least = distance;
            along = of.distance;
        }
        return std::abs(along - course.points[point].distance) <= kWithin * course.points[point].width;
    }

    const BedCourses& courses_;
    const BedTree::Parts& parts_;
    std::vector<std::vector<std::size_t>> channels_;  // by valley
    std::vector<std::size_t> first_node_;             // by course
};

/// The error of one section; where it seems to be off, of ten times as many samples: water may be fast in
/// narrow gaps.
FlowErrors error_at(const SectionFlow& flow, const BedCourses& courses, std::size_t valley, std::size_t point,
                    BedEvaluator& evaluator) {
    constexpr int kSamples = 300;  // across, for each channel
    constexpr double kOff = 0.01;
    const double discharge = courses.valleys[valley].points[point].discharge;
    double error = 0.0;
    for (const int samples : {kSamples, 10 * kSamples}) {
        const SectionFlow::Through found = flow.through(valley, point, samples, evaluator);
        if (found.is_shared) return {.shared = 1};
        error = found.flow / discharge - 1.0;
        if (std::abs(error) < 0.5 * kOff) break;
    }
    return {
        .sections = 1, .mean = error, .largest = std::abs(error), .off = std::abs(error) > kOff ? 1.0 : 0.0};
}

FlowErrors joined(const FlowErrors& a, const FlowErrors& b) {
    return {a.sections + b.sections, a.shared + b.shared, a.mean + b.mean, std::max(a.largest, b.largest),
            a.off + b.off};
}

}  // namespace

BedTree::BedTree(Field<float> elevation, const BedCourses& courses, const BedTreeParameters& parameters,
                 std::uint64_t seed) {
    auto parts = std::make_shared<Parts>();
    parts->primitives = make_primitives(courses, elevation, parameters, seed);
    parts->elevation = std::move(elevation);
    parts->seed = seed;
    parts->segments =
        lists_of(capsules_of(parts->primitives.nodes,
                             [](const BedNode& a, const BedNode& b) {
                                 return kListedEdge * std::max(a.section.half_width, b.section.half_width);
                             }),
                 1.2F, 0.5F);
    parts->banks =
        lists_of(capsules_of(parts->primitives.banks,
                             [](const BankNode& a, const BankNode& b) { return std::max(a.outer, b.outer); }),
                 1.2F, 1.0F);
    parts->mounds = lists_of(capsules_of(parts->primitives.mounds), 4.0F, 0.5F);
    parts->primitives.deflectors = make_deflectors(courses.rocks, *parts);
    parts->deflectors = lists_of(capsules_of(parts->primitives.deflectors), 3.0F, 2.0F);
    parts_ = std::move(parts);
}

BedSample BedTree::at(Position position) const {
    return BedEvaluator(*parts_).at(position).sample;
}

BedSample BedTree::at_by_all(Position position) const {
    return BedEvaluator(*parts_).at_by_all(position).sample;
}

void BedTree::elevation_at(std::span<const Position> positions, std::span<float> elevations) const {
    parallel_for(0, std::ssize(positions), 4096, [&](std::int64_t first, std::int64_t last) {
        BedEvaluator evaluator(*parts_, {.has_material = false, .has_velocity = false});
        const auto begin = static_cast<std::size_t>(first);
        evaluator.evaluate_all(
            positions.subspan(begin, static_cast<std::size_t>(last - first)),
            [&](std::size_t i, const BedPoint& point) { elevations[begin + i] = point.sample.elevation; });
    });
}

namespace {

/// Writes a sample into a window; returns whether it is wet.
bool put(const BedSample& sample, std::int64_t cell, CarvedWindow& carved) {
    carved.elevation[cell] = sample.elevation;
    carved.material[cell] =
        is_no_data(sample.elevation) ? kNoData : static_cast<float>(static_cast<int>(sample.material));
    if (is_no_data(sample.water)) return false;
    carved.water_elevation[cell] = sample.water;
    carved.water_depth[cell] = sample.water - sample.elevation;
    return true;
}

}  // namespace

CarvedWindow BedTree::carve(const Grid& window, Progress& progress) const {
    check_grid(window);
    CarvedWindow carved{Field<float>(window), Field<float>(window, kNoData), Field<float>(window, 0.0F),
                        Field<float>(window, 0.0F)};
    constexpr int kRows = 16;
    constexpr int kColumns = 256;
    carved.wet_cells = parallel_reduce(
        0, static_cast<std::int64_t>(window.rows), kRows, std::int64_t{0},
        [&](std::int64_t first_row, std::int64_t last_row) {
            BedEvaluator evaluator(*parts_, {.has_velocity = false});
            std::vector<Position> places;
            std::int64_t wet = 0;
            for (int left = 0; left < window.columns; left += kColumns) {
                progress.poll();
                const int columns = std::min(kColumns, window.columns - left);
                places.clear();
                for (auto row = static_cast<int>(first_row); row < last_row; ++row)
                    for (int column = left; column < left + columns; ++column)
                        places.push_back(window.centre(column, row));
                evaluator.evaluate_all(places, [&](std::size_t i, const BedPoint& point) {
                    const auto number = static_cast<int>(i);
                    const std::int64_t cell =
                        window.index(left + number % columns, static_cast<int>(first_row) + number / columns);
                    wet += put(point.sample, cell, carved) ? 1 : 0;
                });
            }
            return wet;
        },
        std::plus<>{});
    return carved;
}

FlowErrors BedTree::flow_errors(const BedCourses& courses) const {
    constexpr std::size_t kEnds = 1;  // points at both ends
    const SectionFlow flow(courses, *parts_);
    FlowErrors all = parallel_reduce(
        0, std::ssize(courses.valleys), 8, FlowErrors{},
        [&](std::int64_t first, std::int64_t end) {
            BedEvaluator evaluator(*parts_, {.has_material = false});
            FlowErrors part;  // `mean` and `off` are sums
            for (auto v = static_cast<std::size_t>(first); v < static_cast<std::size_t>(end); ++v) {
                const std::vector<ValleyPoint>& points = courses.valleys[v].points;
                for (std::size_t i = kEnds; i + kEnds < points.size(); ++i) {
                    if (!(points[i].discharge > 0.0)) continue;
                    part = joined(part, error_at(flow, courses, v, i, evaluator));
                }
            }
            return part;
        },
        joined);
    if (all.sections == 0) return all;
    all.mean /= static_cast<double>(all.sections);
    all.off /= static_cast<double>(all.sections);
    return all;
}

BedTreeCounts BedTree::counts() const {
    const BedPrimitives& primitives = parts_->primitives;
    const auto pieces = [](const auto& nodes) {
        return std::ranges::count_if(nodes, [](const auto& node) { return node.per_square > 0.0F; });
    };
    BedTreeCounts counts{.segments = pieces(primitives.nodes),
                         .blends = pieces(primitives.banks),
                         .mounds = std::ssize(primitives.mounds),
                         .deflectors = std::ssize(primitives.deflectors)};
    const std::int64_t bytes =
        parts_->segments.bytes() + parts_->banks.bytes() + parts_->mounds.bytes() +
        parts_->deflectors.bytes() +
        std::ssize(primitives.deflectors) * static_cast<std::int64_t>(sizeof(BedDeflector)) +
        std::ssize(primitives.nodes) * static_cast<std::int64_t>(sizeof(BedNode)) +
        std::ssize(primitives.banks) * static_cast<std::int64_t>(sizeof(BankNode)) +
        std::ssize(primitives.mounds) * static_cast<std::int64_t>(sizeof(BedMound));
    if (counts.all() > 0) counts.bytes_each = static_cast<double>(bytes) / static_cast<double>(counts.all());
    return counts;
}

}  // namespace thalweg
