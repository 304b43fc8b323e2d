#include "thalweg/flow/depressions/spanning_forest.hpp"

#include "thalweg/core/index.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace thalweg {
namespace {

constexpr std::size_t kLinksPerPoll = 1 << 20;
constexpr std::int64_t kNoLink = -1;

class ForestGrower {
  public:
    ForestGrower(std::int64_t basins, const Progress& progress)
        : progress_(progress), set_(at(basins)), lowest_(at(basins)) {
        std::iota(set_.begin(), set_.end(), 0);
    }

    std::vector<BasinLink> grow(std::vector<BasinLink> links) {
        std::vector<BasinLink> taken;
        for (find_lowest(links); !links.empty(); find_lowest(links))
            for (const std::int64_t link : lowest_)
                if (link != kNoLink && join(links[at(link)])) taken.push_back(links[at(link)]);
        return taken;
    }

  private:
    /// Of each set; drops links inside sets.
    void find_lowest(std::vector<BasinLink>& links) {
        std::fill(lowest_.begin(), lowest_.end(), kNoLink);
        std::int64_t kept = 0;
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (i % kLinksPerPoll == 0) progress_.poll();
            const std::int32_t a = set_of(links[i].a), b = set_of(links[i].b);
            if (a == b) continue;
            links[at(kept)] = links[i];
            for (const std::int32_t set : {a, b}) {
                std::int64_t& lowest = lowest_[at(set)];
                if (lowest == kNoLink || links[at(kept)].key < links[at(lowest)].key) lowest = kept;
            }
            ++kept;
        }
        links.resize(at(kept));
    }

    std::int32_t set_of(std::int32_t basin) {
        while (set_[at(basin)] != basin) {
            set_[at(basin)] = set_[at(set_[at(basin)])];
            basin = set_[at(basin)];
        }
        return basin;
    }

    bool join(const BasinLink& link) {
        const std::int32_t a = set_of(link.a), b = set_of(link.b);
        set_[at(std::max(a, b))] = std::min(a, b);
        return a != b;
    }

    const Progress& progress_;
    std::vector<std::int32_t> set_;     // per basin: another of its set, or itself
    std::vector<std::int64_t> lowest_;  // per set: its lowest link
};

/// Walks a forest from its roots on.
class ForestWalk {
  public:
    ForestWalk(const std::vector<BasinLink>& forest, const std::vector<float>& pit_elevation)
        : forest_(forest), pit_elevation_(pit_elevation), starts_(pit_elevation.size() + 2, 0) {
        for (const BasinLink& link : forest)
            for (const std::int32_t basin : {link.a, link.b}) ++starts_[at(basin) + 1];
        std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
        links_.resize(2 * forest.size());
        std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
        for (std::size_t i = 0; i < forest.size(); ++i)
            for (const std::int32_t basin : {forest[i].a, forest[i].b})
                links_[at(next[at(basin)]++)] = static_cast<std::int64_t>(i);
        is_reached_.assign(pit_elevation.size() + 1, 0);
        rooted_.links.resize(pit_elevation.size() + 1);
        rooted_.order.reserve(pit_elevation.size() + 1);
    }

    RootedForest walk() && {
        reach_all_from(0);
        for (std::int32_t basin = 1; at(basin) < is_reached_.size(); ++basin) {
            if (is_reached_[at(basin)] != 0) continue;
            ++rooted_.closed_components;
            reach_all_from(lowest_connected(basin));
        }
        return std::move(rooted_);
    }

  private:
    /// Calls body(link, other) for the links of a basin and the basins at their other ends.
    template <class Body>
    void for_links(std::int32_t basin, const Body& body) const {
        for (std::int64_t i = starts_[at(basin)]; i < starts_[at(basin) + 1]; ++i) {
            const BasinLink& link = forest_[at(links_[at(i)])];
            body(links_[at(i)], link.a == basin ? link.b : link.a);
        }
    }

    void reach_all_from(std::int32_t start) {
        is_reached_[at(start)] = 1;
        std::size_t next = rooted_.order.size();
        rooted_.order.push_back(start);
        for (; next < rooted_.order.size(); ++next) {
            const std::int32_t basin = rooted_.order[next];
            for_links(basin, [&](std::int64_t link, std::int32_t other) {
                if (is_reached_[at(other)] != 0) return;
                is_reached_[at(other)] = 1;
                rooted_.links[at(other)] = {basin, link};
                rooted_.order.push_back(other);
            });
        }
    }

    /// Of the basins that `start` is connected to, itself included, the one with the lowest pit.
    [[nodiscard]] std::int32_t lowest_connected(std::int32_t start) {
        std::vector<std::int32_t> part = {start};
        is_reached_[at(start)] = 1;
        for (std::size_t next = 0; next < part.size(); ++next)
            for_links(part[next], [&](std::int64_t, std::int32_t other) {
                if (is_reached_[at(other)] != 0) return;
                is_reached_[at(other)] = 1;
                part.push_back(other);
            });
        for (const std::int32_t basin : part) is_reached_[at(basin)] = 0;
        return *std::min_element(part.begin(), part.end(), [&](std::int32_t a, std::int32_t b) {
            const float of_a = pit_elevation_[at(a - 1)], of_b = pit_elevation_[at(b - 1)];
            return of_a != of_b ? of_a < of_b : a < b;
        });
    }

    const std::vector<BasinLink>& forest_;
    const std::vector<float>& pit_elevation_;
    std::vector<std::int64_t> starts_;  // per basin: its first entry in links_
    std::vector<std::int64_t> links_;   // places in the forest's list
    std::vector<std::uint8_t> is_reached_;
    RootedForest rooted_;
};

}  // namespace

std::vector<BasinLink> spanning_forest(std::vector<BasinLink> links, std::int64_t basins,
                                       const Progress& progress) {
    return ForestGrower(basins, progress).grow(std::move(links));
}

/// The place of a basin among those that have links.
std::int32_t PartialForest::number_of(std::int32_t basin) {
    std::int32_t& number = numbers_[at(basin)];
    if (number < 0) {
        number = static_cast<std::int32_t>(basins_.size());
        basins_.push_back(basin);
    }
    return number;
}

std::vector<BasinLink> PartialForest::find(std::vector<BasinLink> links, std::int64_t basins,
                                           const Progress& progress) {
    if (std::ssize(numbers_) < basins) numbers_.resize(at(basins), -1);
    for (BasinLink& link : links) link = {link.key, number_of(link.a), number_of(link.b)};
    std::vector<BasinLink> forest = spanning_forest(std::move(links), std::ssize(basins_), progress);
    for (BasinLink& link : forest) link = {link.key, basins_[at(link.a)], basins_[at(link.b)]};
    for (const std::int32_t basin : basins_) numbers_[at(basin)] = -1;
    basins_.clear();
    return forest;
}

RootedForest root_forest(const std::vector<BasinLink>& forest, const std::vector<float>& pit_elevation) {
    return ForestWalk(forest, pit_elevation).walk();
}

}  // namespace thalweg
