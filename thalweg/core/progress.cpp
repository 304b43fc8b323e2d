#include "thalweg/core/progress.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>

#include <fmt/format.h>
#include <unistd.h>

namespace thalweg {
namespace {

constexpr double kRedrawInterval = 0.1;  // s
constexpr int kBarWidth = 30;            // characters

std::atomic<Progress*> interrupted_progress{nullptr};

void on_interrupt(int signal_number) {
    Progress* progress = interrupted_progress.load();
    if (progress != nullptr) progress->cancel();
    std::signal(signal_number, SIG_DFL);
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
        if (written <= 0) return;
        done += static_cast<std::size_t>(written);
    }
}

std::string json_escaped(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') escaped += '\\';
        if (static_cast<unsigned char>(letter) >= 0x20) escaped += letter;
    }
    return escaped;
}

}  // namespace

void StreamProgress::show(double fraction, std::string_view phrase) {
    const bool new_phrase = phrase != last_phrase_;
    const double now = seconds_now();
    const bool due = now - last_time_ >= kRedrawInterval;
    // Plain lines appear once a phrase; the others also move on with time.
    if (!new_phrase && (style_ == ProgressStyle::Plain || !due)) return;
    last_phrase_ = std::string(phrase);
    last_time_ = now;
    write_line(std::clamp(fraction, 0.0, 1.0), phrase);
}

void StreamProgress::write_line(double fraction, std::string_view phrase) {
    switch (style_) {
        case ProgressStyle::Bar: {
            const int filled = static_cast<int>(fraction * kBarWidth);
            write_all(descriptor_, fmt::format("\r[{:#<{}}{:.<{}}] {:3.0f} % {}\x1b[K", "", filled, "",
                                               kBarWidth - filled, fraction * 100.0, phrase));
            bar_shown_ = true;
            break;
        }
        case ProgressStyle::Plain:
            write_all(descriptor_, fmt::format("{:3.0f} % {}\n", fraction * 100.0, phrase));
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

CancelOnInterrupt::CancelOnInterrupt(Progress& progress) {
    interrupted_progress.store(&progress);
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
}

CancelOnInterrupt::~CancelOnInterrupt() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    interrupted_progress.store(nullptr);
}

}  // namespace thalweg
