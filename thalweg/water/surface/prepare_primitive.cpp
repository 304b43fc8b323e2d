#include "thalweg/water/surface/prepare_primitive.hpp"

#include "thalweg/water/primitives/carried_noise.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thalweg {
namespace {

PreparedNoise in_floats(const CarriedNoise& noise) {
    const double row = std::floor(noise.shift_across);
    const auto first_row = static_cast<std::uint32_t>(static_cast<std::int64_t>(row)) - kRounderBits;
    const std::uint32_t first_key = first_row * kRowFactor + noise.key;
    return {.along_x = static_cast<float>(noise.along_x),
            .along_y = static_cast<float>(noise.along_y),
            .across_x = static_cast<float>(noise.across_x),
            .across_y = static_cast<float>(noise.across_y),
            .shift_along = static_cast<float>(noise.shift_along),
            .shift_across = static_cast<float>(noise.shift_across - row),
            .period = static_cast<float>(noise.period),
            .per_period = static_cast<float>(1.0 / noise.period),
            .half = static_cast<float>(0.5 / noise.period - 0.5),
            .last = static_cast<float>(noise.period - 1.0),
            .key = first_key - kRounderBits * kColumnFactor,
            .first_key = first_key};
}

std::span<const NoiseForm> forms_of(WaterKind kind) {
    switch (kind) {
        case WaterKind::Calm:
            return kCalmForms;
        case WaterKind::Ripple:
            return kRippleForms;
        case WaterKind::Turbulent:
            return kTurbulentForms;
        case WaterKind::Wave:
            return kWaveForms;
        case WaterKind::Cascade:
            return kCascadeForms;
        case WaterKind::Vortex:
            return kVortexForms;  // the first turns
        case WaterKind::BankEcho:
            return kBankEchoForms;
        default:
            return {};
    }
}

/// The numbers that single kinds have for themselves.
void prepare_special(const WaterPrimitive& primitive, const WaterSetting& setting, double time,
                     PreparedPrimitive& ready) {
    switch (primitive.kind) {
        case WaterKind::Wave:
            ready.per_length = static_cast<float>(1.0 / primitive.wavelength);
            ready.sag = static_cast<float>(kCrestBend / primitive.radius);
            break;
        case WaterKind::Cascade:
            ready.per_length = static_cast<float>(1.0 / primitive.fall_length);
            break;
        case WaterKind::Vortex:
            ready.lag = static_cast<float>(std::copysign(kVortexShear, primitive.rotation));
            ready.rotation = static_cast<float>(primitive.rotation);
            ready.noise[0] = in_floats(turning_noise(primitive, setting, time));
            break;
        case WaterKind::BankEcho:
            for (int i = 0; i < 2; ++i) {
                const CarriedWave wave = echo_wave(primitive, setting, time, 1.0 - 2.0 * i);
                ready.wave[i] = {static_cast<float>(wave.along_x), static_cast<float>(wave.along_y),
                                 static_cast<float>(wave.shift)};
            }
            break;
        default:
            break;
    }
}

}  // namespace

PreparedPrimitive prepared(const WaterPrimitive& primitive, const WaterSetting& setting, double time,
                           Position corner, double datum) {
    const NoiseCarrier carrier(primitive, setting, time);
    const Flow& flow = carrier.flow();
    PreparedPrimitive ready{
        .kind = static_cast<std::int32_t>(primitive.kind),
        .x = static_cast<float>(primitive.x - corner.x),
        .y = static_cast<float>(primitive.y - corner.y),
        .per_square = static_cast<float>(1.0 / (primitive.radius * primitive.radius)),
        .lift = static_cast<float>(primitive.elevation - datum),
        .tilt_x = static_cast<float>(-primitive.slope * flow.direction.x),
        .tilt_y = static_cast<float>(-primitive.slope * flow.direction.y),
        .amplitude = static_cast<float>(primitive.amplitude),
        .velocity_x = static_cast<float>(primitive.velocity_x),
        .velocity_y = static_cast<float>(primitive.velocity_y),
        .foam = static_cast<float>(primitive.foam),
        .flow_x = static_cast<float>(flow.direction.x),
        .flow_y = static_cast<float>(flow.direction.y),
        .fall = static_cast<float>(primitive.fall),
    };
    const std::span<const NoiseForm> forms = forms_of(primitive.kind);
    for (std::size_t i = 0; i < forms.size(); ++i) ready.noise[i] = in_floats(carrier.noise(forms, i));
    prepare_special(primitive, setting, time, ready);
    return ready;
}

}  // namespace thalweg
