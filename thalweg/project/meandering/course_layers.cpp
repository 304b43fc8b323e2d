#include "thalweg/project/meandering/course_layers.hpp"

#include "thalweg/project/model/layer_names.hpp"

#include <utility>

namespace thalweg {
namespace {

Field<float> numbers_of(const Field<std::int32_t>& labels) {
    Field<float> numbers(labels.grid());
    for (std::int64_t cell = 0; cell < labels.size(); ++cell)
        numbers[cell] = static_cast<float>(labels[cell]);
    return numbers;
}

}  // namespace

std::vector<std::string> course_layers() {
    return {kChannelAge, kChannelBelt, kOxbow, kMoisture, kDeposit, kVegetation};
}

void put_course_layers(const MeanderHistory& history, const MeanderMapParameters& parameters,
                       StageContext& context) {
    Landscape& landscape = context.landscape;
    const Grid grid = landscape.grid;
    SilentPart quiet(context.progress);
    const auto wants = [&](const char* layer) { return context.wanted.has(layer); };
    const bool grows = wants(kVegetation);
    const Field<float>* const power =
        landscape.has("stream_power") ? &landscape.layer("stream_power") : nullptr;
    Field<float> age;
    Field<float> moisture;
    Field<float> deposit;
    if (grows || wants(kChannelAge) || wants(kChannelBelt)) age = channel_age(history, grid, quiet);
    if (grows || wants(kMoisture)) moisture = meander_moisture(history, grid, parameters, quiet, {}, power);
    if (grows || wants(kDeposit)) deposit = meander_deposit(history, grid, parameters, quiet);
    if (grows || wants(kOxbow)) {
        const OxbowLakes lakes = oxbow_lakes(history, grid, parameters, quiet);
        if (grows)
            landscape.set(kVegetation, meander_vegetation({.channel_age = age,
                                                           .moisture = moisture,
                                                           .deposit = deposit,
                                                           .water_depth = lakes.depth},
                                                          parameters));
        if (wants(kOxbow)) landscape.set(kOxbow, numbers_of(lakes.oxbow));
    }
    if (wants(kChannelBelt)) landscape.set(kChannelBelt, channel_belt(age));
    if (wants(kChannelAge)) landscape.set(kChannelAge, std::move(age));
    if (wants(kMoisture)) landscape.set(kMoisture, std::move(moisture));
    if (wants(kDeposit)) landscape.set(kDeposit, std::move(deposit));
}

}  // namespace thalweg
