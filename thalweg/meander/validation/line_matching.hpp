// Which points of two lines of one river correspond.
#pragma once

#include "thalweg/core/progress.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// A line of points in even steps, and the unit vector along it at each.
struct DirectedLine {
    std::vector<double> x, y;                      // m
    std::vector<double> direction_x, direction_y;  // 1, of the chord from the point before to that behind

    DirectedLine() = default;
    DirectedLine(std::vector<double> line_x, std::vector<double> line_y);
    [[nodiscard]] std::size_t size() const { return x.size(); }
};

/// A point of the one line and the point of the other that it corresponds to.
struct MatchedPair {
    std::int32_t before = 0;
    std::int32_t after = 0;

    bool operator==(const MatchedPair&) const = default;
};

/// For each point of the one line, the first and the last point of the other that it may be matched with.
/// Both never fall along the line, and the ranges of points that follow each other touch.
struct MatchBand {
    std::vector<std::int32_t> first, last;

    /// All pairs.
    MatchBand(std::size_t before, std::size_t after);
    /// Those within `reach` points of `path`, whose points are every `every`th of the lines.
    MatchBand(const std::vector<MatchedPair>& path, std::int32_t every, std::int32_t reach,
              std::size_t before, std::size_t after);
};

/// (distance / width)^2 + 4 (1 - cos angle): a right angle between the lines counts like two widths.
double matching_cost(const DirectedLine& before, std::size_t i, const DirectedLine& after, std::size_t j,
                     double width);

/// The pairs from both first to both last points, in steps of one point along one line or both, within
/// `band`, whose sum of costs is least; a pair counts for each line that steps to it, the first one once
/// (dynamic time warping, symmetric form: Sakoe and Chiba 1978). Of equal ways that which steps along both
/// lines. O(pairs of the band) time, and as many bytes.
std::vector<MatchedPair> best_match(const DirectedLine& before, const DirectedLine& after,
                                    const MatchBand& band, double width, Progress& progress);

/// best_match of every `every`th point over all pairs, and then of all points within 5 x `every` points of
/// that. O((points / every)^2 + points x every).
std::vector<MatchedPair> match_lines(const DirectedLine& before, const DirectedLine& after,
                                     std::int32_t every, double width, Progress& progress);

}  // namespace thalweg
