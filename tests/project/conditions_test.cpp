// Whether parameters are left unread where their conditions say so.
#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/river/line_network.hpp"
#include "thalweg/river/network.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "changed_values.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

const char* const kRefused = "refused";

/// Rough ground of 32 x 32 cells of 100 m that slopes to the south, with hollows, and a river on it.
Landscape rough_ground() {
    Landscape landscape{.grid = make_grid(3200.0, 3200.0, 32), .seed = 3, .datasets = {}};
    Field<float> elevation(landscape.grid);
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        elevation[cell] = static_cast<float>(500 - 10 * landscape.grid.row_of(cell) + cell * 37 % 41);
    landscape.set("elevation", std::move(elevation));
    RiverLine river{.points = {{1500.0, 3100.0, 600.0}, {1700.0, 1500.0, 350.0}, {1500.0, 100.0, 200.0}}};
    landscape.put(kRivers, network_of_lines({std::move(river)}, 20.0, std::nullopt, "river"));
    return landscape;
}

std::string text_of(const Landscape& landscape) {
    std::string text;
    for (const std::string& name : landscape.layer_names()) {
        const Field<float>& values = landscape.layer(name);
        text += name;
        text.append(reinterpret_cast<const char*>(values.data()),
                    sizeof(float) * static_cast<std::size_t>(values.size()));
    }
    if (const auto* const rivers = landscape.find<RiverNetwork>(kRivers))
        for (const Reach& reach : rivers->reaches) {
            text += fmt::format("{} {} {} {} {} {}", reach.id, reach.discharge, reach.bankfull_discharge,
                                reach.width, reach.depth, reach.slope);
            for (const RiverPoint& point : reach.points)
                text += fmt::format(" {} {} {}", point.x, point.y, point.z);
        }
    return text;
}

/// All that the stage leaves of rough ground with these values, or kRefused.
std::string outcome(const Stage& stage, const ValueTable& values) {
    const StageUse use{&stage, stage.name, stage.make_parameters(), {}};
    QuietProgress quiet;
    try {
        stage.parameters->assign(use.parameters.get(), values);
        if (stage.check) stage.check(use.parameters.get());
        Landscape landscape = rough_ground();
        run_stage(use, {}, landscape, quiet);
        return text_of(landscape);
    } catch (const Error&) {
        return kRefused;
    }
}

/// A value with which the condition does not hold.
Value missing_value(const Parameter& parameter, const ParameterCondition& condition) {
    if (condition.is_excluded) return condition.values.front();
    for (const ParameterChoice& choice : parameter.choices)
        if (std::ranges::find(condition.values, Value(choice.name)) == condition.values.end())
            return choice.name;
    if (const auto* flag = std::get_if<bool>(&condition.values.front())) return !*flag;
    return parameter.name == "time" ? Value(1e4) : changed_value(parameter);
}

Value other_value(const Parameter& parameter) {
    if (parameter.type != ParameterType::NumberOrLayer) return changed_value(parameter);
    return other_number(parameter.notes, std::get<double>(parameter.default_value));
}

TEST(Conditions, that_do_not_hold_leave_a_parameter_unread_or_refused) {
    int conclusive = 0;
    for (const Stage& stage : stage_registry())
        for (const Parameter& parameter : stage.parameters->parameters()) {
            if (parameter.type == ParameterType::File) continue;
            for (const ParameterCondition& condition : parameter.notes.enabled_when) {
                const Parameter& other = stage.parameters->at(condition.parameter);
                ValueTable values{.entries = {{other.name, missing_value(other, condition)}}};
                SCOPED_TRACE(fmt::format("{}.{} with {} = {}", stage.name, parameter.name, other.name,
                                         to_text(values.entries.front().second)));
                const std::string before = outcome(stage, values);
                EXPECT_NE(before, kRefused);
                values.entries.emplace_back(parameter.name, other_value(parameter));
                const std::string after = outcome(stage, values);
                if (after == kRefused) continue;
                EXPECT_TRUE(after == before);
                ++conclusive;
            }
        }
    EXPECT_GT(conclusive, 30);
}

}  // namespace
}  // namespace thalweg
