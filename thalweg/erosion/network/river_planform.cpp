#include "thalweg/erosion/river_planform.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/erosion/network/line_part.hpp"
#include "thalweg/noise/bases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace thalweg {
namespace {

constexpr double kAmplitude = 0.17;    // of an octave's lattice; from 0.2 on it can fold the plane
constexpr double kLeastCells = 1.0;    // of the grid, to the lattice of the smallest octave
constexpr double kFadeFrom = 0.4;      // h / s from which an octave is there
constexpr double kFadeTo = 1.2;        // h / s from which it is there in full
constexpr double kLeastWidths = 7.0;   // of the river, to a full octave's lattice: a wavelength of about 11
constexpr double kFadeBelow = 2.0;     // 7 b / s at which an octave is gone
constexpr double kWidthFall = 0.5;     // by which 7 b falls away from a river, 1
constexpr double kFarthestMove = 1.5;  // of h, rounded up
constexpr double kSpacingOfPoints = 0.5;  // cells

/// A straight piece of a drawn river, or an end of one.
struct Segment {
    Position from;
    Position to;
    double spacing = 0.0;  // m, h on it
    double lattice = 0.0;  // m, 7 b on it

    [[nodiscard]] double west() const { return std::min(from.x, to.x); }
    [[nodiscard]] double east() const { return std::max(from.x, to.x); }
    [[nodiscard]] double south() const { return std::min(from.y, to.y); }
    [[nodiscard]] double north() const { return std::max(from.y, to.y); }
};

double distance_to(const Segment& segment, const Position& place) {
    const double x = segment.to.x - segment.from.x, y = segment.to.y - segment.from.y;
    const double square = x * x + y * y;
    const double along =
        square == 0.0 ? 0.0 : ((place.x - segment.from.x) * x + (place.y - segment.from.y) * y) / square;
    const double share = std::clamp(along, 0.0, 1.0);
    return std::hypot(segment.from.x + share * x - place.x, segment.from.y + share * y - place.y);
}

/// 7 b, m, of a river this far below its source, m.
double lattice_of_width(double length) {
    constexpr double kKilometre = 1000.0;
    const double area = std::pow(length / kKilometre / 1.27, 1.0 / 0.6);  // km^2, Hack 1957
    return kLeastWidths * 2.7 * std::pow(area, 0.352);                    // Bieger et al. 2015
}

std::vector<Segment> segments_of(const DrawnRiver& river, double longest) {
    std::vector<Segment> segments;
    double length = 0.0;
    for (std::size_t i = 0; i + 3 < river.points.size(); i += 2) {
        const Position from{river.points[i], river.points[i + 1]};
        const Position to{river.points[i + 2], river.points[i + 3]};
        const double here = std::hypot(to.x - from.x, to.y - from.y);
        Segment& segment = segments.emplace_back(Segment{from, to});
        if (!river.locked) {
            segment.spacing = std::min(here, longest);
            segment.lattice = lattice_of_width(length + 0.5 * here);
        }
        length += here;
    }
    return segments;
}

/// Two noises on one lattice.
struct NoisePair {
    double size = 0.0;  // m, s
    std::uint64_t key = 0;
    UnitVector turn = unit_vector(mix64(key));

    [[nodiscard]] Position at(const Position& place) const {
        const double u = (turn.x * place.x - turn.y * place.y) / size;
        const double v = (turn.y * place.x + turn.x * place.y) / size;
        GradientBasis east(mix64(key + 1)), north(mix64(key + 2));
        return {static_cast<double>(east(u, v)), static_cast<double>(north(u, v))};
    }
};

/// All octaves from `smallest` to `largest`, m, three to a doubling. An octave is the same in every list.
std::vector<NoisePair> octaves_between(double smallest, double largest, std::uint64_t seed) {
    constexpr std::array kThirds = {1.0, 1.2599210498948732, 1.5874010519681994};  // of a doubling
    std::vector<NoisePair> octaves;
    for (int power = std::ilogb(smallest); std::ldexp(1.0, power) <= largest; ++power)
        for (std::size_t third = 0; third < kThirds.size(); ++third) {
            const double size = std::ldexp(kThirds[third], power);
            const auto number = static_cast<std::uint64_t>(power);
            if (size >= smallest && size <= largest)
                octaves.push_back({size, random_bits(seed, Stream::Planform, number, third)});
        }
    return octaves;
}

double fade(double share) {
    const double t = std::clamp(share, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// Moves places of the plane on which the segments lie.
class Planform {
  public:
    Planform(const std::vector<DrawnRiver>& rivers, const Grid& grid, std::uint64_t seed)
        : grid_(grid), longest_(std::max(grid.width(), grid.height())) {
        for (const DrawnRiver& river : rivers) {
            const std::vector<Segment> segments = segments_of(river, longest_);
            segments_.insert(segments_.end(), segments.begin(), segments.end());
            for (const Position& end : {segments.front().from, segments.back().to})
                segments_.push_back({end, end});
        }
        std::ranges::sort(segments_, {}, &Segment::west);
        double largest = 0.0;
        for (const Segment& segment : segments_) {
            largest = std::max(largest, segment.spacing);
            widest_ = std::max(widest_, segment.east() - segment.west());
            largest_lattice_ = std::max(largest_lattice_, segment.lattice);
        }
        octaves_ = octaves_between(kLeastCells * grid.cell_size, largest / kFadeFrom, seed);
    }

    [[nodiscard]] DrawnRiver wound(const DrawnRiver& river, Progress& progress) {
        if (river.locked) return river;
        DrawnRiver result;
        const std::vector<Segment> segments = segments_of(river, longest_);
        for (const Segment& segment : segments) {
            progress.poll();
            gather_near(segment);
            add(moved(segment.from), result);
            add_inner_points(segment, result);
        }
        add(segments.back().to, result);
        return result;
    }

  private:
    static void add(const Position& place, DrawnRiver& river) {
        river.points.push_back(place.x);
        river.points.push_back(place.y);
    }

    [[nodiscard]] bool winds(const Segment& segment) const {
        return !octaves_.empty() && segment.spacing > kFadeFrom * octaves_.front().size;
    }

    /// Points between the ends of a segment, as far as these can be moved onto the grid.
    void add_inner_points(const Segment& segment, DrawnRiver& result) const {
        if (!winds(segment)) return;
        const double margin = kFarthestMove * segment.spacing;
        const double x = segment.to.x - segment.from.x, y = segment.to.y - segment.from.y;
        LinePart part;
        if (!cut(segment.from.x, x, grid_.west - margin, grid_.west + grid_.width() + margin, part) ||
            !cut(segment.from.y, y, grid_.north - grid_.height() - margin, grid_.north + margin, part))
            return;
        const double length = std::hypot(x, y) * (part.end - part.begin);
        const auto pieces =
            static_cast<std::int64_t>(std::ceil(length / (kSpacingOfPoints * grid_.cell_size)));
        for (std::int64_t i = 0; i <= pieces; ++i) {
            const double share =
                part.begin + (part.end - part.begin) * static_cast<double>(i) / static_cast<double>(pieces);
            if (share > 0.0 && share < 1.0)
                add(moved({segment.from.x + share * x, segment.from.y + share * y}), result);
        }
    }

    /// Collects the segments that have a say in how places on this one move.
    void gather_near(const Segment& segment) {
        near_.clear();
        if (!winds(segment)) return;
        // A place may have moved so far; what is further from there than its own h leaves that as it is.
        const double move = kFarthestMove * segment.spacing;
        const double reach = move + std::max(segment.spacing + move, largest_lattice_ / kWidthFall);
        const auto first =
            std::ranges::lower_bound(segments_, segment.west() - reach - widest_, {}, &Segment::west);
        for (auto other = first; other != segments_.end() && other->west() <= segment.east() + reach; ++other)
            if (other->east() >= segment.west() - reach && other->south() <= segment.north() + reach &&
                other->north() >= segment.south() - reach)
                near_.push_back(*other);
    }

    /// Between which lattices octaves move a place among the near segments.
    struct Scales {
        double spacing;  // m, h
        double lattice;  // m, 7 b
    };
    [[nodiscard]] Scales scales_at(const Position& place) const {
        Scales scales{std::numeric_limits<double>::infinity(), 0.0};
        for (const Segment& segment : near_) {
            const double distance = distance_to(segment, place);
            scales.spacing = std::min(scales.spacing, segment.spacing + distance);
            scales.lattice = std::max(scales.lattice, segment.lattice - kWidthFall * distance);
        }
        return scales;
    }

    /// Whether an octave of this size moves all places in full that lie so far (m) from one of these scales.
    static bool is_in_full(double size, const Scales& scales, double distance) {
        return scales.spacing - distance >= kFadeTo * size && scales.lattice + kWidthFall * distance <= size;
    }

    static double weight(double size, const Scales& scales) {
        return fade((scales.spacing / size - kFadeFrom) / (kFadeTo - kFadeFrom)) *
               fade((kFadeBelow - scales.lattice / size) / (kFadeBelow - 1.0));
    }

    [[nodiscard]] Position moved(const Position& start) const {
        if (near_.empty()) return start;
        const Scales at_start = scales_at(start);
        Position place = start;
        for (const NoisePair& octave : octaves_) {
            const double distance = std::hypot(place.x - start.x, place.y - start.y);
            // Most octaves need no second look: scales change by no more than the way that was moved.
            const double share =
                is_in_full(octave.size, at_start, distance) ? 1.0 : weight(octave.size, scales_at(place));
            if (share == 0.0) continue;
            const Position noise = octave.at(place);
            const double move = kAmplitude * octave.size * share;
            place = {place.x + move * noise.x, place.y + move * noise.y};
        }
        return place;
    }

    Grid grid_;
    double longest_;                  // m, that h can be
    std::vector<Segment> segments_;   // and ends, by their western edges
    double widest_ = 0.0;             // m, from west to east, of all segments
    double largest_lattice_ = 0.0;    // m
    std::vector<NoisePair> octaves_;  // smallest first
    std::vector<Segment> near_;
};

}  // namespace

std::vector<DrawnRiver> natural_planform(const std::vector<DrawnRiver>& rivers, const Grid& grid,
                                         std::uint64_t seed, Progress& progress) {
    if (rivers.empty()) return {};
    Planform planform(rivers, grid, seed);
    std::vector<DrawnRiver> result;
    result.reserve(rivers.size());
    for (const DrawnRiver& river : rivers) result.push_back(planform.wound(river, progress));
    return result;
}

}  // namespace thalweg
