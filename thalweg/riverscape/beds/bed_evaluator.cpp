#include "thalweg/riverscape/beds/bed_evaluator.hpp"

#include "thalweg/grid/sample_place.hpp"
#include "thalweg/riverscape/courses/section_profile.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

namespace thalweg {
namespace {

constexpr float kFastest = 16.0F;  // times the flow over width and greatest depth
constexpr float kStill = 0.03F;    // times the flow over width: what rocks may stand in

template <class Value>
Value mix(float a, float b, Value t) {
    return a + t * (b - a);
}

/// From 1 at r <= 0 to 0 at r >= 1.
template <class Value>
Value fade(Value r) {
    return 1.0F - GradientBasis::quintic(clamped(r, 0.0F, 1.0F));
}

/// The nearest material to a value between kinds.
BedMaterial material_of(float value) {
    return static_cast<BedMaterial>(static_cast<int>(std::clamp(value + 0.5F, 1.0F, 5.0F)));
}

/// The weights of sample_bicubic for four cells in a row, `t` from the second to the third.
std::array<double, 4> cubic_weights(double t) {
    const double t2 = t * t;
    const double t3 = t2 * t;
    return {0.5 * (-t3 + 2.0 * t2 - t), 0.5 * (3.0 * t3 - 5.0 * t2 + 2.0), 0.5 * (-3.0 * t3 + 4.0 * t2 + t),
            0.5 * (t3 - t2)};
}

/// The height of a rock at (u, v) of its ellipse, of 1: a dome with steep sides that five flat faces cut.
float rock_form(float u, float v, std::uint32_t draw) {
    const float edge = 1.0F - u * u - v * v;
    float height = std::min(1.0F, 3.0F * edge);
    constexpr float kFaces[5][2] = {
        {1.0F, 0.1F}, {0.2F, 0.98F}, {-0.87F, 0.5F}, {-0.6F, -0.8F}, {0.5F, -0.87F}};
    for (unsigned face = 0; face < 5; ++face) {
        const float steepness = 0.15F + 0.75F * static_cast<float>((draw >> (6 * face)) & 7U) / 7.0F;
        const float top = 0.7F + 0.4F * static_cast<float>((draw >> (6 * face + 3)) & 7U) / 7.0F;
        height = std::min(height, top - steepness * (u * kFaces[face][0] + v * kFaces[face][1]));
    }
    return std::max(height, 0.0F);
}

}  // namespace

/// The merged state of a course's segments at a point.
struct BedEvaluator::Channel : BedSection {
    float across = 0.0F;   // half widths to the left of the line, of the water's own edges
    float off = 0.0F;      // half widths from it
    float profile = 0.0F;  // section_profile
    std::int64_t course = -1;
};

/// The lowest and the highest E_k at a point, and their channels.
struct BedEvaluator::Channels {
    float low = std::numeric_limits<float>::infinity();    // m
    float high = -std::numeric_limits<float>::infinity();  // m
    float bed = std::numeric_limits<float>::infinity();    // m, the lowest one within the edges of its water
    Channel lowest;
    Channel highest;
    Channel running;  // that of `bed`
    int with_water = 0;
};

struct BedEvaluator::FourChannels {
    std::array<FourFloats, std::tuple_size_v<SectionNumbers>> numbers = {};  // BedSection
    FourFloats weight = {};
    FourFloats across = {};  // as of Channel
    FourFloats off = {};

    [[nodiscard]] Channel channel(int lane) const {
        SectionNumbers of_lane;
        for (std::size_t i = 0; i < numbers.size(); ++i) of_lane[i] = numbers[i][lane];
        Channel channel;
        static_cast<BedSection&>(channel) = std::bit_cast<BedSection>(of_lane);
        channel.across = across[lane];
        channel.off = off[lane];
        return channel;
    }
};

struct BedEvaluator::FourBanks {
    FourFloats weight = {};
    FourFloats cover = {};  // as of Banks
    FourFloats level = {};
    FourFloats inner = {};
    FourFloats distance = {};
    FourFloats relief = {};
    FourFloats octave = {};
    FourFloats material = {};

    [[nodiscard]] Banks banks(int lane, float terrain) const {
        Banks banks{.elevation = terrain, .terrain = terrain};
        if (!(weight[lane] > 0.0F)) return banks;
        banks.cover = cover[lane];
        banks.level = level[lane];
        banks.inner = inner[lane];
        banks.distance = distance[lane];
        banks.relief = relief[lane];
        banks.octave = octave[lane];
        banks.material = material[lane];
        banks.is_known = banks.cover <= 0.0F;
        return banks;
    }
};

float BedEvaluator::terrain_at(Position position) {
    const Grid& grid = elevation_.grid();
    const SamplePlace columns = place_along(grid.column_at(position.x), grid.columns);
    const SamplePlace rows = place_along(grid.row_at(position.y), grid.rows);
    if (columns.lower != column_ || rows.lower != row_) {
        column_ = columns.lower;
        row_ = rows.lower;
        has_all_ = true;
        for (int k = 0; k < 16; ++k) {
            const int row = std::clamp(row_ + k / 4 - 1, 0, grid.rows - 1);
            const float value = elevation_(std::clamp(column_ + k % 4 - 1, 0, grid.columns - 1), row);
            has_all_ = has_all_ && !is_no_data(value);
            cells_[static_cast<std::size_t>(k)] = value;
        }
    }
    if (!has_all_) return bilinear_at(elevation_, columns, rows);
    const std::array<double, 4> column_weights = cubic_weights(columns.fraction);
    const std::array<double, 4> row_weights = cubic_weights(rows.fraction);
    double sum = 0.0;
    for (std::size_t j = 0; j < 4; ++j) {
        double along_row = 0.0;
        for (std::size_t i = 0; i < 4; ++i) along_row += column_weights[i] * cells_[4 * j + i];
        sum += row_weights[j] * along_row;
    }
    return static_cast<float>(sum);
}

BedEvaluator::FourBanks BedEvaluator::banks_at(std::span<const std::uint32_t> pieces) {
    FourBanks banks;
    const std::vector<BankNode>& nodes = primitives_.banks;
    const FourFloats least = find_near(x_, y_, pieces, nodes, BankSupport(), near_);
    FourFloats outer = {};
    for (const NearPiece<FourFloats>& nearest : near_) {
        const FourFloats w = merging_weight(nearest.share, least);
        if (!any_of(w > 0.0F)) continue;
        const BankNode& a = nodes[nearest.piece];
        const BankNode& b = nodes[nearest.piece + 1];
        banks.weight += w;
        banks.level += w * mix(a.bank, b.bank, nearest.t);
        outer += w * mix(a.outer, b.outer, nearest.t);
        banks.inner += w * mix(a.inner, b.inner, nearest.t);
        banks.relief += w * mix(a.relief, b.relief, nearest.t);
        banks.octave += w * mix(a.octave, b.octave, nearest.t);
        banks.material += w * mix(a.material, b.material, nearest.t);
    }
    const FourFloats per = 1.0F / banks.weight;
    banks.cover = fade((least * outer - banks.inner) / (outer - banks.inner));
    banks.distance = least * outer;
    for (FourFloats* const value : {&banks.level, &banks.relief, &banks.octave, &banks.material})
        *value *= per;
    return banks;
}

void BedEvaluator::finish(int lane, Banks& banks) {
    if (banks.is_known) return;
    banks.is_known = true;
    // Bars and hummocks rise above the banks; the slope behind is uneven, and both end with the support.
    const float noise = noise_at(lane, banks.octave - 0.2F);
    const float fine = noise_at(lane, banks.octave - 1.2F);
    const float hump = 0.5F + 0.5F * noise;
    const float bars = banks.relief * (hump * hump + 0.12F * (1.0F + fine)) * banks.cover;
    const float uneven =
        0.35F * (noise + 0.4F * fine) * banks.cover * (1.0F - banks.cover) * (banks.terrain - banks.level);
    banks.elevation = mix(banks.terrain, banks.level, banks.cover) + bars + uneven;
    // Stones end a little behind the level ground, not on the slope above.
    if (banks.material > 0.5F && banks.distance < banks.inner * (1.15F + 0.3F * noise + 0.2F * fine))
        banks.kind = material_of(banks.material + 0.7F * fine + 0.5F * noise);
}

BedEvaluator::FourChannels BedEvaluator::merged(std::span<const std::uint32_t> segments) {
    const std::vector<BedNode>& nodes = primitives_.nodes;
    const FourFloats least = find_near(x_, y_, segments, nodes, ChannelSupport(), near_);
    SectionSums<FourFloats, 0, std::tuple_size_v<SectionNumbers>> sums;
    for (const NearPiece<FourFloats>& near : near_) {
        const FourFloats weight = merging_weight(near.share, least);
        if (any_of(weight > 0.0F)) sums.add(nodes[near.piece], nodes[near.piece + 1], near, weight);
    }
    FourChannels merged;
    merged.weight = sums.weight();
    merged.off = kChannelEdge * least;
    if (!any_of(merged.weight > 0.0F)) return merged;
    merged.numbers = sums.means();
    const auto& irregularity = merged.numbers[merged.numbers.size() - 2];
    const auto& octave = merged.numbers[merged.numbers.size() - 1];
    merged.across = across_water(x_, y_, sums.across(merged.off), irregularity, octave, noise_);
    return merged;
}

float BedEvaluator::channel_elevation(int lane, Channel& c, Banks& banks) {
    constexpr float kFadeFrom = 1.1F;  // half widths from the line
    const float across = c.across;
    float bed = 0.0F;
    if (std::abs(across) < 1.0F) {
        c.profile = section_profile(c.thalweg, c.left_flatness, c.right_flatness, across);
        const float rough = c.roughness * noise_at(lane, c.octave - 1.7F) * std::min(1.0F, 2.0F * c.profile);
        bed = c.water - c.depth * c.profile + rough;
    } else {
        finish(lane, banks);
        const float slope = across > 0.0F ? c.left_bank : c.right_bank;
        bed = std::min(c.water + slope * (std::abs(across) - 1.0F) * c.half_width,
                       std::max(banks.elevation, c.water));
    }
    if (c.off <= kFadeFrom) return bed;
    finish(lane, banks);
    return mix(banks.elevation, bed, fade((c.off - kFadeFrom) / (kChannelEdge - kFadeFrom)));
}

void BedEvaluator::add_mounds(float x, float y, std::span<const std::uint32_t> mounds,
                              BedSample& sample) const {
    for (const std::uint32_t i : mounds) {
        const BedMound& mound = primitives_.mounds[i];
        const float dx = x - mound.x;
        const float dy = y - mound.y;
        const float u = dx * mound.along_x + dy * mound.along_y;
        const float v = dx * mound.across_x + dy * mound.across_y;
        const float inside = 1.0F - u * u - v * v;
        if (inside <= 0.0F) continue;
        if (mound.draw != 0) {
            const float form = rock_form(u, v, mound.draw);
            sample.elevation += mound.height * form;
            if (form > 0.1F) sample.material = BedMaterial::Boulders;
        } else {
            sample.elevation += mound.height * inside * inside;
        }
    }
}

std::array<BedPoint, 4> BedEvaluator::at(const std::array<Position, 4>& positions,
                                         const std::array<BedCandidates, 4>& candidates, int count) {
    std::array<BedPoint, 4> points;
    const auto& [segments, banks, mounds, deflectors] = candidates[0];
    bool is_terrain = segments.empty() && banks.empty();
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
        points[k].sample.elevation = terrain_at(positions[k]);
        is_terrain = is_terrain && candidates[k].mounds.empty();
    }
    if (is_terrain) return points;
    for (int k = 0; k < 4; ++k) {
        const Position& position = positions[static_cast<std::size_t>(k)];
        x_[k] = static_cast<float>(position.x - primitives_.origin.x);
        y_[k] = static_cast<float>(position.y - primitives_.origin.y);
    }
    const FourBanks four = banks_at(banks);
    std::array<Banks, 4> banks_of;
    for (int k = 0; k < count; ++k)
        banks_of[static_cast<std::size_t>(k)] =
            four.banks(k, points[static_cast<std::size_t>(k)].sample.elevation);
    std::array<Channels, 4> channels;
    channels_at(segments, count, banks_of, channels);
    for (int k = 0; k < count; ++k) {
        const auto lane = static_cast<std::size_t>(k);
        if (!is_no_data(points[lane].sample.elevation))
            points[lane] = point_of(k, candidates[lane], channels[lane], banks_of[lane]);
    }
    return points;
}

BedPoint BedEvaluator::point_of(int lane, const BedCandidates& candidates, const Channels& channels,
                                Banks& banks) {
    BedPoint point;
    BedSample& sample = point.sample;
    // Banks that cover all lie above their level: what lies below it needs none of their noise.
    constexpr float kSurely = 0.01F;  // m
    const bool is_surely_bed = banks.cover >= 1.0F && channels.low >= channels.high &&
                               channels.low < std::min(banks.level - kSurely, channels.lowest.water);
    if (!is_surely_bed) finish(lane, banks);
    const bool is_bed = is_surely_bed || channels.low < banks.elevation ||
                        (channels.low <= banks.elevation && channels.lowest.profile > 0.0F);
    const bool is_perched = !is_surely_bed && channels.high > banks.elevation;
    Channel channel = is_bed ? channels.lowest : channels.highest;
    sample.elevation = banks.elevation;
    sample.material = banks.kind;
    if (is_bed) sample.elevation = channels.low;
    if (is_perched) sample.elevation += channels.high - banks.elevation;
    if (channel.profile <= 0.0F && channels.running.profile > 0.0F) {
        // Water of another channel runs over banks that are lower than its bed.
        channel = channels.running;
        channel.water += std::min(0.0F, sample.elevation - channels.bed);
    }
    if (is_bed || is_perched) {
        point.course = channel.course;
        if (output_.has_material) sample.material = bed_material(lane, channel, sample.elevation, banks);
    }
    const float without_mounds = sample.elevation;
    add_mounds(x_[lane], y_[lane], candidates.mounds, sample);
    if (point.course < 0) return point;
    point.mounds = sample.elevation - without_mounds;
    point.water = channel.water;
    let_flow(lane, candidates, channel, channels.with_water > 1, point);
    return point;
}

void BedEvaluator::let_flow(int lane, const BedCandidates& candidates, const Channel& channel,
                            bool has_others, BedPoint& point) {
    BedSample& sample = point.sample;
    const float x = x_[lane];
    const float y = y_[lane];
    const bool is_shallow =
        output_.has_least_depth && may_be_shallow(x, y, channel, has_others, candidates.deflectors, sample);
    UnitDischarge flow;
    if (is_shallow || (output_.has_velocity && channel.water > sample.elevation))
        flow = streams_.at(x, y, channel.half_width, static_cast<std::uint32_t>(channel.course),
                           candidates.segments, candidates.deflectors, stream_noise_);
    // Let the bed be as deep as the stream needs.
    if (is_shallow) sample.elevation = std::min(sample.elevation, channel.water - least_depth(channel, flow));
    const float depth = channel.water - sample.elevation;
    if (!(depth > 0.0F)) {
        point.course = -1;
        return;
    }
    sample.water = channel.water;
    if (!output_.has_velocity) return;
    const float fastest = kFastest * channel.discharge / (2.0F * channel.half_width * channel.depth);
    // Films beside rocks are thinner than what would let the stream through.
    const float per_depth = 1.0F / std::max(depth, std::hypot(flow.x, flow.y) / fastest);
    sample.velocity_x = flow.x * per_depth;
    sample.velocity_y = flow.y * per_depth;
}

BedStream BedEvaluator::stream_at(float x, float y, std::span<const std::uint32_t> segments) {
    x_ = FourFloats{} + x;
    y_ = FourFloats{} + y;
    const FourChannels channels = merged(segments);
    if (!(channels.weight[0] > 0.0F)) return {};
    const Channel channel = channels.channel(0);
    return {.share = flow_to_the_right(channel.thalweg, channel.left_flatness, channel.right_flatness,
                                       std::clamp(channel.across, -1.0F, 1.0F)),
            .across = channel.across,
            .half_width = channel.half_width,
            .is_there = true};
}

bool BedEvaluator::may_be_shallow(float x, float y, const Channel& channel, bool has_others,
                                  std::span<const std::uint32_t> deflectors, const BedSample& sample) const {
    constexpr float kSurelyDeep = 0.5F;  // of the section's depth
    const float depth = channel.water - sample.elevation;
    if (has_others) return depth <= channel.depth;
    if (channel.profile <= 0.0F) return false;
    if (depth <= kSurelyDeep * channel.profile * channel.depth) return true;
    // Between rocks the stream is fast.
    const float beside = 2.0F * stream_step(channel.half_width);
    return std::ranges::any_of(deflectors, [&](std::uint32_t i) {
        const BedDeflector& rock = primitives_.deflectors[i];
        const float reach = rock.reach + beside;
        return (x - rock.x) * (x - rock.x) + (y - rock.y) * (y - rock.y) < reach * reach;
    });
}

float BedEvaluator::least_depth(const Channel& channel, const UnitDischarge& flow) {
    const float relative = std::hypot(flow.x, flow.y) * 2.0F * channel.half_width / channel.discharge;
    if (!(relative > 0.0F)) return -std::numeric_limits<float>::infinity();
    // Where next to none flows the ground may stand far above the water, as rocks do.
    const float still = kStill / relative;
    const float square = still * still;
    return channel.depth / kFastest * relative * (1.0F - square * square * still);
}

void BedEvaluator::channels_at(std::span<const std::uint32_t> segments, int count,
                               std::array<Banks, 4>& banks, std::array<Channels, 4>& channels) {
    const auto add = [&](int lane, const FourChannels& four, std::uint32_t course) {
        Channels& of_lane = channels[static_cast<std::size_t>(lane)];
        Channel channel = four.channel(lane);
        channel.course = course;
        const float bed = channel_elevation(lane, channel, banks[static_cast<std::size_t>(lane)]);
        of_lane.with_water += channel.profile > 0.0F ? 1 : 0;
        if (bed < of_lane.low) {
            of_lane.low = bed;
            of_lane.lowest = channel;
        }
        if (bed > of_lane.high) {
            of_lane.high = bed;
            of_lane.highest = channel;
        }
        if (channel.profile > 0.0F && bed < of_lane.bed) {
            of_lane.bed = bed;
            of_lane.running = channel;
        }
    };
    for_each_course(segments, primitives_.nodes, [&](auto of_course, std::uint32_t course) {
        const FourChannels four = merged(of_course);
        for (int lane = 0; lane < count; ++lane)
            if (four.weight[lane] > 0.0F) add(lane, four, course);
    });
}

BedMaterial BedEvaluator::bed_material(int lane, const Channel& channel, float bed, const Banks& banks) {
    if (bed >= channel.water && banks.kind != BedMaterial::Ground) return banks.kind;
    // Fine grains lie on shallow ground, coarse ones where the water is deep.
    const float shallow = 1.0F - std::clamp((channel.water - bed) / channel.depth, 0.0F, 1.0F);
    return material_of(channel.material + 0.8F * (shallow - 0.5F) +
                       0.35F * noise_at(lane, channel.octave - 0.6F) +
                       0.35F * noise_at(lane, channel.octave - 2.0F));
}

}  // namespace thalweg
