// Whole units on the cells of a grid, of any size.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <utility>

namespace thalweg {

/// A whole number for each cell, of 64 bits in 4 bytes: the few that do not fit stand beside them. Threads
/// may read and set different cells at the same time.
///
/// Example:
///     UnitField debt(elevation.grid());
///     debt.set(17, std::int64_t{1} << 40);
///     debt.add(17, -1);
///     const std::int64_t owed = debt[17];
class UnitField {
  public:
    UnitField() = default;
    explicit UnitField(Grid grid) : small_(std::move(grid)) {}
    explicit UnitField(const Field<std::int64_t>& units);

    [[nodiscard]] const Grid& grid() const { return small_.grid(); }
    [[nodiscard]] std::int64_t size() const { return small_.size(); }
    [[nodiscard]] bool empty() const { return small_.empty(); }

    std::int64_t operator[](std::int64_t cell) const {
        const std::int32_t number = small_[cell];
        return number != kBeside ? number : beside(cell);
    }
    void set(std::int64_t cell, std::int64_t units) {
        std::int32_t& number = small_[cell];
        const auto fitting = static_cast<std::int32_t>(units);
        if (fitting == units && fitting != kBeside && number != kBeside) [[likely]]
            number = fitting;
        else
            set_beside(cell, units);
    }
    void add(std::int64_t cell, std::int64_t units) { set(cell, (*this)[cell] + units); }

    /// The numbers themselves, kBeside where they do not fit.
    [[nodiscard]] const Field<std::int32_t>& small() const { return small_; }
    /// Those, by cell.
    [[nodiscard]] const std::map<std::int64_t, std::int64_t>& large() const { return large_; }
    /// All in 8 bytes each.
    [[nodiscard]] Field<std::int64_t> wide() const;

    static constexpr std::int32_t kBeside = std::numeric_limits<std::int32_t>::min();

    friend bool operator==(const UnitField&, const UnitField&) = default;

  private:
    [[nodiscard]] std::int64_t beside(std::int64_t cell) const;
    void set_beside(std::int64_t cell, std::int64_t units);

    Field<std::int32_t> small_;
    std::map<std::int64_t, std::int64_t> large_;
};

}  // namespace thalweg
