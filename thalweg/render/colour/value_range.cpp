#include "thalweg/render/value_range.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/summary.hpp"

#include <fmt/format.h>

namespace thalweg {

ValueRange value_range(const Field<float>& values, const std::string& name) {
    const FieldSummary summary = summary_of(values);
    if (summary.cells_with_data == 0)
        throw Error::input(fmt::format(
            "layer {} of {} x {} cells cannot be drawn: it has no cell with data, and at least one is needed",
            name, values.columns(), values.rows()));
    return {summary.minimum, summary.maximum};
}

}  // namespace thalweg
