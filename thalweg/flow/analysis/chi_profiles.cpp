#include "thalweg/flow/chi_profiles.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"
#include "thalweg/flow/derived.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

namespace thalweg {
namespace {

constexpr double kLeastConcavity = 0.05;
constexpr double kGreatestConcavity = 1.5;
constexpr int kConcavities = 30;  // that are tried before the best is closed in on
constexpr double kConcavityPrecision = 1e-5;
constexpr std::size_t kFewestCells = 10;  // of a fit (empirical)

/// The river cells of one basin, receivers first, as rows of numbers.
class BasinRivers {
  public:
    /// `tributary`: the number of the tributary that the cell belongs to, -1 for none.
    void add(std::int32_t parent, double area, double length, double elevation, std::int32_t tributary) {
        parent_.push_back(parent);
        tributary_.push_back(tributary);
        log_area_.push_back(portable_log(area));
        length_.push_back(length);
        elevation_.push_back(elevation);
    }
    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(parent_.size()); }

    /// Leaves a tributary out of the lines from now on; kNone: takes all in.
    void leave_out(std::int32_t tributary) { left_out_ = tributary; }

    /// Elevation over chi at one concavity, with A0 = 1 m^2.
    [[nodiscard]] std::optional<LineFit> line_at(double concavity) {
        poll_cancelled();
        chi_.resize(parent_.size());
        integrand_.resize(parent_.size());
        for (std::size_t i = 0; i < parent_.size(); ++i) {
            integrand_[i] = portable_exp(-concavity * log_area_[i]);
            const std::int32_t parent = parent_[i];
            chi_[i] = parent < 0
                          ? 0.0
                          : chi_[at(parent)] + 0.5 * (integrand_[i] + integrand_[at(parent)]) * length_[i];
        }
        if (left_out_ == kNone) {
            if (parent_.size() < kFewestCells) return std::nullopt;
            return fit_line(chi_, elevation_);
        }
        std::vector<double> chi, elevation;
        for (std::size_t i = 0; i < parent_.size(); ++i) {
            if (tributary_[i] == left_out_) continue;
            chi.push_back(chi_[i]);
            elevation.push_back(elevation_[i]);
        }
        if (chi.size() < kFewestCells) return std::nullopt;
        return fit_line(chi, elevation);
    }

    static constexpr std::int32_t kNone = -2;  // -1 is of cells of no tributary

  private:
    std::vector<std::int32_t> parent_;  // place of the receiver in these rows, -1 at the outlet
    std::vector<double> log_area_;      // of m^2
    std::vector<double> length_;        // m, to the receiver
    std::vector<double> elevation_;     // m
    std::vector<std::int32_t> tributary_;
    std::vector<double> chi_, integrand_;
    std::int32_t left_out_ = kNone;
};

/// Closes in on the concavity with the largest share explained, between two that enclose it (golden section).
ConcavityFit closed_in(BasinRivers& rivers, double low, double high) {
    const auto explained = [&](double concavity) { return rivers.line_at(concavity)->r_squared; };
    const double golden = 1.0 / std::numbers::phi;
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double of_left = explained(left), of_right = explained(right);
    while (high - low > kConcavityPrecision) {
        if (of_left >= of_right) {
            high = right;
            right = left;
            of_right = of_left;
            left = high - golden * (high - low);
            of_left = explained(left);
        } else {
            low = left;
            left = right;
            of_left = of_right;
            right = low + golden * (high - low);
            of_right = explained(right);
        }
    }
    const double best = 0.5 * (low + high);
    return {.concavity = best, .r_squared = explained(best), .standard_error = {}};
}

std::optional<ConcavityFit> best_concavity(BasinRivers& rivers, Progress& progress) {
    constexpr double kStep = (kGreatestConcavity - kLeastConcavity) / (kConcavities - 1);
    int best = -1;
    double most = -1.0;
    for (int i = 0; i < kConcavities; ++i) {
        progress.poll();
        const std::optional<LineFit> line = rivers.line_at(kLeastConcavity + i * kStep);
        if (!line) return std::nullopt;
        if (line->r_squared > most) {
            most = line->r_squared;
            best = i;
        }
    }
    if (best == 0 || best == kConcavities - 1) return std::nullopt;
    const double middle = kLeastConcavity + best * kStep;
    return closed_in(rivers, middle - kStep, middle + kStep);
}

/// The jackknife's standard error of the best concavity, by leaving out one of `tributaries` after the other.
std::optional<double> error_of_best(BasinRivers& rivers, std::int32_t tributaries, Progress& progress) {
    constexpr std::size_t kFewestTributaries = 3;  // (empirical)
    std::vector<double> found;
    for (std::int32_t tributary = 0; tributary < tributaries; ++tributary) {
        rivers.leave_out(tributary);
        if (const auto best = best_concavity(rivers, progress)) found.push_back(best->concavity);
    }
    rivers.leave_out(BasinRivers::kNone);
    if (found.size() < kFewestTributaries) return std::nullopt;
    const auto groups = static_cast<double>(found.size());
    double mean = 0.0, squares = 0.0;
    for (const double concavity : found) mean += concavity / groups;
    for (const double concavity : found) squares += (concavity - mean) * (concavity - mean);
    return std::sqrt((groups - 1.0) / groups * squares);
}

/// Follows rivers upstream and tells what lies along them.
class Profiler {
  public:
    Profiler(const Field<float>& elevation, const FlowTree& tree, const Lattice& lattice,
             const ChiProfileParameters& parameters)
        : elevation_(elevation),
          tree_(tree),
          lattice_(lattice),
          parameters_(parameters),
          area_(drainage_area(tree)),
          chi_(chi(tree, lattice, area_, parameters.chi)),
          distance_(distance_to_outlet(tree, lattice)),
          main_donor_(tree.direction.size(), -1) {
        for_each_polled(tree.order, [&](std::int32_t cell) {
            const std::int32_t receiver = tree.receiver(cell);
            if (receiver < 0 || !is_river(cell)) return;
            std::int32_t& main = main_donor_[at(receiver)];
            if (main < 0 || is_larger(cell, main)) main = cell;
        });
    }

    [[nodiscard]] bool is_river(std::int32_t cell) const { return area_[cell] >= parameters_.least_area; }

    /// The lowest cells of the largest rivers that flow into the trunk of a basin.
    [[nodiscard]] std::vector<std::int32_t> tributaries(std::int32_t outlet) const {
        std::vector<std::int32_t> tributaries;
        for (std::int32_t cell = outlet; cell >= 0; cell = main_donor_[at(cell)])
            for (std::size_t d = 0; d < 8; ++d)
                if (const std::int32_t donor = donor_from(cell, d);
                    donor >= 0 && donor != main_donor_[at(cell)])
                    tributaries.push_back(donor);
        std::ranges::sort(tributaries, [&](std::int32_t a, std::int32_t b) { return is_larger(a, b); });
        if (std::ssize(tributaries) > parameters_.tributaries)
            tributaries.resize(at(parameters_.tributaries));
        return tributaries;
    }

    /// The trunk of a basin and these tributaries.
    [[nodiscard]] std::vector<ChiStream> streams(std::int32_t outlet,
                                                 const std::vector<std::int32_t>& tributaries) const {
        std::vector<ChiStream> found = {stream_from(outlet)};
        for (const std::int32_t mouth : tributaries) {
            ChiStream stream;
            add_point(stream, tree_.receiver(mouth));
            add_path_up(stream, mouth);
            found.push_back(std::move(stream));
        }
        return found;
    }

    [[nodiscard]] double area(std::int32_t cell) const { return area_[cell]; }

  private:
    [[nodiscard]] bool is_larger(std::int32_t a, std::int32_t b) const {
        return area_[a] != area_[b] ? area_[a] > area_[b] : a < b;
    }

    /// The river cell in direction `d` that flows into `cell`, or -1.
    [[nodiscard]] std::int32_t donor_from(std::int32_t cell, std::size_t d) const {
        const int column = tree_.grid.column_of(cell) + kColumnStep[d];
        const int row = tree_.grid.row_of(cell) + kRowStep[d];
        if (!tree_.grid.contains(column, row)) return -1;
        const auto donor = static_cast<std::int32_t>(tree_.grid.index(column, row));
        return tree_.receiver(donor) == cell && is_river(donor) ? donor : -1;
    }

    [[nodiscard]] ChiStream stream_from(std::int32_t mouth) const {
        ChiStream stream;
        add_path_up(stream, mouth);
        return stream;
    }

    void add_path_up(ChiStream& stream, std::int32_t mouth) const {
        for (std::int32_t cell = mouth; cell >= 0; cell = main_donor_[at(cell)]) add_point(stream, cell);
    }

    void add_point(ChiStream& stream, std::int32_t cell) const {
        stream.chi.push_back(chi_[cell]);
        stream.elevation.push_back(static_cast<double>(elevation_[cell]));
        stream.distance.push_back(distance_[cell]);
        stream.area.push_back(area_[cell]);
    }

    const Field<float>& elevation_;
    const FlowTree& tree_;
    const Lattice& lattice_;
    const ChiProfileParameters& parameters_;
    Field<double> area_;      // m^2
    Field<double> chi_;       // m
    Field<double> distance_;  // m
    std::vector<std::int32_t>
        main_donor_;  // per cell: the river cell of the largest area that flows into it, -1
};

/// The river cells of every basin. `tributary`: per cell, the number of the tributary whose mouth it is, else
/// -1; is filled in for all that is upstream of mouths.
std::vector<BasinRivers> rivers_of(const Field<float>& elevation, const FlowTree& tree,
                                   const Lattice& lattice, const LargestBasins& basins,
                                   const Profiler& profiler, std::vector<std::int32_t> tributary) {
    std::vector<BasinRivers> rivers(basins.outlets.size());
    std::vector<std::int32_t> place(tree.direction.size(), -1);
    for_each_polled(tree.order, [&](std::int32_t cell) {
        if (basins.basin[at(cell)] < 0 || !profiler.is_river(cell)) return;
        const std::int32_t receiver = tree.receiver(cell);
        BasinRivers& basin = rivers[at(basins.basin[at(cell)])];
        place[at(cell)] = basin.size();
        if (receiver >= 0 && tributary[at(cell)] < 0) tributary[at(cell)] = tributary[at(receiver)];
        basin.add(receiver < 0 ? -1 : place[at(receiver)], profiler.area(cell),
                  receiver < 0 ? 0.0 : lattice.distance(cell, tree.direction[at(cell)]),
                  static_cast<double>(elevation[cell]), tributary[at(cell)]);
    });
    return rivers;
}

}  // namespace

ChiProfiles chi_profiles(const Field<float>& elevation, const FlowTree& tree, const Lattice& lattice,
                         const LargestBasins& basins, const ChiProfileParameters& parameters,
                         Progress& progress) {
    const Profiler profiler(elevation, tree, lattice, parameters);
    std::vector<std::vector<std::int32_t>> mouths;  // by basin
    std::vector<std::int32_t> tributary(tree.direction.size(), -1);
    for (const std::int32_t outlet : basins.outlets) {
        mouths.push_back(profiler.is_river(outlet) ? profiler.tributaries(outlet)
                                                   : std::vector<std::int32_t>{});
        for (std::size_t i = 0; i < mouths.back().size(); ++i)
            tributary[at(mouths.back()[i])] = static_cast<std::int32_t>(i);
    }
    std::vector<BasinRivers> rivers =
        rivers_of(elevation, tree, lattice, basins, profiler, std::move(tributary));
    ChiProfiles profiles{.parameters = parameters, .basins = {}};
    for (std::size_t i = 0; i < basins.outlets.size(); ++i) {
        const std::int32_t outlet = basins.outlets[i];
        ChiBasin basin{.outlet = outlet, .area = profiler.area(outlet), .streams = {}, .fit = {}, .best = {}};
        if (profiler.is_river(outlet)) basin.streams = profiler.streams(outlet, mouths[i]);
        // Level rivers are as straight at any concavity.
        const std::optional<LineFit> line = rivers[i].line_at(parameters.chi.concavity);
        if (line && line->slope > 0.0) {
            basin.fit =
                ChiFit{.steepness = line->slope, .base = line->intercept, .r_squared = line->r_squared};
            basin.best = best_concavity(rivers[i], progress);
            if (basin.best)
                basin.best->standard_error =
                    error_of_best(rivers[i], static_cast<std::int32_t>(mouths[i].size()), progress);
        }
        profiles.basins.push_back(std::move(basin));
    }
    return profiles;
}

}  // namespace thalweg
