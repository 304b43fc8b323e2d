#include "thalweg/river/seam.hpp"

#include "thalweg/river/file_units.hpp"
#include "thalweg/river/point_values.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {
namespace {

/// How many whole widths a place lies beyond the seam.
double turn_of(const Seam& seam, double x) {
    return std::floor((x - seam.west) / seam.width);
}

/// How far on the path from `a` to `b` the line at x is crossed, 0 to 1.
double share_at(double x, const RiverPoint& a, const RiverPoint& b) {
    return std::clamp((x - a.x) / (b.x - a.x), 0.0, 1.0);
}

/// The pieces of one reach, moved between the edges, and the nodes where it was cut.
class CutReach {
  public:
    CutReach(const Reach& whole, const Seam& seam, std::int64_t cells, RiverNetwork& cut)
        : whole_(whole), seam_(seam), cells_(cells), cut_(cut), piece_(whole) {
        clear_line();
    }

    void run() {
        double turn = turn_of(seam_, whole_.points.front().x);
        add(whole_.points.front(), turn);
        append_values(piece_.values, whole_.values, 0, 1);
        for (std::size_t i = 1; i < whole_.points.size(); ++i) {
            const double next = turn_of(seam_, whole_.points[i].x);
            if (next != turn) cross(i - 1, turn, next);
            turn = next;
            add(whole_.points[i], turn);
            append_values(piece_.values, whole_.values, i, i + 1);
        }
        end_piece();
    }

  private:
    void add(RiverPoint point, double turn) {
        point.x -= turn * seam_.width;
        piece_.points.push_back(point);
    }

    void clear_line() {
        piece_.points.clear();
        piece_.values = {};
    }

    /// Cuts behind the point `before`.
    void cross(std::size_t before, double turn, double next) {
        const RiverPoint& from = whole_.points[before];
        const RiverPoint& to = whole_.points[before + 1];
        const double x = seam_.west + std::max(turn, next) * seam_.width;
        const double share = share_at(x, from, to);
        const RiverPoint edge = {x, from.y + share * (to.y - from.y), from.z + share * (to.z - from.z)};
        const std::int64_t out = cells_ * (2 * cuts_ + 1) + whole_.id;
        const std::int64_t in = cells_ * (2 * cuts_ + 2) + whole_.id;
        ++cuts_;
        add(edge, turn);
        append_between(piece_.values, whole_.values, before, share);
        cut_.nodes.push_back({.id = out, .kind = NodeKind::Seam, .point = piece_.points.back()});
        const std::int64_t below = std::exchange(piece_.next_down, in);
        const std::int64_t lower_node = std::exchange(piece_.to_node, out);
        end_piece();
        piece_ = whole_;
        clear_line();
        piece_.id = piece_.from_node = in;
        piece_.next_down = below;
        piece_.to_node = lower_node;
        add(edge, next);
        append_between(piece_.values, whole_.values, before, share);
        cut_.nodes.push_back({.id = in, .kind = NodeKind::Seam, .point = piece_.points.back()});
    }

    void end_piece() {
        if (cuts_ > 0) measure_line(piece_);
        cut_.reaches.push_back(std::move(piece_));
    }

    const Reach& whole_;
    const Seam& seam_;
    std::int64_t cells_;
    RiverNetwork& cut_;
    Reach piece_;
    std::int64_t cuts_ = 0;
};

}  // namespace

double distance_between(const RiverPoint& a, const RiverPoint& b) {
    return std::hypot(b.x - a.x, b.y - a.y);
}

void measure_line(Reach& reach) {
    const RiverPoint& first = reach.points.front();
    const RiverPoint& last = reach.points.back();
    reach.length = 0.0;
    for (std::size_t i = 1; i < reach.points.size(); ++i)
        reach.length += distance_between(reach.points[i - 1], reach.points[i]);
    reach.length = as_in_file(reach.length, kKilometre);
    const double chord = distance_between(first, last);
    reach.slope = reach.length > 0.0 ? (first.z - last.z) / reach.length : 0.0;
    reach.sinuosity = chord > 0.0 ? std::max(1.0, reach.length / chord) : 1.0;
}

void cut_at_seam(RiverNetwork& network, const Seam& seam, std::int64_t cells) {
    RiverNetwork cut{.nodes = network.nodes, .reaches = {}, .crs = network.crs};
    for (const Reach& reach : network.reaches) CutReach(reach, seam, cells, cut).run();
    network = std::move(cut);
}

}  // namespace thalweg
