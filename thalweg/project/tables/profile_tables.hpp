// Long profiles and knickpoints of rivers as tables of points.
#pragma once

#include "thalweg/flow/stream_profiles.hpp"
#include "thalweg/io/point_table.hpp"

namespace thalweg {

/// The cells of rivers, layer `profile`, with z their bed:
///
///   stream       number of the stream, which runs from its mouth up by the largest donor to its source
///   flows_into   number of the stream that takes it in; nothing where it ends at an outlet
///   distance_m   to the outlet, along cells
///   area_m2      drainage area
///   chi_m        with the reference area A0
///   ksn          k_sn, m^(2 m/n)
PointTable profile_table(const StreamProfiles& profiles);

/// Layer `knickpoint`: the same of knickpoints, and offset_m, height_m, ksn_above and ksn_below
/// (flow/knickpoints.hpp).
PointTable knickpoint_table(const StreamProfiles& profiles);

}  // namespace thalweg
