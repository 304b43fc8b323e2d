#include "thalweg/grid/summary.hpp"

#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <limits>

namespace thalweg {
namespace {

constexpr std::int64_t kGrain = std::int64_t{1} << 16;  // cells to a piece

struct Part {
    std::int64_t count = 0;
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    double sum = 0.0;
};

Part with_value(Part part, double value) {
    return {part.count + 1, std::min(part.minimum, value), std::max(part.maximum, value), part.sum + value};
}

Part joined(const Part& a, const Part& b) {
    return {a.count + b.count, std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum), a.sum + b.sum};
}

}  // namespace

FieldSummary summary_of(const Field<float>& field) {
    const auto summarise = [&](std::int64_t first, std::int64_t last) {
        Part part;
        for (std::int64_t cell = first; cell < last; ++cell)
            if (!is_no_data(field[cell])) part = with_value(part, field[cell]);
        return part;
    };
    const Part whole = parallel_reduce(0, field.size(), kGrain, Part{}, summarise, joined);
    if (whole.count == 0) return {};
    return {whole.count, whole.minimum, whole.maximum, whole.sum / static_cast<double>(whole.count)};
}

}  // namespace thalweg
