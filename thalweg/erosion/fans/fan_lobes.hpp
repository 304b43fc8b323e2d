// One lobe of a fan after another, each a surface that falls from the apex.
#pragma once

#include "thalweg/erosion/fans.hpp"
#include "thalweg/erosion/fans/lobe_shape.hpp"
#include "thalweg/erosion/floors/march.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace thalweg {

/// What a lobe laid down in a cell.
struct LobeDeposit {
    std::int32_t fan;
    std::int32_t cell;
    float thickness;  // m
};

/// Lays lobes on a terrain. Each is found by one flood from the apex: of the cells beside those that are
/// covered the one that needs the lowest top comes next, until the top at which the volume lies on those that
/// are covered is no higher than it needs. Over a rim a flood goes on into the ground beyond, as water does.
class LobeLayer {
  public:
    LobeLayer(const FanInputs& inputs, Progress& progress);

    /// Lays lobe `number` of fan `fan`, of `volume` (m^3) at most: less where it would run further than L,
    /// and where it reaches over the edge of the map.
    void lay(const FanApex& apex, std::int32_t fan, int number, double volume, Progress& progress);

    /// Of all lobes, in the order in which they were laid. A cell may be in it many times.
    [[nodiscard]] const std::vector<LobeDeposit>& deposits() const { return deposits_; }

    /// The ground with all of them, m.
    [[nodiscard]] Field<float> ground() const;

  private:
    /// A cell that a lobe covers or may cover next.
    struct Node {
        std::int32_t place;  // on the map with its margin
        float ground;        // m
        float water;         // m; NaN: none
        float way;           // d, m
        float rise;          // m of d across the cell
        float channels;      // c, m
        double need = 0.0;   // m: the top at which the lobe comes to lie here
        bool is_covered = false;
    };
    /// The side of a covered cell where the map ends, towards ground beyond as high as it was here before
    /// there were fans: of all lobes, t m thick, square t^2 + cube t^3 lie there, in m summed over cells.
    struct Side {
        std::int32_t node;
        double before;  // m, of earlier lobes
        double square;  // 1/m
        double cube;    // 1/m^2
    };
    struct Held {
        double volume = 0.0;  // m, summed over cells
        double gain = 0.0;    // of it, per m of top; less than that below water
    };

    void clear();
    void start(const FanApex& apex, LobeShape& shape);
    double flood(LobeShape& shape, double reach, double demanded, Progress& progress);
    void cover(std::int32_t number, LobeShape& shape, double demanded);
    void lower_ceiling(double demanded);
    void look_beside(std::int32_t number, LobeShape& shape);
    void look_at(std::int32_t place, LobeShape& shape);
    void shorten(Node& node, float way, const LobeShape& shape);
    void add_sides(std::int32_t number, const LobeShape& shape);
    std::int32_t node_at(std::int32_t place, LobeShape& shape);
    [[nodiscard]] float covered_way(std::int32_t place) const;
    [[nodiscard]] static double thickness(const Node& node, double top);
    [[nodiscard]] Held held(double top) const;
    [[nodiscard]] double top_of(double demanded, double high) const;
    [[nodiscard]] std::int32_t place_of(std::int32_t cell) const;
    [[nodiscard]] std::int32_t cell_of(std::int32_t place) const;

    const FanInputs& inputs_;
    Grid grid_;                       // with a margin of one cell
    AxisSteps steps_;                 // on it
    Field<float> roughness_;          // 1, on it: how much longer ways are
    std::vector<float> ground_;       // m, on it, as laid by now; no data: not on the map
    std::vector<std::int32_t> node_;  // per place, -1: none
    std::vector<std::int32_t> main_donor_;
    std::vector<LobeDeposit> deposits_;

    // Of the lobe in work:
    std::vector<Node> nodes_;
    std::vector<std::int32_t> covered_;    // nodes, in the order of the flood
    std::vector<std::int32_t> shortened_;  // nodes beside which ways may be shorter now
    std::vector<Side> sides_;
    MarchQueue queue_;
    double need_sum_ = 0.0;                                    // m, of covered nodes
    double level_ = -std::numeric_limits<double>::infinity();  // m, the highest need of those
    std::size_t complete_ = 0;                                 // nodes that were covered when it was met
    double ceiling_ =
        std::numeric_limits<double>::infinity();  // m, no less than the top that holds the volume
    std::size_t next_ceiling_ = 0;                // covered nodes at which it is found anew
    bool is_bent_ = false;                        // whether the volume isn't linear in the top
};

}  // namespace thalweg
