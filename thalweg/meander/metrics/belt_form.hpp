// How wide the belt of a history is.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_maps.hpp"
#include "thalweg/meander/meander_metrics.hpp"

#include <vector>

namespace thalweg {

/// The valley lines of a network's channels.
using ValleyLines = std::vector<std::vector<Position>>;

/// The ground that channels have been on, from year to year.
class BeltSurvey {
  public:
    /// Of a history with channels of `width` metres in the mean. Keeps a reference to it.
    BeltSurvey(const MeanderHistory& history, double width);

    /// Years never go back.
    void advance(double year, Progress& progress) { years_.advance(year, progress); }

    /// Area of the belt that lies nearest to each of the lines, m^2, by blocks of half a section.
    [[nodiscard]] std::vector<double> areas(const ValleyLines& valleys) const;

    /// Along the valley lines, which are those of the last year.
    [[nodiscard]] BeltForm form(const ValleyLines& valleys) const;

  private:
    double width_;
    ChannelYears years_;
};

}  // namespace thalweg
