#include "thalweg/meander/meander_simulation.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/meander/branches/branch_lines.hpp"
#include "thalweg/meander/branches/deltas.hpp"
#include "thalweg/meander/branches/given_branches.hpp"
#include "thalweg/meander/channel/channel_geometry.hpp"
#include "thalweg/meander/channel/channel_migration.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/channel/loops.hpp"
#include "thalweg/meander/network/channels.hpp"
#include "thalweg/meander/network/junction_templates.hpp"
#include "thalweg/meander/simulation/braids.hpp"
#include "thalweg/meander/simulation/network_update.hpp"
#include "thalweg/river/network_checks.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

void check_channels(const RiverNetwork& network) {
    check_network(network, "the network", NetworkProfile::DownhillForest);
    for (const Reach& reach : network.reaches) {
        const auto is_given = [](const std::vector<float>& column) {
            return !column.empty() && std::ranges::all_of(column, [](float value) { return value > 0.0F; });
        };
        if (!is_given(reach.values.width) || !is_given(reach.values.depth))
            throw Error::input(fmt::format(
                "reach {} has points without width and depth: each must be greater than 0 m", reach.id));
    }
}

/// Points at one place, of which one alone is kept, have no direction between them.
void drop_repeated_points(Reach& reach) {
    std::vector<RiverPoint>& points = reach.points;
    for (std::size_t i = points.size() - 1; i > 0 && points.size() > 2; --i) {
        if (points[i].x != points[i - 1].x || points[i].y != points[i - 1].y) continue;
        const auto at = static_cast<std::ptrdiff_t>(i + 1 == points.size() ? i - 1 : i);
        points.erase(points.begin() + at);
        for (std::vector<float>* column : {&reach.values.width, &reach.values.depth, &reach.values.discharge})
            column->erase(column->begin() + at);
    }
}

/// Even noise between -1 and 1 with bends of any shape: quintic between draws at whole numbers.
double noise_at(double t, std::uint64_t seed, std::int64_t reach, std::uint64_t purpose) {
    const double whole = std::floor(t);
    const auto draw = [&](double at) {
        const auto knot = static_cast<std::uint64_t>(static_cast<std::int64_t>(at));
        return 2.0 * unit_double(random_bits(seed, Stream::Meander, static_cast<std::uint64_t>(reach), knot,
                                             purpose)) -
               1.0;
    };
    const double u = t - whole;
    const double blend = u * u * u * (u * (6.0 * u - 15.0) + 10.0);
    return draw(whole) + blend * (draw(whole + 1.0) - draw(whole));
}

enum Purpose : std::uint64_t { InletBends = 1, FirstBends = 2 };

/// Shifts a line sideways by up to `size` (m), in bends of about six widths from one to the next: a river
/// that is drawn straight would else stay so.
void roughen(ChannelLine& line, double size, std::uint64_t seed, std::int64_t reach) {
    constexpr double kBend = 6.0;             // widths
    constexpr double kMostShift = 1.0 / 3.0;  // widths: bends are far from meeting themselves
    ChannelGeometry geometry;
    geometry.measure(line.x, line.y);
    double distance = 0.0;  // widths
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        distance += geometry.segment[i - 1] / line.values.width[i];
        const double shift = std::min(size, kMostShift * line.values.width[i]) *
                             noise_at(distance / kBend, seed, reach, FirstBends);
        const auto to_end = static_cast<double>(std::min(i, line.size() - 1 - i));
        const double near_end = std::min(1.0, 0.1 * to_end);
        line.x[i] += near_end * shift * geometry.normal_x[i];
        line.y[i] += near_end * shift * geometry.normal_y[i];
    }
}

/// J of the bends from which a river comes, m/yr: they drift past its head as bends of the wavelength that
/// grows fastest do, 9 / (k w alpha^2) years each.
double inlet(const MeanderState& state, const MeanderChannel& channel) {
    const MigrationParameters& law = state.parameters.migration;
    const double width = channel.line.values.width.front();
    const double alpha = law.memory == MemoryLength::Width
                             ? 0.75 / width
                             : 2.0 * law.friction_factor / channel.line.values.depth.front();
    constexpr double kKnotsInPeriod = 4.0;
    const double period = 9.0 / (law.rate * width * alpha * alpha);
    if (!(period < 1e9)) return 0.0;
    return law.rate * state.parameters.inlet_forcing *
           noise_at(state.year() * kKnotsInPeriod / period, state.seed, channel.reach, InletBends);
}

/// J at the heads: that at the end of the largest channel above, or that of the bends beyond a source.
void find_inflows(MeanderState& state) {
    const ReachGraph graph(state.network.reaches);
    for (std::size_t i = 0; i < state.channels.size(); ++i) {
        MeanderChannel& channel = state.channels[i];
        const auto above = graph.above(static_cast<std::int64_t>(i));
        if (above.empty()) {
            channel.inflow = inlet(state, channel);
            continue;
        }
        const auto discharge = [&](std::int32_t reach) {
            return state.channels[reach].line.values.discharge.back();
        };
        channel.inflow = state.channels[*std::ranges::max_element(above, {}, discharge)].outflow;
    }
}

/// The first channel of each piece of work: channels one after another until they have enough points.
std::vector<std::size_t> pieces_of(const std::vector<MeanderChannel>& channels) {
    constexpr std::size_t kPointsInPiece = 2048;
    std::vector<std::size_t> first = {0};
    std::size_t points = 0;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        points += channels[i].line.size();
        if (points < kPointsInPiece) continue;
        first.push_back(i + 1);
        points = 0;
    }
    if (first.back() != channels.size()) first.push_back(channels.size());
    return first;
}

/// Returns how far the point went that went furthest, widths.
double migrate(MeanderState& state, std::vector<ChannelMigration>& migrations) {
    const std::vector<std::size_t> first = pieces_of(state.channels);
    while (migrations.size() < first.size()) migrations.emplace_back(state.parameters.migration);
    std::vector<double> furthest(first.size(), 0.0);  // of each piece
    const double limit = displacement_limit(state);
    parallel_for(0, std::ssize(first) - 1, 1, [&](std::int64_t begin, std::int64_t end) {
        ChannelMigration& migration = migrations[begin];
        migration.limit_displacement(limit);
        for (std::size_t i = first[begin]; i < first[end]; ++i) {
            MeanderChannel& channel = state.channels[i];
            if (channel.width < state.parameters.minimum_width || !channel.braid.empty()) continue;
            migration.step(channel.line, channel.mobility, channel.inflow,
                           state.parameters.migration.time_step, {.x = channel.pull_x, .y = channel.pull_y});
            channel.outflow = migration.outflow();
            channel.has_moved = true;
            furthest[begin] = std::max(furthest[begin], std::min(limit, migration.largest_displacement()));
            if (remove_loops(channel.line)) space_evenly(state, channel);
        }
    });
    return *std::ranges::max_element(furthest);
}

/// Courses from before a year; what happened then is kept.
void forget(MeanderHistory& history, double year) {
    const auto is_older = [&](const auto& entry) { return entry.year < year; };
    std::erase_if(history.networks, is_older);
    std::erase_if(history.courses, is_older);
}

}  // namespace

struct MeanderSimulation::Scratch {
    std::vector<ChannelMigration> migrations;  // one for each piece of work
};

MeanderSimulation::MeanderSimulation(RiverNetwork network, const MeanderParameters& parameters,
                                     std::optional<Field<float>> elevation, std::uint64_t seed,
                                     std::optional<Field<float>> rock_erodibility)
    : scratch_(std::make_unique<Scratch>()) {
    check_channels(network);
    for (Reach& reach : network.reaches) drop_repeated_points(reach);
    state_.parameters = parameters;
    state_.seed = seed;
    state_.elevation = std::move(elevation);
    state_.rock_erodibility = std::move(rock_erodibility);
    state_.network = std::move(network);
    const std::vector<NetworkBranch> branches = std::exchange(state_.network.branches, {});
    renew_channels(state_, {});
    take_branches(state_, branches);
    space_evenly(state_);
    for (MeanderChannel& channel : state_.channels)
        if (channel.width >= parameters.minimum_width)
            roughen(channel.line, parameters.initial_roughness, seed, channel.reach);
    shape_junctions(state_);
    space_evenly(state_);
    if (!state_.channels.empty()) {
        state_.history.origin_x = std::floor(state_.channels.front().line.x.front());
        state_.history.origin_y = std::floor(state_.channels.front().line.y.front());
    }
    update_network(state_);
}

MeanderSimulation::MeanderSimulation(MeanderState state)
    : state_(std::move(state)), scratch_(std::make_unique<Scratch>()) {
}

MeanderSimulation::MeanderSimulation(MeanderSimulation&&) noexcept = default;
MeanderSimulation& MeanderSimulation::operator=(MeanderSimulation&&) noexcept = default;
MeanderSimulation::~MeanderSimulation() = default;

void MeanderSimulation::step(Progress& progress) {
    progress.poll();
    find_inflows(state_);
    const double furthest = migrate(state_, scratch_->migrations);
    state_.displacement += furthest;
    ++state_.steps;
    if (needs_update(state_, furthest)) update_network(state_);
    begin_braids(state_);
    step_braids(state_);
    step_deltas(state_);
}

RecordedNetwork MeanderSimulation::recorded() const {
    const MeanderHistory& history = state_.history;
    RecordedNetwork recorded{.year = year(), .channels = {}};
    const auto record = [&](const ChannelLine& line, std::int64_t reach) -> RecordedChannel& {
        RecordedChannel& course = recorded.channels.emplace_back();
        course.reach = reach;
        for (std::size_t i = 0; i < line.size(); ++i) {
            course.x.push_back(static_cast<float>(line.x[i] - history.origin_x));
            course.y.push_back(static_cast<float>(line.y[i] - history.origin_y));
        }
        course.width = line.values.width;
        return course;
    };
    for (const MeanderChannel& channel : state_.channels) {
        if (channel.braid.empty()) record(channel.line, channel.reach);
        for (const RiverBranches* branches : {&channel.braid, &channel.delta})
            for (const RiverBranch& branch : branches->channels) {
                RecordedChannel& course = record(branch.line, channel.reach);
                course.branch = branch.id;
                course.share = static_cast<float>(branch.share);
            }
    }
    return recorded;
}

void MeanderSimulation::record() {
    state_.history.networks.push_back(recorded());
    if (state_.parameters.kept_years > 0.0) forget(state_.history, year() - state_.parameters.kept_years);
}

RiverNetwork MeanderSimulation::network() const {
    RiverNetwork network = present_network(state_);
    for (const MeanderChannel& channel : state_.channels)
        for (const RiverBranches* branches : {&channel.braid, &channel.delta})
            for (const RiverBranch& branch : branches->channels)
                network.branches.push_back({.id = branch.id,
                                            .reach = channel.reach,
                                            .share = branch.share,
                                            .points = points_of(branch.line),
                                            .values = branch.line.values});
    return network;
}

MeanderReport MeanderSimulation::report() const {
    MeanderReport report{.steps = state_.steps};
    double length = 0.0;
    double chords = 0.0;
    for (const ChannelLine* const line : wet_lines(state_))
        report.points += static_cast<std::int64_t>(line->size());
    for (const MeanderChannel& channel : state_.channels) {
        const double of_channel = length_of(channel.line);
        length += of_channel;
        chords += of_channel / sinuosity_of(channel.line);
    }
    if (chords > 0.0) report.sinuosity = length / chords;
    for (const MeanderEvent& event : state_.history.events) {
        report.cutoffs += event.kind == MeanderEventKind::Cutoff ? 1 : 0;
        report.crevasses += event.kind == MeanderEventKind::Crevasse ? 1 : 0;
        report.avulsions += event.kind == MeanderEventKind::Avulsion ? 1 : 0;
        report.captures += event.kind == MeanderEventKind::Capture ? 1 : 0;
        report.chutes += event.kind == MeanderEventKind::Chute ? 1 : 0;
        report.bifurcations += event.kind == MeanderEventKind::Bifurcation ? 1 : 0;
        report.confluences += event.kind == MeanderEventKind::Confluence ? 1 : 0;
        report.closures += event.kind == MeanderEventKind::Closure ? 1 : 0;
    }
    for (const MeanderChannel& channel : state_.channels)
        report.branches += std::ssize(channel.braid.channels) + std::ssize(channel.delta.channels);
    report.self_crossings = std::ssize(crossings_of(wet_lines(state_)));
    return report;
}

}  // namespace thalweg
