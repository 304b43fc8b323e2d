#include "cli/description_table.hpp"

#include "thalweg/flow/natural_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr int kNameColumn = 36;  // characters
constexpr int kValueColumn = 9;  // and a mark
constexpr int kUnitColumn = 18;
constexpr int kRangeColumn = 18;
constexpr int kZColumn = 7;

constexpr const char* kNone = "-";

/// Decimals that show a hundredth of the spread between real landscapes of 30-50 m, about.
int decimals_of(const TerrainStatistic& statistic) {
    const std::optional<NaturalRange> range = natural_range(statistic, 30.0);
    return range ? std::max(0, 1 - static_cast<int>(std::floor(std::log10(range->deviation)))) : 3;
}

/// Without the sign of a number that is written as 0.
std::string decimal(double number, int decimals) {
    const double unit = std::pow(10.0, -decimals);
    return fmt::format("{:.{}f}", std::abs(number) < 0.5 * unit ? 0.0 : number, decimals);
}

std::optional<double> z_of(const DescribedTerrain& terrain, const TerrainStatistic& statistic) {
    const double value = terrain.description.statistics.*statistic.value;
    const std::optional<NaturalRange> range = natural_range(statistic, terrain.description.grid.cell_size);
    if (!range || std::isnan(value)) return std::nullopt;
    return range->z_of(value);
}

std::string z_text(std::optional<double> z) {
    if (!z) return kNone;
    const std::string text = decimal(*z, 1);
    return *z > 0.0 && text != "0.0" ? "+" + text : text;
}

/// The value, and a mark where it is outside the natural range.
std::string value_cell(const DescribedTerrain& terrain, const TerrainStatistic& statistic) {
    const double value = terrain.description.statistics.*statistic.value;
    const std::optional<NaturalRange> range = natural_range(statistic, terrain.description.grid.cell_size);
    const bool is_outside = range && !std::isnan(value) && !range->holds(value);
    return fmt::format("{:>{}}{}", std::isnan(value) ? kNone : decimal(value, decimals_of(statistic)),
                       kValueColumn, is_outside ? '*' : ' ');
}

std::string range_cell(const TerrainStatistic& statistic, double cell_size) {
    const std::optional<NaturalRange> range = natural_range(statistic, cell_size);
    if (!range) return kNone;
    const int decimals = decimals_of(statistic);
    return fmt::format("{} to {}", decimal(range->least, decimals), decimal(range->greatest, decimals));
}

/// One line for each statistic, under the names of their families.
template <class LineOf>
std::string lines_by_family(const LineOf& line_of) {
    std::string text;
    const TerrainStatistic* last = nullptr;
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        if (last == nullptr || last->family != statistic.family)
            text += fmt::format("\n{}\n", name_of(statistic.family));
        last = &statistic;
        text += line_of(statistic);
    }
    return text;
}

std::string terrain_line(const DescribedTerrain& terrain) {
    const TerrainDescription& found = terrain.description;
    return fmt::format(
        "{}: {} x {} cells of {:.6g} m; described on {}{:.0f} % of them, by lengths of {:.6g} m\n",
        terrain.name, found.grid.columns, found.grid.rows, found.grid.cell_size,
        found.is_mountainous ? "the steeper " : "", 100.0 * found.described_share, found.reference_length);
}

std::string sum_line(const DescribedTerrain& terrain) {
    const Naturalness nature =
        naturalness_of(terrain.description.statistics, terrain.description.grid.cell_size);
    if (nature.compared == 0) return "outside: nothing is known of real landscapes with such cells\n";
    return fmt::format("outside: {} of {}, rms z {:.2f}\n", nature.outside, nature.compared, nature.rms_z);
}

std::string explanation(bool has_difference) {
    return std::string(
               "\n* outside the range of nature; z: distance from nature's mean in its standard deviations") +
           (has_difference ? "; B - A: difference of z" : "") +
           ".\nReal landscapes, each held against the others, have 4 to 27 of the 57 outside and rms z from "
           "0.7 "
           "to 2.0.\n";
}

/// The landscapes that the terrains are held against, each once, with the size of cells that stands for them.
std::vector<double> cell_sizes_of_ranges(std::span<const DescribedTerrain> terrains) {
    std::vector<double> sizes;
    for (const DescribedTerrain& terrain : terrains) {
        const double size = terrain.description.grid.cell_size;
        const char* const landscapes = natural_landscapes(size);
        if (landscapes != nullptr && std::ranges::none_of(sizes, [&](double other) {
                return natural_landscapes(other) == landscapes;
            }))
            sizes.push_back(size);
    }
    return sizes;
}

char letter_of(std::size_t terrain) {
    return static_cast<char>('A' + terrain);
}

}  // namespace

std::string description_table(const DescribedTerrain& terrain) {
    const double cell_size = terrain.description.grid.cell_size;
    const char* const landscapes = natural_landscapes(cell_size);
    std::string text = terrain_line(terrain);
    if (landscapes != nullptr) text += fmt::format("nature: the range of {}\n", landscapes);
    text += fmt::format("\n{:<{}}{:>{}}  {:<{}}{:>{}}{:>{}}\n", "", kNameColumn, "value", kValueColumn,
                        "unit", kUnitColumn, "nature", kRangeColumn, "z", kZColumn);
    text += lines_by_family([&](const TerrainStatistic& statistic) {
        return fmt::format("  {:<{}}{} {:<{}}{:>{}}{:>{}}\n", statistic.name, kNameColumn - 2,
                           value_cell(terrain, statistic), statistic.unit, kUnitColumn,
                           range_cell(statistic, cell_size), kRangeColumn, z_text(z_of(terrain, statistic)),
                           kZColumn);
    });
    return text + "\n" + sum_line(terrain) + explanation(false);
}

std::string comparison_table(std::span<const DescribedTerrain> terrains) {
    const std::vector<double> sizes = cell_sizes_of_ranges(terrains);
    const bool has_difference = terrains.size() == 2;
    std::string text, head = fmt::format("\n{:<{}}", "", kNameColumn);
    for (std::size_t i = 0; i < terrains.size(); ++i) {
        text += fmt::format("{}  {}", letter_of(i), terrain_line(terrains[i]));
        head += fmt::format("{:>{}} ", letter_of(i), kValueColumn);
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::string name = sizes.size() == 1 ? "nature" : fmt::format("nature {}", i + 1);
        text += fmt::format("{}: the range of {}\n", name, natural_landscapes(sizes[i]));
        head += fmt::format("{:>{}}", name, kRangeColumn);
    }
    if (has_difference) head += fmt::format("{:>{}}", "B - A", kZColumn);
    text += head + "\n" + lines_by_family([&](const TerrainStatistic& statistic) {
                std::string line = fmt::format("  {:<{}}", statistic.name, kNameColumn - 2);
                for (const DescribedTerrain& terrain : terrains) line += value_cell(terrain, statistic);
                for (const double size : sizes)
                    line += fmt::format("{:>{}}", range_cell(statistic, size), kRangeColumn);
                if (!has_difference) return line + "\n";
                const std::optional<double> first = z_of(terrains[0], statistic),
                                            second = z_of(terrains[1], statistic);
                const std::optional<double> difference =
                    first && second ? std::optional(*second - *first) : std::nullopt;
                return line + fmt::format("{:>{}}\n", z_text(difference), kZColumn);
            });
    text += "\n";
    for (std::size_t i = 0; i < terrains.size(); ++i)
        text += fmt::format("{}  {}", letter_of(i), sum_line(terrains[i]));
    return text + explanation(has_difference);
}

}  // namespace thalweg::cli
