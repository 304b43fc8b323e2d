#include "cli/session.hpp"

#include "thalweg/io/files.hpp"

#include <chrono>
#include <span>

#include "cli/file_arguments.hpp"
#include "cli/parameter_flags.hpp"
#include "cli/standard_streams.hpp"
#include <unistd.h>

namespace thalweg::cli {
namespace {

constexpr int kMostThreads = 1024;
constexpr std::chrono::milliseconds kPatience{700};  // work that is done sooner shows no progress

/// Shows progress as `style` says, but only once the work has taken a while: short work stays silent.
class PatientProgress final : public Progress {
  public:
    explicit PatientProgress(ProgressStyle style) : stream_(STDERR_FILENO, style) {}

  protected:
    void show(double fraction, std::string_view phrase) override {
        if (std::chrono::steady_clock::now() - start_ >= kPatience) stream_.report(fraction, phrase);
    }

  private:
    StreamProgress stream_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::unique_ptr<Progress> make_progress(ProgressMode mode) {
    switch (mode) {
        case ProgressMode::Auto:
            return std::make_unique<PatientProgress>(isatty(STDERR_FILENO) == 1 ? ProgressStyle::Bar
                                                                                : ProgressStyle::Plain);
        case ProgressMode::Plain:
            return std::make_unique<StreamProgress>(STDERR_FILENO, ProgressStyle::Plain);
        case ProgressMode::Json:
            return std::make_unique<StreamProgress>(STDERR_FILENO, ProgressStyle::Json);
        case ProgressMode::None:
            break;
    }
    return std::make_unique<QuietProgress>();
}

}  // namespace

void SessionSettings::declare(Declaration<SessionSettings>& d) {
    d.integer("threads", &SessionSettings::threads,
              {.unit = "1",
               .sentence = "Threads to work on; 0 means one per core. Results do not depend on it.",
               .minimum = 0.0,
               .maximum = kMostThreads});
    d.choice(
        "progress", &SessionSettings::progress,
        {{"auto", ProgressMode::Auto},
         {"plain", ProgressMode::Plain},
         {"json", ProgressMode::Json},
         {"none", ProgressMode::None}},
        {.unit = "", .sentence = "How progress is shown on standard error; auto draws a bar on a terminal."});
    d.file("report", &SessionSettings::report,
           {.unit = "",
            .sentence = "Write what was done, and how long it took, as JSON (- is standard output)."});
}

FlagGroup session_flags() {
    FlagGroup group{"Running", parameter_flags(parameters_of<SessionSettings>())};
    group.flags.push_back(sources_flag());
    return group;
}

Session::Session(const Given& given) {
    set_parameters(parameters_of<SessionSettings>(), given, &settings_);
    allow_sources(given);
    given_notes_ = given.notes;
    progress_ = make_progress(settings_.progress);
    interrupt_ = std::make_unique<CancelOnInterrupt>(*progress_);
    scope_.emplace(execution());
}

Session::~Session() = default;

void Session::conclude(RunReport report, bool standard_output_taken) {
    report.notes.insert(report.notes.begin(), given_notes_.begin(), given_notes_.end());
    scope_.reset();
    interrupt_.reset();
    progress_.reset();
    print_notes(notes_of(report));
    const bool report_to_output = settings_.report == kStandardStream;
    if (report_to_output) {
        print(report_json(report));
    } else if (!settings_.report.empty()) {
        const std::string text = report_json(report);
        write_file_atomically(settings_.report, std::as_bytes(std::span(text)));
    }
    if (standard_output_taken || report_to_output) return;
    for (const std::string& file : report.files) print_lines(file + "\n");
}

}  // namespace thalweg::cli
