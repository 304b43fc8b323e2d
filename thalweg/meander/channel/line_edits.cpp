#include "thalweg/meander/channel/line_edits.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"

#include <algorithm>
#include <vector>

namespace thalweg {

ChannelLine part_of(const ChannelLine& line, std::size_t first, std::size_t last) {
    ChannelLine part;
    for_each_column(part, line, [&](auto& column, const auto& of) {
        column.assign(of.begin() + static_cast<std::ptrdiff_t>(first),
                      of.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    });
    return part;
}

void leave_out(ChannelLine& line, std::size_t first, std::size_t last) {
    for_each_column(line, line, [&](auto& column, const auto&) {
        column.erase(column.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                     column.begin() + static_cast<std::ptrdiff_t>(last));
    });
    soften(line, first);
}

void straighten(ChannelLine& line, std::size_t first, std::size_t last) {
    for (std::size_t i = first + 1; i < last; ++i) {
        const double share = static_cast<double>(i - first) / static_cast<double>(last - first);
        for (std::vector<double>* column : {&line.x, &line.y, &line.z})
            (*column)[i] = (*column)[first] + share * ((*column)[last] - (*column)[first]);
    }
}

bool is_even(const ChannelLine& line, double spacing) {
    return in_lanes([&](auto lanes) {
        return are_between_in_lanes<lanes()>(line.x.data(), line.y.data(), std::ssize(line.x),
                                             kShortestSegment * spacing, kLongestSegment * spacing);
    });
}

void soften(ChannelLine& line, std::size_t around) {
    constexpr std::size_t kPoints = 6;  // to each side (empirical)
    constexpr int kPasses = 1;          // (empirical: four cost one cutoff in ten)
    if (line.size() < 3) return;
    const std::size_t first = std::max<std::size_t>(around, kPoints + 1) - kPoints;
    const std::size_t end = std::min(around + kPoints + 2, line.size() - 1);
    for (std::vector<double>* column : {&line.x, &line.y}) {
        std::vector<double>& v = *column;
        for (int pass = 0; pass < kPasses; ++pass) {
            double before = v[first - 1];
            for (std::size_t i = first; i < end; ++i) {
                const double here = v[i];
                v[i] = 0.25 * (before + 2.0 * here + v[i + 1]);
                before = here;
            }
        }
    }
}

}  // namespace thalweg
