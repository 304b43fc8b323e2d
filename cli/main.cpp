// thalweg: grows river landscapes. This file turns whatever happens into an exit code and one sentence.
#include "thalweg/core/error.hpp"
#include "thalweg/core/progress.hpp"

#include <algorithm>
#include <csignal>
#include <new>

#include "cli/program.hpp"
#include "cli/standard_streams.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kCancelled = 3;

/// One line on standard error, whatever line breaks a library's message holds.
int complain(std::string sentence, int exit_code) {
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    thalweg::cli::tell("thalweg: " + sentence);
    return exit_code;
}

}  // namespace

int main(int count, char** arguments) {
    // A full quota and a closed pipe are errors of the write that meets them, not the end of the process.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    try {
        thalweg::cli::run_program({arguments + 1, arguments + count});
        return 0;
    } catch (const thalweg::Cancelled&) {
        return complain("cancelled, and nothing was written", kCancelled);
    } catch (const thalweg::cli::ReaderGone&) {
        return kFailed;
    } catch (const thalweg::Error& error) {
        return complain(error.what(), error.exit_code());
    } catch (const std::bad_alloc&) {
        return complain("the machine has not enough memory for this: try fewer cells", kFailed);
    } catch (const std::exception& error) {
        return complain(error.what(), kFailed);
    }
}
