// Bends of a channel and the valley that it winds along.
#pragma once

#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/meander/meander_metrics.hpp"

#include <cstddef>
#include <vector>

namespace thalweg {

/// From inflection to inflection.
struct Bend {
    double wavelength = 0.0;  // m, twice the distance between both
    double amplitude = 0.0;   // m, greatest distance from the valley line
};

/// What channel_form measures, bend by bend.
struct BendSurvey {
    ChannelForm form;
    std::vector<Bend> bends;
    std::vector<Position> valley;  // points of the valley line
};

BendSurvey survey_bends(const Course& course);

/// The value below which a share of all weights lies, of values in rising order; 0 without values.
double weighted_quantile(const std::vector<std::pair<double, double>>& values_and_weights, double share);

/// The middle of values, between the two middle ones of an even number; 0 without values.
double median_of(std::vector<double> values);

}  // namespace thalweg
