// Vector3: directions and places in a view, single precision.
#pragma once

#include <cmath>

namespace thalweg {

/// x to the east, y to the north, z up.
struct Vector3 {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
};

constexpr Vector3 operator+(Vector3 a, Vector3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Vector3 operator-(Vector3 a, Vector3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Vector3 operator*(Vector3 a, float factor) {
    return {a.x * factor, a.y * factor, a.z * factor};
}
constexpr float dot(Vector3 a, Vector3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vector3 cross(Vector3 a, Vector3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(Vector3 a) {
    return std::sqrt(dot(a, a));
}
inline Vector3 normalised(Vector3 a) {
    return a * (1.0F / length(a));
}

/// Unit vector towards `azimuth` (clockwise from north) and `altitude` (above the horizontal), degrees.
inline Vector3 towards(double azimuth, double altitude) {
    constexpr double kRadians = 3.14159265358979323846 / 180.0;
    const double level = std::cos(altitude * kRadians);
    return {static_cast<float>(level * std::sin(azimuth * kRadians)),
            static_cast<float>(level * std::cos(azimuth * kRadians)),
            static_cast<float>(std::sin(altitude * kRadians))};
}

}  // namespace thalweg
