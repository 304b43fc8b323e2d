#include "thalweg/project/frame_times.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/erosion/erode.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::string_view kLogarithmic = "log";

[[noreturn]] void refuse(std::string_view text, const std::string& reason) {
    throw Error::input(fmt::format("--times {} is not allowed: {}", text.empty() ? "\"\"" : text, reason));
}

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
double number_of(std::string_view part, std::string_view text, const char* what) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (part.empty() || error != std::errc{} || end != part.data() + part.size() || std::isnan(number))
        refuse(text, fmt::format("{} \"{}\" is not a number", what, part));
    return number;
}

double year_of(std::string_view part, std::string_view text) {
    const double year = number_of(part, text, "the time");
    if (year < 0.0) refuse(text, fmt::format("the time {} yr is negative: give 0 yr or more, or inf", part));
    if (year > kMostTime && !std::isinf(year))
        refuse(text,
               fmt::format("the time {} yr is too long: give at most {:g} yr, or inf", part, kMostTime));
    return year;
}

std::vector<double> list_of(std::string_view text) {
    std::vector<double> years;
    for (const std::string_view part : split(text, ',')) years.push_back(year_of(part, text));
    if (years.size() > kMostFrames)
        refuse(fmt::format("of {} times", years.size()), fmt::format("give at most {}", kMostFrames));
    return years;
}

int count_of(std::string_view part, std::string_view text) {
    const double count = number_of(part, text, "the count");
    if (count != std::floor(count) || count < 2.0)
        refuse(text, fmt::format("the count is {}: give a whole number of 2 or more, for both ends", part));
    if (count > kMostFrames)
        refuse(text, fmt::format("the count is {}: give at most {} frames", part, kMostFrames));
    return static_cast<int>(count);
}

std::vector<double> range_of(const std::vector<std::string_view>& parts, std::string_view text) {
    const bool logarithmic = parts.size() == 4 && parts[3] == kLogarithmic;
    if (parts.size() != 3 && !logarithmic)
        refuse(text, "give START:END:COUNT, START:END:COUNT:log, or a list such as 0,1e5,5e5");
    const double start = year_of(parts[0], text);
    const double end = year_of(parts[1], text);
    if (std::isinf(start) || std::isinf(end)) refuse(text, "a range needs finite ends: give inf in a list");
    if (!(end > start))
        refuse(text, fmt::format("the range must end after its start of {} yr, and ends at {} yr", parts[0],
                                 parts[1]));
    if (logarithmic && start == 0.0) refuse(text, "a logarithmic range must start after 0 yr");
    const int count = count_of(parts[2], text);
    std::vector<double> years;
    for (int i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / (count - 1);
        years.push_back(logarithmic ? start * portable_power(end / start, share)
                                    : start + share * (end - start));
    }
    years.back() = end;
    return years;
}

}  // namespace

std::vector<double> parse_frame_times(std::string_view text) {
    if (text.empty()) refuse(text, "give START:END:COUNT, or a list such as 0,1e5,5e5");
    const std::vector<std::string_view> parts = split(text, ':');
    return parts.size() == 1 ? list_of(text) : range_of(parts, text);
}

}  // namespace thalweg
