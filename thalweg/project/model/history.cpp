#include "thalweg/project/history.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/model/dataset_archive.hpp"

#include <algorithm>
#include <bit>
#include <ranges>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kWordBits = 64;

bool is_same(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// What leads from one state of a layer to the next.
HistoryChange difference(const Field<float>& before, const Field<float>& after) {
    HistoryChange change;
    change.changed.assign(at((after.size() + kWordBits - 1) / kWordBits), 0);
    for (std::int64_t cell = 0; cell < after.size(); ++cell) {
        if (is_same(before[cell], after[cell])) continue;
        change.changed[at(cell / kWordBits)] |= std::uint64_t{1} << cell % kWordBits;
        change.values.push_back(after[cell]);
    }
    return change;
}

void apply(const HistoryChange& change, Field<float>& values) {
    auto value = change.values.begin();
    for (std::size_t word = 0; word < change.changed.size(); ++word)
        for (std::uint64_t bits = change.changed[word]; bits != 0; bits &= bits - 1)
            values[static_cast<std::int64_t>(word) * kWordBits + std::countr_zero(bits)] = *value++;
}

std::int64_t bytes_of(const Field<float>& values) {
    return values.size() * std::int64_t{sizeof(float)};
}

std::int64_t bytes_of(const HistoryChange& change) {
    const Layer* const layer = change.whole ? change.whole->as<Layer>() : nullptr;
    const std::size_t bytes =
        change.changed.size() * sizeof(std::uint64_t) + change.values.size() * sizeof(float);
    return static_cast<std::int64_t>(bytes) + (layer == nullptr ? 0 : bytes_of(layer->values));
}

std::vector<std::byte> archived(const Dataset& dataset) {
    std::vector<std::byte> bytes;
    ArchiveWriter archive(
        [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    write_dataset(archive, dataset);
    archive.finish();
    return bytes;
}

bool is_equal(const Dataset& a, const Dataset& b) {
    return can_be_archived(a) && can_be_archived(b) && archived(a) == archived(b);
}

Dataset without_source(const Dataset& dataset) {
    const Layer* const layer = dataset.as<Layer>();
    return layer == nullptr || !layer->source ? dataset : Dataset(Layer{layer->values, {}});
}

/// Changes of one dataset up to the last that holds by snapshot `end` - 1, from the last whole one on.
std::span<const std::shared_ptr<const HistoryChange>> since_whole(
    const std::vector<std::shared_ptr<const HistoryChange>>& changes, std::size_t end) {
    const auto last =
        std::ranges::find_if(changes, [&](const auto& change) { return change->snapshot >= end; });
    auto first = last;
    while (first != changes.begin()) {
        --first;
        if ((*first)->values.empty()) break;
    }
    return {first, last};
}

/// The difference of two layers where keeping it is worth while; else the second, whole.
HistoryChange change_of_layer(const Field<float>& before, const Dataset& after,
                              std::int64_t bytes_since_whole) {
    const auto& values = after.as<Layer>()->values;
    HistoryChange change = difference(before, values);
    if (bytes_since_whole + bytes_of(change) <= bytes_of(values)) return change;
    return {.whole = without_source(after), .changed = {}, .values = {}};
}

bool is_difference(const HistoryChange& change) {
    return !change.whole && !change.values.empty();
}

/// Cells of the layer that a change is whole; 0 for none.
std::int64_t cells_of(const HistoryChange& change) {
    const Layer* const layer = change.whole ? change.whole->as<Layer>() : nullptr;
    return layer == nullptr ? 0 : layer->values.size();
}

/// Whether the change has a bit for every cell, and a value for each of those that are set.
bool has_value_for_each_bit(const HistoryChange& change, std::int64_t cells) {
    if (std::ssize(change.changed) != (cells + kWordBits - 1) / kWordBits) return false;
    const std::int64_t rest = cells % kWordBits;
    if (rest != 0 && change.changed.back() >> rest != 0) return false;
    std::int64_t bits = 0;
    for (const std::uint64_t word : change.changed) bits += std::popcount(word);
    return bits == std::ssize(change.values);
}

/// Whether the change may come behind `before` (null: none), when there is a layer of so many cells, or none.
bool can_follow(const HistoryChange* before, std::int64_t cells, const HistoryChange& change) {
    if (is_difference(change)) return cells > 0 && has_value_for_each_bit(change, cells);
    if (!change.changed.empty() || !change.values.empty()) return false;
    const bool is_there = before != nullptr && (before->whole || is_difference(*before));
    return change.whole || is_there;  // what goes has been there
}

/// Layers of numbers, a share of the path from one to the other.
Dataset between_layers(const Layer& from, const Layer& to, double share) {
    Field<float> values = from.values;
    for (std::int64_t cell = 0; cell < values.size(); ++cell) {
        const float next = to.values[cell];
        if (!is_no_data(next))
            values[cell] = static_cast<float>(values[cell] + share * (double{next} - values[cell]));
    }
    return Dataset(Layer{std::move(values), {}});
}

}  // namespace

History::History(std::vector<double> times, HistoryChanges changes)
    : times_(std::move(times)), changes_(std::move(changes)) {
    const auto rises_not = [](double time, double next) { return !(next > time); };
    if (std::ranges::adjacent_find(times_, rises_not) != times_.end())
        throw std::runtime_error("the times of a history do not rise");
    for (const auto& [name, list] : changes_) {
        const HistoryChange* before = nullptr;
        std::int64_t cells = 0;  // of the layer before; 0: there is none
        for (const auto& change : list) {
            if (change == nullptr || change->snapshot >= times_.size() ||
                (before != nullptr && change->snapshot <= before->snapshot) ||
                !can_follow(before, cells, *change))
                throw std::runtime_error("the changes of a history do not follow each other");
            if (!is_difference(*change)) cells = cells_of(*change);
            before = change.get();
        }
    }
}

void History::add(double time, const std::map<std::string, Dataset>& datasets) {
    if (!times_.empty() && !(time > times_.back()))
        throw std::logic_error(fmt::format("a history that has come to {:g} can't take a snapshot at {:g}",
                                           times_.back(), time));
    const std::size_t snapshot = times_.size();
    const auto keep = [&](const std::string& name, HistoryChange change) {
        change.snapshot = snapshot;
        changes_[name].push_back(std::make_shared<const HistoryChange>(std::move(change)));
    };
    for (const auto& [name, list] : changes_)
        if (!datasets.contains(name) && value(name, snapshot)) keep(name, {});
    for (const auto& [name, next] : datasets) {
        const std::optional<Dataset> before = value(name, snapshot);
        const Layer* const old_layer = before ? before->as<Layer>() : nullptr;
        const Layer* const layer = next.as<Layer>();
        if (before && before->shares_with(next)) continue;
        if (old_layer != nullptr && layer != nullptr && old_layer->values.grid() == layer->values.grid()) {
            std::int64_t bytes = 0;
            for (const auto& change : since_whole(changes_.at(name), snapshot))
                if (!change->whole) bytes += bytes_of(*change);
            HistoryChange change = change_of_layer(old_layer->values, next, bytes);
            if (change.whole || !change.values.empty()) keep(name, std::move(change));
        } else if (!before || !is_equal(*before, next)) {
            keep(name, {.whole = without_source(next), .changed = {}, .values = {}});
        }
    }
    times_.push_back(time);
}

/// How many snapshots there are up to `time`.
std::size_t History::snapshots_until(double time) const {
    const auto next = std::ranges::upper_bound(times_, time);
    if (times_.empty()) throw Error::input(fmt::format("the history is empty: it has nothing at {:g}", time));
    if (next == times_.begin())
        throw Error::input(
            fmt::format("the history begins at {:g}: it has nothing at {:g}", times_.front(), time));
    return static_cast<std::size_t>(next - times_.begin());
}

/// What the dataset is by snapshot `end` - 1; nothing where it is not there.
std::optional<Dataset> History::value(const std::string& name, std::size_t end) const {
    const auto found = changes_.find(name);
    if (found == changes_.end()) return std::nullopt;
    const auto changes = since_whole(found->second, end);
    if (changes.empty() || !changes.front()->whole) return std::nullopt;
    if (changes.size() == 1) return changes.front()->whole;
    Layer layer = *changes.front()->whole->as<Layer>();
    for (const auto& change : changes.subspan(1)) apply(*change, layer.values);
    return Dataset(std::move(layer));
}

std::optional<Dataset> History::find(const std::string& name, double time, Between between) const {
    const std::size_t end = snapshots_until(time);
    std::optional<Dataset> found = value(name, end);
    const Layer* const from = found ? found->as<Layer>() : nullptr;
    if (between == Between::Earlier || end == times_.size() || time == times_[end - 1] || from == nullptr ||
        description_of(name).whole_numbers)
        return found;
    const std::optional<Dataset> later = value(name, end + 1);
    const Layer* const to = later ? later->as<Layer>() : nullptr;
    if (to == nullptr || to->values.grid() != from->values.grid()) return found;
    const double before = times_[end - 1];
    return between_layers(*from, *to, (time - before) / (times_[end] - before));
}

std::map<std::string, Dataset> History::at(double time, Between between) const {
    static_cast<void>(snapshots_until(time));  // also where there is no dataset at all
    std::map<std::string, Dataset> datasets;
    for (const auto& [name, list] : changes_)
        if (const auto found = find(name, time, between)) datasets.emplace(name, *found);
    return datasets;
}

std::int64_t History::layer_bytes() const {
    std::int64_t bytes = 0;
    for (const auto& [name, list] : changes_)
        for (const auto& change : list) bytes += bytes_of(*change);
    return bytes;
}

}  // namespace thalweg
