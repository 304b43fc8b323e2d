// What archives hold of each struct: its members, in their order. For dataset_archive.cpp alone.
#pragma once

#include "thalweg/flow/basin_outlines.hpp"
#include "thalweg/flow/lake_outlines.hpp"
#include "thalweg/flow/stream_profiles.hpp"
#include "thalweg/flow/terrain_analyses.hpp"
#include "thalweg/meander/meander_metrics.hpp"
#include "thalweg/meander/meander_state.hpp"
#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/project/history.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/rock.hpp"
#include "thalweg/river/network.hpp"
#include "thalweg/riverscape/flowing_water.hpp"
#include "thalweg/riverscape/river_beds.hpp"

#include <concepts>
#include <type_traits>

namespace thalweg {

template <class T, class U>
concept Is = std::same_as<std::remove_cvref_t<T>, U>;

// Members by structured bindings: a member that is added to a struct and forgotten here does not compile.

template <class T>
concept IsPair = Is<T, WaterSetting> || Is<T, OccupiedGround> || Is<T, ParticleLake>;

template <class Archive>
void visit_members(Archive& archive, IsPair auto& pair) {
    auto& [first, second] = pair;
    archive(first, second);
}

template <class Archive>
void visit_members(Archive& archive, Is<Grid> auto& grid) {
    auto& [columns, rows, cell_size, west, north, crs] = grid;
    archive(columns, rows, cell_size, west, north, crs);
}

template <class Archive>
void visit_members(Archive& archive, Is<Position> auto& position) {
    auto& [x, y] = position;
    archive(x, y);
}

template <class Archive>
void visit_members(Archive& archive, Is<DrainageSource> auto& source) {
    auto& [x, y, area] = source;
    archive(x, y, area);
}

template <class Archive>
void visit_members(Archive& archive, Is<WaterBoundary> auto& boundary) {
    auto& [sources, outlets, sea_level] = boundary;
    archive(sources, outlets, sea_level);
}

template <class Archive>
void visit_members(Archive& archive, Is<Formation> auto& formation) {
    auto& [name, thickness, erodibility_factor, critical_slope, colour] = formation;
    archive(name, thickness, erodibility_factor, critical_slope, colour);
}

template <class Archive>
void visit_members(Archive& archive, Is<RockParameters> auto& rock) {
    auto& [preset, formations, strike, dip, bed_thickness, bed_contrast, fold_height, fold_length,
           fault_spacing, fault_throw, joint_spacing, joint_strength, heterogeneity, pluton_share,
           dyke_spacing, cover, unconformity, unconformity_tilt, top] = rock;
    archive(preset, formations, strike, dip, bed_thickness, bed_contrast, fold_height, fold_length,
            fault_spacing, fault_throw, joint_spacing, joint_strength, heterogeneity, pluton_share,
            dyke_spacing, cover, unconformity, unconformity_tilt, top);
}

template <class Archive>
void visit_members(Archive& archive, Is<RockMaps> auto& maps) {
    auto& [erodibility_factor, formation] = maps;
    archive(erodibility_factor, formation);
}

template <class Archive>
void visit_members(Archive& archive, Is<Rock> auto& rock) {
    auto& [parameters, seed, maps, erodibility] = rock;
    archive(parameters, seed, maps, erodibility);
}

template <class Archive>
void visit_members(Archive& archive, Is<RiverPoint> auto& point) {
    auto& [x, y, z] = point;
    archive(x, y, z);
}

template <class Archive>
void visit_members(Archive& archive, Is<RiverNode> auto& node) {
    auto& [id, kind, point] = node;
    archive(id, kind, point);
}

template <class Archive>
void visit_members(Archive& archive, Is<PointValues> auto& values) {
    auto& [width, depth, discharge] = values;
    archive(width, depth, discharge);
}

template <class Archive>
void visit_members(Archive& archive, Is<Reach> auto& reach) {
    auto& [id, next_down, from_node, to_node, strahler, points, values, length, upland_area, discharge,
           bankfull_discharge, slope, width, depth, velocity, sinuosity, drawn, stream_power, steepness,
           children, type] = reach;
    archive(id, next_down, from_node, to_node, strahler, points, values, length, upland_area, discharge,
            bankfull_discharge, slope, width, depth, velocity, sinuosity, drawn, stream_power, steepness,
            children, type);
}

template <class Archive>
void visit_members(Archive& archive, Is<NetworkBranch> auto& branch) {
    auto& [id, reach, share, points, values] = branch;
    archive(id, reach, share, points, values);
}

template <class Archive>
void visit_members(Archive& archive, Is<RiverNetwork> auto& network) {
    auto& [nodes, reaches, crs, branches] = network;
    archive(nodes, reaches, crs, branches);
}

template <class Archive>
void visit_members(Archive& archive, Is<BedCoursePoint> auto& point) {
    auto& [x, y, distance, water, bed, width, depth, discharge, velocity, curvature, type, is_fall] = point;
    archive(x, y, distance, water, bed, width, depth, discharge, velocity, curvature, type, is_fall);
}

template <class Archive>
void visit_members(Archive& archive, Is<BedCourse> auto& course) {
    auto& [reach, valley, share, points] = course;
    archive(reach, valley, share, points);
}

template <class Archive>
void visit_members(Archive& archive, Is<ValleyPoint> auto& point) {
    auto& [x, y, normal_x, normal_y, bank, half_span, discharge] = point;
    archive(x, y, normal_x, normal_y, bank, half_span, discharge);
}

template <class Archive>
void visit_members(Archive& archive, Is<BedValley> auto& valley) {
    auto& [reach, points] = valley;
    archive(reach, points);
}

template <class Archive>
void visit_members(Archive& archive, Is<BedFeature> auto& feature) {
    auto& [kind, course, distance, x, y, direction_x, direction_y, height, length, width, depth] = feature;
    archive(kind, course, distance, x, y, direction_x, direction_y, height, length, width, depth);
}

template <class Archive>
void visit_members(Archive& archive, Is<BedRock> auto& rock) {
    auto& [course, distance, x, y, direction_x, direction_y, radius, height] = rock;
    archive(course, distance, x, y, direction_x, direction_y, radius, height);
}

template <class Archive>
void visit_members(Archive& archive, Is<BedCourses> auto& courses) {
    auto& [lines, valleys, features, rocks, notes] = courses;
    archive(lines, valleys, features, rocks, notes);
}

template <class Archive>
void visit_members(Archive& archive, Is<BedTreeParameters> auto& parameters) {
    auto& [side_slope, roughness] = parameters;
    archive(side_slope, roughness);
}

template <class Archive>
void visit_members(Archive& archive, Is<RiverBeds> auto& beds) {
    // The tree is made anew from these.
    [[maybe_unused]] auto& [terrain, courses, parameters, seed, tree, lakes] = beds;
    archive(terrain, courses, parameters, seed, lakes);
}

template <class Archive>
void visit_members(Archive& archive, Is<CountryAround> auto& country) {
    auto& [names, values] = country;
    archive(names, values);
}

template <class Archive>
void visit_members(Archive& archive, Is<WaterPrimitive> auto& primitive) {
    auto& [kind, x, y, radius, elevation, slope, amplitude, velocity_x, velocity_y, wavelength, fall,
           fall_length, rotation, bank_angle, foam, seed] = primitive;
    archive(kind, x, y, radius, elevation, slope, amplitude, velocity_x, velocity_y, wavelength, fall,
            fall_length, rotation, bank_angle, foam, seed);
}

template <class Archive>
void visit_members(Archive& archive, Is<WaterTreeTable> auto& tree) {
    auto& [setting, base_level, next_node, node, parent, place, operation, kind, primitive] = tree;
    archive(setting, base_level, next_node, node, parent, place, operation, kind, primitive);
}

template <class Archive>
void visit_members(Archive& archive, Is<WaterVelocity> auto& velocity) {
    auto& [x, y] = velocity;
    archive(x, y);
}

template <class Archive>
void visit_members(Archive& archive, Is<Drifter> auto& drifter) {
    auto& [position, velocity, age, heading, entry, bits, kind, left] = drifter;
    archive(position, velocity, age, heading, entry, bits, kind, left);
}

template <class Archive>
void visit_members(Archive& archive, Is<FlowingWater> auto& water) {
    auto& [time, loop_period, primitives, drifters] = water;
    archive(time, loop_period, primitives, drifters);
}

template <class Archive>
void visit_members(Archive& archive, Is<OutlinePart> auto& part) {
    auto& [outer, holes] = part;
    archive(outer, holes);
}

template <class Archive>
void visit_members(Archive& archive, Is<Lake> auto& lake) {
    auto& [id, depression, pit, outlet, level, area, depth, volume, inflow] = lake;
    archive(id, depression, pit, outlet, level, area, depth, volume, inflow);
}

template <class Archive>
void visit_members(Archive& archive, Is<LakeOutline> auto& outline) {
    auto& [lake, outlet, parts] = outline;
    archive(lake, outlet, parts);
}

template <class Archive>
void visit_members(Archive& archive, Is<LakeOutlines> auto& outlines) {
    auto& [crs, lakes] = outlines;
    archive(crs, lakes);
}

template <class Archive>
void visit_members(Archive& archive, Is<BasinOutline> auto& basin) {
    auto& [id, pour_point, outlet, outlet_elevation, area, least, mean, greatest, parts] = basin;
    archive(id, pour_point, outlet, outlet_elevation, area, least, mean, greatest, parts);
}

template <class Archive>
void visit_members(Archive& archive, Is<BasinOutlines> auto& outlines) {
    auto& [crs, basins] = outlines;
    archive(crs, basins);
}

template <class Archive>
void visit_members(Archive& archive, Is<ChiParameters> auto& chi) {
    auto& [concavity, reference_area] = chi;
    archive(concavity, reference_area);
}

template <class Archive>
void visit_members(Archive& archive, Is<StreamTree> auto& streams) {
    auto& [grid, concavity, cell, below, main_donor, upstream_end, stream, distance, area, chi, elevation] =
        streams;
    archive(grid, concavity, cell, below, main_donor, upstream_end, stream, distance, area, chi, elevation);
}

template <class Archive>
void visit_members(Archive& archive, Is<Knickpoint> auto& knickpoint) {
    auto& [entry, offset, height, steepness_above, steepness_below] = knickpoint;
    archive(entry, offset, height, steepness_above, steepness_below);
}

template <class Archive>
void visit_members(Archive& archive, Is<StreamProfiles> auto& profiles) {
    auto& [streams, chi, steepness, knickpoints] = profiles;
    archive(streams, chi, steepness, knickpoints);
}

template <class Archive>
void visit_members(Archive& archive, Is<SlopeAreaParameters> auto& parameters) {
    auto& [least_area, drop] = parameters;
    archive(least_area, drop);
}

template <class Archive>
void visit_members(Archive& archive, Is<SlopeAreaBin> auto& bin) {
    auto& [area, cells, lower_quartile, median, upper_quartile] = bin;
    archive(area, cells, lower_quartile, median, upper_quartile);
}

template <class Archive>
void visit_members(Archive& archive, Is<SlopeAreaFit> auto& fit) {
    auto& [concavity, steepness, least_area, greatest_area, r_squared, bins, concavity_error] = fit;
    archive(concavity, steepness, least_area, greatest_area, r_squared, bins, concavity_error);
}

template <class Archive>
void visit_members(Archive& archive, Is<SlopeArea> auto& analysis) {
    auto& [parameters, bins, fit] = analysis;
    archive(parameters, bins, fit);
}

template <class Archive>
void visit_members(Archive& archive, Is<HackFit> auto& fit) {
    auto& [exponent, coefficient, r_squared] = fit;
    archive(exponent, coefficient, r_squared);
}

template <class Archive>
void visit_members(Archive& archive, Is<HackPoint> auto& point) {
    auto& [area, length] = point;
    archive(area, length);
}

template <class Archive>
void visit_members(Archive& archive, Is<HackLaw> auto& analysis) {
    auto& [least_area, points, fit] = analysis;
    archive(least_area, points, fit);
}

template <class Archive>
void visit_members(Archive& archive, Is<HypsometricCurve> auto& curve) {
    auto& [area, least, greatest, integral, area_at_height] = curve;
    archive(area, least, greatest, integral, area_at_height);
}

template <class Archive>
void visit_members(Archive& archive, Is<BasinHypsometry> auto& basin) {
    auto& [outlet, curve] = basin;
    archive(outlet, curve);
}

template <class Archive>
void visit_members(Archive& archive, Is<Hypsometry> auto& analysis) {
    auto& [whole, basins] = analysis;
    archive(whole, basins);
}

template <class Archive>
void visit_members(Archive& archive, Is<ChiProfileParameters> auto& parameters) {
    auto& [chi, least_area, tributaries] = parameters;
    archive(chi, least_area, tributaries);
}

template <class Archive>
void visit_members(Archive& archive, Is<ChiStream> auto& stream) {
    auto& [chi, elevation, distance, area] = stream;
    archive(chi, elevation, distance, area);
}

template <class Archive>
void visit_members(Archive& archive, Is<ChiFit> auto& fit) {
    auto& [steepness, base, r_squared] = fit;
    archive(steepness, base, r_squared);
}

template <class Archive>
void visit_members(Archive& archive, Is<ConcavityFit> auto& fit) {
    auto& [concavity, r_squared, standard_error] = fit;
    archive(concavity, r_squared, standard_error);
}

template <class Archive>
void visit_members(Archive& archive, Is<ChiBasin> auto& basin) {
    auto& [outlet, area, streams, fit, best] = basin;
    archive(outlet, area, streams, fit, best);
}

template <class Archive>
void visit_members(Archive& archive, Is<ChiProfiles> auto& analysis) {
    auto& [parameters, basins] = analysis;
    archive(parameters, basins);
}

template <class Archive>
void visit_members(Archive& archive, Is<TerrainAnalyses> auto& analyses) {
    auto& [grid, slope_area, hack, hypsometry, chi_profiles] = analyses;
    archive(grid, slope_area, hack, hypsometry, chi_profiles);
}

template <class Archive>
void visit_members(Archive& archive, Is<ValueTable> auto& table) {
    auto& [entries] = table;
    archive(entries);
}

template <class Archive>
void visit_members(Archive& archive, Is<Diagnostics> auto& diagnostics) {
    auto& [values, phases_ms, notes, cell_notes] = diagnostics;
    archive(values, phases_ms, notes, cell_notes);
}

template <class Archive>
void visit_members(Archive& archive, Is<ChannelLine> auto& line) {
    auto& [x, y, z, values] = line;
    archive(x, y, z, values);
}

template <class Archive>
void visit_members(Archive& archive, Is<MeanderEvent> auto& event) {
    auto& [year, kind, reach, x, y, course] = event;
    archive(year, kind, reach, x, y, course);
}

template <class Archive>
void visit_members(Archive& archive, Is<AbandonedCourse> auto& abandoned) {
    auto& [id, reach, year, cause, line] = abandoned;
    archive(id, reach, year, cause, line);
}

template <class Archive>
void visit_members(Archive& archive, Is<RecordedChannel> auto& channel) {
    auto& [reach, x, y, width, branch, share] = channel;
    archive(reach, x, y, width, branch, share);
}

template <class Archive>
void visit_members(Archive& archive, Is<RecordedNetwork> auto& network) {
    auto& [year, channels] = network;
    archive(year, channels);
}

template <class Archive>
void visit_members(Archive& archive, Is<MeanderHistory> auto& history) {
    auto& [origin_x, origin_y, networks, courses, events] = history;
    archive(origin_x, origin_y, networks, courses, events);
}

template <class Archive>
void visit_members(Archive& archive, Is<RiverBranch> auto& branch) {
    auto& [id, from, to, weight, share, line] = branch;
    archive(id, from, to, weight, share, line);
}

template <class Archive>
void visit_members(Archive& archive, Is<RiverBranches> auto& branches) {
    auto& [channels, nodes] = branches;
    archive(channels, nodes);
}

template <class Archive>
void visit_members(Archive& archive, Is<ChannelForm> auto& form) {
    auto& [length, chord, valley_length, width, sinuosity, bends, wavelength, amplitude] = form;
    archive(length, chord, valley_length, width, sinuosity, bends, wavelength, amplitude);
}

template <class Archive>
void visit_members(Archive& archive, Is<MigrationRates> auto& rates) {
    auto& [years, length, mean, median, p90] = rates;
    archive(years, length, mean, median, p90);
}

template <class Archive>
void visit_members(Archive& archive, Is<ChannelMetrics> auto& channel) {
    auto& [form, migration, cutoffs, cutoff_rate, belt_width] = channel;
    archive(form, migration, cutoffs, cutoff_rate, belt_width);
}

template <class Archive>
void visit_members(Archive& archive, Is<ReachMetrics> auto& metrics) {
    auto& [reach, channel] = metrics;
    archive(reach, channel);
}

template <class Archive>
void visit_members(Archive& archive, Is<NetworkMetrics> auto& network) {
    auto& [year, whole, reaches] = network;
    archive(year, whole, reaches);
}

template <class Archive>
void visit_members(Archive& archive, Is<BeltForm> auto& belt) {
    auto& [area, valley_length, mean_width, p90_width] = belt;
    archive(area, valley_length, mean_width, p90_width);
}

template <class Archive>
void visit_members(Archive& archive, Is<MeanderMetricsParameters> auto& parameters) {
    auto& [window] = parameters;
    archive(window);
}

template <class Archive>
void visit_members(Archive& archive, Is<MeanderMetrics> auto& metrics) {
    auto& [parameters, networks, cutoff_rate, migration, belt] = metrics;
    archive(parameters, networks, cutoff_rate, migration, belt);
}

template <class Archive>
void visit_members(Archive& archive, Is<ParticleReport> auto& report) {
    auto& [cycles, droplets, moves, sediment_error, water_error, sediment_in, sediment_out, bedrock_eroded,
           soil_error, soil_eroded, soil_out, water_fallen, sinuosity, lake_volume, drained_share] = report;
    archive(cycles, droplets, moves, sediment_error, water_error, sediment_in, sediment_out, bedrock_eroded,
            soil_error, soil_eroded, soil_out, water_fallen, sinuosity, lake_volume, drained_share);
}

template <class Archive>
void visit_members(Archive& archive, Is<ParticleMetrics> auto& metrics) {
    auto& [records] = metrics;
    archive(records);
}

template <class Archive>
void visit_members(Archive& archive, Is<MeanderChannel> auto& channel) {
    auto& [reach, line, mobility, pull_x, pull_y, rate_factor, width, inflow, outflow, head_rest, end_rest,
           has_moved, braid, delta, delta_load] = channel;
    archive(reach, line, mobility, pull_x, pull_y, rate_factor, width, inflow, outflow, head_rest, end_rest,
            has_moved, braid, delta, delta_load);
}

template <class Archive>
void visit_members(Archive& archive, Is<MigrationParameters> auto& law) {
    auto& [rate, friction_factor, upstream_weight, memory, sinuosity_scaling, sinuosity_window, end_damping,
           time_step, time_scheme] = law;
    archive(rate, friction_factor, upstream_weight, memory, sinuosity_scaling, sinuosity_window, end_damping,
            time_step, time_scheme);
}

template <class Archive>
void visit_members(Archive& archive, Is<ControlStroke> auto& stroke) {
    auto& [kind, points, radius, falloff, strength] = stroke;
    archive(kind, points, radius, falloff, strength);
}

template <class Archive>
void visit_members(Archive& archive, Is<MeanderParameters> auto& parameters) {
    auto& [migration, spacing, minimum_width, critical_slope, wall_erodibility, initial_roughness,
           inlet_forcing, crevasse_curvature, crevasse_rate, avulsion_share, regional_share, avulsion_angle,
           avulsion_depth, junction_length, junction_angle_equal, junction_angle_unequal, chute_curvature,
           chute_rate, vegetation_strength, vegetation_growth_time, braiding, grain_size, braid_plain,
           bifurcation_rate, least_branch_share, deltas, water_level, delta_growth, sediment_concentration,
           delta_angle, mouth_bar_distance, kept_years, controls] = parameters;
    archive(migration, spacing, minimum_width, critical_slope, wall_erodibility, initial_roughness,
            inlet_forcing, crevasse_curvature, crevasse_rate, avulsion_share, regional_share, avulsion_angle,
            avulsion_depth, junction_length, junction_angle_equal, junction_angle_unequal, chute_curvature,
            chute_rate, vegetation_strength, vegetation_growth_time, braiding, grain_size, braid_plain,
            bifurcation_rate, least_branch_share, deltas, water_level, delta_growth, sediment_concentration,
            delta_angle, mouth_bar_distance, kept_years, controls);
}

template <class Archive>
void visit_members(Archive& archive, Is<OccupiedTile> auto& tile) {
    auto& [column, row, year] = tile;
    archive(column, row, year);
}

template <class Archive>
void visit_members(Archive& archive, Is<MeanderState> auto& state) {
    auto& [parameters, seed, elevation, rock_erodibility, network, channels, steps, steps_at_update,
           displacement, history, occupied, delta_deposit] = state;
    archive(parameters, seed, elevation, rock_erodibility, network, channels, steps, steps_at_update,
            displacement, history, occupied, delta_deposit);
}

template <class T>
concept IsBudget = Is<T, SedimentBudget> || Is<T, SoilBudget> || Is<T, WaterBudget>;

template <class Archive>
void visit_members(Archive& archive, IsBudget auto& budget) {
    auto& [first, second, third, fourth] = budget;
    archive(first, second, third, fourth);
}

/// In 8 bytes for each cell.
template <class Archive>
void visit_members(Archive& archive, Is<UnitField> auto& units) {
    Field<std::int64_t> wide = units.wide();
    archive(wide);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(units)>>) units = UnitField(wide);
}

/// The parameters are left out: the stage archives its own.
template <class Archive>
void visit_members(Archive& archive, Is<ParticleState> auto& state) {
    auto& [parameters, seed, datum, elevation, debt, loose, soil, soil_debt, rain, bedrock_erodibility,
           bedrock_repose_slope, pigments, bedrock_pigments, plant_cover, discharge, momentum_east,
           momentum_south, cycles, averaged, droplets, moves, water_at_rest, lake, lakes, sediment,
           soil_budget, water] = state;
    archive(seed, datum, elevation, debt, loose, soil, soil_debt, rain, bedrock_erodibility,
            bedrock_repose_slope, pigments, bedrock_pigments, plant_cover, discharge, momentum_east,
            momentum_south, cycles, averaged, droplets, moves, water_at_rest, lake, lakes, sediment,
            soil_budget, water);
}

/// The source is left out: it is a function.
template <class Archive>
void visit_members(Archive& archive, Is<Layer> auto& layer) {
    auto& [values, source] = layer;
    archive(values);
}

/// By its changes. Datasets among them are archived as others are.

}  // namespace thalweg
