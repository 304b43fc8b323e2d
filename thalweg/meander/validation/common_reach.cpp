#include "thalweg/meander/validation/common_reach.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kNear = 5.0;          // widths
constexpr double kLeastShared = 0.5;   // of the points of the shorter line
constexpr double kWorthTelling = 1.0;  // width that is cut off

struct Nearest {
    std::size_t point = 0;
    double distance = 0.0;  // m
};

Nearest nearest_to(double x, double y, const ChannelLine& line, std::size_t every = 1) {
    Nearest nearest;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < line.size(); i += every) {
        const double dx = line.x[i] - x, dy = line.y[i] - y;
        if (dx * dx + dy * dy >= least) continue;
        least = dx * dx + dy * dy;
        nearest.point = i;
    }
    nearest.distance = std::sqrt(least);
    return nearest;
}

/// Of points a width apart: how many of the shorter line are near the other, how far they are in the median,
/// and whether the numbers of their nearest points fall along the line.
struct Likeness {
    double near_share = 0.0;
    double median_distance = 0.0;  // m
    bool runs_the_other_way = false;
};

Likeness likeness_of(const ChannelLine& shorter, const ChannelLine& longer, std::size_t every, double width) {
    std::vector<double> distances;
    double near = 0.0, trend = 0.0;
    const double middle = 0.5 * static_cast<double>(shorter.size());
    double sum_place = 0.0, sum_point = 0.0, sum_product = 0.0;
    for (std::size_t i = 0; i < shorter.size(); i += every) {
        const Nearest nearest = nearest_to(shorter.x[i], shorter.y[i], longer, every);
        distances.push_back(nearest.distance);
        if (nearest.distance > kNear * width) continue;
        const double place = static_cast<double>(i) - middle, point = static_cast<double>(nearest.point);
        near += 1.0;
        sum_place += place;
        sum_point += point;
        sum_product += place * point;
    }
    if (near > 0.0) trend = sum_product - sum_place * sum_point / near;
    std::ranges::nth_element(distances, distances.begin() + distances.size() / 2);
    return {.near_share = near / static_cast<double>(distances.size()),
            .median_distance = distances[distances.size() / 2],
            .runs_the_other_way = trend < 0.0};
}

/// How many points each line has before the first that they share.
struct Overhang {
    std::size_t before = 0;
    std::size_t after = 0;
};

Overhang overhang_of(const ChannelLine& before, std::size_t before_end, const ChannelLine& after,
                     std::size_t after_end) {
    const Nearest on_after = nearest_to(before.x[before_end], before.y[before_end], after);
    const Nearest on_before = nearest_to(after.x[after_end], after.y[after_end], before);
    if (on_after.distance <= on_before.distance) return {.before = before_end, .after = on_after.point};
    return {.before = on_before.point, .after = after_end};
}

void tell_of(const char* line, double head, double tail, double width, std::vector<std::string>& notes) {
    const auto tell = [&](const char* end, double length) {
        if (length > kWorthTelling * width)
            notes.push_back(fmt::format("the {} line's {} {:.3g} km, where the other has none, are left out",
                                        line, end, length / 1000.0));
    };
    tell("first", head);
    tell("last", tail);
}

}  // namespace

ChannelLine piece_of(const ChannelLine& line, std::size_t first, std::size_t last) {
    const auto cut = [&](const auto& column) {
        return std::decay_t<decltype(column)>(column.begin() + static_cast<std::ptrdiff_t>(first),
                                              column.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    };
    return {.x = cut(line.x),
            .y = cut(line.y),
            .z = cut(line.z),
            .values = {.width = cut(line.values.width),
                       .depth = cut(line.values.depth),
                       .discharge = cut(line.values.discharge)}};
}

ChannelLine turned_round(const ChannelLine& line) {
    ChannelLine turned = line;
    for (std::vector<double>* column : {&turned.x, &turned.y, &turned.z}) std::ranges::reverse(*column);
    for (std::vector<float>* column : {&turned.values.width, &turned.values.depth, &turned.values.discharge})
        std::ranges::reverse(*column);
    return turned;
}

void keep_common_reach(ChannelLine& before, ChannelLine& after, double spacing, double width,
                       std::vector<std::string>& notes) {
    const auto every = static_cast<std::size_t>(std::max(1.0, std::round(width / spacing)));
    const bool before_is_shorter = before.size() <= after.size();
    const Likeness likeness = before_is_shorter ? likeness_of(before, after, every, width)
                                                : likeness_of(after, before, every, width);
    if (likeness.near_share < kLeastShared)
        throw Error::input(fmt::format(
            "the two lines are not of one place: they are {:.3g} km apart in the median, and {:.0f} % of the "
            "shorter one lies within {:.0f} widths of the other, where half is needed",
            likeness.median_distance / 1000.0, 100.0 * likeness.near_share, kNear));
    if (likeness.runs_the_other_way) {
        after = turned_round(after);
        notes.emplace_back("the later line runs the other way than the earlier one and was turned round");
    }
    const Overhang head = overhang_of(before, 0, after, 0);
    const Overhang tail = overhang_of(before, before.size() - 1, after, after.size() - 1);
    if (head.before >= tail.before || head.after >= tail.after)
        throw Error::input("the two lines are not of one place: their ends do not lie beside each other");
    const auto length = [&](std::size_t points) { return spacing * static_cast<double>(points); };
    tell_of("earlier", length(head.before), length(before.size() - 1 - tail.before), width, notes);
    tell_of("later", length(head.after), length(after.size() - 1 - tail.after), width, notes);
    before = piece_of(before, head.before, tail.before);
    after = piece_of(after, head.after, tail.after);
}

}  // namespace thalweg
