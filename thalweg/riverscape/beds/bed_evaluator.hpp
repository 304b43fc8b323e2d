// The carved terrain at one point after another.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/riverscape/beds/bed_noise.hpp"
#include "thalweg/riverscape/beds/bed_primitives.hpp"
#include "thalweg/riverscape/beds/bed_streams.hpp"
#include "thalweg/riverscape/beds/merged_pieces.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// The primitives that may reach a point, ascending: segments and banks by their first node.
struct BedCandidates {
    std::span<const std::uint32_t> segments;
    std::span<const std::uint32_t> banks;
    std::span<const std::uint32_t> mounds;
    std::span<const std::uint32_t> deflectors;
};

/// A sample, and the course whose water it has.
struct BedPoint {
    BedSample sample;
    std::int64_t course = -1;  // none: dry
    float mounds = 0.0F;       // m of the elevation
    float water = kNoData;     // m, level of the channel, above or below the ground
};

/// What is evaluated beside elevation and water.
struct BedOutput {
    bool has_material = true;
    bool has_velocity = true;
    bool has_least_depth = true;  // beds as deep as the stream needs
};

/// The stream of one course at a point.
struct BedStream {
    float share = 0.0F;       // flow_to_the_right
    float across = 0.0F;      // half widths to the left, of the water's own edges
    float half_width = 0.0F;  // m
    bool is_there = false;
};

/// Evaluates E (bed_tree.hpp). One for each thread.
class BedEvaluator {
  public:
    BedEvaluator(const BedPrimitives& primitives, const Field<float>& elevation, std::uint64_t seed,
                 const BedOutput& output = {})
        : primitives_(primitives),
          elevation_(elevation),
          noise_(seed),
          stream_noise_(seed),
          output_(output) {}

    BedPoint at(Position position, const BedCandidates& candidates) {
        return at({position, position, position, position}, {candidates, candidates, candidates, candidates},
                  1)[0];
    }

    /// At the first `count` of four positions, sooner than one after the other. Their segments and banks are
    /// the same.
    std::array<BedPoint, 4> at(const std::array<Position, 4>& positions,
                               const std::array<BedCandidates, 4>& candidates, int count = 4);

    /// The stream of one course at (x, y), m from the origin, before rocks deflect it.
    BedStream stream_at(float x, float y, std::span<const std::uint32_t> segments);

  private:
    struct Channel;
    struct Channels;

    /// T: sample_bicubic, to the bit; neighbours have the same 16 cells.
    float terrain_at(Position position);

    /// E_1, and what it is made of. `finish` evaluates what costs most, where it counts.
    struct Banks {
        float elevation = 0.0F;  // m; E_1 where it is known
        float terrain = 0.0F;    // m
        float cover = 0.0F;      // c
        float level = 0.0F;      // m, B
        float inner = 0.0F;      // as of BankNode, times the pieces' weight
        float distance = 0.0F;   // m, times that weight
        float relief = 0.0F;     // as of BankNode
        float octave = 0.0F;
        float material = 0.0F;
        BedMaterial kind = BedMaterial::Ground;
        bool is_known = true;
    };
    struct FourBanks;
    FourBanks banks_at(std::span<const std::uint32_t> pieces);
    void finish(int lane, Banks& banks);

    /// What the segments of one course merge to; no weight where none reaches a point.
    struct FourChannels;
    FourChannels merged(std::span<const std::uint32_t> segments);

    /// C_k, blended into E_1.
    float channel_elevation(int lane, Channel& channel, Banks& banks);
    void channels_at(std::span<const std::uint32_t> segments, int count, std::array<Banks, 4>& banks,
                     std::array<Channels, 4>& channels);

    /// Goes on where banks and channels are known.
    BedPoint point_of(int lane, const BedCandidates& candidates, const Channels& channels, Banks& banks);
    void let_flow(int lane, const BedCandidates& candidates, const Channel& channel, bool has_others,
                  BedPoint& point);

    float noise_at(int lane, float octave) { return noise_.at(x_, y_, lane, octave); }

    /// Whether the stream may need more depth than there is.
    bool may_be_shallow(float x, float y, const Channel& channel, bool has_others,
                        std::span<const std::uint32_t> deflectors, const BedSample& sample) const;

    /// The depth, m, at which the flow is as fast as any is; negative where next to none flows.
    static float least_depth(const Channel& channel, const UnitDischarge& flow);

    BedMaterial bed_material(int lane, const Channel& channel, float bed, const Banks& banks);

    /// Adds mounds to `sample`.
    void add_mounds(float x, float y, std::span<const std::uint32_t> mounds, BedSample& sample) const;

    const BedPrimitives& primitives_;
    const Field<float>& elevation_;
    BedNoise noise_;
    BedNoise stream_noise_;  // beside the points
    BedOutput output_;
    BedStreams streams_{primitives_};
    std::vector<NearPiece<FourFloats>> near_;
    FourFloats x_ = {};  // m from the origin, of the points
    FourFloats y_ = {};
    std::array<double, 16> cells_ = {};  // m, of the terrain, around (column_, row_)
    int column_ = -1;
    int row_ = -1;
    bool has_all_ = false;  // cells with data
};

}  // namespace thalweg
