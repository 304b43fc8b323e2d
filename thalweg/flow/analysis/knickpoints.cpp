#include "thalweg/flow/knickpoints.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace thalweg {
namespace {

constexpr std::size_t kFewestCells = 3;  // of a fit (empirical)

/// Calls visit(donor) for the entries of all that flows into an entry.
template <class Visit>
void for_each_donor(const StreamTree& streams, std::int32_t entry, const Visit& visit) {
    for (std::int32_t donor = entry + 1; donor < streams.upstream_end[at(entry)];
         donor = streams.upstream_end[at(donor)])
        visit(donor);
}

class EnvelopeBuilder {
  public:
    EnvelopeBuilder(const StreamTree& streams, const std::vector<std::uint8_t>& is_knickpoint)
        : streams_(streams), is_knickpoint_(is_knickpoint) {
        envelope_.elevation = streams.elevation;
        envelope_.is_touched.assign(at(streams.size()), 0);
    }

    ConcaveEnvelope build(Progress& progress) && {
        for (std::int32_t entry = 0; entry < streams_.size(); entry = streams_.upstream_end[at(entry)])
            begin_at(entry);
        while (!branches_.empty()) {
            progress.poll();
            const std::int32_t first = branches_.back();
            branches_.pop_back();
            lay_piece(streams_.below[at(first)], first);
        }
        return std::move(envelope_);
    }

  private:
    /// The envelope meets the bed, and goes on into all that flows in.
    void begin_at(std::int32_t entry) {
        envelope_.is_touched[at(entry)] = 1;
        for_each_donor(streams_, entry, [&](std::int32_t donor) { branches_.push_back(donor); });
    }

    /// The entry that lies at the least slope from `base`, of `first` and all upstream of it up to
    /// knickpoints; the last of equal ones.
    [[nodiscard]] std::int32_t lowest_seen(std::int32_t base, std::int32_t first) const {
        double least = std::numeric_limits<double>::infinity();
        std::int32_t lowest = first;
        for (std::int32_t entry = first; entry < streams_.upstream_end[at(first)];) {
            const double slope = (streams_.elevation[at(entry)] - envelope_.elevation[at(base)]) /
                                 (streams_.distance[at(entry)] - streams_.distance[at(base)]);
            if (slope <= least) {
                least = slope;
                lowest = entry;
            }
            entry = is_knickpoint_[at(entry)] != 0 ? streams_.upstream_end[at(entry)] : entry + 1;
        }
        return lowest;
    }

    /// Lays a straight piece from `base` into the branch that begins at `first`, and finds the branches off
    /// it.
    void lay_piece(std::int32_t base, std::int32_t first) {
        const std::int32_t end = lowest_seen(base, first);
        const double slope = (streams_.elevation[at(end)] - envelope_.elevation[at(base)]) /
                             (streams_.distance[at(end)] - streams_.distance[at(base)]);
        begin_at(end);
        std::int32_t above = end;
        for (std::int32_t entry = streams_.below[at(end)]; entry != base;
             above = std::exchange(entry, streams_.below[at(entry)])) {
            envelope_.elevation[at(entry)] =
                envelope_.elevation[at(base)] +
                slope * (streams_.distance[at(entry)] - streams_.distance[at(base)]);
            for_each_donor(streams_, entry, [&](std::int32_t donor) {
                if (donor != above) branches_.push_back(donor);
            });
        }
    }

    const StreamTree& streams_;
    const std::vector<std::uint8_t>& is_knickpoint_;
    ConcaveEnvelope envelope_;
    std::vector<std::int32_t> branches_;  // their first entries; the envelope below each is laid
};

/// What lies highest above the envelope in a piece of the rivers.
struct Highest {
    std::int32_t entry = -1;
    double offset = 0.0;  // m
};

/// The highest cell of every piece between knickpoints, by the piece's lowest entry; a knickpoint ends the
/// piece below it.
std::vector<Highest> highest_of_pieces(const StreamTree& streams, const ConcaveEnvelope& envelope,
                                       const std::vector<std::uint8_t>& is_knickpoint) {
    std::vector<Highest> highest(at(streams.size()));
    std::vector<std::int32_t> piece(at(streams.size()));
    for (std::int32_t entry = 0; entry < streams.size(); ++entry) {
        const std::int32_t below = streams.below[at(entry)];
        const bool begins = below < 0 || is_knickpoint[at(below)] != 0;
        piece[at(entry)] = begins ? entry : piece[at(below)];
        Highest& of_piece = highest[at(piece[at(entry)])];
        const double offset = streams.elevation[at(entry)] - envelope.elevation[at(entry)];
        if (of_piece.entry < 0 || offset > of_piece.offset) of_piece = {entry, offset};
    }
    return highest;
}

/// Elevation over chi along a river.
std::optional<LineFit> fit_along(const StreamTree& streams, const std::vector<std::int32_t>& entries) {
    if (entries.size() < kFewestCells) return std::nullopt;
    std::vector<double> chi, elevation;
    for (const std::int32_t entry : entries) {
        chi.push_back(streams.chi[at(entry)]);
        elevation.push_back(streams.elevation[at(entry)]);
    }
    return fit_line(chi, elevation);
}

class StepMeasurer {
  public:
    StepMeasurer(const StreamTree& streams, const ConcaveEnvelope& envelope,
                 const std::vector<std::uint8_t>& is_knickpoint, double length)
        : streams_(streams),
          envelope_(envelope),
          is_knickpoint_(is_knickpoint),
          is_foot_(at(streams.size()), 0),
          length_(length) {
        for (std::int32_t entry = 0; entry < streams.size(); ++entry)
            if (is_knickpoint[at(entry)] != 0)
                if (const std::int32_t foot = foot_of(entry); foot >= 0) is_foot_[at(foot)] = 1;
    }

    void measure(Knickpoint& knickpoint) const {
        constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
        const auto above = fit_along(streams_, path_up(knickpoint.entry));
        const auto below = fit_along(streams_, path_down(foot_of(knickpoint.entry)));
        const double chi = streams_.chi[at(knickpoint.entry)];
        knickpoint.steepness_above = above ? above->slope : kNotMeasured;
        knickpoint.steepness_below = below ? below->slope : kNotMeasured;
        knickpoint.height =
            above && below ? above->intercept + above->slope * chi - below->intercept - below->slope * chi
                           : kNotMeasured;
    }

  private:
    /// The next entry below where the envelope is touched, -1 below none.
    [[nodiscard]] std::int32_t foot_of(std::int32_t entry) const {
        do entry = streams_.below[at(entry)];
        while (entry >= 0 && envelope_.is_touched[at(entry)] == 0);
        return entry;
    }

    [[nodiscard]] bool is_near(std::int32_t a, std::int32_t b) const {
        return std::abs(streams_.distance[at(a)] - streams_.distance[at(b)]) <= length_;
    }

    [[nodiscard]] std::vector<std::int32_t> path_up(std::int32_t from) const {
        std::vector<std::int32_t> path;
        for (std::int32_t entry = from; entry >= 0 && is_near(entry, from);
             entry = streams_.main_donor[at(entry)]) {
            if (entry != from && is_knickpoint_[at(entry)] != 0) break;
            path.push_back(entry);
            if (entry != from && is_foot_[at(entry)] != 0) break;
        }
        return path;
    }

    [[nodiscard]] std::vector<std::int32_t> path_down(std::int32_t from) const {
        std::vector<std::int32_t> path;
        for (std::int32_t entry = from; entry >= 0 && is_near(entry, from);
             entry = streams_.below[at(entry)]) {
            path.push_back(entry);
            if (is_knickpoint_[at(entry)] != 0) break;
        }
        return path;
    }

    const StreamTree& streams_;
    const ConcaveEnvelope& envelope_;
    const std::vector<std::uint8_t>& is_knickpoint_;
    std::vector<std::uint8_t> is_foot_;  // per entry: 1 at the foot of a knickpoint
    double length_;                      // m
};

}  // namespace

void KnickpointParameters::declare(Declaration<KnickpointParameters>& d) {
    d.number(
        "knickpoint_tolerance", &KnickpointParameters::tolerance,
        {.label = "Knickpoint tolerance",
         .group = "Analysis",
         .unit = "m",
         .sentence = "Least height of a knickpoint above the concave profile that fits under the river's "
                     "bed; more than the error of the elevations.",
         .minimum = 0.0,
         .maximum = 1e5,
         .usual = {5.0, 200.0, SliderScale::Logarithmic},
         .source = "Schwanghart and Scherler 2014 (knickpointfinder)",
         .minimum_excluded = true});
}

ConcaveEnvelope concave_envelope(const StreamTree& streams, const std::vector<std::uint8_t>& is_knickpoint,
                                 Progress& progress) {
    return EnvelopeBuilder(streams, is_knickpoint).build(progress);
}

std::vector<Knickpoint> find_knickpoints(const StreamTree& streams, const KnickpointParameters& parameters,
                                         double length, Progress& progress) {
    std::vector<std::uint8_t> is_knickpoint(at(streams.size()), 0);
    std::vector<Knickpoint> found;
    ConcaveEnvelope envelope;
    for (bool goes_on = true; goes_on;) {
        envelope = concave_envelope(streams, is_knickpoint, progress);
        goes_on = false;
        for (const Highest& highest : highest_of_pieces(streams, envelope, is_knickpoint)) {
            if (highest.entry < 0 || highest.offset < parameters.tolerance) continue;
            is_knickpoint[at(highest.entry)] = 1;
            found.push_back({.entry = highest.entry, .offset = highest.offset});
            goes_on = true;
        }
    }
    std::ranges::sort(found, {}, &Knickpoint::entry);
    const StepMeasurer measurer(streams, envelope, is_knickpoint, length);
    for (Knickpoint& knickpoint : found) measurer.measure(knickpoint);
    return found;
}

}  // namespace thalweg
