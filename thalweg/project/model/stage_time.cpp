#include "thalweg/project/stage_time.hpp"

#include "thalweg/core/error.hpp"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace thalweg {

double number_of(const Stage& stage, const std::string& parameter, const void* parameters) {
    const Value value = stage.parameters->at(parameter).get(parameters);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::get<double>(value);
}

double time_of(const Stage& stage, const void* parameters) {
    return number_of(stage, stage.time.parameter, parameters);
}

double end_of(const Stage& stage, const void* parameters) {
    const double time = time_of(stage, parameters);
    return std::isinf(time) && stage.time.end ? stage.time.end(parameters) : time;
}

Value value_of_time(const Stage& stage, double time) {
    const bool is_counted = stage.parameters->at(stage.time.parameter).type == ParameterType::Integer;
    return is_counted ? Value(static_cast<std::int64_t>(time)) : Value(time);
}

StageUse at_time(const StageUse& use, double time) {
    const Stage& stage = *use.stage;
    StageUse timed{use.stage, use.label, stage.copy_parameters(use.parameters.get()), use.position};
    stage.parameters->at(stage.time.parameter).set(timed.parameters.get(), value_of_time(stage, time));
    return timed;
}

std::size_t timed_stage(const Project& project) {
    for (std::size_t i = project.stages.size(); i-- > 0;)
        if (project.stages[i].stage->at_times) return i;
    throw Error::input(fmt::format("frames need a stage that knows time, such as erode, and {} has none",
                                   project.file.empty() ? project.stages.back().stage->name : project.file));
}

std::string time_in_words(double time, const StageTime& of) {
    if (std::isinf(time)) return "steady state";
    std::string digits = fmt::format("{:.0f}", time);
    const bool is_one = digits == "1";
    for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, 1, ' ');
    const std::string many = of.unit == "yr" ? "years" : of.unit;
    return fmt::format("{} {}", digits, is_one ? many.substr(0, many.size() - 1) : many);
}

}  // namespace thalweg
