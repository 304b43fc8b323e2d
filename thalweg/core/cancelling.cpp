#include "thalweg/core/cancelling.hpp"

#include "thalweg/core/execution.hpp"

namespace thalweg {

bool is_cancelled() {
    const Progress* const progress = current_execution().progress;
    return progress != nullptr && progress->cancelled();
}

void poll_cancelled() {
    if (is_cancelled()) throw Cancelled{};
}

}  // namespace thalweg
