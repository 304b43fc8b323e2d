#include "thalweg/core/progress.hpp"

#include "thalweg/core/printable.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

namespace thalweg {
namespace {

constexpr double kRedrawInterval = 0.1;  // s
constexpr int kBarWidth = 30;            // characters

/// Both signals that ask the program to end, in the order of `CancelOnInterrupt::Previous`.
constexpr std::array<int, 2> kInterrupts = {SIGINT, SIGTERM};

std::atomic<Progress*> interrupted_progress{nullptr};
static_assert(std::atomic<Progress*>::is_always_lock_free, "the signal handler reads it");

/// Cancels, and leaves any further signal to end the process. Both signals are blocked while it runs.
void on_interrupt(int) {
    Progress* progress = interrupted_progress.load();
    if (progress != nullptr) progress->cancel();
    struct sigaction end_process = {};
    end_process.sa_handler = SIG_DFL;
    for (const int signal_number : kInterrupts) ::sigaction(signal_number, &end_process, nullptr);
}

double seconds_now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Writes all of `text`; progress that can't be shown is no reason to stop the work.
void write_all(int descriptor, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        done += static_cast<std::size_t>(written);
    }
}

std::string without_digits(std::string_view phrase) {
    std::string words;
    std::ranges::copy_if(phrase, std::back_inserter(words),
                         [](char letter) { return letter < '0' || letter > '9'; });
    return words;
}

/// As it is written.
int percent_of(double fraction) {
    return static_cast<int>(std::lround(100.0 * std::clamp(fraction, 0.0, 1.0)));
}

std::string json_escaped(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') escaped += '\\';
        if (static_cast<unsigned char>(letter) < 0x20) {
            escaped += fmt::format("\\u{:04x}", static_cast<int>(letter));
        } else {
            escaped += letter;
        }
    }
    return escaped;
}

}  // namespace

void StreamProgress::show(double fraction, std::string_view phrase) {
    if (style_ == ProgressStyle::Plain) {
        const int percent = percent_of(fraction);
        if (phrase == last_phrase_) return;
        if (percent == last_percent_ && without_digits(phrase) == without_digits(last_phrase_)) return;
        last_phrase_ = std::string(phrase);
        last_percent_ = percent;
    } else {
        const double now = seconds_now();
        const bool first_end = fraction >= 1.0 && !end_shown_;
        if (!first_end && now - last_time_ < kRedrawInterval) return;
        end_shown_ = end_shown_ || first_end;
        last_time_ = now;
    }
    write_line(std::clamp(fraction, 0.0, 1.0), phrase);
}

void StreamProgress::write_line(double fraction, std::string_view phrase) {
    switch (style_) {
        case ProgressStyle::Bar: {
            const int filled = static_cast<int>(fraction * kBarWidth);
            write_all(descriptor_, fmt::format("\r[{:#<{}}{:.<{}}] {:3.0f} % {}\x1b[K", "", filled, "",
                                               kBarWidth - filled, fraction * 100.0, printable(phrase)));
            bar_shown_ = true;
            break;
        }
        case ProgressStyle::Plain:
            write_all(descriptor_, fmt::format("{:3.0f} % {}\n", fraction * 100.0, printable(phrase)));
            break;
        case ProgressStyle::Json:
            write_all(descriptor_, fmt::format("{{\"fraction\":{:.4f},\"phrase\":\"{}\"}}\n", fraction,
                                               json_escaped(phrase)));
            break;
    }
}

StreamProgress::~StreamProgress() {
    if (bar_shown_) write_all(descriptor_, "\r\x1b[K");
}

struct CancelOnInterrupt::Previous {
    Progress* progress = nullptr;
    std::array<struct sigaction, kInterrupts.size()> actions = {};
};

CancelOnInterrupt::CancelOnInterrupt(Progress& progress) : previous_(std::make_unique<Previous>()) {
    previous_->progress = interrupted_progress.exchange(&progress);
    struct sigaction cancel = {};
    cancel.sa_handler = on_interrupt;
    cancel.sa_flags = SA_RESTART;  // reading and writing go on; the work ends at its next poll
    sigemptyset(&cancel.sa_mask);
    for (const int signal_number : kInterrupts) sigaddset(&cancel.sa_mask, signal_number);
    for (std::size_t i = 0; i < kInterrupts.size(); ++i)
        ::sigaction(kInterrupts[i], &cancel, &previous_->actions[i]);
}

CancelOnInterrupt::~CancelOnInterrupt() {
    for (std::size_t i = 0; i < kInterrupts.size(); ++i)
        ::sigaction(kInterrupts[i], &previous_->actions[i], nullptr);
    interrupted_progress.store(previous_->progress);
}

}  // namespace thalweg
