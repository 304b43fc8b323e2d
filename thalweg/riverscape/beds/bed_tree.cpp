#include "thalweg/riverscape/bed_tree.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/riverscape/beds/bed_evaluator.hpp"
#include "thalweg/riverscape/beds/bed_primitives.hpp"
#include "thalweg/riverscape/beds/cell_lists.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace thalweg {

struct BedTree::Parts {
    Field<float> elevation;
    std::uint64_t seed = 0;
    BedPrimitives primitives;
    CellLists segments;
    CellLists banks;
    CellLists mounds;

    [[nodiscard]] BedEvaluator evaluator() const { return {primitives, elevation, seed}; }

    [[nodiscard]] BedCandidates near(Position position) const {
        const auto x = static_cast<float>(position.x - primitives.origin.x);
        const auto y = static_cast<float>(position.y - primitives.origin.y);
        return {segments.at(x, y), banks.at(x, y), mounds.at(x, y)};
    }
};

namespace {

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

/// Sets the conveyance of all courses' nodes so that each section of a valley carries its discharge.
void fit_conveyance(const BedCourses& courses, const BedTree::Parts& parts, std::vector<BedNode>& nodes) {
    std::vector<std::size_t> first_node = {0};
    for (const BedCourse& course : courses.courses)
        first_node.push_back(first_node.back() + course.points.size());
    std::vector<std::vector<std::size_t>> of_valley(courses.valleys.size());
    for (std::size_t c = 0; c < courses.courses.size(); ++c)
        of_valley[courses.courses[c].valley].push_back(c);
    parallel_for(0, std::ssize(courses.valleys), 1, [&](std::int64_t begin, std::int64_t end) {
        BedEvaluator evaluator = parts.evaluator();
        for (std::int64_t v = begin; v < end; ++v) {
            const BedValley& valley = courses.valleys[static_cast<std::size_t>(v)];
            const std::vector<std::size_t>& own = of_valley[static_cast<std::size_t>(v)];
            for (std::size_t i = 0; i < valley.points.size(); ++i) {
                const ValleyPoint& point = valley.points[i];
                const int samples = 24 * static_cast<int>(own.size());  // across, each way together
                const double reach = 1.3 * point.half_span;
                double flow = 0.0;
                for (int k = 0; k < samples; ++k) {
                    const double offset = reach * (2.0 * (k + 0.5) / samples - 1.0);
                    const Position at{point.x + offset * point.normal_x, point.y + offset * point.normal_y};
                    const BedPoint here = evaluator.at(at, parts.near(at));
                    if (here.course < 0 || courses.courses[static_cast<std::size_t>(here.course)].valley !=
                                               static_cast<std::size_t>(v))
                        continue;
                    const double along =
                        here.sample.velocity_x * point.normal_y - here.sample.velocity_y * point.normal_x;
                    flow += along * (here.sample.water - here.sample.elevation) * 2.0 * reach / samples;
                }
                // Where hardly any water is left (a mouth under the larger river), the mean velocity counts.
                for (const std::size_t c : own) {
                    const BedCoursePoint& of = courses.courses[c].points[i];
                    const double usual = of.velocity / std::sqrt(std::max(of.depth, 1e-6));
                    const double fitted = flow > 0.0 ? point.discharge / flow : usual;
                    nodes[first_node[c] + i].conveyance =
                        static_cast<float>(std::clamp(fitted, 0.2 * usual, 4.0 * usual));
                }
            }
        }
    });
}

}  // namespace

BedTree::BedTree(Field<float> elevation, const BedCourses& courses, const BedTreeParameters& parameters,
                 std::uint64_t seed) {
    auto parts = std::make_shared<Parts>();
    parts->primitives = make_primitives(courses, elevation, parameters, seed);
    parts->elevation = std::move(elevation);
    parts->seed = seed;
    parts->segments = lists_of(capsules_of(parts->primitives.nodes,
                                           [](const BedNode& a, const BedNode& b) {
                                               return kChannelEdge * std::max(a.half_width, b.half_width);
                                           }),
                               0.6F, 0.5F);
    parts->banks =
        lists_of(capsules_of(parts->primitives.banks,
                             [](const BankNode& a, const BankNode& b) { return std::max(a.outer, b.outer); }),
                 0.6F, 1.0F);
    parts->mounds = lists_of(capsules_of(parts->primitives.mounds), 1.0F, 0.5F);
    std::vector<BedNode> fitted = parts->primitives.nodes;
    fit_conveyance(courses, *parts, fitted);
    parts->primitives.nodes = std::move(fitted);
    parts_ = std::move(parts);
}

BedSample BedTree::at(Position position) const {
    return parts_->evaluator().at(position, parts_->near(position)).sample;
}

BedSample BedTree::at_by_all(Position position) const {
    const BedPrimitives& primitives = parts_->primitives;
    const auto pieces_of = [](const auto& nodes) {
        std::vector<std::uint32_t> pieces;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].per_square > 0.0F) pieces.push_back(static_cast<std::uint32_t>(i));
        return pieces;
    };
    const std::vector<std::uint32_t> segments = pieces_of(primitives.nodes);
    const std::vector<std::uint32_t> banks = pieces_of(primitives.banks);
    std::vector<std::uint32_t> mounds(primitives.mounds.size());
    std::iota(mounds.begin(), mounds.end(), 0U);
    return parts_->evaluator().at(position, {segments, banks, mounds}).sample;
}

void BedTree::elevation_at(std::span<const Position> positions, std::span<float> elevations) const {
    parallel_for(0, std::ssize(positions), 4096, [&](std::int64_t first, std::int64_t last) {
        BedEvaluator evaluator = parts_->evaluator();
        for (std::int64_t i = first; i < last; ++i) {
            const auto place = static_cast<std::size_t>(i);
            elevations[place] =
                evaluator.at(positions[place], parts_->near(positions[place])).sample.elevation;
        }
    });
}

CarvedWindow BedTree::carve(const Grid& window, Progress& progress) const {
    check_grid(window);
    CarvedWindow carved{Field<float>(window), Field<float>(window, kNoData), Field<float>(window, 0.0F),
                        Field<float>(window, 0.0F)};
    constexpr std::int64_t kRows = 8;
    carved.wet_cells = parallel_reduce(
        0, static_cast<std::int64_t>(window.rows), kRows, std::int64_t{0},
        [&](std::int64_t first, std::int64_t last) {
            BedEvaluator evaluator = parts_->evaluator();
            std::int64_t wet = 0;
            for (std::int64_t row = first; row < last; ++row) {
                progress.poll();
                for (int column = 0; column < window.columns; ++column) {
                    const Position centre = window.centre(column, static_cast<int>(row));
                    const BedSample sample = evaluator.at(centre, parts_->near(centre)).sample;
                    const std::int64_t cell = window.index(column, static_cast<int>(row));
                    carved.elevation[cell] = sample.elevation;
                    carved.material[cell] = is_no_data(sample.elevation)
                                                ? kNoData
                                                : static_cast<float>(static_cast<int>(sample.material));
                    if (is_no_data(sample.water)) continue;
                    ++wet;
                    carved.water_elevation[cell] = sample.water;
                    carved.water_depth[cell] = sample.water - sample.elevation;
                }
            }
            return wet;
        },
        std::plus<>{});
    return carved;
}

BedTreeCounts BedTree::counts() const {
    const BedPrimitives& primitives = parts_->primitives;
    const auto pieces = [](const auto& nodes) {
        return std::ranges::count_if(nodes, [](const auto& node) { return node.per_square > 0.0F; });
    };
    BedTreeCounts counts{.segments = pieces(primitives.nodes),
                         .blends = pieces(primitives.banks),
                         .mounds = std::ssize(primitives.mounds)};
    const std::int64_t bytes = parts_->segments.bytes() + parts_->banks.bytes() + parts_->mounds.bytes() +
                               std::ssize(primitives.nodes) * static_cast<std::int64_t>(sizeof(BedNode)) +
                               std::ssize(primitives.banks) * static_cast<std::int64_t>(sizeof(BankNode)) +
                               std::ssize(primitives.mounds) * static_cast<std::int64_t>(sizeof(BedMound));
    if (counts.all() > 0) counts.bytes_each = static_cast<double>(bytes) / static_cast<double>(counts.all());
    return counts;
}

}  // namespace thalweg
