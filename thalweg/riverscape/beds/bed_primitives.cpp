#include "thalweg/riverscape/beds/bed_primitives.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/riverscape/beds/bed_points.hpp"
#include "thalweg/riverscape/courses/base_line.hpp"
#include "thalweg/riverscape/cross_section.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

/// Surfaces of a type (empirical; materials are the usual ones of Rosgen 1994, fig. 2).
struct TypeSurface {
    double roughness;     // of the bed, in greatest depths
    double irregularity;  // of the water's edge, in half widths
    double relief;        // of bars and banks, in greatest depths
    double bed;           // BedMaterial, between kinds
    double banks;         // the same; 0: ground
};

const TypeSurface& surface_of(RiverType type) {
    static constexpr std::array<TypeSurface, kRiverTypeCount> kSurfaces = {{
        {0.22, 0.26, 0.5, 1.6, 1.4},   // A+
        {0.20, 0.24, 0.5, 1.9, 1.6},   // A
        {0.14, 0.18, 0.35, 2.4, 0.0},  // B
        {0.06, 0.12, 0.2, 3.2, 0.0},   // C
        {0.08, 0.20, 0.5, 3.2, 3.3},   // D
        {0.03, 0.12, 0.15, 4.6, 0.0},  // DA
        {0.03, 0.09, 0.12, 4.3, 0.0},  // E
        {0.06, 0.12, 0.2, 3.6, 0.0},   // F
        {0.10, 0.16, 0.3, 3.1, 0.0},   // G
    }};
    return kSurfaces[static_cast<std::size_t>(type)];
}

/// The octave, between whole ones, of a wavelength in m.
float octave_of(double wavelength) {
    constexpr double kShortestWave = 0.125;  // m
    const double octave =
        portable_log(std::max(wavelength, kShortestWave) / kShortestWave) / portable_log(4.0);
    return static_cast<float>(std::min(octave, kWaveOctaves - 1.0));
}

/// Writes what only the next point of a line decides.
template <class Node>
void connect(Node& node, const Node& next) {
    const float dx = next.x - node.x;
    const float dy = next.y - node.y;
    const float square = dx * dx + dy * dy;
    node.per_square = square > 0.0F ? 1.0F / square : 0.0F;
}

BedNode node_of(const BedCoursePoint& point, const Position& origin, double roughness, std::uint32_t course) {
    const SectionForm form = section_form(point.type, point.curvature * point.width);
    const TypeSurface& surface = surface_of(point.type);
    const double depth = point.water - point.bed;
    return {.x = static_cast<float>(point.x - origin.x),
            .y = static_cast<float>(point.y - origin.y),
            .section = {.water = static_cast<float>(point.water),
                        .depth = static_cast<float>(depth),
                        .half_width = static_cast<float>(0.5 * point.width),
                        .left_bank = form.left_bank,
                        .right_bank = form.right_bank,
                        .roughness = static_cast<float>(std::min(0.4, roughness * surface.roughness * depth)),
                        .material = static_cast<float>(surface.bed),
                        .thalweg = form.thalweg,
                        .left_flatness = form.left_flatness,
                        .right_flatness = form.right_flatness,
                        .discharge = static_cast<float>(point.discharge),
                        .irregularity = static_cast<float>(std::min(0.3, roughness * surface.irregularity)),
                        .octave = octave_of(point.width)},
            .course = course};
}

double ground_at(const Field<float>& elevation, double x, double y, double otherwise) {
    const float ground = sample_bilinear(elevation, {.x = x, .y = y});
    return is_no_data(ground) ? otherwise : static_cast<double>(ground);
}

/// From how far the terrain beside a point is as it was: the least distance at which the way up or down to it
/// is no steeper than `side_slope` or twice the terrain.
double outer_edge(const ValleyPoint& point, double inner, double span, const Field<float>& elevation,
                  double side_slope) {
    constexpr double kSteepestOfStep = 1.875;  // of the quintic step, over its mean slope
    constexpr double kGrowth = 1.3;
    const double most = 15.0 * span + 3.0 * elevation.grid().cell_size;
    double way = std::max(span, 0.5);
    const double middle = ground_at(elevation, point.x, point.y, point.bank);
    for (; way < most; way *= kGrowth) {
        bool is_gentle = true;
        for (const double side : {-1.0, 1.0}) {
            const auto ground = [&](double offset) {
                return ground_at(elevation, point.x + side * offset * point.normal_x,
                                 point.y + side * offset * point.normal_y, point.bank);
            };
            const double between = inner + 0.5 * way;
            const double terrain = std::abs(ground(inner + way) - middle) / (inner + way);
            const double steepest = kSteepestOfStep * std::abs(ground(between) - point.bank) / way;
            is_gentle = is_gentle && steepest <= std::max(side_slope, 2.0 * terrain);
        }
        if (is_gentle) break;
    }
    return inner + std::min(way, most);
}

/// Half spans, m, of the widest valleys that begin or end at a place.
class WidestEnds {
  public:
    explicit WidestEnds(const std::vector<BedValley>& valleys) {
        for (const BedValley& valley : valleys)
            for (const ValleyPoint* const end : {&valley.points.front(), &valley.points.back()}) {
                double& widest = widest_[key_of(*end)];
                widest = std::max(widest, end->half_span);
            }
    }

    /// How far from its end a valley lies in a wider one, m.
    [[nodiscard]] double covered(const ValleyPoint& end) const {
        constexpr double kWider = 1.25;  // times as wide (empirical)
        constexpr double kWithin = 0.8;  // half spans of the wider one
        const double widest = widest_.at(key_of(end));
        return widest > kWider * end.half_span ? kWithin * widest : 0.0;
    }

  private:
    using Key = std::pair<std::int64_t, std::int64_t>;
    static Key key_of(const ValleyPoint& end) {
        constexpr double kPerMetre = 1000.0;
        return {std::llround(kPerMetre * end.x), std::llround(kPerMetre * end.y)};
    }

    std::map<Key, double> widest_;
};

/// The points of a valley between which banks have pieces, each about as long as it is wide; none in wider
/// valleys, whose banks are there.
std::vector<std::size_t> bank_places(const BedValley& valley, const WidestEnds& ends) {
    const std::vector<ValleyPoint>& points = valley.points;
    const auto between = [](const ValleyPoint& a, const ValleyPoint& b) {
        return std::hypot(b.x - a.x, b.y - a.y);
    };
    std::size_t first = 0;
    std::size_t last = points.size() - 1;
    const double covered_first = ends.covered(points.front());
    const double covered_last = ends.covered(points.back());
    while (first < last && between(points[first], points.front()) < covered_first) ++first;
    while (last > first && between(points[last], points.back()) < covered_last) --last;
    if (first == last) return {};
    std::vector<std::size_t> places = {first};
    double way = 0.0;
    for (std::size_t i = first + 1; i <= last; ++i) {
        way += between(points[i - 1], points[i]);
        if (way < std::max(1.2 * points[i].half_span, 1.0) && i < last) continue;
        places.push_back(i);
        way = 0.0;
    }
    return places;
}

/// Smooths along a valley how far banks reach: where that changed from piece to piece, slopes behind them had
/// creases. None comes nearer than it needs to hold the water.
void smooth_edges(std::span<BankNode> banks) {
    constexpr std::size_t kHalf = 2;  // nodes to each side
    std::vector<double> inner;
    std::vector<double> way;
    for (const BankNode& node : banks) {
        inner.push_back(node.inner);
        way.push_back(node.outer - node.inner);
    }
    inner = smoothed_along(smoothed_along(inner, kHalf), kHalf);
    way = smoothed_along(smoothed_along(way, kHalf), kHalf);
    for (std::size_t i = 0; i < banks.size(); ++i) {
        banks[i].inner = std::max(banks[i].inner, static_cast<float>(inner[i]));
        banks[i].outer = banks[i].inner + static_cast<float>(way[i]);
    }
}

/// The banks of one valley, whose first channel is `course`.
void add_banks(const BedValley& valley, const BedCourse& course, const std::vector<std::size_t>& places,
               const Field<float>& elevation, const BedTreeParameters& parameters, BedPrimitives& into) {
    constexpr double kBesideWater = 1.12;  // half spans: where cut banks begin
    constexpr double kOnFill = 1.75;       // half spans: where filled banks begin, behind the channel's edge
    const std::size_t first = into.banks.size();
    for (std::size_t k = 0; k < places.size(); ++k) {
        const ValleyPoint& point = valley.points[places[k]];
        // The banks hold the water of both pieces beside this point.
        double bank = point.bank;
        double span = point.half_span;
        for (std::size_t i = k > 0 ? places[k - 1] : 0; i <= places[std::min(k + 1, places.size() - 1)];
             ++i) {
            bank = std::max(bank, valley.points[i].bank);
            span = std::max(span, valley.points[i].half_span);
        }
        const double ground = std::min(ground_at(elevation, point.x + 1.6 * span * point.normal_x,
                                                 point.y + 1.6 * span * point.normal_y, bank),
                                       ground_at(elevation, point.x - 1.6 * span * point.normal_x,
                                                 point.y - 1.6 * span * point.normal_y, bank));
        const double inner = span * (ground >= bank ? kBesideWater : kOnFill);
        ValleyPoint raised = point;
        raised.bank = bank;
        const BedCoursePoint& channel = course.points[places[k]];
        const TypeSurface& surface = surface_of(channel.type);
        into.banks.push_back(
            {.x = static_cast<float>(point.x - into.origin.x),
             .y = static_cast<float>(point.y - into.origin.y),
             .bank = static_cast<float>(bank),
             .inner = static_cast<float>(inner),
             .outer = static_cast<float>(outer_edge(raised, inner, span, elevation, parameters.side_slope)),
             .relief =
                 static_cast<float>(std::min(1.0, parameters.roughness * surface.relief * channel.depth)),
             .octave = octave_of(2.0 * span),
             .material = static_cast<float>(surface.banks)});
    }
    smooth_edges(std::span(into.banks).subspan(first));
    for (std::size_t i = first; i + 1 < into.banks.size(); ++i) connect(into.banks[i], into.banks[i + 1]);
}

BedMound mound_at(double x, double y, double direction_x, double direction_y, double half_length,
                  double half_width, double height, const Position& origin) {
    return {.x = static_cast<float>(x - origin.x),
            .y = static_cast<float>(y - origin.y),
            .along_x = static_cast<float>(direction_x / half_length),
            .along_y = static_cast<float>(direction_y / half_length),
            .across_x = static_cast<float>(-direction_y / half_width),
            .across_y = static_cast<float>(direction_x / half_width),
            .height = static_cast<float>(height)};
}

/// A rock, turned anyhow; on beds of gravel and finer, a scour around its front and a tail behind.
void add_rock(const BedRock& rock, double material, std::uint64_t bits, BedPrimitives& into) {
    const double angle = 6.283185307179586 * unit_double(bits);
    const double slenderness = 0.7 + 0.3 * unit_double(mix64(bits));
    BedMound mound = mound_at(rock.x, rock.y, std::cos(angle), std::sin(angle), rock.radius * 1.25,
                              rock.radius * 1.25 * slenderness, rock.height, into.origin);
    mound.draw = static_cast<std::uint32_t>(bits >> 32) | 1U;
    into.mounds.push_back(mound);
    if (material < 2.2) return;
    const double r = rock.radius;
    into.mounds.push_back(mound_at(rock.x - 0.5 * r * rock.direction_x, rock.y - 0.5 * r * rock.direction_y,
                                   rock.direction_x, rock.direction_y, 1.7 * r, 1.9 * r, -0.2 * rock.height,
                                   into.origin));
    into.mounds.push_back(mound_at(rock.x + 2.2 * r * rock.direction_x, rock.y + 2.2 * r * rock.direction_y,
                                   rock.direction_x, rock.direction_y, 2.2 * r, 0.9 * r, 0.15 * rock.height,
                                   into.origin));
}

/// The number-th draw of a place: to the millimetre, so that a place has its draws whatever else is carved.
std::uint64_t draw_at(double x, double y, std::uint64_t number, std::uint64_t seed) {
    const auto millimetres = [](double way) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::llround(way * 1000.0)));
    };
    return random_bits(seed, Stream::Riverbed, millimetres(x), millimetres(y), number);
}

void add_mounds(const BedCourses& courses, std::uint64_t seed, BedPrimitives& into) {
    for (const BedFeature& feature : courses.features) {
        if (feature.kind != BedFeatureKind::Drop || !(feature.height > 0.0)) continue;
        // A basin below the drop, as deep as a part of its height, to one side or the other.
        const auto draw = [&](std::uint64_t number) {
            return unit_double(draw_at(feature.x, feature.y, number, seed));
        };
        const double half_length = (0.35 + 0.3 * draw(8)) * feature.width;
        const double way = feature.length + 0.6 * half_length;
        const double aside = 0.2 * (draw(9) - 0.5) * feature.width;
        into.mounds.push_back(mound_at(feature.x + way * feature.direction_x - aside * feature.direction_y,
                                       feature.y + way * feature.direction_y + aside * feature.direction_x,
                                       feature.direction_x, feature.direction_y, half_length,
                                       (0.28 + 0.12 * draw(10)) * feature.width,
                                       -std::min(0.35 * feature.height, 0.6 * feature.depth), into.origin));
    }
    for (const BedRock& rock : courses.rocks) {
        const std::vector<BedCoursePoint>& points = courses.courses[rock.course].points;
        const auto at = std::lower_bound(
            points.begin(), points.end() - 1, rock.distance,
            [](const BedCoursePoint& point, double distance) { return point.distance < distance; });
        add_rock(rock, surface_of(at->type).bed, draw_at(rock.x, rock.y, 6, seed), into);
    }
}

/// The numbers that a node has from `first` on, and how they change up to the next one.
template <std::size_t count, class Numbers>
void connect_numbers(const Numbers& from, const Numbers& to, float (&begin)[count], float (&change)[count]) {
    const auto at_begin = std::bit_cast<std::array<float, count>>(from);
    const auto at_end = std::bit_cast<std::array<float, count>>(to);
    for (std::size_t k = 0; k < count; ++k) {
        begin[k] = at_begin[k];
        change[k] = at_end[k] - at_begin[k];
    }
}

/// The ends of a course that the segment from node i on has.
std::uint32_t ends_of(const std::vector<BedNode>& nodes, std::size_t i) {
    const std::uint32_t course = nodes[i].course;
    const bool begins = i == 0 || nodes[i - 1].course != course;
    const bool ends = i + 2 >= nodes.size() || nodes[i + 2].course != course;
    return (begins ? kCourseBegins : 0U) | (ends ? kCourseEnds : 0U);
}

}  // namespace

ChannelPiece channel_piece(const BedPrimitives& primitives, std::size_t i) {
    const BedNode& a = primitives.nodes[i];
    const BedNode& b = primitives.nodes[i + 1];
    ChannelPiece piece{.x = a.x,
                       .y = a.y,
                       .along_x = b.x - a.x,
                       .along_y = b.y - a.y,
                       .per_square = a.per_square,
                       .per_length = std::sqrt(a.per_square),
                       .course = a.course,
                       .valley = primitives.valley_of_course[a.course],
                       .ends = ends_of(primitives.nodes, i),
                       .from = {},
                       .change = {}};
    connect_numbers(a.section, b.section, piece.from, piece.change);
    return piece;
}

BankPiece bank_piece(const BedPrimitives& primitives, std::size_t i) {
    const BankNode& a = primitives.banks[i];
    const BankNode& b = primitives.banks[i + 1];
    BankPiece piece{.x = a.x,
                    .y = a.y,
                    .along_x = b.x - a.x,
                    .along_y = b.y - a.y,
                    .per_square = a.per_square,
                    .from = {},
                    .change = {}};
    const auto numbers = [](const BankNode& node) {
        return std::array{node.bank, node.inner, node.outer, node.relief, node.octave, node.material};
    };
    connect_numbers(numbers(a), numbers(b), piece.from, piece.change);
    return piece;
}

BedPrimitives make_primitives(const BedCourses& courses, const Field<float>& elevation,
                              const BedTreeParameters& parameters, std::uint64_t seed) {
    const Grid& grid = elevation.grid();
    const Rectangle extent = extent_of(grid);
    BedPrimitives made{.origin = {0.5 * (extent.west + extent.east), 0.5 * (extent.south + extent.north)}};
    std::vector<std::size_t> first_course(courses.valleys.size(), courses.courses.size());
    for (std::size_t c = 0; c < courses.courses.size(); ++c) {
        const BedCourse& course = courses.courses[c];
        first_course[course.valley] = std::min(first_course[course.valley], c);
        made.valley_of_course.push_back(static_cast<std::uint32_t>(course.valley));
        const std::size_t first = made.nodes.size();
        for (const BedCoursePoint& point : course.points)
            made.nodes.push_back(
                node_of(point, made.origin, parameters.roughness, static_cast<std::uint32_t>(c)));
        for (std::size_t i = first; i + 1 < made.nodes.size(); ++i) connect(made.nodes[i], made.nodes[i + 1]);
    }
    const WidestEnds ends(courses.valleys);
    for (std::size_t v = 0; v < courses.valleys.size(); ++v) {
        const BedValley& valley = courses.valleys[v];
        add_banks(valley, courses.courses[first_course[v]], bank_places(valley, ends), elevation, parameters,
                  made);
    }
    add_mounds(courses, seed, made);
    return made;
}

}  // namespace thalweg
