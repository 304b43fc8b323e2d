#include "thalweg/riverscape/beds/bed_points.hpp"

#include "thalweg/riverscape/beds/noise_lanes.hpp"
#include "thalweg/riverscape/beds/piece_lanes.hpp"
#include "thalweg/riverscape/courses/section_profile.hpp"

#include <cstdint>

namespace thalweg {
namespace {

// The kinds, as in BedMaterial: its header holds inline functions.
constexpr std::int32_t kGround = 0;
constexpr std::int32_t kBoulders = 2;

constexpr float kInfinite = __builtin_inff();
constexpr float kFastest = 16.0F;  // times the flow over width and greatest depth
constexpr float kAtEdge = 1e-6F;   // the profile beside the water's edge, where streams still change

[[gnu::always_inline]] inline Floats mix(Floats a, Floats b, Floats t) {
    return a + t * (b - a);
}

/// From 1 at r <= 0 to 0 at r >= 1.
[[gnu::always_inline]] inline Floats fade(Floats r) {
    return 1.0F - quintic(clamped(r, 0.0F, 1.0F));
}

/// The nearest material to a value between kinds.
[[gnu::always_inline]] inline Ints material_of(Floats value) {
    return __builtin_convertvector(clamped(value + 0.5F, 1.0F, 5.0F), Ints);
}

/// The height of a rock at (u, v) of its ellipse, of 1: a dome that five flat faces cut.
[[gnu::always_inline]] inline Floats rock_form(Floats u, Floats v, std::uint32_t draw) {
    const Floats edge = 1.1F * (1.0F - u * u - v * v);
    Floats height = edge < 1.0F ? edge : Floats{} + 1.0F;
    constexpr float kFaces[5][2] = {
        {1.0F, 0.1F}, {0.2F, 0.98F}, {-0.87F, 0.5F}, {-0.6F, -0.8F}, {0.5F, -0.87F}};
    for (unsigned face = 0; face < 5; ++face) {
        const float steepness = 0.15F + 0.75F * static_cast<float>((draw >> (6 * face)) & 7U) / 7.0F;
        const float top = 0.7F + 0.4F * static_cast<float>((draw >> (6 * face + 3)) & 7U) / 7.0F;
        const Floats of_face = top - steepness * (u * kFaces[face][0] + v * kFaces[face][1]);
        height = of_face < height ? of_face : height;
    }
    return height < 0.0F ? Floats{} : height;
}

/// A channel at points: what is needed of the one that is chosen.
struct Channel {
    Floats water = {};  // as of BedSection
    Floats depth = {};
    Floats half_width = {};
    Floats material = {};
    Floats octave = {};
    Floats discharge = {};
    Floats flowing = {};  // of the stream: it fades beyond the ends of its course
    Floats profile = {};  // section_profile
    Ints course = {};
    Ints valley = {};
};

[[gnu::always_inline]] inline Channel choose(Ints mask, const Channel& a, const Channel& b) {
    const auto of = [&](auto Channel::* member) { return choose(mask, a.*member, b.*member); };
    return {of(&Channel::water),  of(&Channel::depth),     of(&Channel::half_width), of(&Channel::material),
            of(&Channel::octave), of(&Channel::discharge), of(&Channel::flowing),    of(&Channel::profile),
            of(&Channel::course), of(&Channel::valley)};
}

/// E_1 at points, and what it is made of. `finish` evaluates what costs most, where it counts.
class Banks {
  public:
    Banks(const NearPrimitives& near, const BedScratch& scratch, Floats x, Floats y, Floats terrain)
        : elevation(terrain), terrain_(terrain) {
        merge(near, scratch, x, y);
    }

    /// Makes `elevation` and `kind` those of the lanes of a mask. They are evaluated for all once.
    void finish(Ints where, PointNoise& noise) {
        const Ints missing = where & ~is_known;
        if (!any_of(missing)) return;
        is_known |= where;
        if (!is_made_) make(noise);
        is_made_ = true;
        elevation = missing ? made_elevation_ : elevation;
        kind = missing ? made_kind_ : kind;
    }

    Floats elevation;   // m; E_1 where it is known, else the terrain
    Ints kind = {};     // BedMaterial
    Floats cover = {};  // c
    Floats level = {};  // m, B
    Ints is_known = {};

  private:
    void merge(const NearPrimitives& near, const BedScratch& scratch, Floats x, Floats y) {
        NearPieces pieces(scratch);
        const auto any = [](std::int64_t k) { return static_cast<std::int32_t>(k); };
        const Floats least = rounded_least(pieces, pieces.find(near.banks, near.bank_count, any, x, y));
        Floats sums[kBankNumbers] = {};
        Floats weight{};
        for (std::int64_t k = 0; k < pieces.count(); ++k) {
            const NearPiece at = pieces[k];
            const Floats w = merging_weight(at.share, least);
            if (!any_of(w > 0.0F)) continue;
            const BankPiece& piece = near.banks[at.piece];
            weight += w;
            for (int i = 0; i < kBankNumbers; ++i) sums[i] += w * (piece.from[i] + at.t * piece.change[i]);
        }
        const Ints is_there = weight > 0.0F;
        const Floats per = 1.0F / (is_there ? weight : Floats{} + 1.0F);
        // Widths count by the weight as well, as their quotients are meant.
        inner_ = sums[BankInner];
        distance_ = least * sums[BankOuter];
        const Floats way = (distance_ - inner_) / (sums[BankOuter] - inner_);
        cover = is_there ? fade(way) : Floats{};
        level = is_there ? sums[BankLevel] * per : Floats{};
        relief_ = sums[BankRelief] * per;
        octave_ = sums[BankOctave] * per;
        material_ = sums[BankMaterial] * per;
        is_known = ~is_there | (cover <= 0.0F);
        is_there_ = is_there;
    }

    void make(PointNoise& noise_at) {
        // Bars and hummocks rise above the banks; the slope behind is uneven, and both end with the support.
        const Floats noise = noise_at.at(octave_ - 0.2F, is_there_);
        const Floats fine = noise_at.at(octave_ - 1.2F, is_there_);
        const Floats hump = 0.5F + 0.5F * noise;
        const Floats bars = relief_ * (hump * hump + 0.12F * (1.0F + fine)) * cover;
        const Floats uneven = 0.35F * (noise + 0.4F * fine) * cover * (1.0F - cover) * (terrain_ - level);
        made_elevation_ = mix(terrain_, level, cover) + bars + uneven;
        // Stones end a little behind the level ground, not on the slope above, and along no straight line
        // where the banks of another type begin.
        const Ints is_stony = (material_ * (1.0F + 0.5F * noise + 0.3F * fine) > 0.5F) &
                              (distance_ < inner_ * (1.15F + 0.3F * noise + 0.2F * fine));
        made_kind_ = is_stony ? material_of(material_ + 0.7F * fine + 0.5F * noise) : Ints{};
    }

    Floats terrain_;        // m
    Floats inner_ = {};     // as of BankNode, times the pieces' weight
    Floats distance_ = {};  // m, times that weight
    Floats relief_ = {};    // as of BankNode
    Floats octave_ = {};
    Floats material_ = {};
    Ints is_there_ = {};
    bool is_made_ = false;
    Floats made_elevation_ = {};
    Ints made_kind_ = {};
};

/// The lowest and the highest E_k at points, and their channels.
struct Channels {
    Floats low = Floats{} + kInfinite;   // m
    Floats high = Floats{} - kInfinite;  // m
    Floats bed = Floats{} + kInfinite;   // m, the lowest one within the edges of its water
    Channel lowest;
    Channel highest;
    Channel running;  // that of `bed`
    Ints with_water = {};
};

/// C_k, blended into E_1; sets the profile of the channel.
[[gnu::always_inline]] inline Floats channel_elevation(const MergedChannel<0>& c, Floats across,
                                                       Ints is_there, float least_step, PointNoise& noise,
                                                       Banks& banks, Floats& profile) {
    constexpr float kFadeFrom = 1.1F;  // half widths from the line
    const Floats way = magnitude(across);
    const Ints is_inside = is_there & (way < 1.0F);
    Floats bed{};
    profile = Floats{};
    if (any_of(is_inside)) {
        const Floats of_section =
            section_profile(c[SectionThalweg], c[SectionLeftFlatness], c[SectionRightFlatness], across);
        const Floats twice = 2.0F * of_section;
        const Floats rough = c[SectionRoughness] * noise.at(c[SectionOctave] - 1.7F, is_inside) *
                             (twice < 1.0F ? twice : Floats{} + 1.0F);
        profile = is_inside ? of_section : Floats{};
        bed = c[SectionWater] - c[SectionDepth] * of_section + rough;
    }
    const Ints is_fading = is_there & (c.off > kFadeFrom);
    const Ints is_beside = is_there & ~is_inside;
    banks.finish(is_beside | is_fading, noise);
    if (any_of(is_beside)) {
        const Floats slope = across > 0.0F ? c[SectionLeftBank] : c[SectionRightBank];
        const Floats rising = c[SectionWater] + slope * (way - 1.0F) * c[SectionHalfWidth];
        const Floats most = banks.elevation < c[SectionWater] ? c[SectionWater] : banks.elevation;
        bed = is_inside ? bed : most < rising ? most : rising;
        const Floats reach = 2.0F * stream_step(c[SectionHalfWidth], least_step);
        const Ints is_at_edge = is_beside & ((way - 1.0F) * c[SectionHalfWidth] < reach);
        profile = is_at_edge ? Floats{} + kAtEdge : profile;
    }
    if (!any_of(is_fading)) return bed;
    const Floats faded = mix(banks.elevation, bed, fade((c.off - kFadeFrom) / (kChannelEdge - kFadeFrom)));
    return is_fading ? faded : bed;
}

/// The part of a stream that still flows: beyond the end of its course it fades on its way to the edge of the
/// water there, `across` half widths from that end.
[[gnu::always_inline]] inline Floats still_flowing(const MergedChannel<0>& c, Floats across) {
    const Ints is_beyond = c.beside < c.off;
    if (!any_of(is_beyond)) return Floats{} + 1.0F;
    const Floats square = across * across;
    const Floats ratio = c.beside / c.off;
    const Floats left = clamped((1.0F - square) / (1.0F - square * ratio * ratio), 0.0F, 1.0F);
    return is_beyond ? (square < 1.0F ? left : Floats{}) : Floats{} + 1.0F;
}

void add_channels(const NearPrimitives& near, const BedScratch& scratch, Floats x, Floats y, Ints is_on,
                  PointNoise& noise, Banks& banks, Channels& channels) {
    NearPieces pieces(scratch);
    for_each_course(near, [&](std::int64_t first, std::int64_t end) {
        const auto of_course = [&](std::int64_t k) { return static_cast<std::int32_t>(first + k); };
        const MergedChannel<0> c = merged<0>(near.channels, end - first, of_course, x, y, pieces);
        const Ints is_there = is_on & (c.weight > 0.0F);
        if (!any_of(is_there)) return;
        const Floats across = across_water(c, across_bed(c), noise, is_there);
        Channel channel{.water = c[SectionWater],
                        .depth = c[SectionDepth],
                        .half_width = c[SectionHalfWidth],
                        .material = c[SectionMaterial],
                        .octave = c[SectionOctave],
                        .discharge = c[SectionDischarge],
                        .flowing = still_flowing(c, across)};
        channel.course += static_cast<std::int32_t>(near.channels[first].course);
        channel.valley += static_cast<std::int32_t>(near.channels[first].valley);
        const Floats bed =
            channel_elevation(c, across, is_there, near.least_step, noise, banks, channel.profile);
        const Ints has_water = is_there & (channel.profile > kAtEdge);
        channels.with_water -= has_water;
        const Ints is_lower = is_there & (bed < channels.low);
        channels.low = is_lower ? bed : channels.low;
        channels.lowest = choose(is_lower, channel, channels.lowest);
        const Ints is_higher = is_there & (bed > channels.high);
        channels.high = is_higher ? bed : channels.high;
        channels.highest = choose(is_higher, channel, channels.highest);
        const Ints is_running = has_water & (bed < channels.bed);
        channels.bed = is_running ? bed : channels.bed;
        channels.running = choose(is_running, channel, channels.running);
    });
}

/// The surface at points.
struct Surface {
    Floats elevation;  // m
    Ints material;
};

void add_mounds(const NearPrimitives& near, Floats x, Floats y, Surface& ground) {
    for (std::int64_t i = 0; i < near.mound_count; ++i) {
        const BedMound& mound = near.mounds[i];
        const Floats dx = x - mound.x;
        const Floats dy = y - mound.y;
        const Floats u = dx * mound.along_x + dy * mound.along_y;
        const Floats v = dx * mound.across_x + dy * mound.across_y;
        const Floats inside = 1.0F - u * u - v * v;
        const Ints is_inside = inside > 0.0F;
        if (!any_of(is_inside)) continue;
        if (mound.draw != 0) {
            const Floats form = rock_form(u, v, mound.draw);
            const Ints is_rock = is_inside & (form > 0.1F);
            ground.material = is_rock ? Ints{} + kBoulders : ground.material;
            ground.elevation = is_inside ? ground.elevation + mound.height * form : ground.elevation;
        } else {
            ground.elevation =
                is_inside ? ground.elevation + mound.height * inside * inside : ground.elevation;
        }
    }
}

Ints bed_material(const Channel& channel, Floats bed, const Banks& banks, Ints is_bed, PointNoise& noise) {
    // Fine grains lie on shallow ground, coarse ones where the water is deep.
    const Floats shallow = 1.0F - clamped((channel.water - bed) / channel.depth, 0.0F, 1.0F);
    const Ints material = material_of(channel.material + 0.8F * (shallow - 0.5F) +
                                      0.35F * noise.at(channel.octave - 0.6F, is_bed) +
                                      0.35F * noise.at(channel.octave - 2.0F, is_bed));
    const Ints is_bank = (bed >= channel.water) & (banks.kind != kGround);
    return is_bank ? banks.kind : material;
}

/// Whether the stream may need more depth than there is.
Ints may_be_shallow(const NearPrimitives& near, Floats x, Floats y, const Channel& channel, Floats elevation,
                    Ints has_others, Ints is_bed) {
    constexpr float kSurelyDeep = 0.5F;  // of the section's depth
    const Floats depth = channel.water - elevation;
    const Ints is_thin = has_others ? Ints(depth <= channel.depth)
                                    : Ints(depth <= kSurelyDeep * channel.profile * channel.depth);
    const Ints is_wet = is_bed & (has_others | (channel.profile > 0.0F));
    Ints is_shallow = is_wet & is_thin;
    // Between rocks the stream is fast.
    const Ints may_be = is_wet & ~has_others;
    if (!any_of(may_be & ~is_shallow)) return is_shallow;
    const Floats beside = 2.0F * stream_step(channel.half_width, near.least_step);
    for (std::int64_t i = 0; i < near.deflector_count; ++i) {
        const BedDeflector& rock = near.deflectors[i];
        const Floats reach = rock.reach + beside;
        const Floats dx = x - rock.x;
        const Floats dy = y - rock.y;
        is_shallow |= may_be & (dx * dx + dy * dy < reach * reach);
    }
    return is_shallow;
}

/// The channel whose water or bed is at points, and the surface there; returns which lanes have one.
Ints surface_of(const Channels& channels, Banks& banks, Ints is_on, PointNoise& noise, Channel& channel,
                Surface& surface) {
    // Banks that cover all lie above their level: what lies below it needs none of their noise.
    constexpr float kSurely = 0.01F;  // m
    const Floats below_banks = banks.level - kSurely;
    const Floats lowest_water = channels.lowest.water;
    const Ints is_surely_bed = (banks.cover >= 1.0F) & (channels.low >= channels.high) &
                               (channels.low < (lowest_water < below_banks ? lowest_water : below_banks));
    banks.finish(is_on & ~is_surely_bed, noise);
    const Ints is_bed = is_surely_bed | (channels.low < banks.elevation) |
                        ((channels.low <= banks.elevation) & (channels.lowest.profile > 0.0F));
    const Ints is_perched = ~is_surely_bed & (channels.high > banks.elevation);
    channel = choose(is_bed, channels.lowest, channels.highest);
    surface = {is_bed ? channels.low : banks.elevation, banks.kind};
    surface.elevation =
        is_perched ? surface.elevation + (channels.high - banks.elevation) : surface.elevation;
    // Water of another channel runs over banks that are lower than its bed.
    const Ints is_over = (channel.profile <= kAtEdge) & (channels.running.profile > 0.0F);
    if (any_of(is_over)) {
        channel = choose(is_over, channels.running, channel);
        const Floats way = surface.elevation - channels.bed;
        channel.water = is_over ? channel.water + (way < 0.0F ? way : Floats{}) : channel.water;
    }
    return is_on & (is_bed | is_perched);
}

void evaluate(const NearPrimitives& near, const BedOutput& output, const BedScratch& scratch,
              CornerLanes& corners, const BedColumns& points, std::int64_t i) {
    const Floats x = load(points.x + i);
    const Floats y = load(points.y + i);
    const Floats terrain = load(points.terrain + i);
    const Ints is_on = terrain == terrain;
    PointNoise noise(corners, x, y);
    Banks banks(near, scratch, x, y, terrain);
    Channels channels;
    add_channels(near, scratch, x, y, is_on, noise, banks, channels);
    Channel channel;
    Surface surface;
    const Ints is_bed = surface_of(channels, banks, is_on, noise, channel, surface);
    if (output.has_material && any_of(is_bed))
        surface.material =
            is_bed ? bed_material(channel, surface.elevation, banks, is_bed, noise) : surface.material;
    const Floats without_mounds = surface.elevation;
    add_mounds(near, x, y, surface);
    // Beyond its edges no water stands, however low the ground is there.
    const Ints is_above_ground = (channel.profile <= kAtEdge) & (channel.water > surface.elevation);
    channel.water = is_above_ground ? surface.elevation : channel.water;
    const Floats none = Floats{} + __builtin_nanf("");
    store(points.elevation + i, is_on ? surface.elevation : terrain);
    store_ints(points.material + i, is_on ? surface.material : Ints{});
    store(points.mounds + i, is_bed ? surface.elevation - without_mounds : Floats{});
    store(points.water + i, is_bed ? channel.water : none);
    store_ints(points.course + i, is_bed ? channel.course : Ints{} - 1);
    if (!any_of(is_bed)) {
        store_ints(points.has_flow + i, Ints{});
        store_ints(points.is_shallow + i, Ints{});
        return;
    }
    const Ints has_others = channels.with_water > 1;
    const Ints is_shallow = output.has_least_depth
                                ? may_be_shallow(near, x, y, channel, surface.elevation, has_others, is_bed)
                                : Ints{};
    const Ints is_wet = output.has_velocity ? is_bed & (channel.water > surface.elevation) : Ints{};
    store_ints(points.is_shallow + i, is_shallow);
    store_ints(points.has_flow + i, is_shallow | is_wet);
    store_ints(points.valley + i, channel.valley);
    store(points.depth + i, channel.depth);
    store(points.half_width + i, channel.half_width);
    store(points.discharge + i, channel.discharge);
    store(points.flowing + i, channel.flowing);
}

/// The depth, m, at which the flow is as fast as any is; negative where next to none flows.
[[gnu::always_inline]] inline Floats least_depth(Floats depth, Floats half_width, Floats discharge,
                                                 Floats flow) {
    constexpr float kStill = 0.03F;   // times the flow over width: what rocks may stand in
    constexpr float kDeepest = 3.0F;  // depths of the channel, in gaps however narrow
    const Floats relative = flow * 2.0F * half_width / discharge;
    // Where next to none flows the ground may stand far above the water, as rocks do.
    const Floats still = kStill / relative;
    const Floats square = still * still;
    const Floats least = depth / kFastest * relative * (1.0F - square * square * still);
    const Floats deepest = kDeepest * depth;
    const Floats bounded = least < deepest ? least : deepest;
    return relative > 0.0F ? bounded : Floats{} - kInfinite;
}

}  // namespace

template <>
void beds_in_lanes<kLanes>(const NearPrimitives& near, const BedOutput& output, const BedScratch& scratch,
                           const BedColumns& points) {
    CornerLanes corners(*scratch.noise);
    for (std::int64_t i = 0; i < points.count; i += kLanes)
        evaluate(near, output, scratch, corners, points, i);
}

template <>
void let_flow_in_lanes<kLanes>(const BedOutput& output, const BedColumns& points) {
    for (std::int64_t i = 0; i < points.count; i += kLanes) {
        const Ints course = load_ints(points.course + i);
        const Ints is_bed = course >= 0;
        if (!any_of(is_bed)) continue;
        const Floats water = load(points.water + i);
        const Floats channel_depth = load(points.depth + i);
        const Floats half_width = load(points.half_width + i);
        const Floats discharge = load(points.discharge + i);
        const Floats flowing = load(points.flowing + i);
        const Floats flow_x = flowing * load(points.flow_x + i);
        const Floats flow_y = flowing * load(points.flow_y + i);
        const Floats flow = length_of(flow_x, flow_y);
        Floats elevation = load(points.elevation + i);
        // Let the bed be as deep as the stream needs.
        const Floats lower = water - least_depth(channel_depth, half_width, discharge, flow);
        const Ints is_lowered = load_ints(points.is_shallow + i) & (lower < elevation);
        elevation = is_lowered ? lower : elevation;
        store(points.elevation + i, elevation);
        const Floats depth = water - elevation;
        const Ints is_wet = is_bed & (depth > 0.0F);
        store_ints(points.course + i, is_wet ? course : Ints{} - 1);
        if (!output.has_velocity) continue;
        const Floats fastest = kFastest * discharge / (2.0F * half_width * channel_depth);
        // Films beside rocks are thinner than what would let the stream through.
        const Floats thinnest = flow / fastest;
        const Floats per_depth = 1.0F / (depth < thinnest ? thinnest : depth);
        store(points.flow_x + i, is_wet ? flow_x * per_depth : Floats{});
        store(points.flow_y + i, is_wet ? flow_y * per_depth : Floats{});
    }
}

}  // namespace thalweg
