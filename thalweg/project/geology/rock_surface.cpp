#include "thalweg/project/geology/rock_surface.hpp"

#include "thalweg/rock/rock_body.hpp"

#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// Numbers of formations from 1 on, as maps count them; no data where there is no ground.
Field<float> numbered(const RockSurface& surface) {
    Field<float> numbers(surface.formation.grid());
    for (std::int64_t cell = 0; cell < numbers.size(); ++cell)
        numbers[cell] = is_no_data(surface.critical_slope[cell])
                            ? kNoData
                            : static_cast<float>(surface.formation[cell] + 1);
    return numbers;
}

/// Shares of the ground, in the column's order.
void describe(const RockBody& body, const RockSurface& surface, Diagnostics& diagnostics) {
    std::vector<std::int64_t> cells(body.formations().size());
    for (const std::uint8_t formation : surface.formation) ++cells[formation];
    const auto all = static_cast<double>(surface.formation.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i] > 0)
            diagnostics.values.emplace_back(fmt::format("share_of_{}", body.formations()[i].name),
                                            static_cast<double>(cells[i]) / all);
}

}  // namespace

void set_rock_layers(const Rock& rock, const RockBody& body, const Field<float>& z, LayerSource source,
                     StageContext& context) {
    Landscape& landscape = context.landscape;
    RockSurface surface = body.at(body.columns(z.grid(), context.progress), z, context.progress);
    describe(body, surface, context.diagnostics);
    if (context.wanted.has(kFormation)) landscape.set(kFormation, numbered(surface));
    if (context.wanted.has(kCriticalSlope)) landscape.set(kCriticalSlope, std::move(surface.critical_slope));
    landscape.set(kErodibility, erodibility_of(rock, std::move(surface)), std::move(source));
}

Field<float> erodibility_of(const Rock& rock, RockSurface surface) {
    for (float& value : surface.erodibility_factor) value = static_cast<float>(rock.erodibility * value);
    return std::move(surface.erodibility_factor);
}

}  // namespace thalweg
