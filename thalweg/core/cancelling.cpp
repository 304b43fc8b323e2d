#include "thalweg/core/cancelling.hpp"

#include <utility>

namespace thalweg {
namespace {

thread_local const Progress* answered = nullptr;

}  // namespace

AnswersTo::AnswersTo(const Progress* progress) : before_(std::exchange(answered, progress)) {
}

AnswersTo::~AnswersTo() {
    answered = before_;
}

const Progress* answered_progress() {
    return answered;
}

bool is_cancelled() {
    return answered != nullptr && answered->cancelled();
}

void poll_cancelled() {
    if (answered != nullptr) answered->poll();
}

}  // namespace thalweg
