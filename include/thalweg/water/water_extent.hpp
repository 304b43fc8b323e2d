// Where water is asked for.
#pragma once

namespace thalweg {

/// A rectangle of the world, m.
struct WaterExtent {
    double west = 0.0;
    double south = 0.0;
    double east = 0.0;
    double north = 0.0;
};

}  // namespace thalweg
