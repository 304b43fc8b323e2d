#include "thalweg/noise/shapes.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr double kWidthShare = 0.25;  // of the radius, where no width is given
constexpr double kCoastShare = 0.75;  // of the radius, where no coast_wavelength is given

/// Radius as a share of the grid's shorter side, where none is given: room for a crater's blanket and an
/// island's sea; the others reach the edge.
double radius_share(ShapeKind kind) {
    if (kind == ShapeKind::Crater) return 0.2;
    if (kind == ShapeKind::Island) return 0.35;
    return 0.5;
}

constexpr double kGreatestLength = 1e8;  // m, more than twice around the Earth
constexpr double kGreatestHeight = 1e5;  // m

void declare_heights(Declaration<ShapeParameters>& declaration) {
    declaration.choice("kind", &ShapeParameters::kind,
                       {{"plane", ShapeKind::Plane, "Rises evenly towards the direction."},
                        {"cone", ShapeKind::Cone, "Straight flanks up to a point."},
                        {"dome", ShapeKind::Dome, "A round hill with level top and foot."},
                        {"escarpment", ShapeKind::Escarpment, "A step between two levels."},
                        {"crater", ShapeKind::Crater, "A bowl with a rim and a blanket of ejecta."},
                        {"island", ShapeKind::Island, "Land with a rough coast, and the sea around it."}},
                       {.label = "Landform", .group = "Form", .unit = "", .sentence = "Which landform."});
    declaration.number("height", &ShapeParameters::height,
                       {.label = "Height",
                        .group = "Form",
                        .unit = "m",
                        .sentence = "Height of the top, the crater's rim or the step above the base.",
                        .minimum = 0.0,
                        .maximum = kGreatestHeight,
                        .usual = {0.0, 4000.0}});
    declaration.number("base", &ShapeParameters::base,
                       {.label = "Base elevation",
                        .group = "Form",
                        .unit = "m",
                        .sentence = "Elevation of the foot, and the sea level of an island.",
                        .minimum = -kGreatestHeight,
                        .maximum = kGreatestHeight,
                        .usual = {-1000.0, 3000.0}});
    declaration.number(
        "depth", &ShapeParameters::depth,
        {.label = "Depth",
         .group = "Form",
         .unit = "m",
         .sentence = "Depth of a crater's floor, or of the sea far from an island, below the base.",
         .minimum = 0.0,
         .maximum = kGreatestHeight,
         .usual = {0.0, 2000.0},
         .enabled_when = {equals("kind", {"crater", "island"})}});
}

void declare_place(Declaration<ShapeParameters>& declaration) {
    declaration.numbers("centre", &ShapeParameters::centre,
                        {.label = "Centre",
                         .group = "Place",
                         .unit = "m",
                         .sentence = "Position x, y of the centre; left out, the middle of the grid."});
    declaration.number(
        "radius", &ShapeParameters::radius,
        {.label = "Radius",
         .group = "Place",
         .unit = "m",
         .sentence = "Distance from the centre to the foot, rim or coast; 0 takes a share of the "
                     "grid's shorter side: 0.35 for an island, 0.2 for a crater, else 0.5.",
         .minimum = 0.0,
         .maximum = kGreatestLength,
         .usual = {100.0, 1e5, SliderScale::Logarithmic},
         .automatic = 0.0});
    declaration.number("width", &ShapeParameters::width,
                       {.label = "Width of the face",
                        .group = "Place",
                        .unit = "m",
                        .sentence = "Width of an escarpment's face; 0 takes a quarter of the radius.",
                        .minimum = 0.0,
                        .maximum = kGreatestLength,
                        .usual = {100.0, 5e4, SliderScale::Logarithmic},
                        .automatic = 0.0,
                        .enabled_when = {equals("kind", {"escarpment"})}});
    declaration.number(
        "direction", &ShapeParameters::direction,
        {.label = "Direction",
         .group = "Place",
         .unit = "degrees",
         .sentence = "Direction in which a plane or an escarpment rises, clockwise from north.",
         .minimum = -360.0,
         .maximum = 360.0,
         .usual = {-180.0, 360.0},
         .enabled_when = {equals("kind", {"plane", "escarpment"})}});
}

void declare_coast(Declaration<ShapeParameters>& declaration) {
    declaration.number("coast_roughness", &ShapeParameters::coast_roughness,
                       {.label = "Coast roughness",
                        .group = "Detail",
                        .unit = "1",
                        .sentence = "How far noise may move an island's coast, as a share of the radius.",
                        .minimum = 0.0,
                        .maximum = 0.9,
                        .usual = {0.0, 0.9},
                        .enabled_when = {equals("kind", {"island"})}});
    declaration.number("coast_wavelength", &ShapeParameters::coast_wavelength,
                       {.label = "Size of bays",
                        .group = "Detail",
                        .unit = "m",
                        .sentence = "Size of an island's largest bays; 0 takes three quarters of the radius.",
                        .minimum = 0.0,
                        .maximum = kGreatestLength,
                        .usual = {100.0, 1e5, SliderScale::Logarithmic},
                        .automatic = 0.0,
                        .enabled_when = {equals("kind", {"island"})}});
}

/// A position seen from a shape's centre.
struct Place {
    double squared = 0.0;  // squared distance from the centre, in squared radii
    double along = 0.0;    // m from the centre towards the shape's direction
};

double quintic_step(double x) {
    const double t = std::clamp(x, 0.0, 1.0);
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

double crater(const ShapeParameters& shape, double squared) {
    if (squared < 1.0) return -shape.depth + (shape.depth + shape.height) * squared;
    return shape.height / (squared * std::sqrt(squared));
}

double island(const ShapeParameters& shape, double squared) {
    const double below_sea = shape.height * (squared - 1.0);
    if (below_sea <= 0.0) return -below_sea;
    return -shape.depth * below_sea / (shape.depth + below_sea);
}

/// Elevation above the base.
double rise(const ShapeParameters& shape, const Place& place) {
    switch (shape.kind) {
        case ShapeKind::Plane:
            return shape.height * 0.5 * (place.along / shape.radius + 1.0);
        case ShapeKind::Cone:
            return shape.height * std::max(0.0, 1.0 - std::sqrt(place.squared));
        case ShapeKind::Dome: {
            const double inside = std::max(0.0, 1.0 - place.squared);
            return shape.height * inside * inside;
        }
        case ShapeKind::Escarpment:
            return shape.height * quintic_step(place.along / shape.width + 0.5);
        case ShapeKind::Crater:
            return crater(shape, place.squared);
        case ShapeKind::Island:
            return island(shape, place.squared);
    }
    return 0.0;
}

/// How far out the coast lies at each cell, as a multiple of the radius; empty for other shapes.
Field<float> coast_on(const Grid& grid, const ShapeParameters& shape, std::uint64_t seed,
                      Progress& progress) {
    if (shape.kind != ShapeKind::Island) return {};
    NoiseParameters coast;
    coast.mean = 1.0;
    coast.amplitude = shape.coast_roughness;
    coast.wavelength = shape.coast_wavelength;
    return evaluate_noise(grid, coast, seed, progress);
}

/// The shape of parameters that are resolved.
Field<float> shape_on(const Grid& grid, const ShapeParameters& shape, std::uint64_t seed,
                      Progress& progress) {
    const Field<float> coast = coast_on(grid, shape, seed, progress);
    progress.poll();
    const double angle = shape.direction * std::numbers::pi / 180.0;
    const double east = std::sin(angle);
    const double north = std::cos(angle);
    Field<float> elevation(grid);
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            const double x = grid.x(column) - shape.centre[0];
            const double y = grid.y(row) - shape.centre[1];
            const double radius = coast.empty() ? shape.radius : shape.radius * coast(column, row);
            const Place place{.squared = (x * x + y * y) / (radius * radius), .along = x * east + y * north};
            elevation(column, row) = static_cast<float>(shape.base + rise(shape, place));
        }
    });
    return elevation;
}

}  // namespace

ShapeParameters resolved_on(const Grid& grid, ShapeParameters parameters) {
    const std::vector<double>& centre = parameters.centre;
    if (!centre.empty() && (centre.size() != 2 || !std::isfinite(centre[0]) || !std::isfinite(centre[1])))
        throw Error::input(
            fmt::format("centre = [{}] m is not allowed: give two finite numbers, x and y, or leave it out",
                        fmt::join(centre, ", ")));
    if (centre.empty())
        parameters.centre = {grid.west + 0.5 * grid.width(), grid.north - 0.5 * grid.height()};
    if (parameters.radius == 0.0)
        parameters.radius = radius_share(parameters.kind) * std::min(grid.width(), grid.height());
    if (parameters.width == 0.0) parameters.width = kWidthShare * parameters.radius;
    if (parameters.coast_wavelength == 0.0) parameters.coast_wavelength = kCoastShare * parameters.radius;
    return parameters;
}

Field<float> make_shape(const Grid& grid, const ShapeParameters& parameters, std::uint64_t seed) {
    QuietProgress quiet;
    return shape_on(grid, resolved_on(grid, parameters), seed, quiet);
}

LayerSource shape_source(const ShapeParameters& parameters, std::uint64_t seed, const Grid& home) {
    return [shape = resolved_on(home, parameters), seed](const Grid& grid, Progress& progress) {
        SilentPart part(progress);
        return shape_on(grid, shape, seed, part);
    };
}

void ShapeParameters::declare(Declaration<ShapeParameters>& declaration) {
    declare_heights(declaration);
    declare_place(declaration);
    declare_coast(declaration);
}

}  // namespace thalweg
