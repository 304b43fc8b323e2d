// The part of a straight line that lies in a range of one coordinate.
#pragma once

#include <algorithm>

namespace thalweg {

/// A part of a segment, by its ends' shares of the way.
struct LinePart {
    double begin = 0.0;
    double end = 1.0;
};

/// Cuts `part` to where start + share * way lies from `low` to `high`; false where nothing is left.
inline bool cut(double start, double way, double low, double high, LinePart& part) {
    if (way == 0.0) return start >= low && start <= high;
    const double first = (low - start) / way, second = (high - start) / way;
    part.begin = std::max(part.begin, std::min(first, second));
    part.end = std::min(part.end, std::max(first, second));
    return part.begin <= part.end;
}

}  // namespace thalweg
