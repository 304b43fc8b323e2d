// Pool: memory that tasks borrow, one thing at a time each, and find again in later calls.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace thalweg {

/// Things that are made when none is free. What they hold must not matter to those who borrow them; one whose
/// borrower throws is given up.
template <class T>
class Pool {
  public:
    /// Runs `work(thing)`; no one else has the thing meanwhile.
    template <class Work>
    void with(const Work& work) {
        std::unique_ptr<T> thing = take();
        work(*thing);
        const std::lock_guard lock(*mutex_);
        free_.push_back(std::move(thing));
    }

  private:
    std::unique_ptr<T> take() {
        const std::lock_guard lock(*mutex_);
        if (free_.empty()) return std::make_unique<T>();
        std::unique_ptr<T> thing = std::move(free_.back());
        free_.pop_back();
        return thing;
    }

    std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // by address: pools can be moved
    std::vector<std::unique_ptr<T>> free_;
};

}  // namespace thalweg
