#include "thalweg/core/worker.hpp"

#include "thalweg/core/error.hpp"

#include <string>
#include <system_error>
#include <thread>

namespace thalweg {

struct Worker::Thread {
    explicit Thread(const std::function<void()>& body) : thread(body) {}
    std::jthread thread;
};

Worker::Worker(const std::function<void()>& body) {
    try {
        thread_ = std::make_unique<Thread>(body);
    } catch (const std::system_error& error) {
        throw Error::failure(std::string("no thread can be started: ") + error.what());
    }
}

Worker::~Worker() = default;

}  // namespace thalweg
