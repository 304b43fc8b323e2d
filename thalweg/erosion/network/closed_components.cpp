#include "thalweg/erosion/network/closed_components.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/graph/linked_cells.hpp"

#include <array>
#include <vector>

namespace thalweg {
namespace {

/// Marks land from cell to cell along the links.
class LandFlood {
  public:
    LandFlood(const Field<float>& elevation, const Lattice& lattice)
        : elevation_(elevation),
          lattice_(lattice),
          steps_(lattice.index_steps()),
          seen_(elevation.grid(), 0) {}

    [[nodiscard]] bool has_seen(std::int64_t cell) const { return seen_[cell] != 0; }

    /// Marks all land that is joined to `start`; returns its lowest cell.
    std::int64_t mark_from(std::int64_t start) {
        std::int64_t lowest = start;
        waiting_.push_back(start);
        seen_[start] = 1;
        while (!waiting_.empty()) {
            const std::int64_t cell = waiting_.back();
            waiting_.pop_back();
            const bool is_lower = elevation_[cell] < elevation_[lowest];
            if (is_lower || (elevation_[cell] == elevation_[lowest] && cell < lowest)) lowest = cell;
            mark_neighbours(cell);
        }
        return lowest;
    }

  private:
    void mark_neighbours(std::int64_t cell) {
        for_each_linked(lattice_, steps_, cell, [&](std::int64_t neighbour, int) {
            if (seen_[neighbour] != 0 || is_no_data(elevation_[neighbour])) return;
            seen_[neighbour] = 1;
            waiting_.push_back(neighbour);
        });
    }

    const Field<float>& elevation_;
    const Lattice& lattice_;
    std::array<std::int32_t, 8> steps_;
    Field<std::uint8_t> seen_;
    std::vector<std::int64_t> waiting_;
};

}  // namespace

std::int64_t root_closed_components(const Field<float>& elevation, const Lattice& lattice,
                                    Field<std::uint8_t>& roots) {
    LandFlood flood(elevation, lattice);
    for (std::int64_t cell = 0; cell < roots.size(); ++cell)
        if (roots[cell] != 0 && !flood.has_seen(cell)) flood.mark_from(cell);
    std::int64_t closed_components = 0;
    for (std::int64_t cell = 0; cell < roots.size(); ++cell) {
        if (is_no_data(elevation[cell]) || flood.has_seen(cell)) continue;
        roots[flood.mark_from(cell)] = 1;
        ++closed_components;
    }
    return closed_components;
}

}  // namespace thalweg
