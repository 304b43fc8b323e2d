// Where the law takes a line in some years.
#pragma once

#include "thalweg/meander/migration.hpp"

#include <vector>

namespace thalweg {

/// A line, and for each point of the one that it was compared with the place on it that corresponds, in
/// points from its first.
struct MatchedCourse {
    ChannelLine line;
    std::vector<double> match;
};

/// `line` after `years` of migration, its ends held, in even steps of `spacing` (m): in at least 8 steps of
/// time, and as many that no point moves by more than a quarter of `width` (m) in one, up to 400, about;
/// points are made even again every fourth of them. `fastest`: the greatest rate at the start, m/yr. O(points
/// x steps).
MatchedCourse predicted_course(const ChannelLine& line, const MigrationParameters& law, double years,
                               double spacing, double width, double fastest);

/// Mean rates to the right of the way from `before` to `course`, m/yr: the signed area between them from the
/// point before to that behind, over their mean length there and the years, which is the mean distance along
/// the normal, whatever points are matched between. Both lines have even steps. O(points).
std::vector<double> swept_rates(const ChannelLine& before, const MatchedCourse& course, double years);

/// The values of a column of the other line at the places that are matched.
std::vector<double> values_at(const std::vector<double>& values, const std::vector<double>& match);

}  // namespace thalweg
