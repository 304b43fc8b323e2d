// Round numbers for scale bars and colour bars.
#pragma once

#include <string>
#include <vector>

namespace thalweg {

/// The largest of 1, 2, 5 x 10^n that is not above `limit` (> 0).
double round_number_below(double limit);

/// Multiples of a round step (1, 2, 2.5 or 5 x 10^n) inside [low, high], at least 2 and at most `most` of
/// them where low < high; the one value where low == high.
std::vector<double> linear_ticks(double low, double high, int most);

/// Powers of ten inside [low, high], with 2 and 5 between where fewer than 3 are, thinned to at most `most`.
/// Needs 0 < low <= high.
std::vector<double> logarithmic_ticks(double low, double high, int most);

/// The number as a person writes it: "0", "250", "2 500" (thin space), "0.05", "2·10⁻⁵".
std::string number_in_words(double number);

/// Metres as "500 m" or "20 km".
std::string distance_in_words(double metres);

}  // namespace thalweg
