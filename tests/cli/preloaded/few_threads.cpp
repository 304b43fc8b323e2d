// Loaded before a program (LD_PRELOAD): beside its first, THALWEG_STARTABLE threads can live at a time, and
// no more can be started, as where a limit of processes is reached.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include <dlfcn.h>
#include <pthread.h>

namespace {

using Run = void* (*)(void*);
using Create = int (*)(pthread_t*, const pthread_attr_t*, Run, void*);

std::atomic<int> left{std::atoi(std::getenv("THALWEG_STARTABLE"))};

struct Start {
    Run run;
    void* argument;
};

void* run_counted(void* given) {
    const std::unique_ptr<Start> start(static_cast<Start*>(given));
    void* const result = start->run(start->argument);
    ++left;
    return result;
}

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, Run run, void* argument) {
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    if (left-- <= 0) {
        ++left;
        return EAGAIN;
    }
    return create(thread, attributes, run_counted, std::make_unique<Start>(Start{run, argument}).release());
}
