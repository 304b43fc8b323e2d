// thalweg: grows river landscapes. This file turns whatever happens into an exit code and one sentence.
#include "thalweg/core/error.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/project/runner.hpp"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "cli/kept_memory.hpp"
#include "cli/program.hpp"
#include "cli/standard_streams.hpp"
#include "cli/surrounding_settings.hpp"
#include <fmt/format.h>

namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;
constexpr int kCancelled = 3;

int complain(const std::string& sentence, int exit_code) {
    thalweg::cli::print_message("thalweg: " + sentence);
    return exit_code;
}

/// Says what ended the program, and returns its exit code. To be called while an exception is handled.
int complain_of_exception() {
    try {
        throw;
    } catch (const thalweg::UnfinishedRun& cancelled) {
        return complain(
            fmt::format(
                "cancelled, and no output was written; what is done is kept in {}, and the same command "
                "goes on from there",
                cancelled.folder().string()),
            kCancelled);
    } catch (const thalweg::Cancelled&) {
        return complain("cancelled, and nothing was written", kCancelled);
    } catch (const thalweg::cli::ReaderGone&) {
        return kFailed;
    } catch (const thalweg::Error& error) {
        return complain(error.what(), error.exit_code());
    } catch (const std::bad_alloc&) {
        return complain("there is not enough memory for this: take fewer cells, or fewer threads",
                        kWrongInput);
    } catch (const std::exception& error) {
        return complain(error.what(), kFailed);
    }
}

/// A thread that can't be started, for want of memory or by a limit, ends the thread pool in std::terminate.
[[noreturn]] void end_at_once() {
    if (std::current_exception() == nullptr) std::abort();
    std::_Exit(complain_of_exception());
}

}  // namespace

int main(int count, char** arguments) {
    // A full quota and a closed pipe are errors of the write that meets them, not the end of the process.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    std::set_terminate(end_at_once);
    thalweg::cli::keep_freed_memory();
    thalweg::cli::forget_raster_settings();
    try {
        thalweg::cli::run_program({arguments + 1, arguments + count});
        return 0;
    } catch (...) {
        return complain_of_exception();
    }
}
