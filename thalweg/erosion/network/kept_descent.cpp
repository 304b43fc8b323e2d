#include "thalweg/erosion/network/kept_descent.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {

void keep_descent(const FlowTree& tree, const Field<float>& before, Field<float>& elevation,
                  const Progress& progress) {
    const auto raise = [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const std::int32_t cell = tree.order[at(i)];
            const std::int32_t receiver = tree.receiver(cell);
            if (receiver < 0 || !(before[cell] > before[receiver])) continue;
            constexpr float kUp = std::numeric_limits<float>::infinity();
            elevation[cell] = std::max(elevation[cell], std::nextafter(elevation[receiver], kUp));
        }
    };
    raise(0, tree.run_starts.front());
    parallel_for(0, std::ssize(tree.run_starts) - 1, 1, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        raise(tree.run_starts[at(first)], tree.run_starts[at(last)]);
    });
}

}  // namespace thalweg
