#include "thalweg/meander/validation/line_matching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

constexpr double kTurnCost = 4.0;        // of a right angle, 1
constexpr std::int32_t kBandReach = 5;   // coarse steps on each side
constexpr std::uint8_t kStepBefore = 1;  // bits of how a pair was come to
constexpr std::uint8_t kStepAfter = 2;

/// Every `every`th point, and the last.
DirectedLine thinned(const DirectedLine& line, std::int32_t every) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i + 1 < line.size(); i += static_cast<std::size_t>(every)) {
        x.push_back(line.x[i]);
        y.push_back(line.y[i]);
    }
    x.push_back(line.x.back());
    y.push_back(line.y.back());
    return {std::move(x), std::move(y)};
}

/// How each pair of the band is come to, row by row.
struct Steps {
    std::vector<std::size_t> row;  // where the steps of a point of the one line begin
    std::vector<std::uint8_t> steps;

    explicit Steps(const MatchBand& band) : row(band.first.size() + 1, 0) {
        for (std::size_t i = 0; i < band.first.size(); ++i)
            row[i + 1] = row[i] + static_cast<std::size_t>(band.last[i] - band.first[i] + 1);
        steps.assign(row.back(), 0);
    }
};

std::vector<MatchedPair> followed_back(const Steps& found, const MatchBand& band, MatchedPair last) {
    std::vector<MatchedPair> path;
    for (;;) {
        path.push_back(last);
        const auto i = static_cast<std::size_t>(last.before);
        const std::uint8_t step =
            found.steps[found.row[i] + static_cast<std::size_t>(last.after - band.first[i])];
        if (step == 0) break;
        if ((step & kStepBefore) != 0) --last.before;
        if ((step & kStepAfter) != 0) --last.after;
    }
    std::ranges::reverse(path);
    return path;
}

}  // namespace

DirectedLine::DirectedLine(std::vector<double> line_x, std::vector<double> line_y)
    : x(std::move(line_x)), y(std::move(line_y)), direction_x(x.size()), direction_y(x.size()) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t from = i > 0 ? i - 1 : 0, to = std::min(i + 1, x.size() - 1);
        const double dx = x[to] - x[from], dy = y[to] - y[from];
        const double length = std::sqrt(dx * dx + dy * dy);
        if (!(length > 0.0)) continue;
        direction_x[i] = dx / length;
        direction_y[i] = dy / length;
    }
}

MatchBand::MatchBand(std::size_t before, std::size_t after)
    : first(before, 0), last(before, static_cast<std::int32_t>(after) - 1) {
}

MatchBand::MatchBand(const std::vector<MatchedPair>& path, std::int32_t every, std::int32_t reach,
                     std::size_t before, std::size_t after)
    : first(before, static_cast<std::int32_t>(after) - 1), last(before, 0) {
    const std::int32_t last_before = static_cast<std::int32_t>(before) - 1;
    const std::int32_t last_after = static_cast<std::int32_t>(after) - 1;
    for (const MatchedPair& pair : path) {
        const std::int32_t i = std::min(pair.before * every, last_before);
        const std::int32_t j = std::min(pair.after * every, last_after);
        for (std::int32_t k = std::max(0, i - every); k <= std::min(last_before, i + every); ++k) {
            const auto at = static_cast<std::size_t>(k);
            first[at] = std::min(first[at], std::max(0, j - reach));
            last[at] = std::max(last[at], std::min(last_after, j + reach));
        }
    }
    first.front() = 0;
    last.back() = last_after;
    for (std::size_t i = before - 1; i-- > 0;) first[i] = std::min(first[i], first[i + 1]);
    for (std::size_t i = 1; i < before; ++i) last[i] = std::max(last[i], last[i - 1]);
}

double matching_cost(const DirectedLine& before, std::size_t i, const DirectedLine& after, std::size_t j,
                     double width) {
    const double dx = (before.x[i] - after.x[j]) / width, dy = (before.y[i] - after.y[j]) / width;
    const double cosine =
        before.direction_x[i] * after.direction_x[j] + before.direction_y[i] * after.direction_y[j];
    return dx * dx + dy * dy + kTurnCost * (1.0 - cosine);
}

std::vector<MatchedPair> best_match(const DirectedLine& before, const DirectedLine& after,
                                    const MatchBand& band, double width, Progress& progress) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    constexpr std::size_t kRowsPerPoll = 64;
    Steps found(band);
    // Sums up to the pairs of this row and of the one before; outside the band they are infinite.
    std::vector<double> above(after.size() + 1, kNone), here(after.size() + 1, kNone);
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (i % kRowsPerPoll == 0) progress.poll();
        const auto first = static_cast<std::size_t>(band.first[i]),
                   last = static_cast<std::size_t>(band.last[i]);
        here[first] = kNone;  // of the pair before the first, as sums stand one place further
        for (std::size_t j = first; j <= last; ++j) {
            const double cost = matching_cost(before, i, after, j, width);
            double best = above[j] + 2.0 * cost;
            std::uint8_t step = kStepBefore | kStepAfter;
            if (i == 0 && j == 0) {
                best = cost;
                step = 0;
            }
            if (above[j + 1] + cost < best) {
                best = above[j + 1] + cost;
                step = kStepBefore;
            }
            if (here[j] + cost < best) {
                best = here[j] + cost;
                step = kStepAfter;
            }
            here[j + 1] = best;
            found.steps[found.row[i] + j - first] = step;
        }
        std::swap(above, here);
        // What the next row reads beyond this one's band.
        if (i + 1 < before.size())
            std::fill(above.begin() + band.last[i] + 2, above.begin() + band.last[i + 1] + 2, kNone);
    }
    return followed_back(
        found, band,
        {static_cast<std::int32_t>(before.size()) - 1, static_cast<std::int32_t>(after.size()) - 1});
}

std::vector<MatchedPair> match_lines(const DirectedLine& before, const DirectedLine& after,
                                     std::int32_t every, double width, Progress& progress) {
    const DirectedLine few_before = thinned(before, every), few_after = thinned(after, every);
    const std::vector<MatchedPair> coarse =
        best_match(few_before, few_after, {few_before.size(), few_after.size()}, width, progress);
    const MatchBand band(coarse, every, kBandReach * every, before.size(), after.size());
    return best_match(before, after, band, width, progress);
}

}  // namespace thalweg
