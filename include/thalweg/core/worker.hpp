// Worker: a thread beside the program's own.
#pragma once

#include <functional>
#include <memory>

namespace thalweg {

/// A thread that runs `body` once, for work that the program does not wait for; what is computed is cut into
/// pieces by parallel.hpp there as elsewhere. The body must not throw.
///
/// Example:
///     const Worker worker([] { std::puts("beside the program's own thread"); });
class Worker {
  public:
    /// Throws Error::failure where the system has no thread left.
    explicit Worker(const std::function<void()>& body);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    /// Waits for the body's end.
    ~Worker();

  private:
    struct Thread;
    std::unique_ptr<Thread> thread_;
};

}  // namespace thalweg
