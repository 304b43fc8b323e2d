#include "thalweg/riverscape/bed_tree.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/riverscape/beds/bed_tree_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace thalweg {

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

/// What runs through sections of valleys.
class SectionFlow {
  public:
    SectionFlow(const BedCourses& courses, const BedTree::Parts& parts)
        : courses_(courses), parts_(parts), channels_(courses.valleys.size()) {
        for (std::size_t c = 0; c < courses.courses.size(); ++c)
            channels_[courses.courses[c].valley].push_back(c);
    }

    /// By number, of a valley.
    [[nodiscard]] const std::vector<std::size_t>& channels_of(std::size_t valley) const {
        return channels_[valley];
    }

    struct Through {
        double flow = 0.0;       // m^3/s, by the valley's own channels
        bool is_shared = false;  // with the water of another valley
    };

    /// Through a section, of so many samples across for each of the valley's channels.
    [[nodiscard]] Through through(std::size_t valley, const ValleyPoint& point, int samples_each,
                                  BedEvaluator& evaluator) const {
        const int samples = samples_each * static_cast<int>(channels_[valley].size());
        const double reach = 1.3 * point.half_span;
        Through through;
        for (int k = 0; k < samples; ++k) {
            const double offset = reach * (2.0 * (k + 0.5) / samples - 1.0);
            const Position at{point.x + offset * point.normal_x, point.y + offset * point.normal_y};
            const BedPoint here = evaluator.at(at, parts_.near(at));
            if (here.course < 0) continue;
            if (courses_.courses[static_cast<std::size_t>(here.course)].valley != valley) {
                through.is_shared = true;
                continue;
            }
            const double along =
                here.sample.velocity_x * point.normal_y - here.sample.velocity_y * point.normal_x;
            through.flow += along * (here.sample.water - here.sample.elevation) * 2.0 * reach / samples;
        }
        return through;
    }

  private:
    const BedCourses& courses_;
    const BedTree::Parts& parts_;
    std::vector<std::vector<std::size_t>> channels_;  // by valley
};

ValleyPoint middle_of(const ValleyPoint& a, const ValleyPoint& b) {
    ValleyPoint middle = a;
    middle.x = 0.5 * (a.x + b.x);
    middle.y = 0.5 * (a.y + b.y);
    return middle;
}

/// Makes what runs through sections of valleys their discharge.
class FlowFitter {
  public:
    FlowFitter(const BedCourses& courses, BedTree::Parts& parts)
        : courses_(courses), parts_(parts), flow_(courses, parts) {
        first_node_.push_back(0);
        for (const BedCourse& course : courses.courses)
            first_node_.push_back(first_node_.back() + course.points.size());
    }

    /// Multiplies the conveyance of each section's nodes by what its flow lacks.
    void fit() {
        std::vector<BedNode> fitted = parts_.primitives.nodes;
        parallel_for(0, std::ssize(courses_.valleys), 1, [&](std::int64_t begin, std::int64_t end) {
            BedEvaluator evaluator = parts_.evaluator(BedOutput::NoMaterial);
            for (std::int64_t v = begin; v < end; ++v)
                fit_valley(static_cast<std::size_t>(v), evaluator, fitted);
        });
        parts_.primitives.nodes = std::move(fitted);
    }

  private:
    void fit_valley(std::size_t v, BedEvaluator& evaluator, std::vector<BedNode>& fitted) const {
        constexpr int kSamples = 16;  // across, for each channel
        const std::vector<ValleyPoint>& points = courses_.valleys[v].points;
        using Through = SectionFlow::Through;
        std::vector<Through> at;       // each section
        std::vector<Through> between;  // half way to the next one
        for (std::size_t i = 0; i < points.size(); ++i) {
            at.push_back(flow_.through(v, points[i], kSamples, evaluator));
            if (i + 1 < points.size())
                between.push_back(flow_.through(v, middle_of(points[i], points[i + 1]), kSamples, evaluator));
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            // Rocks narrow single sections: those half way to the next ones count too.
            double flow = 0.0;
            double weight = 0.0;
            const auto weigh_in = [&](const Through& through, double share) {
                if (through.is_shared) return;
                flow += share * through.flow;
                weight += share;
            };
            weigh_in(at[i], 0.5);
            weigh_in(between[i == 0 ? 0 : i - 1], 0.25);
            weigh_in(between[std::min(i, points.size() - 2)], 0.25);
            for (const std::size_t c : flow_.channels_of(v)) {
                float& conveyance = fitted[first_node_[c] + i].section.conveyance;
                const BedCoursePoint& of = courses_.courses[c].points[i];
                // At a mouth under the larger river the mean velocity counts.
                const double usual = of.velocity / std::sqrt(std::max(of.depth, 1e-6));
                const double wanted =
                    flow > 0.0 && !at[i].is_shared ? conveyance * points[i].discharge * weight / flow : usual;
                conveyance = static_cast<float>(std::clamp(wanted, 0.1 * usual, 5.0 * usual));
            }
        }
    }

    const BedCourses& courses_;
    BedTree::Parts& parts_;
    SectionFlow flow_;
    std::vector<std::size_t> first_node_;
};

bool are_fitted(const BedCourses& courses) {
    return std::ranges::all_of(courses.courses, [](const BedCourse& course) {
        return std::ranges::all_of(course.points,
                                   [](const BedCoursePoint& point) { return point.conveyance > 0.0; });
    });
}

FlowErrors joined(const FlowErrors& a, const FlowErrors& b) {
    return {a.sections + b.sections, a.mean + b.mean, std::max(a.largest, b.largest)};
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
                                 return kChannelEdge * std::max(a.section.half_width, b.section.half_width);
                             }),
                 1.2F, 0.5F);
    parts->banks =
        lists_of(capsules_of(parts->primitives.banks,
                             [](const BankNode& a, const BankNode& b) { return std::max(a.outer, b.outer); }),
                 1.2F, 1.0F);
    parts->mounds = lists_of(capsules_of(parts->primitives.mounds), 2.0F, 0.5F);
    if (!are_fitted(courses)) FlowFitter(courses, *parts).fit();
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
        BedEvaluator evaluator = parts_->evaluator(BedOutput::NoMaterial);
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

BedCourses BedTree::fitted(BedCourses courses) const {
    std::size_t node = 0;
    for (BedCourse& course : courses.courses)
        for (BedCoursePoint& point : course.points)
            point.conveyance = static_cast<double>(parts_->primitives.nodes[node++].section.conveyance);
    return courses;
}

FlowErrors BedTree::flow_errors(const BedCourses& courses, int stride) const {
    constexpr std::size_t kEnds = 8;  // points at both ends, where rivers meet
    constexpr int kSamples = 200;     // across, for each channel
    const SectionFlow flow(courses, *parts_);
    FlowErrors all = parallel_reduce(
        0, std::ssize(courses.valleys), 8, FlowErrors{},
        [&](std::int64_t first, std::int64_t end) {
            BedEvaluator evaluator = parts_->evaluator(BedOutput::NoMaterial);
            FlowErrors part;  // `mean` is a sum
            for (auto v = static_cast<std::size_t>(first); v < static_cast<std::size_t>(end); ++v) {
                const std::vector<ValleyPoint>& points = courses.valleys[v].points;
                for (std::size_t i = kEnds; i + kEnds < points.size();
                     i += static_cast<std::size_t>(stride)) {
                    if (!(points[i].discharge > 0.0)) continue;
                    const ValleyPoint middle = middle_of(points[i], points[i + 1]);
                    const SectionFlow::Through found = flow.through(v, middle, kSamples, evaluator);
                    if (found.is_shared) continue;
                    const double error = found.flow / points[i].discharge - 1.0;
                    part = joined(part, {1, error, std::abs(error)});
                }
            }
            return part;
        },
        joined);
    if (all.sections > 0) all.mean /= static_cast<double>(all.sections);
    return all;
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
