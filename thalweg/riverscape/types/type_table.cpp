#include "thalweg/core/error.hpp"
#include "thalweg/riverscape/river_types.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

}  // namespace

const std::array<RiverTypeForm, kRiverTypeCount>& river_type_forms() {
    using enum RiverType;
    static const std::array<RiverTypeForm, kRiverTypeCount> forms = {{
        {AaPlus, "A+", {0.0, 1.4}, {0.0, 12.0}, {1.0, 1.1}, {0.10, kAny}},
        {A, "A", {0.0, 1.4}, {0.0, 12.0}, {1.0, 1.2}, {0.04, 0.10}},
        {B, "B", {1.4, 2.2}, {12.0, kAny}, {1.2, kAny}, {0.02, 0.04}},
        {C, "C", {2.2, kAny}, {12.0, kAny}, {1.2, kAny}, {0.0, 0.02}},
        {D, "D", {0.0, kAny}, {40.0, kAny}, {1.0, kAny}, {0.0, 0.04}},
        {DA, "DA", {2.2, kAny}, {0.0, 40.0}, {1.1, 1.6}, {0.0, 0.005}},
        {E, "E", {2.2, kAny}, {0.0, 12.0}, {1.5, kAny}, {0.0, 0.02}},
        {F, "F", {0.0, 1.4}, {12.0, kAny}, {1.4, kAny}, {0.0, 0.02}},
        {G, "G", {0.0, 1.4}, {0.0, 12.0}, {1.2, kAny}, {0.02, 0.04}},
    }};
    return forms;
}

const RiverTypeForm& form_of(RiverType type) {
    return river_type_forms()[static_cast<std::size_t>(type)];
}

RiverType river_type_of(std::string_view name) {
    std::vector<std::string> names;
    for (const RiverTypeForm& form : river_type_forms()) {
        if (name == form.name) return form.type;
        names.emplace_back(form.name);
    }
    throw Error::input(
        fmt::format("there is no river type '{}': give one of {}", name, fmt::join(names, ", ")));
}

}  // namespace thalweg
