// A flow tree cut into runs of whole subtrees, for sums up and down its rivers on many threads.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace thalweg {

/// An order of a tree's cells, every receiver before its donors, for many sums over one tree. First the
/// trunk: cells that drain more than a run may hold. Then runs of whole subtrees, of nearly equal size, whose
/// cells have their receivers in the same run, but for those at which a subtree begins. Unlike FlowTree's
/// runs, cut by rows, these leave hardly anything to the trunk, which one thread must walk. Values that go
/// with the walk lie best by place, that is in this order: they are then read one after another. Depends on
/// the tree alone. O(cells), serial; 9 bytes a cell.
class SubtreeRuns {
  public:
    /// `tree` must stay.
    explicit SubtreeRuns(const FlowTree& tree);

    /// How many places there are: one for each cell with data.
    [[nodiscard]] std::int64_t places() const { return static_cast<std::int64_t>(links_.size()); }

    [[nodiscard]] std::int32_t cell_at(std::int64_t place) const { return links_[at(place)].cell; }

    /// Makes every cell's value visit(place, value of its receiver), from the roots up; roots keep theirs.
    template <class Visit>
    void go_upstream(float* values, const Progress& progress, const Visit& visit) const {
        const Link* const links = links_.data();
        const auto visit_link = [=](const Link* link) {
            const std::int32_t receiver = link->receiver;
            if (receiver == kNone) return;
            const float below = values[receiver >= 0 ? receiver : leaving(receiver)];
            values[link->cell] = visit(static_cast<std::int64_t>(link - links), below);
        };
        for (std::int64_t place = 0; place < starts_.front(); ++place) visit_link(links + place);
        in_turns<1>(progress, visit_link);
    }

    /// Adds to every cell's value those of all cells upstream, always in the same order, and writes the sums
    /// by place.
    void gather(float* values, float* sums, const Progress& progress) const {
        const Link* const links = links_.data();
        const auto add_link = [=](const Link* link) {
            const float sum = values[link->cell];
            sums[link - links] = sum;
            if (link->receiver >= 0) values[link->receiver] += sum;
        };
        in_turns<-1>(progress, add_link);
        for (const Link& link : leaving_) values[link.receiver] += values[link.cell];
        for (std::int64_t place = starts_.front(); place-- > 0;) add_link(links + place);
    }

  private:
    static constexpr std::int64_t kRunsAtOnce = 8;
    static constexpr std::int32_t kNone = -1;

    /// A cell and its receiver: the cell's number, kNone, or leaving() of it where it lies in the trunk, but
    /// the cell does not.
    struct Link {
        std::int32_t cell;
        std::int32_t receiver;
    };
    /// There and back.
    static constexpr std::int32_t leaving(std::int32_t receiver) { return kNone - 1 - receiver; }

    /// What is left of a run.
    struct Turn {
        const Link* next;
        std::int64_t left;  // links
    };

    /// Visits `count` links of each of the first `runs` turns, one of each after the other.
    template <int Way, class Visit>
    [[gnu::always_inline]] static void visit_each(std::array<Turn, kRunsAtOnce>& turns, std::int64_t runs,
                                                  std::int64_t count, const Visit& visit) {
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t run = 0; run < runs; ++run) {
                visit(turns[at(run)].next);
                turns[at(run)].next += Way;
            }
        for (std::int64_t run = 0; run < runs; ++run) turns[at(run)].left -= count;
    }

    /// Calls visit(link) for the cells of every run, upstream (Way 1) or downstream (-1), some runs in turns:
    /// while one waits for the cell that it has just visited, others go on.
    template <int Way, class Visit>
    void in_turns(const Progress& progress, const Visit& visit) const {
        const auto visit_together = [&](std::int64_t first, std::int64_t last) {
            progress.poll();
            std::array<Turn, kRunsAtOnce> turns{};
            for (std::int64_t run = first; run < last; ++run) {
                const std::int64_t begin = starts_[at(run)], end = starts_[at(run + 1)];
                turns[at(run - first)] = {links_.data() + (Way > 0 ? begin : end - 1), end - begin};
            }
            std::int64_t runs = last - first;
            while (runs > 0) {
                const auto left =
                    std::min_element(turns.begin(), turns.begin() + runs,
                                     [](const Turn& a, const Turn& b) { return a.left < b.left; });
                // A number that the compiler knows lets it keep the turns at hand.
                if (runs == kRunsAtOnce) {
                    visit_each<Way>(turns, kRunsAtOnce, left->left, visit);
                } else {
                    visit_each<Way>(turns, runs, left->left, visit);
                }
                runs = std::remove_if(turns.begin(), turns.begin() + runs,
                                      [](const Turn& turn) { return turn.left == 0; }) -
                       turns.begin();
            }
        };
        parallel_for(0, static_cast<std::int64_t>(starts_.size()) - 1, kRunsAtOnce, visit_together);
    }

    std::vector<Link> links_;           // by place: trunk, then run by run
    std::vector<std::int64_t> starts_;  // places: of every run, and its end
    std::vector<Link> leaving_;         // cells whose receiver lies in the trunk, with that
};

}  // namespace thalweg
