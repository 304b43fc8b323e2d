// Threads: loops over pieces of a range, with the same bits on any number of threads.
#pragma once

#include <cassert>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace thalweg {

/// How many threads parallel work that starts on this thread may use (execution.hpp); at least 1.
int thread_count();

/// `wanted`, where the system lets as many threads be started beside those that run; else 1, which is the
/// calling thread alone. For libraries that start threads of their own, and wait for ever for one that they
/// could not start. Starts them to find out.
int startable_threads(int wanted);

/// Runs `body(block)` for every block in [0, blocks), in any order and on any thread; a body may make such
/// calls itself, and while it waits for them no other block runs on its thread. When bodies throw, the
/// exception of the lowest block that does is thrown again here once all running bodies have ended; every
/// block before that one has run, those behind it may have been left out. Polls first (cancelling.hpp).
void parallel_blocks(std::int64_t blocks, const std::function<void(std::int64_t)>& body);

/// Runs `body(first, last)` over [begin, end) cut into pieces of `grain` (the last may be shorter). The
/// pieces depend on the range alone, never on the number of threads; a range of one piece runs on the calling
/// thread. `grain` is at least 1.
template <class Body>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain, const Body& body) {
    assert(grain > 0);
    if (end <= begin) return;
    const std::int64_t blocks = (end - begin + grain - 1) / grain;
    if (blocks == 1) return body(begin, end);
    parallel_blocks(blocks, [&](std::int64_t block) {
        const std::int64_t first = begin + block * grain;
        body(first, first + grain < end ? first + grain : end);
    });
}

/// Reduces `body(first, last) -> T` over [begin, end) in pieces of `grain`, combining the pieces' results in
/// their order, so that floating-point sums have the same bits on any number of threads. `combine` need not
/// be commutative; T is not bool; `grain` is at least 1.
///
/// Example:
///     #include <numeric>
///     const std::vector<float> heights(1000000, 1.0F);  // m
///     const auto sum_of = [&](std::int64_t first, std::int64_t last) {
///         return std::accumulate(heights.begin() + first, heights.begin() + last, 0.0);
///     };
///     const double sum = parallel_reduce(0, std::ssize(heights), 4096, 0.0, sum_of, std::plus<>{});
template <class T, class Body, class Combine>
T parallel_reduce(std::int64_t begin, std::int64_t end, std::int64_t grain, T identity, const Body& body,
                  const Combine& combine) {
    static_assert(!std::is_same_v<T, bool>, "neighbours in a std::vector<bool> share a word: reduce to int");
    assert(grain > 0);
    if (end <= begin) return identity;
    const std::int64_t blocks = (end - begin + grain - 1) / grain;
    std::vector<T> partial(static_cast<std::size_t>(blocks), identity);
    parallel_for(begin, end, grain, [&](std::int64_t first, std::int64_t last) {
        partial[static_cast<std::size_t>((first - begin) / grain)] = body(first, last);
    });
    T total = identity;
    for (const T& part : partial) total = combine(std::move(total), part);
    return total;
}

/// What `find(first, last)`, which gives a std::vector<T>, finds in each of the pieces of `grain` of [begin,
/// end), in their order. Pieces are looked through at the same time.
template <class T, class Find>
std::vector<std::vector<T>> parallel_parts(std::int64_t begin, std::int64_t end, std::int64_t grain,
                                           const Find& find) {
    const auto blocks = static_cast<std::size_t>(end > begin ? (end - begin + grain - 1) / grain : 0);
    std::vector<std::vector<T>> parts(blocks);
    parallel_for(begin, end, grain, [&](std::int64_t first, std::int64_t last) {
        parts[static_cast<std::size_t>((first - begin) / grain)] = find(first, last);
    });
    return parts;
}

/// The same, one part behind the other.
template <class T, class Find>
std::vector<T> parallel_concat(std::int64_t begin, std::int64_t end, std::int64_t grain, const Find& find) {
    std::vector<std::vector<T>> parts = parallel_parts<T>(begin, end, grain, find);
    if (parts.size() == 1) return std::move(parts.front());
    std::size_t size = 0;
    for (const std::vector<T>& part : parts) size += part.size();
    std::vector<T> all;
    all.reserve(size);
    for (const std::vector<T>& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// What `body(i, found)` adds to `found`, a std::vector<T>, for every i in [begin, end), in the order of i.
/// Pieces of `grain` are looked through at the same time.
template <class T, class Body>
std::vector<T> parallel_gather(std::int64_t begin, std::int64_t end, std::int64_t grain, const Body& body) {
    return parallel_concat<T>(begin, end, grain, [&](std::int64_t first, std::int64_t last) {
        std::vector<T> found;
        for (std::int64_t i = first; i < last; ++i) body(i, found);
        return found;
    });
}

/// The lowest i in [begin, end) for which `holds(i)`, or `end`. Others may be looked at too, behind it as
/// well: without branches between them, where `holds` has none, for vectors.
template <class Predicate>
std::int64_t parallel_find(std::int64_t begin, std::int64_t end, std::int64_t grain, const Predicate& holds) {
    const auto first_in = [&](std::int64_t first, std::int64_t last) {
        constexpr std::int64_t kTogether = 64;  // (empirical)
        for (; first + kTogether <= last; first += kTogether) {
            int found = 0;
            for (std::int64_t i = first; i < first + kTogether; ++i) found |= holds(i) ? 1 : 0;
            if (found != 0) break;
        }
        for (; first < last; ++first)
            if (holds(first)) return first;
        return end;
    };
    return parallel_reduce(begin, end, grain, end, first_in,
                           [](std::int64_t a, std::int64_t b) { return a < b ? a : b; });
}

}  // namespace thalweg
