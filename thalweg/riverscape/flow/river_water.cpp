#include "thalweg/riverscape/river_water.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/riverscape/beds/bed_evaluator.hpp"
#include "thalweg/riverscape/beds/bed_samples.hpp"
#include "thalweg/riverscape/beds/bed_tree_parts.hpp"
#include "thalweg/riverscape/flow/water_sites.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

namespace thalweg {
namespace {

constexpr double kGravity = 9.81;      // m/s^2
constexpr double kCalmBelow = 0.12;    // agitation
constexpr double kRippleBelow = 0.40;  // agitation

constexpr BedOutput kWithoutMaterial{.has_material = false};

/// Water at a place: what the bed says, or the course where the place itself is dry.
struct LocalWater {
    WaterSite site;
    double depth = 0.0;       // m
    double velocity_x = 0.0;  // m/s
    double velocity_y = 0.0;
    double speed = 0.0;  // m/s
    bool is_wet = false;
};

/// Makes primitives of places; const calls may come from many threads.
class WaterMaker {
  public:
    WaterMaker(const BedCourses& beds, const Rectangle& extent, const RiverWaterParameters& parameters,
               std::uint64_t seed)
        : sites(beds, extent, parameters.density), beds_(beds), parameters_(parameters), seed_(seed) {
        falls_.resize(beds.courses.size());
        for (std::size_t i = 0; i < beds.features.size(); ++i)
            if (beds.features[i].kind != BedFeatureKind::Pool) falls_[beds.features[i].course].push_back(i);
    }

    [[nodiscard]] std::optional<LocalWater> water_at(Position p, const BedSample& sample) const {
        WaterSite site;
        if (!sites.nearest(p, site)) return std::nullopt;
        return water_of(site, sample);
    }

    [[nodiscard]] static LocalWater water_of(const WaterSite& site, const BedSample& sample) {
        LocalWater water{.site = site};
        water.is_wet = !is_no_data(sample.water) && sample.water > sample.elevation;
        constexpr double kBesideBank = 0.25;  // of the mean velocity, for discs whose middle is dry
        if (water.is_wet) {
            water.depth = static_cast<double>(sample.water) - sample.elevation;
            water.velocity_x = sample.velocity_x;
            water.velocity_y = sample.velocity_y;
        } else {
            water.depth = 0.3 * water.site.depth;
            water.velocity_x = kBesideBank * water.site.velocity * water.site.direction_x;
            water.velocity_y = kBesideBank * water.site.velocity * water.site.direction_y;
        }
        water.speed = std::hypot(water.velocity_x, water.velocity_y);
        // A disc is not as fast all over as the gap between rocks where its middle may lie.
        constexpr double kFastest = 2.5;  // times the mean velocity
        const double fastest = kFastest * water.site.velocity;
        if (water.speed > fastest) {
            water.velocity_x *= fastest / water.speed;
            water.velocity_y *= fastest / water.speed;
            water.speed = fastest;
        }
        return water;
    }

    /// Covers the bed by discs of water; those that lie far from it are left out. `samples` are of the bed
    /// at their middles.
    [[nodiscard]] std::vector<WaterPrimitive> covering(std::span<const WaterDisc> discs,
                                                       std::span<const BedSample> samples) const {
        std::vector<WaterPrimitive> primitives;
        primitives.reserve(discs.size());
        for (std::size_t i = 0; i < discs.size(); ++i) {
            WaterSite site;
            if (sites.nearest(discs[i].centre, site))
                primitives.push_back(covering(discs[i], water_of(site, samples[i])));
        }
        return primitives;
    }

    /// The water of a disc that covers the bed.
    [[nodiscard]] WaterPrimitive covering(const WaterDisc& disc, const LocalWater& water) const {
        const double agitation = agitation_of(water);
        WaterPrimitive primitive = moving(water, disc.centre, disc.radius, disc.bits);
        const bool by_bank = !water.is_wet || water.site.distance > 0.36 * water.site.width;
        if (agitation < kCalmBelow) {
            primitive.kind = WaterKind::Calm;
        } else if (by_bank && water.speed > 0.25 && unit_float(mix64(disc.bits)) < 0.5F) {
            primitive.kind = WaterKind::BankEcho;
            primitive.bank_angle = bank_angle_at(water, disc.centre, beds_);
        } else if (agitation < kRippleBelow) {
            primitive.kind = WaterKind::Ripple;
        } else {
            primitive.kind = WaterKind::Turbulent;
        }
        agitate(agitation, water, primitive);
        return primitive;
    }

    /// The middles of the cascades over a drop, side by side from bank to bank.
    static void append_places(const BedFeature& drop, std::vector<Position>& places) {
        const int count = cascades_over(drop);
        for (int k = 0; k < count; ++k) {
            const double side = (count == 1 ? 0.0 : static_cast<double>(k) / (count - 1) - 0.5) * drop.width;
            const double down = 0.5 * length_of(drop);
            places.push_back({drop.x + down * drop.direction_x - side * drop.direction_y,
                              drop.y + down * drop.direction_y + side * drop.direction_x});
        }
    }

    /// The fall over a drop, where those places are.
    void add_cascades(const BedFeature& drop, std::span<const Position> middles,
                      std::span<const BedSample> samples, std::vector<WaterPrimitive>& to) const {
        const double length = length_of(drop);
        for (std::size_t k = 0; k < middles.size(); ++k) {
            const Position& middle = middles[k];
            const std::optional<LocalWater> water = water_at(middle, samples[k]);
            if (!water) continue;
            const auto level_at = [&](double down) {
                const Position place = {middle.x + down * drop.direction_x,
                                        middle.y + down * drop.direction_y};
                WaterSite site;
                return sites.nearest(place, site) ? site.level : water->site.level;
            };
            const double above = level_at(-0.5 * length);
            const double below = std::min(above, level_at(0.5 * length));
            const std::uint64_t bits = bits_at(middle);
            WaterPrimitive cascade = moving(*water, middle, radius_over(drop), bits);
            cascade.kind = WaterKind::Cascade;
            cascade.elevation = 0.5 * (above + below);
            cascade.slope = 0.0;
            cascade.velocity_x = water->site.velocity * drop.direction_x;
            cascade.velocity_y = water->site.velocity * drop.direction_y;
            cascade.fall = above - below;
            cascade.fall_length = 0.5 * length;
            cascade.amplitude = parameters_.agitation * std::min(0.10, 0.05 + 0.1 * drop.height);
            cascade.wavelength = std::max(0.25, 0.5 * cascade.radius);
            cascade.foam = std::min(1.0, parameters_.agitation * (0.45 + 0.8 * drop.height));
            to.push_back(cascade);
        }
    }

    /// Whether a rock has a wake that shows: beside larger primitives it does not.
    [[nodiscard]] bool may_show(const BedRock& rock) const {
        constexpr double kSeen = 0.25;  // radii of the primitives around
        return rock.radius >= kSeen * sites.radius({rock.x, rock.y});
    }

    /// What lies on the water behind a rock, or nothing where the water falls there: one disc can't follow
    /// it.
    [[nodiscard]] std::optional<WaterPrimitive> behind(const BedRock& rock, LocalWater water, double down,
                                                       double left, double radius, std::uint64_t bits) const {
        constexpr double kFlat = 0.05;  // m that the level may be off that of the disc
        const double ux = rock.direction_x;
        const double uy = rock.direction_y;
        const Position place{rock.x + down * ux - left * uy, rock.y + down * uy + left * ux};
        if (!sites.nearest(place, water.site)) return std::nullopt;
        const WaterPrimitive primitive = moving(water, place, radius, bits);
        for (const double way : {-radius, radius}) {
            WaterSite there;
            if (!sites.nearest({place.x + way * ux, place.y + way * uy}, there)) continue;
            if (std::abs(there.level - (primitive.elevation - way * primitive.slope)) > kFlat)
                return std::nullopt;
        }
        return primitive;
    }

    /// The whirlpool on one side behind a rock.
    void add_whirl(const BedRock& rock, const LocalWater& water, double side, double strength,
                   std::vector<WaterPrimitive>& to) const {
        const double speed = std::max(water.speed, 0.5 * water.site.velocity);
        const std::uint64_t bits = mix64(bits_at({rock.x, rock.y}) + (side > 0.0 ? 1 : 2));
        std::optional<WaterPrimitive> found =
            behind(rock, water, 2.0 * rock.radius, 0.65 * side * rock.radius, 0.75 * rock.radius, bits);
        if (!found) return;
        WaterPrimitive& whirl = *found;
        whirl.kind = WaterKind::Vortex;
        whirl.velocity_x = 0.35 * speed * rock.direction_x;
        whirl.velocity_y = 0.35 * speed * rock.direction_y;
        whirl.rotation = -side * std::min(3.0, 0.8 * speed / rock.radius);
        whirl.fall = std::min(0.018, 0.022 * speed * speed) * strength;
        whirl.amplitude = 0.03 * strength;
        whirl.wavelength = std::max(0.2, 0.7 * rock.radius);
        whirl.foam = std::min(1.0, 0.25 * strength);
        to.push_back(whirl);
    }

    /// The wake of a rock that comes near the surface, with a pair of whirlpools behind it, or the standing
    /// wave over one that does not.
    void add_wake(const BedRock& rock, const BedSample& sample, std::vector<WaterPrimitive>& to) const {
        const Position place{rock.x, rock.y};
        const std::optional<LocalWater> water = water_at(place, sample);
        if (!water || water->site.distance > 0.55 * water->site.width) return;
        const double over = water->site.level - sample.elevation;  // m of water over its top
        const double speed = std::max(water->speed, 0.5 * water->site.velocity);
        if (speed < 0.2 || over > 1.2 * rock.radius) return;
        const double ux = rock.direction_x;
        const double uy = rock.direction_y;
        const std::uint64_t bits = bits_at(place);
        const double strength = std::min(1.0, speed / 1.5) * parameters_.agitation;
        if (over > 0.12 * rock.radius) {
            std::optional<WaterPrimitive> found =
                behind(rock, *water, 0.8 * rock.radius, 0.0, 1.5 * rock.radius, bits);
            if (!found) return;
            WaterPrimitive& wave = *found;
            wave.kind = WaterKind::Wave;
            wave.velocity_x = speed * ux;
            wave.velocity_y = speed * uy;
            // Standing waves are as long as their celerity is the water's speed.
            wave.wavelength =
                std::clamp(2.0 * std::numbers::pi * speed * speed / kGravity, 0.15, 1.5 * rock.radius);
            wave.fall = std::min(0.06, 0.07 * wave.wavelength) * strength;
            wave.amplitude = 0.25 * wave.fall;
            wave.foam = std::min(1.0, 0.25 * strength);
            to.push_back(wave);
            return;
        }
        std::optional<WaterPrimitive> found =
            behind(rock, *water, 1.7 * rock.radius, 0.0, 1.6 * rock.radius, bits);
        if (!found) return;
        WaterPrimitive& wake = *found;
        wake.kind = WaterKind::Turbulent;
        wake.velocity_x = 0.6 * speed * ux;
        wake.velocity_y = 0.6 * speed * uy;
        wake.amplitude = std::min(0.08, 0.10 * rock.radius + 0.02) * strength;
        wake.wavelength = std::max(0.2, 0.6 * rock.radius);
        wake.foam = std::min(1.0, 0.65 * strength);
        to.push_back(wake);
        if (rock.radius < 0.25) return;
        for (const double side : {-1.0, 1.0}) add_whirl(rock, *water, side, strength, to);
    }

    /// One pool out of three may have a whirlpool.
    [[nodiscard]] bool may_whirl(const BedFeature& pool) const {
        return unit_float(bits_at({pool.x, pool.y})) <= 0.33F;
    }

    /// A whirlpool in a pool, where a bend turns the water.
    void add_pool_whirl(const BedFeature& pool, const BedSample& sample,
                        std::vector<WaterPrimitive>& to) const {
        const Position place{pool.x, pool.y};
        const std::uint64_t bits = bits_at(place);
        const std::optional<LocalWater> water = water_at(place, sample);
        if (!water || !water->is_wet || water->speed < 0.25) return;
        const double curvature = beds_.courses[pool.course].points[water->site.point].curvature;
        if (std::abs(curvature) * pool.width < 0.15) return;
        const double radius = 0.14 * pool.width;
        WaterPrimitive whirl = moving(*water, place, radius, bits);
        whirl.kind = WaterKind::Vortex;
        whirl.rotation = (curvature > 0.0 ? 1.0 : -1.0) * std::min(1.5, 0.6 * water->speed / radius);
        whirl.fall = std::min(0.012, 0.01 * radius) * parameters_.agitation;
        whirl.amplitude = 0.02 * parameters_.agitation;
        whirl.wavelength = 0.7 * radius;
        to.push_back(whirl);
    }

    const WaterSites sites;

  private:
    [[nodiscard]] static double length_of(const BedFeature& drop) { return std::max(drop.length, 0.3); }
    [[nodiscard]] static double radius_over(const BedFeature& drop) {
        return std::max(0.9 * length_of(drop), 0.3 * drop.width);
    }
    [[nodiscard]] static int cascades_over(const BedFeature& drop) {
        return std::max(1, static_cast<int>(std::ceil(drop.width / radius_over(drop))));
    }

    /// From the velocity counterclockwise to where a bank's waves go: across the water, somewhat downstream.
    [[nodiscard]] static double bank_angle_at(const LocalWater& water, Position p, const BedCourses& beds) {
        constexpr double kAcross = 1.2;  // rad
        const BedCoursePoint& on = beds.courses[water.site.course].points[water.site.point];
        const double left = water.site.direction_x * (p.y - on.y) - water.site.direction_y * (p.x - on.x);
        return left > 0.0 ? -kAcross : kAcross;
    }

    /// A primitive that lies and moves as the water does.
    [[nodiscard]] static WaterPrimitive moving(const LocalWater& water, Position p, double radius,
                                               std::uint64_t bits) {
        constexpr double kSteepest = 0.5;
        // Levels hold on the course's line: beside it they are those of the same section.
        return {.x = p.x,
                .y = p.y,
                .radius = radius,
                .elevation = water.site.level,
                .slope = std::min(water.site.slope, kSteepest),
                .velocity_x = water.velocity_x,
                .velocity_y = water.velocity_y,
                .seed = static_cast<std::int64_t>(bits & 0xFFF)};
    }

    [[nodiscard]] double agitation_of(const LocalWater& water) const {
        const double froude_square = water.speed * water.speed / (kGravity * std::max(water.depth, 0.05));
        double agitation = froude_square / (froude_square + 1.0);
        // The last fall above, on the same course.
        const std::vector<std::size_t>& falls = falls_[water.site.course];
        const auto next =
            std::upper_bound(falls.begin(), falls.end(), water.site.along,
                             [&](double along, std::size_t i) { return along < beds_.features[i].distance; });
        if (next != falls.begin()) {
            const BedFeature& fall = beds_.features[*(next - 1)];
            const double below = std::max(0.0, water.site.along - fall.distance - fall.length);
            const double height =
                std::sqrt(std::min(1.0, fall.height / (0.4 * std::max(water.site.depth, 0.05))));
            const double reach = fall.kind == BedFeatureKind::Drop ? 3.0 : 1.0;  // widths
            agitation = std::max(agitation, height * std::exp(-below / (reach * water.site.width)));
        }
        return std::clamp(agitation, 0.0, 1.0);
    }

    void agitate(double agitation, const LocalWater& water, WaterPrimitive& primitive) const {
        constexpr double kSteepestWave = 0.05;  // amplitude over wavelength
        const double depth = std::max(water.depth, 0.05);
        primitive.wavelength =
            std::clamp(primitive.kind == WaterKind::Calm ? 2.5 * depth + 0.6 : 1.2 * depth + 0.25, 0.3, 4.0);
        const double height = std::min(kSteepestWave * primitive.wavelength, 0.35 * depth);
        primitive.amplitude = parameters_.agitation * height * (0.12 + 0.88 * agitation);
        primitive.foam = parameters_.agitation * std::clamp((agitation - 0.7) * 1.2, 0.0, 0.4);
        primitive.foam = std::min(primitive.foam, 1.0);
    }

    [[nodiscard]] std::uint64_t bits_at(Position p) const {
        // To the millimetre, so that a place has its draws whatever else is made.
        return random_bits(seed_, Stream::RiverWater,
                           static_cast<std::uint64_t>(static_cast<std::int64_t>(std::llround(p.x * 1000.0))),
                           static_cast<std::uint64_t>(static_cast<std::int64_t>(std::llround(p.y * 1000.0))));
    }

    const BedCourses& beds_;
    const RiverWaterParameters& parameters_;
    std::uint64_t seed_;
    std::vector<std::vector<std::size_t>> falls_;  // places of features by course, downstream
};

/// Places, and the beds there.
struct SampledPlaces {
    std::span<const Position> places;
    std::span<const BedSample> samples;
};

/// Primitives in parts, one behind the other.
using WaterParts = std::vector<std::vector<WaterPrimitive>>;

/// What `make(i, sampled, found)` makes of each i in [0, count), in their order, where the beds are sampled
/// at the places that `append_places(i, places)` gives, if any.
template <class AppendPlaces, class Make>
WaterParts made_at_places(const BedTree& bed, std::int64_t count, const AppendPlaces& append_places,
                          const Make& make) {
    constexpr std::int64_t kBlock = 512;
    return parallel_parts<WaterPrimitive>(0, count, kBlock, [&](std::int64_t first, std::int64_t last) {
        std::vector<Position> places;
        std::vector<std::size_t> starts;
        for (std::int64_t i = first; i < last; ++i) {
            starts.push_back(places.size());
            append_places(static_cast<std::size_t>(i), places);
        }
        starts.push_back(places.size());
        std::vector<BedSample> samples(places.size());
        BedEvaluator(bed.parts(), kWithoutMaterial)
            .evaluate_all(places, [&](std::size_t i, const BedPoint& point) { samples[i] = point.sample; });
        std::vector<WaterPrimitive> found;
        for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
            const std::size_t size = starts[k + 1] - starts[k];
            if (size == 0) continue;
            make(static_cast<std::size_t>(first) + k,
                 SampledPlaces{std::span(places).subspan(starts[k], size),
                               std::span(samples).subspan(starts[k], size)},
                 found);
        }
        return found;
    });
}

void insert_all(const WaterParts& parts, WaterNode merge, RiverWaterTree& water) {
    water.tree.insert_all(parts, merge);
    for (const std::vector<WaterPrimitive>& part : parts)
        for (const WaterPrimitive& primitive : part)
            ++water.primitives[static_cast<std::size_t>(primitive.kind)];
}

/// Puts primitives over all that is there, if there are any.
void replace_all(const WaterParts& parts, RiverWaterTree& water) {
    if (std::ranges::all_of(parts, &std::vector<WaterPrimitive>::empty)) return;
    insert_all(parts, water.tree.replace(kWaterRoot), water);
}

/// Covers the water, disc by disc.
void cover(const WaterMaker& maker, const BedTree& bed, const std::vector<WaterDisc>& discs,
           RiverWaterTree& water) {
    constexpr std::size_t kTogether = 1U << 17U;  // that have memory beside the tree
    constexpr std::int64_t kBlock = 512;
    for (std::size_t begin = 0; begin < discs.size(); begin += kTogether) {
        const std::span together = std::span(discs).subspan(begin, std::min(kTogether, discs.size() - begin));
        std::vector<Position> middles;
        for (const WaterDisc& disc : together) middles.push_back(disc.centre);
        const std::vector<BedSample> samples = samples_at(bed.parts(), kWithoutMaterial, middles);
        insert_all(
            parallel_parts<WaterPrimitive>(0, std::ssize(together), kBlock,
                                           [&](std::int64_t first, std::int64_t last) {
                                               const auto from = static_cast<std::size_t>(first);
                                               const auto count = static_cast<std::size_t>(last - first);
                                               return maker.covering(together.subspan(from, count),
                                                                     std::span(samples).subspan(from, count));
                                           }),
            kWaterRoot, water);
    }
}

/// Puts cascades over the water, and wakes and whirlpools over those.
void replace_at_features(const WaterMaker& maker, const BedTree& bed, const BedCourses& beds,
                         const Rectangle& extent, RiverWaterTree& water) {
    constexpr double kBeyond = 8.0;  // m that falls and wakes outside reach in
    using Places = std::vector<Position>;
    using Found = std::vector<WaterPrimitive>;
    const auto is_near = [&](const auto& place) { return extent.contains({place.x, place.y}, kBeyond); };
    const auto feature = [&](std::size_t i) -> const BedFeature& { return beds.features[i]; };
    const WaterParts falls = made_at_places(
        bed, std::ssize(beds.features),
        [&](std::size_t i, Places& places) {
            if (feature(i).kind == BedFeatureKind::Drop && is_near(feature(i)))
                WaterMaker::append_places(feature(i), places);
        },
        [&](std::size_t i, const SampledPlaces& at, Found& found) {
            maker.add_cascades(feature(i), at.places, at.samples, found);
        });
    WaterParts wakes = made_at_places(
        bed, std::ssize(beds.features),
        [&](std::size_t i, Places& places) {
            if (feature(i).kind == BedFeatureKind::Pool && is_near(feature(i)) && maker.may_whirl(feature(i)))
                places.push_back({feature(i).x, feature(i).y});
        },
        [&](std::size_t i, const SampledPlaces& at, Found& found) {
            maker.add_pool_whirl(feature(i), at.samples[0], found);
        });
    WaterParts of_rocks = made_at_places(
        bed, std::ssize(beds.rocks),
        [&](std::size_t i, Places& places) {
            if (is_near(beds.rocks[i]) && maker.may_show(beds.rocks[i]))
                places.push_back({beds.rocks[i].x, beds.rocks[i].y});
        },
        [&](std::size_t i, const SampledPlaces& at, Found& found) {
            maker.add_wake(beds.rocks[i], at.samples[0], found);
        });
    wakes.insert(wakes.end(), std::move_iterator(of_rocks.begin()), std::move_iterator(of_rocks.end()));
    replace_all(falls, water);
    replace_all(wakes, water);
}

/// Random places along courses, as dense on all of their water.
class PlacesOnCourses {
  public:
    /// On what lies within `extent`, but for pieces of courses that reach beyond it.
    PlacesOnCourses(const BedCourses& beds, const Rectangle& extent) {
        for (const BedCourse& course : beds.courses)
            for (std::size_t i = 0; i + 1 < course.points.size(); ++i) {
                const BedCoursePoint& a = course.points[i];
                const BedCoursePoint& b = course.points[i + 1];
                if (!extent.contains({a.x, a.y}) && !extent.contains({b.x, b.y})) continue;
                area_ += std::max(a.width, b.width) * std::hypot(b.x - a.x, b.y - a.y);
                pieces_.push_back({&a, &b, area_});
            }
    }

    [[nodiscard]] bool empty() const { return !(area_ > 0.0); }

    /// One of them, m; there must be courses.
    [[nodiscard]] Position place(std::uint64_t seed, std::int64_t number) const {
        const auto draw = [&](std::uint64_t k) {
            return unit_double(random_bits(seed, Stream::RiverWater, static_cast<std::uint64_t>(number), k));
        };
        const auto found =
            std::ranges::upper_bound(pieces_, area_ * draw(1), std::less<>(), &Piece::area_to_end);
        const Piece& piece = found == pieces_.end() ? pieces_.back() : *found;
        const double along_x = piece.to->x - piece.from->x;
        const double along_y = piece.to->y - piece.from->y;
        const double along = draw(2);
        const double aside = (2.0 * draw(3) - 1.0) * kWettedHalf *
                             std::max(piece.from->width, piece.to->width) /
                             std::max(std::hypot(along_x, along_y), 1e-9);
        return {piece.from->x + along * along_x - aside * along_y,
                piece.from->y + along * along_y + aside * along_x};
    }

  private:
    struct Piece {
        const BedCoursePoint* from;
        const BedCoursePoint* to;
        double area_to_end;  // m^2, of all up to its end
    };
    std::vector<Piece> pieces_;
    double area_ = 0.0;  // m^2
};

}  // namespace

RiverWaterTree river_water(const BedTree& bed, const BedCourses& beds, const Rectangle& extent,
                           const RiverWaterParameters& parameters, std::uint64_t seed, Progress& progress) {
    const WaterMaker maker(beds, extent, parameters, seed);
    const WaterDomain domain{
        .extent = extent,
        .distance_to_water = [&](Position p) { return maker.sites.distance_to_water(p); },
        .radius = [&](Position p) { return maker.sites.radius(p); },
        .may_hold_water = [&](const Rectangle& place) { return maker.sites.may_reach(place); },
        .radius_change = kRadiusChange,
        .least_radius = kLeastWaterRadius,
        .largest_radius = kLargestWaterRadius};
    ProgressPart seeding(progress, 0.0, 0.4);
    const std::vector<WaterDisc> discs = seed_discs(domain, seed, seeding);
    // The lattices of waves hang on the middle of the terrain, whatever the window.
    RiverWaterTree water{.tree = BlendFlowTree({.origin = bed.parts().primitives.origin,
                                                .loop_period = parameters.loop_period})};
    cover(maker, bed, discs, water);
    progress.report(0.8, "placing falls and wakes");
    replace_at_features(maker, bed, beds, extent, water);
    progress.report(1.0, "water placed");
    return water;
}

void water_depths(const BedTree& bed, const WaterSurface& surface, std::span<const Position> points,
                  double time, std::span<float> depths) {
    surface.evaluate(points, time, {.elevation = depths});
    const std::vector<BedSample> beds =
        samples_at(bed.parts(), {.has_material = false, .has_velocity = false}, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool is_wet = !is_no_data(beds[i].water) && depths[i] > beds[i].elevation;
        depths[i] = is_wet ? depths[i] - beds[i].elevation : 0.0F;
    }
}

std::int64_t coverage_holes(const BedTree& bed, const BedCourses& beds, const WaterSurface& surface,
                            const Rectangle& extent, std::int64_t count, std::uint64_t seed) {
    const PlacesOnCourses on_courses(beds, extent);
    if (on_courses.empty()) return 0;
    return parallel_reduce(
        0, count, 4096, std::int64_t{0},
        [&](std::int64_t first, std::int64_t end) {
            std::vector<Position> places;
            for (std::int64_t i = first; i < end; ++i)
                if (const Position place = on_courses.place(seed, i); extent.contains(place))
                    places.push_back(place);
            std::int64_t holes = 0;
            BedEvaluator(bed.parts(), kWithoutMaterial)
                .evaluate_all(places, [&](std::size_t i, const BedPoint& point) {
                    const BedSample& sample = point.sample;
                    if (is_no_data(sample.water) || !(sample.water > sample.elevation)) return;
                    holes += surface.water_at(places[i], 0.0).weight > 0.0 ? 0 : 1;
                });
            return holes;
        },
        std::plus<>());
}

}  // namespace thalweg
