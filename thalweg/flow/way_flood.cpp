#include "thalweg/flow/way_flood.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr std::int64_t kPopsPerPoll = 1 << 16;

}  // namespace

WayFlood::WayFlood(const Field<float>& elevation, Progress& progress)
    : elevation_(elevation), progress_(progress), way_back_(at(elevation.size()), kUnset) {
}

void WayFlood::clear() {
    for (const std::int32_t cell : flooded_) way_back_[at(cell)] = kUnset;
    flooded_.clear();
    waiting_.clear();
}

void WayFlood::push(std::int32_t cell, std::uint8_t way_back) {
    way_back_[at(cell)] = way_back;
    flooded_.push_back(cell);
    waiting_.push_back({elevation_[cell], static_cast<std::int32_t>(flooded_.size()), cell});
    std::push_heap(waiting_.begin(), waiting_.end());
}

std::int32_t WayFlood::pop() {
    if (++pops_ % kPopsPerPoll == 0) progress_.poll();
    std::pop_heap(waiting_.begin(), waiting_.end());
    const std::int32_t cell = waiting_.back().cell;
    waiting_.pop_back();
    return cell;
}

}  // namespace thalweg
