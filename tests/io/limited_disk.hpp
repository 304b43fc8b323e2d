// A disk on which no file may grow beyond a size, for one scope.
#pragma once

#include <csignal>

#include <sys/resource.h>

namespace thalweg {

class LimitedDisk {
  public:
    explicit LimitedDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limited{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limited);
    }
    ~LimitedDisk() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    LimitedDisk(const LimitedDisk&) = delete;
    LimitedDisk& operator=(const LimitedDisk&) = delete;

  private:
    void (*handler_)(int);
    rlimit before_{};
};

}  // namespace thalweg
