#include "thalweg/riverscape/beds/bed_evaluator.hpp"

#include "thalweg/grid/sample_place.hpp"
#include "thalweg/riverscape/courses/section_profile.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr float kMerging = 0.25F;  // by how much further, in supports, a piece may be to be merged

constexpr float kStreamStep = 0.01F;        // half widths, over which the stream function is differenced
constexpr float kLeastStreamStep = 0.005F;  // m
constexpr float kFastest = 16.0F;           // times the flow over width and greatest depth
constexpr float kStill = 0.03F;             // times the flow over width: what rocks may stand in

float mix(float a, float b, float t) {
    return a + t * (b - a);
}

/// The weight of a piece at r of its support, where the nearest one is at `least`.
float merging_weight(float r, float least) {
    const float near = 1.0F - (r - least) / kMerging;
    return near > 0.0F ? near * near * (1.0F - r * r) : 0.0F;
}

/// From 1 at r <= 0 to 0 at r >= 1.
float fade(float r) {
    return 1.0F - GradientBasis::quintic(std::clamp(r, 0.0F, 1.0F));
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

/// Calls `visit(segments, course)` for the segments of each course, which follow each other.
template <class Visit>
void for_each_course(std::span<const std::uint32_t> segments, const std::vector<BedNode>& nodes,
                     const Visit& visit) {
    for (std::size_t first = 0; first < segments.size();) {
        const std::uint32_t course = nodes[segments[first]].course;
        std::size_t last = first + 1;
        while (last < segments.size() && nodes[segments[last]].course == course) ++last;
        visit(segments.subspan(first, last - first), course);
        first = last;
    }
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
    float weight = 0.0F;
    float across = 0.0F;   // half widths to the left of the line
    float off = 0.0F;      // half widths from it
    float profile = 0.0F;  // section_profile
    float direction_x = 0.0F;
    float direction_y = 0.0F;
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
    int count = 0;
};

/// Sums of segments by their weights.
class BedEvaluator::ChannelSum {
  public:
    void add(const BedNode& a, const BedNode& b, const Nearest& nearest, float w) {
        const auto first = std::bit_cast<Numbers>(a.section);
        const auto last = std::bit_cast<Numbers>(b.section);
        for (std::size_t i = 0; i < first.size(); ++i) sums_[i] += w * mix(first[i], last[i], nearest.t);
        const float per_length = std::sqrt(a.per_square);
        const float half = mix(a.section.half_width, b.section.half_width, nearest.t);
        weight_ += w;
        across_ += w * nearest.cross * per_length / half;
        direction_x_ += w * per_length * (b.x - a.x);
        direction_y_ += w * per_length * (b.y - a.y);
    }

    [[nodiscard]] Channel mean() const {
        Channel channel;
        if (!(weight_ > 0.0F)) return channel;
        const float per = 1.0F / weight_;
        Numbers means = sums_;
        for (float& mean : means) mean *= per;
        static_cast<BedSection&>(channel) = std::bit_cast<BedSection>(means);
        channel.weight = weight_;
        channel.across = across_ * per;
        channel.direction_x = direction_x_ * per;
        channel.direction_y = direction_y_ * per;
        return channel;
    }

  private:
    using Numbers = std::array<float, sizeof(BedSection) / sizeof(float)>;

    Numbers sums_ = {};
    float weight_ = 0.0F;
    float across_ = 0.0F;
    float direction_x_ = 0.0F;
    float direction_y_ = 0.0F;
};

template <class Node, class Support>
float BedEvaluator::find_near(float x, float y, std::span<const std::uint32_t> pieces,
                              const std::vector<Node>& nodes, const Support& support) {
    near_.clear();
    float least = 1.0F;
    for (const std::uint32_t i : pieces) {
        const Node& a = nodes[i];
        const Node& b = nodes[i + 1];
        const float dx = b.x - a.x;
        const float dy = b.y - a.y;
        const float px = x - a.x;
        const float py = y - a.y;
        const float t = std::clamp((px * dx + py * dy) * a.per_square, 0.0F, 1.0F);
        const float ex = px - t * dx;
        const float ey = py - t * dy;
        const float square = ex * ex + ey * ey;
        const float edge = support(a, b, t);
        if (square >= edge * edge) continue;
        const float distance = std::sqrt(square);
        near_.push_back({i, t, dx * py - dy * px, distance / edge});
        least = std::min(least, near_.back().share);
    }
    return least;
}

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

BedEvaluator::Banks BedEvaluator::banks_at(float x, float y, std::span<const std::uint32_t> pieces,
                                           float terrain) {
    Banks banks{.elevation = terrain, .terrain = terrain};
    const std::vector<BankNode>& nodes = primitives_.banks;
    const float least = find_near(x, y, pieces, nodes, [](const BankNode& a, const BankNode& b, float t) {
        return mix(a.outer, b.outer, t);
    });
    float weight = 0.0F;
    float outer = 0.0F;
    for (const Nearest& nearest : near_) {
        const float w = merging_weight(nearest.share, least);
        if (w <= 0.0F) continue;
        const BankNode& a = nodes[nearest.piece];
        const BankNode& b = nodes[nearest.piece + 1];
        weight += w;
        banks.level += w * mix(a.bank, b.bank, nearest.t);
        outer += w * mix(a.outer, b.outer, nearest.t);
        banks.inner += w * mix(a.inner, b.inner, nearest.t);
        banks.relief += w * mix(a.relief, b.relief, nearest.t);
        banks.octave += w * mix(a.octave, b.octave, nearest.t);
        banks.material += w * mix(a.material, b.material, nearest.t);
    }
    if (!(weight > 0.0F)) return banks;
    const float per = 1.0F / weight;
    banks.cover = fade((least * outer - banks.inner) / (outer - banks.inner));
    banks.distance = least * outer;
    for (float* const value : {&banks.level, &banks.relief, &banks.octave, &banks.material}) *value *= per;
    banks.is_known = banks.cover <= 0.0F;
    return banks;
}

void BedEvaluator::finish(float x, float y, Banks& banks) {
    if (banks.is_known) return;
    banks.is_known = true;
    // Bars and hummocks rise above the banks; the slope behind is uneven, and both end with the support.
    const float noise = noise_.at(x, y, banks.octave - 0.2F);
    const float fine = noise_.at(x, y, banks.octave - 1.2F);
    const float hump = 0.5F + 0.5F * noise;
    const float bars = banks.relief * (hump * hump + 0.12F * (1.0F + fine)) * banks.cover;
    const float uneven =
        0.35F * (noise + 0.4F * fine) * banks.cover * (1.0F - banks.cover) * (banks.terrain - banks.level);
    banks.elevation = mix(banks.terrain, banks.level, banks.cover) + bars + uneven;
    // Stones end a little behind the level ground, not on the slope above.
    if (banks.material > 0.5F && banks.distance < banks.inner * (1.15F + 0.3F * noise + 0.2F * fine))
        banks.kind = material_of(banks.material + 0.7F * fine + 0.5F * noise);
}

BedEvaluator::Channel BedEvaluator::merged(float x, float y, std::span<const std::uint32_t> segments) {
    const std::vector<BedNode>& nodes = primitives_.nodes;
    const float least = find_near(x, y, segments, nodes, [](const BedNode& a, const BedNode& b, float t) {
        return kChannelEdge * mix(a.section.half_width, b.section.half_width, t);
    });
    ChannelSum sum;
    for (const Nearest& nearest : near_) {
        const float weight = merging_weight(nearest.share, least);
        if (weight > 0.0F) sum.add(nodes[nearest.piece], nodes[nearest.piece + 1], nearest, weight);
    }
    Channel channel = sum.mean();
    channel.off = kChannelEdge * least;
    // Around corners it is the distance from them that counts, not those from the lines beside.
    channel.across = std::copysign(std::max(std::abs(channel.across), channel.off), channel.across);
    return channel;
}

float BedEvaluator::across_at(float x, float y, const Channel& c) {
    const float edge = noise_.at(x, y, c.octave - 0.1F) + 0.5F * noise_.at(x, y, c.octave - 1.1F);
    // Water ends within the support of its channel.
    constexpr float kLeastFactor = 0.7F;
    return c.across * std::max(1.0F + c.irregularity * edge, kLeastFactor);
}

float BedEvaluator::channel_elevation(float x, float y, Channel& c, Banks& banks) {
    constexpr float kFadeFrom = 1.1F;  // half widths from the line
    const float across = across_at(x, y, c);
    float bed = 0.0F;
    if (std::abs(across) < 1.0F) {
        c.profile = section_profile(c.thalweg, c.left_flatness, c.right_flatness, across);
        const float rough = c.roughness * noise_.at(x, y, c.octave - 1.7F) * std::min(1.0F, 2.0F * c.profile);
        bed = c.water - c.depth * c.profile + rough;
    } else {
        finish(x, y, banks);
        const float slope = across > 0.0F ? c.left_bank : c.right_bank;
        bed = std::min(c.water + slope * (std::abs(across) - 1.0F) * c.half_width,
                       std::max(banks.elevation, c.water));
    }
    if (c.off <= kFadeFrom) return bed;
    finish(x, y, banks);
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

BedPoint BedEvaluator::at(Position position, const BedCandidates& candidates) {
    BedPoint point;
    BedSample& sample = point.sample;
    sample.elevation = terrain_at(position);
    if (is_no_data(sample.elevation)) return point;
    if (candidates.banks.empty() && candidates.segments.empty() && candidates.mounds.empty()) return point;
    const auto x = static_cast<float>(position.x - primitives_.origin.x);
    const auto y = static_cast<float>(position.y - primitives_.origin.y);
    Banks banks = banks_at(x, y, candidates.banks, sample.elevation);
    const Channels channels = channels_at(x, y, candidates.segments, banks);
    // Banks that cover all lie above their level: what lies below it needs none of their noise.
    constexpr float kSurely = 0.01F;  // m
    const bool is_surely_bed = banks.cover >= 1.0F && channels.low >= channels.high &&
                               channels.low < std::min(banks.level - kSurely, channels.lowest.water);
    if (!is_surely_bed) finish(x, y, banks);
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
        if (output_.has_material) sample.material = bed_material(x, y, channel, sample.elevation, banks);
    }
    const float without_mounds = sample.elevation;
    add_mounds(x, y, candidates.mounds, sample);
    if (point.course < 0) return point;
    point.mounds = sample.elevation - without_mounds;
    point.water = channel.water;
    const bool is_shallow =
        output_.has_least_depth && may_be_shallow(channel, channels.count > 1, candidates, sample);
    UnitDischarge flow;
    if (is_shallow || (output_.has_velocity && channel.water > sample.elevation))
        flow = unit_discharge_at(x, y, channel, candidates);
    // Let the bed be as deep as the stream needs.
    if (is_shallow) sample.elevation = std::min(sample.elevation, channel.water - least_depth(channel, flow));
    const float depth = channel.water - sample.elevation;
    if (!(depth > 0.0F)) {
        point.course = -1;
        return point;
    }
    sample.water = channel.water;
    if (output_.has_velocity) {
        const float fastest = kFastest * channel.discharge / (2.0F * channel.half_width * channel.depth);
        // Films beside rocks are thinner than what would let the stream through.
        const float per_depth = 1.0F / std::max(depth, std::hypot(flow.x, flow.y) / fastest);
        sample.velocity_x = flow.x * per_depth;
        sample.velocity_y = flow.y * per_depth;
    }
    return point;
}

BedStream BedEvaluator::stream_at(float x, float y, std::span<const std::uint32_t> segments) {
    const Channel channel = merged(x, y, segments);
    if (!(channel.weight > 0.0F)) return {};
    const float across = across_at(x, y, channel);
    return {.share = flow_to_the_right(channel.thalweg, channel.left_flatness, channel.right_flatness,
                                       std::clamp(across, -1.0F, 1.0F)),
            .across = across,
            .half_width = channel.half_width,
            .is_there = true};
}

float BedEvaluator::deflected(float x, float y, const Channel& channel,
                              std::span<const std::uint32_t> deflectors) {
    constexpr float kAtBank = 1e-6F;
    constexpr float kAtRock = 1e-3F;
    if (!(channel.weight > 0.0F)) return kNoData;
    const float across = std::clamp(across_at(x, y, channel), -1.0F, 1.0F);
    const float square = across * across;
    const float fourth = square * square;
    // Banks and rocks each hold the stream at one value, so that none runs through them.
    float weight = 1.0F / (1.0F - fourth * fourth + kAtBank);
    float sum =
        weight * flow_to_the_right(channel.thalweg, channel.left_flatness, channel.right_flatness, across);
    for (const std::uint32_t i : deflectors) {
        const BedDeflector& rock = primitives_.deflectors[i];
        if (rock.course != static_cast<std::uint32_t>(channel.course)) continue;
        const float distance = std::hypot(x - rock.x, y - rock.y);
        if (distance >= rock.reach) continue;
        const float bent = rock.part * fade((distance - rock.core) / (rock.reach - rock.core));
        const float of_rock = bent / (1.0F - bent + kAtRock);
        weight += of_rock;
        sum += of_rock * rock.share;
    }
    return channel.discharge * sum / weight;
}

BedEvaluator::UnitDischarge BedEvaluator::unit_discharge_at(float x, float y, const Channel& channel,
                                                            const BedCandidates& candidates) {
    const std::uint32_t valley = primitives_.valley_of_course[static_cast<std::size_t>(channel.course)];
    const float step = std::max(kStreamStep * channel.half_width, kLeastStreamStep);
    const float west = x - step;
    const float east = x + step;
    const float south = y - step;
    const float north = y + step;
    UnitDischarge flow;
    for_each_course(candidates.segments, primitives_.nodes, [&](auto segments, std::uint32_t course) {
        if (primitives_.valley_of_course[course] != valley) return;
        const auto stream = [&](float at_x, float at_y) {
            Channel of_course = merged(at_x, at_y, segments);
            of_course.course = course;
            return deflected(at_x, at_y, of_course, candidates.deflectors);
        };
        const float to_east = stream(east, y) - stream(west, y);
        const float to_north = stream(x, north) - stream(x, south);
        // Beyond their supports streams change no more.
        if (std::isfinite(to_north)) flow.x += to_north / (north - south);
        if (std::isfinite(to_east)) flow.y -= to_east / (east - west);
    });
    return flow;
}

bool BedEvaluator::may_be_shallow(const Channel& channel, bool has_others, const BedCandidates& candidates,
                                  const BedSample& sample) {
    constexpr float kSurelyDeep = 0.5F;  // of the section's depth
    const float depth = channel.water - sample.elevation;
    if (has_others) return depth <= channel.depth;
    if (channel.profile <= 0.0F) return false;
    return !candidates.deflectors.empty() || depth <= kSurelyDeep * channel.profile * channel.depth;
}

float BedEvaluator::least_depth(const Channel& channel, const UnitDischarge& flow) {
    const float relative = std::hypot(flow.x, flow.y) * 2.0F * channel.half_width / channel.discharge;
    if (!(relative > 0.0F)) return -std::numeric_limits<float>::infinity();
    // Where next to none flows the ground may stand far above the water, as rocks do.
    const float still = kStill / relative;
    const float square = still * still;
    return channel.depth / kFastest * relative * (1.0F - square * square * still);
}

BedEvaluator::Channels BedEvaluator::channels_at(float x, float y, std::span<const std::uint32_t> segments,
                                                 Banks& banks) {
    Channels channels;
    for_each_course(segments, primitives_.nodes, [&](auto of_course, std::uint32_t course) {
        Channel channel = merged(x, y, of_course);
        if (!(channel.weight > 0.0F)) return;
        channel.course = course;
        ++channels.count;
        const float bed = channel_elevation(x, y, channel, banks);
        if (bed < channels.low) {
            channels.low = bed;
            channels.lowest = channel;
        }
        if (bed > channels.high) {
            channels.high = bed;
            channels.highest = channel;
        }
        if (channel.profile > 0.0F && bed < channels.bed) {
            channels.bed = bed;
            channels.running = channel;
        }
    });
    return channels;
}

BedMaterial BedEvaluator::bed_material(float x, float y, const Channel& channel, float bed,
                                       const Banks& banks) {
    if (bed >= channel.water && banks.kind != BedMaterial::Ground) return banks.kind;
    // Fine grains lie on shallow ground, coarse ones where the water is deep.
    const float shallow = 1.0F - std::clamp((channel.water - bed) / channel.depth, 0.0F, 1.0F);
    return material_of(channel.material + 0.8F * (shallow - 0.5F) +
                       0.35F * noise_.at(x, y, channel.octave - 0.6F) +
                       0.35F * noise_.at(x, y, channel.octave - 2.0F));
}

}  // namespace thalweg
