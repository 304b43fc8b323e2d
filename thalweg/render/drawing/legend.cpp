#include "thalweg/render/drawing/legend.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kSlack = 1e-9;  // share of a step by which a tick may lie outside by rounding
constexpr char kThinSpace[] = "\u2009";

/// The smallest of `factors` x 10^n (factors ascending, from 1 to 10) that is not below `limit`.
double round_number_above(double limit, const std::vector<double>& factors) {
    const double power = std::pow(10.0, std::floor(std::log10(limit)));
    for (const double factor : factors)
        if (factor * power >= limit * (1.0 - kSlack)) return factor * power;
    return 10.0 * power;
}

std::string superscript(int exponent) {
    static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "⁻" : "";
    for (const char digit : fmt::format("{}", std::abs(exponent))) text += kDigits[digit - '0'];
    return text;
}

/// Digits in groups of three, from ten thousand on.
std::string grouped(const std::string& digits) {
    if (digits.size() < 5) return digits;
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += kThinSpace;
        text += digits[i];
    }
    return text;
}

}  // namespace

double round_number_below(double limit) {
    const double power = std::pow(10.0, std::floor(std::log10(limit)));
    double best = power;
    for (const double factor : {2.0, 5.0, 10.0})
        if (factor * power <= limit * (1.0 + kSlack)) best = factor * power;
    return best;
}

std::vector<double> linear_ticks(double low, double high, int most) {
    if (!(low < high)) return {low};
    double step = round_number_above((high - low) / most, {1.0, 2.0, 2.5, 5.0, 10.0});
    std::vector<double> ticks;
    for (int attempt = 0; attempt < 2; ++attempt) {
        ticks.clear();
        const double first = std::ceil(low / step - kSlack);
        const double last = std::floor(high / step + kSlack);
        for (double k = first; k <= last; k += 1.0) ticks.push_back(k == 0.0 ? 0.0 : k * step);
        if (ticks.size() >= 2 && ticks.size() <= static_cast<std::size_t>(most)) break;
        step = ticks.size() < 2 ? step / 2.0 : step * 2.0;
    }
    return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high, int most) {
    if (!(low < high)) return {low};
    const auto collect = [&](const std::vector<double>& factors) {
        std::vector<double> ticks;
        const int last = static_cast<int>(std::ceil(std::log10(high)));
        for (int n = static_cast<int>(std::floor(std::log10(low))); n <= last; ++n)
            for (const double factor : factors) {
                const double tick = factor * std::pow(10.0, n);
                if (tick >= low * (1.0 - kSlack) && tick <= high * (1.0 + kSlack)) ticks.push_back(tick);
            }
        return ticks;
    };
    std::vector<double> ticks = collect({1.0});
    if (ticks.size() < 3) ticks = collect({1.0, 2.0, 5.0});
    if (ticks.empty()) return {low, high};
    const std::size_t stride =
        (ticks.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
    std::vector<double> thinned;
    for (std::size_t i = 0; i < ticks.size(); i += stride) thinned.push_back(ticks[i]);
    return thinned;
}

std::string number_in_words(double number) {
    if (number == 0.0) return "0";
    const double magnitude = std::abs(number);
    const std::string sign = number < 0.0 ? "\u2212" : "";
    if (magnitude >= 1e6 || magnitude < 1e-3) {
        const int exponent = static_cast<int>(std::floor(std::log10(magnitude) + kSlack));
        const std::string factor = fmt::format("{:.3g}", magnitude / std::pow(10.0, exponent));
        const std::string power = "10" + superscript(exponent);
        return sign + (factor == "1" ? power : factor + "·" + power);
    }
    const std::string text = fmt::format("{:.6g}", magnitude);
    return sign + (text.find('.') == std::string::npos ? grouped(text) : text);
}

std::string distance_in_words(double metres) {
    return metres >= 1000.0 ? number_in_words(metres / 1000.0) + " km" : number_in_words(metres) + " m";
}

}  // namespace thalweg
