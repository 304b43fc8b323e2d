// Progress of long work, and how it is cancelled.
#pragma once

#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace thalweg {

/// Thrown by `Progress` once its work has been cancelled, out of engines and runs. It is not an Error: inputs
/// and files are as they were when it passes through.
class Cancelled : public std::exception {
  public:
    [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

/// Receives the fraction done and a phrase from long work, and tells that work when to stop.
/// `poll` and `cancel` may be called from any thread; `report` only from the thread that started the work.
class Progress {
  public:
    Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    virtual ~Progress() = default;

    /// Says how far the work is, fraction in [0, 1]. Throws Cancelled once cancelled.
    void report(double fraction, std::string_view phrase) {
        poll();
        show(fraction, phrase);
    }

    /// Throws Cancelled once cancelled. Engines call it at least every 50 ms.
    void poll() const {
        if (cancelled()) throw Cancelled{};
    }

    /// Asks the work to stop. Async-signal-safe.
    void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }

    [[nodiscard]] virtual bool cancelled() const noexcept {
        return cancelled_.load(std::memory_order_relaxed);
    }

  protected:
    virtual void show(double fraction, std::string_view phrase) = 0;
    friend class ProgressPart;

  private:
    std::atomic<bool> cancelled_{false};
};

/// Shows nothing; can still be cancelled.
class QuietProgress final : public Progress {
  protected:
    void show(double, std::string_view) override {}
};

/// The share [from, to] of a larger piece of work, for a callee that counts its own from 0 to 1.
class ProgressPart final : public Progress {
  public:
    ProgressPart(Progress& whole, double from, double to) : whole_(whole), from_(from), to_(to) {}
    [[nodiscard]] bool cancelled() const noexcept override {
        return Progress::cancelled() || whole_.cancelled();
    }

  protected:
    void show(double fraction, std::string_view phrase) override {
        whole_.show(from_ + (to_ - from_) * fraction, phrase);
    }

  private:
    Progress& whole_;
    double from_;
    double to_;
};

/// Work inside a larger piece of work: shows nothing, and is cancelled with the whole.
class SilentPart final : public Progress {
  public:
    explicit SilentPart(const Progress& whole) : whole_(whole) {}
    [[nodiscard]] bool cancelled() const noexcept override {
        return Progress::cancelled() || whole_.cancelled();
    }

  protected:
    void show(double, std::string_view) override {}

  private:
    const Progress& whole_;
};

/// How a StreamProgress writes: a bar redrawn in place, a line per phrase, or a JSON object per line
/// (`{"fraction":0.25,"phrase":"..."}`).
enum class ProgressStyle { Bar, Plain, Json };

/// Writes progress to a file descriptor (standard error for the command line). Bar and Json write at most ten
/// times a second, and leave out what is reported in between, except that the first fraction of 1 is always
/// written; Plain writes a line for every new phrase, however fast they follow, but of phrases that differ in
/// numbers alone ("eroding, 5000 years") one for each new per cent.
///
/// Text that can't be written is dropped. On a broken pipe the system raises SIGPIPE, which ends the process
/// unless the program ignores that signal, as the command line does.
class StreamProgress final : public Progress {
  public:
    StreamProgress(int descriptor, ProgressStyle style) : descriptor_(descriptor), style_(style) {}
    ~StreamProgress() override;

  protected:
    void show(double fraction, std::string_view phrase) override;

  private:
    void write_line(double fraction, std::string_view phrase);

    int descriptor_;
    ProgressStyle style_;
    std::string last_phrase_;                                      // of a line
    int last_percent_ = -1;                                        // of that line
    double last_time_ = -std::numeric_limits<double>::infinity();  // s, on a steady clock
    bool end_shown_ = false;
    bool bar_shown_ = false;
};

/// While alive, the first SIGINT or SIGTERM cancels `progress`; a second signal of either kind ends the
/// process at once. When it goes, the handlers that it found are back. Guards may be nested: the innermost
/// one counts. Signals belong to the whole process, so make and destroy guards on one thread.
///
/// Example:
///     StreamProgress bar(2, ProgressStyle::Bar);  // on standard error
///     const CancelOnInterrupt guard(bar);
///     ProgressPart first_half(bar, 0.0, 0.5);
///     first_half.report(1.0, "reading");  // shows a bar that is half full
class CancelOnInterrupt {
  public:
    explicit CancelOnInterrupt(Progress& progress);
    CancelOnInterrupt(const CancelOnInterrupt&) = delete;
    CancelOnInterrupt& operator=(const CancelOnInterrupt&) = delete;
    ~CancelOnInterrupt();

  private:
    struct Previous;
    std::unique_ptr<Previous> previous_;
};

}  // namespace thalweg
