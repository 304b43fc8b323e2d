#include "thalweg/riverscape/courses/falls.hpp"

#include "thalweg/riverscape/courses/type_habits.hpp"
#include "thalweg/riverscape/cross_section.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace thalweg {
namespace {

/// The last point at or before a distance.
std::size_t point_before(const std::vector<BedCoursePoint>& points, double distance) {
    const auto above =
        std::upper_bound(points.begin() + 1, points.end() - 1, distance,
                         [](double value, const BedCoursePoint& point) { return value < point.distance; });
    return static_cast<std::size_t>(above - points.begin()) - 1;
}

double level_at(const std::vector<BedCoursePoint>& points, double distance) {
    const std::size_t i = point_before(points, distance);
    const double length = points[i + 1].distance - points[i].distance;
    const double share = length > 0.0 ? std::clamp((distance - points[i].distance) / length, 0.0, 1.0) : 0.0;
    return points[i].water + share * (points[i + 1].water - points[i].water);
}

double water_at(const Fall& fall, double distance) {
    if (distance <= fall.crest) return fall.upper;
    if (distance >= fall.foot) return fall.lower;
    const double t = (distance - fall.crest) / (fall.foot - fall.crest);
    return fall.upper + (fall.lower - fall.upper) * t * t * (3.0 - 2.0 * t);
}

/// From 0 at falls to 1 where the pool between them is deepest, a third of the way.
double pool_at(double distance, double foot, double crest) {
    const double f = crest > foot ? std::clamp((distance - foot) / (crest - foot), 0.0, 1.0) : 0.0;
    return 6.75 * f * (1.0 - f) * (1.0 - f);
}

BedFeature feature_at(const std::vector<BedCoursePoint>& points, std::size_t course, BedFeatureKind kind,
                      double distance) {
    const std::size_t i = point_before(points, distance);
    const BedCoursePoint& a = points[i];
    const BedCoursePoint& b = points[i + 1];
    const double step = std::max(b.distance - a.distance, 1e-12);
    const double share = (distance - a.distance) / step;
    const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-12);
    return {.kind = kind,
            .course = course,
            .distance = distance,
            .x = a.x + share * (b.x - a.x),
            .y = a.y + share * (b.y - a.y),
            .direction_x = (b.x - a.x) / length,
            .direction_y = (b.y - a.y) / length,
            .width = a.width,
            .depth = a.water - a.bed};
}

/// The falls, and a pool below each but the last.
std::vector<BedFeature> features_of(const std::vector<BedCoursePoint>& points, const std::vector<Fall>& falls,
                                    std::size_t course) {
    std::vector<BedFeature> features;
    for (std::size_t i = 0; i < falls.size(); ++i) {
        const Fall& fall = falls[i];
        const bool is_drop = habits_of(points[point_before(points, fall.crest)].type).has_drops;
        BedFeature feature =
            feature_at(points, course, is_drop ? BedFeatureKind::Drop : BedFeatureKind::Riffle, fall.crest);
        feature.height = fall.upper - fall.lower;
        feature.length = fall.foot - fall.crest;
        features.push_back(feature);
        if (i + 1 == falls.size()) break;
        const double way = falls[i + 1].crest - fall.foot;
        BedFeature pool = feature_at(points, course, BedFeatureKind::Pool, fall.foot + way / 3.0);
        pool.length = way;
        features.push_back(pool);
    }
    return features;
}

/// Makes falls between lakes.
class FallMaker {
  public:
    FallMaker(const std::vector<BedCoursePoint>& points, std::size_t course, const ReachDraws& draws)
        : points_(points), course_(course), draws_(draws) {}

    /// Between two places, m along the course, in the part where it may fall.
    void add_between(double from, double to, const CoursePart& falling) {
        const std::vector<double> pools = pools_between(from, to, falling);
        for (std::size_t i = 1; i < pools.size(); ++i)
            falls.push_back(fall_between(pools[i - 1], pools[i], falling));
    }

    std::vector<Fall> falls;

  private:
    [[nodiscard]] std::vector<double> pools_between(double from, double to, const CoursePart& falling) {
        std::vector<double> pools = {from};
        while (true) {
            ++draw_;
            const BedCoursePoint& point = points_[point_before(points_, pools.back())];
            const TypeHabits& habits = habits_of(point.type);
            const double spacing = point.width * draws_.between(habits.least_spacing, habits.greatest_spacing,
                                                                BedDraw::Fall, course_, draw_);
            // The first fall and the last one have their places beside what is level.
            const double fall_length = habits.fall_length * point.width;
            const double next =
                std::max(pools.back() + spacing, pools.size() == 1 ? falling.from + fall_length : 0.0);
            if (next + std::max(0.5 * spacing, to - falling.to + fall_length) > to) break;
            pools.push_back(next);
        }
        pools.push_back(to);
        return pools;
    }

    [[nodiscard]] Fall fall_between(double first, double last, const CoursePart& falling) const {
        Fall fall{.first = first, .last = last};
        double middle = 0.5 * (first + last);
        const BedCoursePoint& point = points_[point_before(points_, middle)];
        const double half =
            std::min(0.5 * habits_of(point.type).fall_length * point.width, 0.45 * (last - first));
        const double least = falling.from + half;
        const double most = falling.to - half;
        if (least < most) middle = std::clamp(std::clamp(middle, least, most), first + half, last - half);
        fall.crest = middle - half;
        fall.foot = middle + half;
        fall.upper = level_at(points_, first);
        fall.lower = level_at(points_, last);
        return fall;
    }

    const std::vector<BedCoursePoint>& points_;
    std::size_t course_;
    const ReachDraws& draws_;
    std::uint64_t draw_ = 0;
};

}  // namespace

std::vector<Fall> falls_along(const std::vector<BedCoursePoint>& points, std::size_t course,
                              const LevelEnds& level, const std::vector<CoursePart>& lakes,
                              const ReachDraws& draws) {
    const double length = points.back().distance;
    FallMaker maker(points, course, draws);
    double from = 0.0;
    double level_to = level.first;
    for (const CoursePart& lake : lakes) {
        if (lake.from > from) maker.add_between(from, lake.from, {level_to, lake.from});
        from = lake.to;
        level_to = std::max(level.first, lake.to);
    }
    if (from < length || maker.falls.empty())
        maker.add_between(from, length, {level_to, length - level.last});
    return std::move(maker.falls);
}

std::vector<Fall> falls_beside(std::vector<Fall> falls, const std::vector<BedCoursePoint>& from,
                               const std::vector<BedCoursePoint>& to) {
    const auto carry = [&](double& distance) {
        const std::size_t i = point_before(from, distance);
        const double step = from[i + 1].distance - from[i].distance;
        const double share = step > 0.0 ? std::clamp((distance - from[i].distance) / step, 0.0, 1.0) : 0.0;
        distance = to[i].distance + share * (to[i + 1].distance - to[i].distance);
    };
    for (Fall& fall : falls)
        for (double* const distance : {&fall.first, &fall.crest, &fall.foot, &fall.last}) carry(*distance);
    return falls;
}

std::vector<BedFeature> shape_profile(std::vector<BedCoursePoint>& points, std::size_t course,
                                      const std::vector<Fall>& falls, double& lowest) {
    std::size_t i = 0;
    for (BedCoursePoint& point : points) {
        while (i + 1 < falls.size() && falls[i].last < point.distance) ++i;
        const Fall& fall = falls[i];
        point.water = water_at(fall, point.distance);
        point.is_fall = point.distance >= fall.crest && point.distance <= fall.foot;
        const bool is_above = point.distance < fall.crest;
        const double foot = is_above ? (i > 0 ? falls[i - 1].foot : 0.0) : fall.foot;
        const double crest =
            is_above ? fall.crest : (i + 1 < falls.size() ? falls[i + 1].crest : points.back().distance);
        const TypeHabits& habits = habits_of(point.type);
        const double pool = point.is_fall ? 0.0 : pool_at(point.distance, foot, crest);
        // Pools are wider at the same area, and deeper all the same.
        const double widening = 1.0 + habits.widening * (pool - 0.4);
        point.width *= widening;
        point.depth /= widening;
        const double fullness = section_fullness(section_form(point.type, point.curvature * point.width));
        const double depth =
            point.depth / fullness * (habits.crest_depth + (habits.pool_depth - habits.crest_depth) * pool);
        point.bed = std::min(point.water - depth, lowest);
        if (point.is_fall) lowest = point.bed;
    }
    return features_of(points, falls, course);
}

}  // namespace thalweg
