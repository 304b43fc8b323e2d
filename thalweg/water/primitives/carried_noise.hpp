// Gradient noise that flowing water carries, and closes with the loop.
#pragma once

#include "thalweg/core/unit_vector.hpp"
#include "thalweg/water/primitives/kind_forms.hpp"
#include "thalweg/water/water_primitive.hpp"

#include <cstdint>
#include <span>

namespace thalweg {

/// A noise at one time: lattice coordinates of a point are along . (p - c) + shift_along and
/// across . (p - c) + shift_across, the first modulo `period`.
struct CarriedNoise {
    double along_x = 0.0;  // cells per metre
    double along_y = 0.0;
    double across_x = 0.0;
    double across_y = 0.0;
    double shift_along = 0.0;  // cells, [0, period)
    double shift_across = 0.0;
    double period = 1.0;  // cells, whole
    std::uint32_t key = 0;
};

/// A wave of the cosine at one time: its phase is along . (p - c) + shift, turns.
struct CarriedWave {
    double along_x = 0.0;  // turns per metre
    double along_y = 0.0;
    double shift = 0.0;  // turns, [0, 1)
};

/// The speed of the primitive's water, m/s, and its direction; east where it stands still.
struct Flow {
    double speed = 0.0;
    UnitVector direction;
};
Flow flow_of(const WaterPrimitive& primitive);

/// `direction` turned counterclockwise.
UnitVector turned(UnitVector direction, double turns);

/// The share of the loop that has passed, [0, 1).
double loop_share(const WaterSetting& setting, double time);

/// What the noises of a primitive have in common at one time.
class NoiseCarrier {
  public:
    NoiseCarrier(const WaterPrimitive& primitive, const WaterSetting& setting, double time);

    /// Noise `number` of the primitive's kind. It is carried by N cells of its own in a loop, a whole number
    /// of periods: N is the speed's own number of cells, rounded; no fewer than 4, and 0 below 2. The
    /// direction is rounded to about a hundredth of a turn, the wavelength to half an octave: so neighbours
    /// in nearly the same flow share one noise, and no moire shows between them.
    [[nodiscard]] CarriedNoise noise(std::span<const NoiseForm> forms, std::size_t number) const;

    [[nodiscard]] const Flow& flow() const { return flow_; }

  private:
    const WaterPrimitive& primitive_;
    const WaterSetting& setting_;
    Flow flow_;
    UnitVector direction_;  // rounded
    double wavelength_;     // m, rounded
    double loop_share_;
};

/// One noise alone.
inline CarriedNoise carried_noise(std::span<const NoiseForm> forms, std::size_t number,
                                  const WaterPrimitive& primitive, const WaterSetting& setting, double time) {
    return NoiseCarrier(primitive, setting, time).noise(forms, number);
}

/// The first noise of a vortex: its axes turn a whole number of times in a loop, at least once.
CarriedNoise turning_noise(const WaterPrimitive& primitive, const WaterSetting& setting, double time);

/// One of the two waves (`side` -1 or 1) of a bank echo; it goes on by a whole number of waves in a loop.
CarriedWave echo_wave(const WaterPrimitive& primitive, const WaterSetting& setting, double time, double side);

/// The noise at c + (dx, dy) [m]: gradients blended by the quintic, within [-1, 1], two continuous
/// derivatives.
double noise_at(const CarriedNoise& noise, double dx, double dy);

}  // namespace thalweg
