#include "thalweg/river/falling_beds.hpp"

#include "thalweg/river/reach_graph.hpp"

#include <algorithm>

namespace thalweg {

std::unordered_map<std::int64_t, double> let_beds_fall(std::span<const Reach> reaches,
                                                       std::span<std::vector<double>> beds) {
    const ReachGraph graph(reaches);
    std::unordered_map<std::int64_t, double> bed_at;  // of nodes
    for (const std::int32_t place : graph.downstream_order()) {
        std::vector<double>& bed = beds[place];
        for (const std::int32_t above : graph.above(place))
            bed.front() = std::min(bed.front(), beds[above].back());
        for (const std::int32_t beside : graph.beside(place))
            bed.front() = std::min(bed.front(), beds[beside].front());
        for (std::size_t i = 1; i < bed.size(); ++i) bed[i] = std::min(bed[i], bed[i - 1]);
        bed_at[reaches[place].from_node] = bed.front();
        const auto [end, is_new] = bed_at.try_emplace(reaches[place].to_node, bed.back());
        if (!is_new) end->second = std::min(end->second, bed.back());
    }
    for (std::size_t place = 0; place < reaches.size(); ++place)
        beds[place].back() = bed_at[reaches[place].to_node];
    return bed_at;
}

}  // namespace thalweg
