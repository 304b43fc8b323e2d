#include "thalweg/water/surface/water_cells.hpp"

#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

constexpr int kKernelWidest = 16;  // floats

// The kinds, as in WaterKind: its header holds inline functions.
enum KernelKind { Calm, Ripple, Turbulent, Wave, Cascade, Vortex, BankEcho };

[[gnu::always_inline]] inline bool any_of(Ints mask) {
    std::int64_t parts[kLanes / 2];
    std::memcpy(parts, &mask, sizeof parts);
    std::int64_t all = 0;
    for (const std::int64_t part : parts) all |= part;
    return all != 0;
}

/// Elevation above the datum, velocity and foam.
struct Water {
    Floats elevation;
    Floats velocity_x;
    Floats velocity_y;
    Floats foam;
};

/// The same times the weights, and the weights.
struct Sums {
    Floats weight;
    Water water;
};

/// Points from a primitive's centre, m.
struct Offsets {
    Floats x;
    Floats y;
    Floats square;  // of the distance over the radius
};

/// A whole number as its float, and its bits plus kRounderBits.
struct Whole {
    Floats number;
    Words bits;
};

/// The nearest to `v`.
[[gnu::always_inline]] inline Whole rounded(Floats v) {
    const Floats sum = v + kRounder;
    return {sum - kRounder, reinterpret_cast<Words>(sum)};
}

/// At or below `v`; at whole numbers it may be the one below: a lattice cell's end is the next one's begin.
[[gnu::always_inline]] inline Whole cell_of(Floats v) {
    return rounded(v - 0.5F);
}

[[gnu::always_inline]] inline Floats limited(Floats v) {
    const Floats zero{};
    const Floats positive = choose(v > zero, v, zero);
    return choose(positive < 1.0F, positive, zero + 1.0F);
}

[[gnu::always_inline]] inline Floats quintic(Floats t) {
    return t * t * t * (t * (t * 6.0F - 15.0F) + 10.0F);
}

/// Half the gradient of a lattice point's bits by the offset (x, y) from it; `sum` is 1.5 (x + y). The bits
/// become floats from 1 to 2.
[[gnu::always_inline]] inline Floats corner(Words bits, Floats x, Floats y, Floats sum) {
    bits ^= bits >> 15;
    bits *= kMixFactor;
    const Floats gradient_x = reinterpret_cast<Floats>((bits & 0x007fffffU) | 0x3f800000U);
    const Floats gradient_y = reinterpret_cast<Floats>((bits >> 9) | 0x3f800000U);
    return gradient_x * x + gradient_y * y - sum;
}

[[gnu::always_inline]] inline Floats noise_of(const PreparedNoise& noise, Floats dx, Floats dy) {
    const Floats s = dx * noise.along_x + dy * noise.along_y + noise.shift_along;
    const Floats n = dx * noise.across_x + dy * noise.across_y + noise.shift_across;
    const Whole column = cell_of(s);
    const Whole row = cell_of(n);
    const Floats x = s - column.number;
    const Floats y = n - row.number;
    // Columns modulo the period; half a cell keeps the quotient off whole numbers.
    const Whole turns = rounded(column.number * noise.per_period + noise.half);
    const Floats wrapped = column.number - turns.number * noise.period;
    const Words row_bits = row.bits * kRowFactor;
    const Words west_near = rounded(wrapped).bits * kColumnFactor + (row_bits + noise.key);
    const Words east_near =
        choose(wrapped < noise.last, west_near + kColumnFactor, row_bits + noise.first_key);
    const Floats blend = quintic(x);
    const Floats x1 = x - 1.0F;
    const Floats y1 = y - 1.0F;
    const Floats sum = (x + y) * 1.5F;
    const Floats side = sum - 1.5F;
    const Floats south_west = corner(west_near, x, y, sum);
    const Floats north_west = corner(west_near + kRowFactor, x, y1, side);
    const Floats south = south_west + blend * (corner(east_near, x1, y, side) - south_west);
    const Floats north =
        north_west + blend * (corner(east_near + kRowFactor, x1, y1, sum - 3.0F) - north_west);
    return (south + quintic(y) * (north - south)) * 2.0F;
}

[[gnu::always_inline]] inline Floats ridge(Floats n) {
    constexpr auto kTop = static_cast<float>(kRidgeTop);
    return kTop - 2.0F * square_root(n * n + static_cast<float>(kRidgeSoftness));
}

/// cos(2 pi t) = 1 - 2 sin^2(pi t), by Taylor's series: error below 1e-6.
[[gnu::always_inline]] inline Floats cosine(Floats turns) {
    const Floats t = turns - rounded(turns).number;
    const Floats a = t * 3.14159265F;
    const Floats b = a * a;
    const Floats sine =
        a * (1.0F +
             b * (-1.66666667e-1F +
                  b * (8.33333333e-3F + b * (-1.98412698e-4F + b * (2.75573192e-6F + b * -2.50521084e-8F)))));
    return 1.0F - 2.0F * sine * sine;
}

[[gnu::always_inline]] inline Water mean_water(const PreparedPrimitive& p, const Offsets& at, Floats offset,
                                               Floats whiteness) {
    const Floats t = limited(whiteness);
    const Floats zero{};
    return {p.lift + at.x * p.tilt_x + at.y * p.tilt_y + offset, zero + p.velocity_x, zero + p.velocity_y,
            p.foam * (t * t * (3.0F - 2.0F * t))};
}

template <int number>
[[gnu::always_inline]] inline Floats share_of(const double (&shares)[number], int i) {
    return Floats{} + static_cast<float>(shares[i]);
}

[[gnu::always_inline]] inline Water two_noises(const PreparedPrimitive& p, const Offsets& at,
                                               const double (&shares)[2]) {
    const Floats first = noise_of(p.noise[0], at.x, at.y);
    const Floats second = noise_of(p.noise[1], at.x, at.y);
    return mean_water(p, at, p.amplitude * (share_of(shares, 0) * first + share_of(shares, 1) * second),
                      0.5F + 1.5F * first);
}

[[gnu::always_inline]] inline Water turbulent(const PreparedPrimitive& p, const Offsets& at) {
    const Floats bulge = noise_of(p.noise[0], at.x, at.y);
    const Floats crest = ridge(noise_of(p.noise[1], at.x, at.y));
    const Floats chop = noise_of(p.noise[2], at.x, at.y);
    const Floats offset =
        p.amplitude * (share_of(kTurbulentShares, 0) * bulge + share_of(kTurbulentShares, 1) * crest +
                       share_of(kTurbulentShares, 2) * chop);
    return mean_water(p, at, offset, 0.3F + 1.2F * crest + 0.8F * bulge);
}

[[gnu::always_inline]] inline Water wave(const PreparedPrimitive& p, const Offsets& at) {
    const Floats chop = noise_of(p.noise[0], at.x, at.y);
    const Floats wander = noise_of(p.noise[1], at.x, at.y);
    const Floats along = at.x * p.flow_x + at.y * p.flow_y;
    const Floats across = at.y * p.flow_x - at.x * p.flow_y;
    const Floats c =
        cosine((along - across * across * p.sag) * p.per_length + static_cast<float>(kCrestWander) * wander);
    const Floats crest = static_cast<float>(kCrest) * (c + 0.5F * c * c - 0.25F);
    const Floats height = p.fall * (static_cast<float>(kCrestMean) + static_cast<float>(kCrestGust) * wander);
    return mean_water(p, at, height * crest + p.amplitude * chop, 0.8F * crest - 0.1F + 0.8F * chop);
}

[[gnu::always_inline]] inline Water cascade(const PreparedPrimitive& p, const Offsets& at) {
    const Floats bulge = noise_of(p.noise[0], at.x, at.y);
    const Floats crest = ridge(noise_of(p.noise[1], at.x, at.y));
    const Floats ragged = noise_of(p.noise[2], at.x, at.y);
    const Floats along = at.x * p.flow_x + at.y * p.flow_y;
    const Floats way = along * p.per_length + static_cast<float>(kRaggedLip) * ragged;
    const Floats above = 1.0F - quintic(limited(0.5F * way + 0.5F));
    const Floats off = 0.5F * way - 1.0F;
    const Floats far = 1.0F - off * off;
    const Floats inside = choose(far > 0.0F, far, Floats{});
    const Floats pool = inside * inside * inside;
    const Floats upper = 0.5F * p.fall + (static_cast<float>(kCalmAbove) * p.amplitude) * bulge;
    const Floats lower =
        -0.5F * p.fall - (static_cast<float>(kPlungeDepth) * p.fall) * pool +
        p.amplitude * (share_of(kCascadeShares, 0) * bulge + share_of(kCascadeShares, 1) * crest);
    const Floats below = 1.0F - above;
    const Floats face = 4.0F * above * below;
    return mean_water(p, at, above * upper + below * lower,
                      static_cast<float>(kFaceFoam) * face + below * (0.45F + 0.8F * crest + 0.6F * bulge));
}

[[gnu::always_inline]] inline Water vortex(const PreparedPrimitive& p, const Offsets& at) {
    const Floats lag = square_root(at.square) * p.lag;
    const Floats c = cosine(lag);
    const Floats s = cosine(lag - 0.25F);
    const Floats x = c * at.x - s * at.y;
    const Floats y = s * at.x + c * at.y;
    const Floats swirl = noise_of(p.noise[0], x, y);
    const Floats streak = noise_of(p.noise[1], at.x, at.y);
    const Floats far = 1.0F - at.square;
    const Floats inside = choose(far > 0.0F, far, Floats{});
    const Floats rim = inside * inside;
    const Floats outer = 1.0F - rim;
    const Floats waves =
        share_of(kVortexShares, 0) * rim * swirl + share_of(kVortexShares, 1) * outer * streak;
    Water water = mean_water(p, at, p.amplitude * waves - p.fall * (rim * rim),
                             0.35F + 1.2F * rim * swirl + outer * streak);
    water.velocity_x -= p.rotation * rim * at.y;
    water.velocity_y += p.rotation * rim * at.x;
    return water;
}

[[gnu::always_inline]] inline Water bank_echo(const PreparedPrimitive& p, const Offsets& at) {
    const Floats wander = noise_of(p.noise[0], at.x, at.y);
    Floats sum{};
    for (const PreparedWave& w : p.wave)
        sum +=
            cosine(at.x * w.along_x + at.y * w.along_y + w.shift + static_cast<float>(kEchoWander) * wander);
    return mean_water(p, at, (0.5F * p.amplitude) * sum, 0.5F + 1.5F * wander);
}

[[gnu::always_inline]] inline void weigh_in(Floats weight, const Water& water, Sums& sums) {
    sums.weight += weight;
    sums.water.elevation += weight * water.elevation;
    sums.water.velocity_x += weight * water.velocity_x;
    sums.water.velocity_y += weight * water.velocity_y;
    sums.water.foam += weight * water.foam;
}

[[gnu::always_inline]] inline void add(const Sums& more, Sums& sums) {
    sums.weight += more.weight;
    sums.water.elevation += more.water.elevation;
    sums.water.velocity_x += more.water.velocity_x;
    sums.water.velocity_y += more.water.velocity_y;
    sums.water.foam += more.water.foam;
}

/// The means of sums; 0 where there is no weight.
[[gnu::always_inline]] inline Water mean_of(const Sums& sums) {
    const Floats per_weight = 1.0F / choose(sums.weight > 0.0F, sums.weight, Floats{} + 1.0F);
    return {sums.water.elevation * per_weight, sums.water.velocity_x * per_weight,
            sums.water.velocity_y * per_weight, sums.water.foam * per_weight};
}

/// `below` becomes itself with `top` in its place.
void replace(const Sums& top, Sums& below) {
    const Floats w = choose(top.weight < 1.0F, top.weight, Floats{} + 1.0F);
    const Floats share = w * (2.0F - w);
    const Water a = mean_of(below);
    const Water b = mean_of(top);
    const Floats weight = below.weight;
    below.water = {weight * (a.elevation + share * (b.elevation - a.elevation)),
                   weight * (a.velocity_x + share * (b.velocity_x - a.velocity_x)),
                   weight * (a.velocity_y + share * (b.velocity_y - a.velocity_y)),
                   weight * (a.foam + share * (b.foam - a.foam))};
}

/// A primitive of a kind without a kernel.
Water other_water(const OtherKinds& others, std::uint16_t primitive, Floats x, Floats y) {
    float columns[4 * kKernelWidest];
    float east[kLanes];
    float north[kLanes];
    store(east, x);
    store(north, y);
    others.evaluate(others.context, primitive, east, north, kLanes, columns);
    constexpr std::ptrdiff_t kColumn = kKernelWidest;
    return {load(columns), load(columns + kColumn), load(columns + 2 * kColumn), load(columns + 3 * kColumn)};
}

[[gnu::always_inline]] inline Offsets offsets(const PreparedPrimitive& p, Floats x, Floats y) {
    Offsets at{x - p.x, y - p.y, {}};
    at.square = (at.x * at.x + at.y * at.y) * p.per_square;
    return at;
}

/// Calls `with(water_of)`, which tells the water of a primitive at offsets, and for kinds without a kernel at
/// points.
template <class With>
[[gnu::always_inline]] inline void with_kind(const PreparedPrimitive& p, std::uint16_t code,
                                             const OtherKinds& others, const With& with) {
    switch (p.kind) {
        case Calm:
            return with([&](const Offsets& at, Floats, Floats) { return two_noises(p, at, kCalmShares); });
        case Ripple:
            return with([&](const Offsets& at, Floats, Floats) { return two_noises(p, at, kRippleShares); });
        case Turbulent:
            return with([&](const Offsets& at, Floats, Floats) { return turbulent(p, at); });
        case Wave:
            return with([&](const Offsets& at, Floats, Floats) { return wave(p, at); });
        case Cascade:
            return with([&](const Offsets& at, Floats, Floats) { return cascade(p, at); });
        case Vortex:
            return with([&](const Offsets& at, Floats, Floats) { return vortex(p, at); });
        case BankEcho:
            return with([&](const Offsets& at, Floats, Floats) { return bank_echo(p, at); });
        default:
            return with([&](const Offsets&, Floats x, Floats y) { return other_water(others, code, x, y); });
    }
}

/// What a primitive weighs at offsets from it.
[[gnu::always_inline]] inline Floats weight_at(const Offsets& at) {
    const Floats inside = 1.0F - at.square;
    const Floats within = choose(inside > 0.0F, inside, Floats{});
    return within * within * within;
}

[[gnu::always_inline]] inline Sums load_sums(const WaterSums& sums, std::int64_t i) {
    return {load(sums.weight + i),
            {load(sums.elevation + i), load(sums.velocity_x + i), load(sums.velocity_y + i),
             load(sums.foam + i)}};
}
[[gnu::always_inline]] inline void store_sums(const WaterSums& sums, std::int64_t i, const Sums& values) {
    store(sums.weight + i, values.weight);
    store(sums.elevation + i, values.water.elevation);
    store(sums.velocity_x + i, values.water.velocity_x);
    store(sums.velocity_y + i, values.water.velocity_y);
    store(sums.foam + i, values.water.foam);
}

/// The sums of one vector of points by the whole program, from `sums` on.
void run(const CellProgram& program, const OtherKinds& others, Floats x, Floats y, Sums& sums) {
    Sums stack[kMostSums];
    int top = 0;
    for (std::int64_t i = 0; i < program.count; ++i) {
        const std::uint16_t code = program.codes[i];
        if (code == kPushSums) {
            stack[top++] = sums;
            sums = Sums{};
        } else if (code == kReplaceSums) {
            replace(sums, stack[top - 1]);
            sums = stack[--top];
        } else if (code == kMergeSums) {
            --top;
            add(stack[top], sums);
        } else {
            const PreparedPrimitive& p = program.primitives[code];
            const Offsets at = offsets(p, x, y);
            if (!any_of(at.square < 1.0F)) continue;
            with_kind(p, code, others,
                      [&](const auto& water_of) { weigh_in(weight_at(at), water_of(at, x, y), sums); });
        }
    }
}

/// Points that one primitive reaches, taken together over rows, so that all lanes are filled.
class ListedPoints {
  public:
    /// Takes `count` points of a row, from `x` on; their sums begin at `place`. There must be room.
    [[gnu::always_inline]] void take(const float* x, float y, std::int64_t place, int count) {
        pieces_[pieces_count_++] = {place, count};
        const Floats north = Floats{} + y;
        for (int k = 0; k < count; k += kLanes) {
            store(x_ + count_ + k, load(x + k));
            store(y_ + count_ + k, north);
        }
        count_ += count;
    }

    [[nodiscard]] bool has_room(int count) const {
        return count_ + count <= kMostListed && pieces_count_ < kMostPieces;
    }

    /// Adds the primitive to their sums, and forgets them.
    void weigh_in_and_clear(const PreparedPrimitive& p, std::uint16_t code, const OtherKinds& others,
                            const WaterSums& sums) {
        if (count_ == 0) return;
        // Fill the last vector.
        store(x_ + count_, Floats{} + x_[0]);
        store(y_ + count_, Floats{} + y_[0]);
        with_kind(p, code, others, [&](const auto& water_of) {
            for (int i = 0; i < count_; i += kLanes) {
                const Floats x = load(x_ + i), y = load(y_ + i);
                const Offsets at = offsets(p, x, y);
                Sums part{};
                weigh_in(weight_at(at), water_of(at, x, y), part);
                store_sums({parts_[0], parts_[1], parts_[2], parts_[3], parts_[4]}, i, part);
            }
        });
        int from = 0;
        for (int piece = 0; piece < pieces_count_; ++piece) {
            const int count = pieces_[piece].count;
            for (int k = 0; k < count; k += kLanes)
                add_part(from + k, pieces_[piece].place + k, count - k, sums);
            from += count;
        }
        count_ = 0;
        pieces_count_ = 0;
    }

  private:
    /// Adds the first `count` parts of a vector from `from` on.
    [[gnu::always_inline]] void add_part(int from, std::int64_t place, int count,
                                         const WaterSums& sums) const {
        const Ints is_listed = reinterpret_cast<Ints>(lane_numbers()) < count;
        const auto add_column = [&](float* column, const float* part) {
            const Floats before = load(column + place);
            store(column + place, choose(is_listed, before + load(part + from), before));
        };
        add_column(sums.weight, parts_[0]);
        add_column(sums.elevation, parts_[1]);
        add_column(sums.velocity_x, parts_[2]);
        add_column(sums.velocity_y, parts_[3]);
        add_column(sums.foam, parts_[4]);
    }

    static constexpr int kMostListed = 512;
    static constexpr int kMostPieces = 64;
    struct Piece {
        std::int64_t place;
        int count;
    };
    float x_[kMostListed + 2 * kKernelWidest];
    float y_[kMostListed + 2 * kKernelWidest];
    float parts_[5][kMostListed + 2 * kKernelWidest];
    Piece pieces_[kMostPieces];
    int count_ = 0;
    int pieces_count_ = 0;
};

}  // namespace

template <>
void run_in_lanes<kLanes>(const CellProgram& program, const OtherKinds& others, const CellPoints& points,
                          const WaterSums& sums) {
    for (std::int64_t first = 0; first < points.count; first += kLanes) {
        Sums values = load_sums(sums, first);
        run(program, others, load(points.x + first), load(points.y + first), values);
        store_sums(sums, first, values);
    }
}

template <>
void add_in_lanes<kLanes>(const PreparedPrimitive& primitive, std::uint16_t code, const OtherKinds& others,
                          const BlockPoints& points, const WaterSums& sums) {
    ListedPoints listed;
    const float square = 1.00001F / primitive.per_square;
    // Of columns, by which float places are off.
    const float slack = 0.01F + 1e-6F * (points.x[points.columns - 1] + 1.0F) * points.per_spacing;
    const auto last_column = static_cast<float>(points.columns - 1);
    for (int row = 0; row < points.rows; ++row) {
        const float off = points.y[row] - primitive.y;
        const float half_square = square - off * off;
        if (half_square <= 0.0F) continue;
        const float half = __builtin_sqrtf(half_square);
        const float middle = primitive.x - points.x[0];
        const float from = (middle - half) * points.per_spacing - slack;
        const float to = (middle + half) * points.per_spacing + slack;
        if (to < 0.0F || from > last_column) continue;
        const int before = from > 0.0F ? static_cast<int>(from) : 0;
        const int first = static_cast<float>(before) < from ? before + 1 : before;
        const int end = to < last_column ? static_cast<int>(to) + 1 : points.columns;
        if (end <= first) continue;
        if (!listed.has_room(end - first)) listed.weigh_in_and_clear(primitive, code, others, sums);
        listed.take(points.x + first, points.y[row], static_cast<std::int64_t>(row) * points.stride + first,
                    end - first);
    }
    listed.weigh_in_and_clear(primitive, code, others, sums);
}

template <>
void finish_in_lanes<kLanes>(const CellBase& base, std::int64_t count, const WaterSums& sums) {
    for (std::int64_t first = 0; first < count; first += kLanes) {
        Sums values = load_sums(sums, first);
        Water water = mean_of(values);
        if (base.is_given) {
            // Let the base level in where little covers.
            const Floats lack = limited(1.0F - values.weight * base.per_thin);
            const Floats thin = base.thin * (lack * lack * lack);
            const Floats share = thin / (values.weight + thin);
            water.elevation += share * (base.level - water.elevation);
            water.velocity_x -= share * water.velocity_x;
            water.velocity_y -= share * water.velocity_y;
            water.foam -= share * water.foam;
        } else {
            water.elevation = choose(values.weight > 0.0F, water.elevation, Floats{} + __builtin_nanf(""));
        }
        values.water = water;
        store_sums(sums, first, values);
    }
}

}  // namespace thalweg
