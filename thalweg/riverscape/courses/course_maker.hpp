// The courses of one reach after another.
#pragma once

#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/courses/base_line.hpp"
#include "thalweg/riverscape/courses/bends.hpp"
#include "thalweg/riverscape/courses/course_draws.hpp"
#include "thalweg/riverscape/courses/falls.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thalweg {

/// Makes courses, valleys, features and rocks, reach by reach from upstream to downstream.
class CourseMaker {
  public:
    CourseMaker(const BedCourseParameters& parameters, std::uint64_t seed)
        : parameters_(parameters), seed_(seed) {}

    /// `stretches` are those of the reach of `base`.
    void add_reach(const BaseLine& base, std::span<const RiverStretch> stretches);

    [[nodiscard]] BedCourses take() { return std::move(found_); }

  private:
    /// Stretches in one channel, or one in several.
    void add_single(std::span<const RiverStretch> stretches, double scale, double& lowest);
    void add_braid(const RiverStretch& stretch, double scale, double& lowest);

    /// The line of stretches in one channel.
    [[nodiscard]] PlanLine line_through(std::span<const RiverStretch> stretches, double scale) const;

    /// `line` without turns on less than a width, nor of channels up to `half_span` m beside it.
    [[nodiscard]] PlanLine rounded(PlanLine line, double half_span = 0.0) const;

    /// A course on `line`, of which part[i] of the river's water runs at point i, with all that it has along.
    /// `first` is the number of the first channel beside it, or its own.
    void add_course(const PlanLine& line, const std::vector<RiverType>& types,
                    const std::vector<double>& part, double share, std::size_t first, double& lowest);

    /// The valley of the last courses, `count` of them, around a line.
    void add_valley(const PlanLine& middle, std::size_t count);

    const BedCourseParameters& parameters_;
    std::uint64_t seed_;
    const BaseLine* base_ = nullptr;
    ReachDraws draws_;
    std::vector<Fall> falls_;  // of the first channel of a river
    BedCourses found_;
    std::unordered_map<std::int64_t, double> lowest_beds_;  // at falls above nodes, m
};

}  // namespace thalweg
