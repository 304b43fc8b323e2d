#include "thalweg/core/execution.hpp"

namespace thalweg {
namespace {

thread_local Execution current;

}  // namespace

ExecutionScope::ExecutionScope(const Execution& execution) : before_(current) {
    if (execution.progress != nullptr) current.progress = execution.progress;
    if (execution.threads > 0) current.threads = execution.threads;
}

ExecutionScope::~ExecutionScope() {
    current = before_;
}

const Execution& current_execution() {
    return current;
}

}  // namespace thalweg
