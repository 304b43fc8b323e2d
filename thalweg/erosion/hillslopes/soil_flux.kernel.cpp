#include "thalweg/erosion/hillslopes/soil_flux.hpp"

#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

using Doubles = double __attribute__((vector_size(kLanes * sizeof(double))));

constexpr int kSums = 16 / kLanes;  // vectors of 16 partial sums, whatever the lanes

[[gnu::always_inline]] inline Doubles load(const double* from) {
    Doubles v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

[[gnu::always_inline]] inline Floats drop(const double* to, const double* from) {
    return __builtin_convertvector(load(to) - load(from), Floats);
}

[[gnu::always_inline]] inline Doubles widened(Floats v) {
    return __builtin_convertvector(v, Doubles);
}

/// F(s) and dF/d(s^2) S_c^2 for s^2 / S_c^2 = `ratio`.
struct Quickening {
    Floats factor, change;
};

[[gnu::always_inline]] inline Quickening quickening(Floats ratio) {
    constexpr float kSquare = kNearFailure * kNearFailure;
    constexpr float kFactor = 1.0F / (1.0F - kSquare);
    constexpr float kGrowth = (1.0F + kSquare) * kFactor * kFactor;  // dq/ds from there on
    const Floats zero{};
    const Ints is_steep = ratio > kSquare;
    const Floats gentle = 1.0F / (1.0F - choose(is_steep, zero, ratio));
    const Floats square = choose(is_steep, ratio, zero + 1.0F);
    const Floats slope = square_root(square);
    const Floats steep = (kNearFailure * kFactor + kGrowth * (slope - kNearFailure)) / slope;
    return {choose(is_steep, steep, gentle),
            choose(is_steep, 0.5F * (kGrowth - steep) / square, gentle * gentle)};
}

[[gnu::always_inline]] inline void flux_block(const SoilFluxes& f, std::int64_t i) {
    const std::int64_t below = i + f.stride;
    const Floats nw = load(f.data + i), ne = load(f.data + i + 1);
    const Floats sw = load(f.data + below), se = load(f.data + below + 1);
    const Floats has_top = nw * ne, has_bottom = sw * se, has_left = nw * sw, has_right = ne * se;
    const Floats top = has_top * drop(f.height + i + 1, f.height + i);
    const Floats bottom = has_bottom * drop(f.height + below + 1, f.height + below);
    const Floats left = has_left * drop(f.height + below, f.height + i);
    const Floats right = has_right * drop(f.height + below + 1, f.height + i + 1);
    // All four sides, or no more than one along each axis.
    const Floats zero{};
    const Floats share = choose(has_top + has_bottom > 1.5F, zero + 0.5F, zero + 1.0F);
    const Floats square =
        share * f.inverse_cell_area * (top * top + bottom * bottom + (left * left + right * right));
    const Floats inverse = load(f.inverse_square + i), strength = load(f.strength + i);
    const Quickening quick = quickening(square * inverse);
    const Floats root = square_root(strength * quick.change * inverse * (2.0F * share * f.inverse_cell_area));
    store(f.weight + i, strength * quick.factor);
    store(f.north_west + i, -root * (top + left));
    store(f.north_east + i, root * (top - right));
    store(f.south_west + i, root * (left - bottom));
    store(f.south_east + i, root * (bottom + right));
}

/// Weights of the sides of cell i to the east, west, south and north; 0 without data beyond.
struct Sides {
    Floats east, west, south, north;
};

[[gnu::always_inline]] inline Sides sides_of(const SoilFluxes& f, std::int64_t i) {
    const Floats se = load(f.weight + i), sw = load(f.weight + i - 1);
    const Floats ne = load(f.weight + i - f.stride), nw = load(f.weight + i - f.stride - 1);
    return {(ne + se) * load(f.data + i + 1), (nw + sw) * load(f.data + i - 1),
            (sw + se) * load(f.data + i + f.stride), (nw + ne) * load(f.data + i - f.stride)};
}

}  // namespace

template <>
void soil_fluxes_in_lanes<kLanes>(const SoilFluxes& fluxes, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; i += kLanes) flux_block(fluxes, i);
}

template <>
void residual_in_lanes<kLanes>(const SoilFluxes& fluxes, const double* start, const float* free,
                               float* residual, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; i += kLanes) {
        const double* const z = fluxes.height + i;
        const Doubles own = load(z);
        const Sides sides = sides_of(fluxes, i);
        const Doubles along_x =
            widened(sides.east) * (own - load(z + 1)) + widened(sides.west) * (own - load(z - 1));
        const Doubles along_y = widened(sides.south) * (own - load(z + fluxes.stride)) +
                                widened(sides.north) * (own - load(z - fluxes.stride));
        const Doubles left_over = own - load(start + i) + (along_x + along_y);
        store(residual + i, load(free + i) * __builtin_convertvector(left_over, Floats));
    }
}

template <>
void diagonal_in_lanes<kLanes>(const SoilFluxes& f, const float* free, const CreepMatrix& matrix,
                               std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; i += kLanes) {
        const Sides sides = sides_of(f, i);
        const Floats se = load(f.north_west + i), sw = load(f.north_east + i - 1);
        const Floats ne = load(f.south_west + i - f.stride), nw = load(f.south_east + i - f.stride - 1);
        const Floats diagonal = 1.0F + (sides.east + sides.west + (sides.south + sides.north)) +
                                (se * se + sw * sw + (ne * ne + nw * nw));
        store(matrix.scale + i, load(free + i) / square_root(diagonal));
    }
}

template <>
void couplings_in_lanes<kLanes>(const SoilFluxes& f, const CreepMatrix& matrix, std::int64_t first,
                                std::int64_t last) {
    const float *const a = f.north_west, *const b = f.north_east, *const c = f.south_west,
                       *const d = f.south_east;
    for (std::int64_t i = first; i < last; i += kLanes) {
        const std::int64_t above = i - f.stride, below = i + f.stride;
        const float* const scale = matrix.scale;
        const Floats own = load(scale + i), corner = load(f.weight + i);
        const Floats a0 = load(a + i), b1 = load(b + i - 1);
        const Floats east =
            a0 * load(b + i) + load(c + above) * load(d + above) - (load(f.weight + above) + corner);
        const Floats south = a0 * load(c + i) + b1 * load(d + i - 1) - (load(f.weight + i - 1) + corner);
        store(matrix.east + i, own * load(scale + i + 1) * east);
        store(matrix.south + i, own * load(scale + below) * south);
        store(matrix.south_east + i, own * load(scale + below + 1) * (a0 * load(d + i)));
        store(matrix.south_west + i, own * load(scale + below - 1) * (b1 * load(c + i - 1)));
    }
}

namespace {

[[gnu::always_inline]] inline Floats multiplied(const CreepMatrix& m, const float* p, std::int64_t i) {
    const std::int64_t above = i - m.stride, below = i + m.stride;
    const Floats along_x = load(m.east + i) * load(p + i + 1) + load(m.east + i - 1) * load(p + i - 1);
    const Floats along_y = load(m.south + i) * load(p + below) + load(m.south + above) * load(p + above);
    const Floats falling =
        load(m.south_east + i) * load(p + below + 1) + load(m.south_east + above - 1) * load(p + above - 1);
    const Floats rising =
        load(m.south_west + i) * load(p + below - 1) + load(m.south_west + above + 1) * load(p + above + 1);
    return load(p + i) + (along_x + along_y) + (falling + rising);
}

/// The 16 partial sums in their order.
[[gnu::always_inline]] inline double total(const Floats (&sums)[kSums]) {
    double all = 0.0;
    for (const Floats& sum : sums)
        for (int lane = 0; lane < kLanes; ++lane) all += static_cast<double>(sum[lane]);
    return all;
}

}  // namespace

template <>
double multiply_in_lanes<kLanes>(const CreepMatrix& matrix, const float* direction, float* product,
                                 std::int64_t first, std::int64_t last) {
    Floats sums[kSums] = {};
    for (std::int64_t i = first; i < last;)
        for (int k = 0; k < kSums; ++k, i += kLanes) {
            const Floats result = multiplied(matrix, direction, i);
            store(product + i, result);
            sums[k] += result * load(direction + i);
        }
    return total(sums);
}

template <>
double advance_in_lanes<kLanes>(float step, const float* direction, const float* product, float* solution,
                                float* remainder, std::int64_t first, std::int64_t last) {
    Floats sums[kSums] = {};
    for (std::int64_t i = first; i < last;)
        for (int k = 0; k < kSums; ++k, i += kLanes) {
            store(solution + i, load(solution + i) + step * load(direction + i));
            const Floats left_over = load(remainder + i) - step * load(product + i);
            store(remainder + i, left_over);
            sums[k] += left_over * left_over;
        }
    return total(sums);
}

}  // namespace thalweg
