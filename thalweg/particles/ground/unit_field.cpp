#include "thalweg/particles/unit_field.hpp"

#include <mutex>
#include <vector>

namespace thalweg {
namespace {

/// Held wherever numbers that do not fit are looked up or changed, which is next to never.
std::mutex& mutex_of_large() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

UnitField::UnitField(const Field<std::int64_t>& units) : small_(units.grid()) {
    for (std::int64_t cell = 0; cell < units.size(); ++cell) set(cell, units[cell]);
}

Field<std::int64_t> UnitField::wide() const {
    Field<std::int64_t> units(grid(), std::vector<std::int64_t>(small_.begin(), small_.end()));
    for (const auto& [cell, number] : large_) units[cell] = number;
    return units;
}

std::int64_t UnitField::beside(std::int64_t cell) const {
    const std::scoped_lock lock(mutex_of_large());
    return large_.at(cell);
}

void UnitField::set_beside(std::int64_t cell, std::int64_t units) {
    const std::scoped_lock lock(mutex_of_large());
    const auto fitting = static_cast<std::int32_t>(units);
    const bool does_fit = fitting == units && fitting != kBeside;
    if (!does_fit) large_[cell] = units;
    small_[cell] = does_fit ? fitting : kBeside;
    if (does_fit) large_.erase(cell);
}

}  // namespace thalweg
