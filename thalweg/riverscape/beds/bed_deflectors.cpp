#include "thalweg/riverscape/beds/bed_deflectors.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/riverscape/beds/bed_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>

namespace thalweg {
namespace {

/// How much of the depth each rock, and others that lie over it, take away at most, 1.
std::vector<float> risen_into_depth(std::span<const BedRock> rocks, BedEvaluator& evaluator) {
    constexpr double kOnTop = 0.55;  // radii: of places around its middle
    constexpr std::size_t kPlaces = 5;
    std::vector<Position> places;
    for (const BedRock& rock : rocks) {
        const double off = kOnTop * rock.radius;
        places.insert(places.end(), {{rock.x, rock.y},
                                     {rock.x + off, rock.y},
                                     {rock.x - off, rock.y},
                                     {rock.x, rock.y + off},
                                     {rock.x, rock.y - off}});
    }
    std::vector<float> most(rocks.size(), 0.0F);
    evaluator.evaluate_all(places, [&](std::size_t i, const BedPoint& covered) {
        const float depth = covered.water - (covered.sample.elevation - covered.mounds);
        // Banks take all.
        float& of_rock = most[i / kPlaces];
        of_rock = std::max(of_rock, depth > 0.0F ? covered.mounds / depth : 1.0F);
    });
    return most;
}

/// How a rock deflects the stream of its course; no reach where it lies too deep for that.
BedDeflector deflector_of(const BedRock& rock, float height, const BedTree::Parts& parts,
                          BedEvaluator& evaluator) {
    constexpr float kLowest = 0.4F;        // heights over depths: lower rocks deflect nothing
    constexpr float kEmergent = 0.95F;     // and from here on all
    constexpr float kOutline = 1.1F;       // radii, of the mound
    constexpr float kBendingReach = 2.5F;  // cores
    constexpr float kTouching = 1.7F;      // cores from its middle to a bank that it is a part of
    const auto x = static_cast<float>(rock.x - parts.primitives.origin.x);
    const auto y = static_cast<float>(rock.y - parts.primitives.origin.y);
    BedDeflector deflector{.x = x, .y = y, .course = static_cast<std::uint32_t>(rock.course)};
    if (!(height > kLowest)) return deflector;
    const BedStream stream = evaluator.stream_at(x, y, deflector.course);
    if (!stream.is_there) return deflector;
    const float rise = std::clamp((height - kLowest) / (kEmergent - kLowest), 0.0F, 1.0F);
    deflector.part = rise * rise * (3.0F - 2.0F * rise);
    deflector.core = kOutline * static_cast<float>(rock.radius);
    deflector.reach = kBendingReach * deflector.core;
    deflector.share = stream.share;
    const float to_bank = (1.0F - std::abs(stream.across)) * stream.half_width;
    if (to_bank < kTouching * deflector.core) {
        deflector.share = std::copysign(0.5F, stream.across);
    } else {
        deflector.reach = std::min(deflector.reach, to_bank);
    }
    return deflector;
}

/// For each rock the first one of those that touch each other.
std::vector<std::size_t> touching_groups(const std::vector<BedDeflector>& deflectors) {
    constexpr float kGap = 1.15F;        // sums of cores
    constexpr std::size_t kBehind = 64;  // rocks that are looked at: they follow each other downstream
    std::vector<std::size_t> group(deflectors.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto first_of = [&](std::size_t i) {
        while (group[i] != i) i = group[i];
        return i;
    };
    for (std::size_t i = 0; i < deflectors.size(); ++i)
        for (std::size_t j = i > kBehind ? i - kBehind : 0; j < i; ++j) {
            const BedDeflector& a = deflectors[i];
            const BedDeflector& b = deflectors[j];
            if (a.course != b.course || std::min(a.part, b.part) < 0.5F) continue;
            if (std::hypot(a.x - b.x, a.y - b.y) > kGap * (a.core + b.core)) continue;
            const std::size_t mine = first_of(i);
            const std::size_t other = first_of(j);
            group[std::max(mine, other)] = std::min(mine, other);
        }
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = first_of(i);
    return group;
}

/// Gives rocks of a course that touch each other one share of the stream, that of a bank where they touch
/// one: what runs between them would have no way.
void share_in_groups(std::vector<BedDeflector>& deflectors) {
    const std::vector<std::size_t> group = touching_groups(deflectors);
    struct Group {
        float sum = 0.0F;
        float count = 0.0F;
        bool is_at_left = false;
        bool is_at_right = false;
    };
    std::vector<Group> groups(deflectors.size());
    for (std::size_t i = 0; i < deflectors.size(); ++i) {
        Group& of = groups[group[i]];
        of.sum += deflectors[i].share;
        of.count += 1.0F;
        of.is_at_left = of.is_at_left || deflectors[i].share >= 0.5F;
        of.is_at_right = of.is_at_right || deflectors[i].share <= -0.5F;
    }
    for (std::size_t i = 0; i < deflectors.size(); ++i) {
        const Group& of = groups[group[i]];
        float& share = deflectors[i].share;
        if (of.is_at_left && of.is_at_right) {
            share = std::copysign(0.5F, share);
        } else if (of.is_at_left || of.is_at_right) {
            share = of.is_at_left ? 0.5F : -0.5F;
        } else {
            share = of.sum / of.count;
        }
    }
}

}  // namespace

std::vector<BedDeflector> make_deflectors(const std::vector<BedRock>& rocks, const BedTree::Parts& parts) {
    constexpr std::int64_t kBlock = 512;  // rocks
    std::vector<BedDeflector> deflectors = parallel_concat<BedDeflector>(
        0, std::ssize(rocks), kBlock, [&](std::int64_t first, std::int64_t last) {
            BedEvaluator evaluator(parts,
                                   {.has_material = false, .has_velocity = false, .has_least_depth = false});
            const std::span block = std::span(rocks).subspan(static_cast<std::size_t>(first),
                                                             static_cast<std::size_t>(last - first));
            const std::vector<float> heights = risen_into_depth(block, evaluator);
            std::vector<BedDeflector> found;
            for (std::size_t i = 0; i < block.size(); ++i) {
                const BedDeflector deflector = deflector_of(block[i], heights[i], parts, evaluator);
                if (deflector.reach > deflector.core) found.push_back(deflector);
            }
            return found;
        });
    share_in_groups(deflectors);
    return deflectors;
}

}  // namespace thalweg
