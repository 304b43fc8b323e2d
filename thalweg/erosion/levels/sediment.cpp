// Based on: Davy and Lague 2009; Yuan, Braun, Guerit, Rouby and Cordonnier 2019.
#include "thalweg/erosion/levels/sediment.hpp"

#include "thalweg/core/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerPoll = 1 << 16;

/// How far a bed may rise in one increment before its river finds another course, m.
template <class Elevation>
double room_below_banks(std::int64_t cell, const Field<Elevation>& start, const Lattice& lattice,
                        const FlowTree& tree) {
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    const std::uint8_t links = lattice.links_inside(lattice.grid.column_of(cell), lattice.grid.row_of(cell));
    double bank = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < 8; ++d) {
        if ((links >> d & 1) == 0 || tree.direction[at(cell)] == d) continue;
        const std::int64_t neighbour = cell + steps[d];
        if (tree.direction[at(neighbour)] != kOutside)
            bank = std::min(bank, static_cast<double>(start[neighbour]));
    }
    const double height = bank - static_cast<double>(start[cell]);
    return std::max(0.0, height) + Sediment::kLeveeSlope * lattice.grid.cell_size;
}

}  // namespace

double ErosionRates::gross_erosion(std::int64_t cell, double drop) const {
    if (!(drop > 0.0)) return 0.0;
    const double slope = drop / static_cast<double>(length[at(cell)]);
    const double steepness = slope_exponent == 1.0 ? slope : std::pow(slope, slope_exponent);
    const double by_creep = creep.empty() ? 0.0 : static_cast<double>(creep[at(cell)]);
    return static_cast<double>(power[at(cell)]) * steepness + by_creep * slope +
           thermal * std::max(0.0, slope - critical_slope);
}

ErosionRates erosion_rates(const ErosionLaw& law, const ErosionNetwork& network, double slope_exponent,
                           std::span<const float> creep) {
    return {.length = network.length,
            .power = network.celerity,
            .creep = creep,
            .slope_exponent = slope_exponent,
            .thermal = law.thermal ? law.thermal_erosion : 0.0,
            .critical_slope = law.critical_slope};
}

template <class Erosion, class Bound>
void Sediment::pass_down(const ErosionLevel& level, const FlowTree& tree, const Erosion& erosion_of,
                         const Bound& most, const Progress& progress) {
    const double cell_area = tree.grid.cell_area();
    if (level.weight.empty()) {
        area_.assign(tree.direction.size(), cell_area);
    } else {
        area_.assign(level.weight.begin(), level.weight.end());
    }
    for (const NodeSource& source : level.sources) area_[at(source.node)] += source.area;
    flux_.assign(tree.direction.size(), 0.0);
    deposition_.assign(tree.direction.size(), 0.0F);
    uplift_ = level.uplift;
    report_ = {};
    std::int64_t count = 0;
    for (auto entry = tree.order.rbegin(); entry != tree.order.rend(); ++entry) {
        if (++count % kCellsPerPoll == 0) progress.poll();
        const std::int64_t cell = *entry;
        const std::int32_t receiver = tree.receiver(*entry);
        if (receiver < 0) {
            report_.exported += flux_[at(cell)];
            continue;
        }
        const double arriving = flux_[at(cell)] / cell_area;  // m/yr over the cell
        const double erosion = erosion_of(cell);
        double deposition = area_[at(cell)] > 0.0 ? coefficient_ * flux_[at(cell)] / area_[at(cell)] : 0.0;
        const double bound = std::min(arriving, deposition > erosion ? most(cell) : deposition);
        if (deposition > bound) {
            deposition = bound;
            ++report_.limited;
        }
        deposition_[at(cell)] = static_cast<float>(deposition);
        uplift_[at(cell)] += deposition_[at(cell)];
        report_.eroded += erosion * cell_area;
        report_.deposited += deposition * cell_area;
        flux_[at(receiver)] += std::max(0.0, flux_[at(cell)] + (erosion - deposition) * cell_area);
        area_[at(receiver)] += area_[at(cell)];
    }
}

const std::vector<float>& Sediment::steady_uplift(const ErosionLevel& level, const FlowTree& tree,
                                                  const Progress& progress) {
    // What leaves a cell is what is uplifted: its gross erosion is that and what it lays down.
    const double cell_area = tree.grid.cell_area();
    const auto erosion_of = [&](std::int64_t cell) {
        const double arriving = flux_[at(cell)] / cell_area;
        const double deposition =
            area_[at(cell)] > 0.0 ? coefficient_ * flux_[at(cell)] / area_[at(cell)] : 0.0;
        return static_cast<double>(level.uplift[at(cell)]) + std::min(arriving, deposition);
    };
    const auto most = [](std::int64_t) { return std::numeric_limits<double>::infinity(); };
    pass_down(level, tree, erosion_of, most, progress);
    return uplift_;
}

template <class Elevation>
void Sediment::estimate_erosion(const Field<Elevation>& start, const FlowTree& tree,
                                const ErosionRates& rates) {
    gross_erosion_.assign(tree.direction.size(), 0.0F);
    for (const std::int32_t cell : tree.order) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0) continue;
        const double drop = static_cast<double>(start[cell]) - static_cast<double>(start[receiver]);
        gross_erosion_[at(cell)] = static_cast<float>(rates.gross_erosion(cell, drop));
    }
}

template <class Elevation>
const std::vector<float>& Sediment::uplift_over(double years, const Field<Elevation>& start,
                                                const ErosionLevel& level, const FlowTree& tree,
                                                const Progress& progress) {
    const auto erosion_of = [&](std::int64_t cell) { return static_cast<double>(gross_erosion_[at(cell)]); };
    const auto most = [&](std::int64_t cell) {
        return erosion_of(cell) + room_below_banks(cell, start, level.lattice, tree) / years;
    };
    pass_down(level, tree, erosion_of, most, progress);
    return uplift_;
}

template <class Elevation>
void Sediment::take_erosion(double years, const Field<Elevation>& start, const Field<Elevation>& end,
                            const ErosionLevel& level, const FlowTree& tree) {
    const double cell_area = tree.grid.cell_area();
    gross_erosion_.assign(tree.direction.size(), 0.0F);
    flux_.assign(tree.direction.size(), 0.0);
    report_.eroded = 0.0;
    report_.deposited = 0.0;
    report_.exported = 0.0;
    for (auto entry = tree.order.rbegin(); entry != tree.order.rend(); ++entry) {
        const std::int64_t cell = *entry;
        const std::int32_t receiver = tree.receiver(*entry);
        if (receiver < 0) {
            report_.exported += flux_[at(cell)];
            continue;
        }
        const double rise = static_cast<double>(end[cell]) - static_cast<double>(start[cell]);
        const double net = static_cast<double>(level.uplift[at(cell)]) - rise / years;
        const double deposition = static_cast<double>(deposition_[at(cell)]);
        gross_erosion_[at(cell)] = static_cast<float>(std::max(0.0, net + deposition));
        report_.eroded += (net + deposition) * cell_area;
        report_.deposited += deposition * cell_area;
        flux_[at(receiver)] += flux_[at(cell)] + net * cell_area;
    }
}

template void Sediment::estimate_erosion(const Field<float>&, const FlowTree&, const ErosionRates&);
template void Sediment::estimate_erosion(const Field<double>&, const FlowTree&, const ErosionRates&);
template const std::vector<float>& Sediment::uplift_over(double, const Field<float>&, const ErosionLevel&,
                                                         const FlowTree&, const Progress&);
template const std::vector<float>& Sediment::uplift_over(double, const Field<double>&, const ErosionLevel&,
                                                         const FlowTree&, const Progress&);
template void Sediment::take_erosion(double, const Field<float>&, const Field<float>&, const ErosionLevel&,
                                     const FlowTree&);
template void Sediment::take_erosion(double, const Field<double>&, const Field<double>&, const ErosionLevel&,
                                     const FlowTree&);

}  // namespace thalweg
