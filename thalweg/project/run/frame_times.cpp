#include "thalweg/project/frame_times.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/project/stage_time.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::string_view kLogarithmic = "log";
constexpr double kRounding = 1e-6;  // of a step: what is left of it at the end is no step

/// What was typed, and the stage whose times it names.
struct Typed {
    const char* flag;
    std::string_view text;
    const Stage& stage;

    [[nodiscard]] const Parameter& time() const { return stage.parameters->at(stage.time.parameter); }
    [[nodiscard]] const std::string& unit() const { return stage.time.unit; }
    [[nodiscard]] bool is_counted() const { return time().type == ParameterType::Integer; }
    [[nodiscard]] const char* or_infinite() const { return time().notes.infinity_allowed ? ", or inf" : ""; }

    [[noreturn]] void refuse(const std::string& reason) const {
        throw Error::input(
            fmt::format("--{} {} is not allowed: {}", flag, text.empty() ? "\"\"" : text, reason));
    }
};

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(separator, from), text.size());
        parts.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return parts;
}

/// A whole text as a number; `what` names it in the refusal.
double number_in(std::string_view part, const Typed& typed, const char* what) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (part.empty() || error != std::errc{} || end != part.data() + part.size() || std::isnan(number))
        typed.refuse(fmt::format("{} \"{}\" is not a number", what, part));
    return number;
}

double time_in(std::string_view part, const Typed& typed) {
    const double time = number_in(part, typed, "the time");
    const ParameterNotes& allowed = typed.time().notes;
    if (std::isinf(time) && time > 0.0 && allowed.infinity_allowed) return time;
    if (time < 0.0)
        typed.refuse(fmt::format("the time {} {} is negative: give 0 {} or more{}", part, typed.unit(),
                                 typed.unit(), typed.or_infinite()));
    if (time > allowed.maximum)
        typed.refuse(fmt::format("the time {} {} is too long: give at most {:g} {}{}", part, typed.unit(),
                                 allowed.maximum, typed.unit(), typed.or_infinite()));
    if (typed.is_counted() && time != std::floor(time))
        typed.refuse(fmt::format("the time {} is no whole number of {}", part, typed.unit()));
    return time;
}

std::vector<double> list_of(const Typed& typed) {
    std::vector<double> times;
    for (const std::string_view part : split(typed.text, ',')) times.push_back(time_in(part, typed));
    if (times.size() > kMostFrames)
        throw Error::input(fmt::format("--{} of {} times is not allowed: give at most {}", typed.flag,
                                       times.size(), kMostFrames));
    return times;
}

int count_of(std::string_view part, const Typed& typed) {
    const double count = number_in(part, typed, "the count");
    if (count != std::floor(count) || count < 2.0)
        typed.refuse(fmt::format("the count is {}: give a whole number of 2 or more, for both ends", part));
    if (count > kMostFrames)
        typed.refuse(fmt::format("the count is {}: give at most {} frames", part, kMostFrames));
    return static_cast<int>(count);
}

std::vector<double> range_of(const std::vector<std::string_view>& parts, const Typed& typed) {
    const bool logarithmic = parts.size() == 4 && parts[3] == kLogarithmic;
    if (parts.size() != 3 && !logarithmic)
        typed.refuse("give START:END:COUNT, START:END:COUNT:log, or a list such as 0,1e5,5e5");
    const double start = time_in(parts[0], typed);
    const double end = time_in(parts[1], typed);
    const std::string& unit = typed.unit();
    if (std::isinf(start) || std::isinf(end)) typed.refuse("a range needs finite ends: give inf in a list");
    if (!(end > start))
        typed.refuse(fmt::format("the range must end after its start of {} {}, and ends at {} {}", parts[0],
                                 unit, parts[1], unit));
    if (logarithmic && start == 0.0)
        typed.refuse(fmt::format("a logarithmic range must start after 0 {}", unit));
    const int count = count_of(parts[2], typed);
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / (count - 1);
        const double time =
            logarithmic ? start * portable_power(end / start, share) : start + share * (end - start);
        times.push_back(typed.is_counted() ? std::round(time) : time);
    }
    times.back() = end;
    return times;
}

}  // namespace

std::vector<double> parse_frame_times(std::string_view text, const Stage& stage) {
    const Typed typed{"times", text, stage};
    if (text.empty()) typed.refuse("give START:END:COUNT, or a list such as 0,1e5,5e5");
    const std::vector<std::string_view> parts = split(text, ':');
    return parts.size() == 1 ? list_of(typed) : range_of(parts, typed);
}

std::vector<double> frame_times_every(std::string_view text, const StageUse& use) {
    const Typed typed{"every", text, *use.stage};
    const double step = time_in(text, typed);
    const std::string& unit = typed.unit();
    if (step == 0.0 || std::isinf(step))
        typed.refuse(fmt::format("give a number of {} above 0 and below inf", unit));
    const double end = end_of(*use.stage, use.parameters.get());
    const std::string& parameter = use.stage->time.parameter;
    if (std::isinf(end))
        typed.refuse(fmt::format("{} of {} is inf: give a finite one, or --times", parameter, use.label));
    if (end / step >= kMostFrames)
        typed.refuse(fmt::format("up to {} = {:g} that is more than {} frames", parameter, end, kMostFrames));
    std::vector<double> times;
    const int before_end = static_cast<int>(std::ceil(end / step - kRounding));
    for (int i = 0; i < before_end; ++i) times.push_back(i * step);
    times.push_back(end);
    return times;
}

}  // namespace thalweg
