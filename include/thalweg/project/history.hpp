// History: the datasets of a landscape at one time after another.
#pragma once

#include "thalweg/project/dataset.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// What a dataset becomes with a snapshot: another one (`whole`), a layer in which some cells differ
/// (`values`), or none at all.
struct HistoryChange {
    std::size_t snapshot = 0;            // from which on it holds
    std::optional<Dataset> whole = {};   // layers without their source
    std::vector<std::uint64_t> changed;  // of a layer: a bit for every cell, the first in the lowest
    std::vector<float> values;           // of the cells that have changed, in their order
};

/// By name of a dataset, in the order of snapshots.
using HistoryChanges = std::map<std::string, std::vector<std::shared_ptr<const HistoryChange>>>;

/// What a history gives at a time between two of its snapshots: the earlier one, or layers on the straight
/// line between both.
enum class Between { Earlier, Linear };

/// Snapshots of datasets in the order of their times. What does not change from one to the next is kept once:
/// datasets as they are, layers cell by cell and without loss. A layer is kept whole again where its changes
/// since it last was take as much as that, so that any time costs no more than twice the reading of a layer.
/// Copies share what they hold. At most the bytes of all snapshots, and about 1/32 of a layer for one that
/// hardly changes.
///
/// Example:
///     History history;
///     history.add(0.0, {{"elevation", Dataset(Layer{Field<float>(grid, 100.0F), {}})}});
///     history.add(1e5, {{"elevation", Dataset(Layer{Field<float>(grid, 80.0F), {}})}});
///     const std::optional<Dataset> between = history.find("elevation", 5e4, Between::Linear);  // 90 m
class History {
  public:
    History() = default;
    /// From the times() and changes() of another. Throws std::runtime_error for times that do not rise, for
    /// changes of one dataset that are not in the order of snapshots, for one that is more than one of what
    /// HistoryChange says, and for cells of a layer that is not there or has others.
    History(std::vector<double> times, HistoryChanges changes);

    /// Takes a snapshot at a time after all others. Throws std::logic_error for another.
    void add(double time, const std::map<std::string, Dataset>& datasets);

    [[nodiscard]] const std::vector<double>& times() const { return times_; }
    [[nodiscard]] const HistoryChanges& changes() const { return changes_; }

    /// The dataset of that name by the last snapshot at or before `time`; nothing where it has none. By
    /// Between::Linear, a layer of numbers lies between that and the next snapshot, where both have data;
    /// whole numbers (DatasetDescription::whole_numbers) and all else are those of the earlier one. Throws
    /// Error::input for a time before the first.
    [[nodiscard]] std::optional<Dataset> find(const std::string& name, double time,
                                              Between between = Between::Earlier) const;

    /// All datasets of that time.
    [[nodiscard]] std::map<std::string, Dataset> at(double time, Between between = Between::Earlier) const;

    /// Memory that its layers take.
    [[nodiscard]] std::int64_t layer_bytes() const;

  private:
    [[nodiscard]] std::size_t snapshots_until(double time) const;
    [[nodiscard]] std::optional<Dataset> value(const std::string& name, std::size_t end) const;

    std::vector<double> times_;  // strictly rising
    HistoryChanges changes_;
};

}  // namespace thalweg
