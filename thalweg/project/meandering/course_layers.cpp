#include "thalweg/project/meandering/course_layers.hpp"

#include "thalweg/project/model/layer_names.hpp"

#include <cstdint>
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

const Field<float>& CourseLayers::age() {
    SilentPart quiet(context_.progress);
    if (!age_) age_ = channel_age(history_, context_.landscape.grid, quiet);
    return *age_;
}

const Field<float>& CourseLayers::deposit() {
    SilentPart quiet(context_.progress);
    if (!deposit_) deposit_ = meander_deposit(history_, context_.landscape.grid, parameters_, quiet);
    return *deposit_;
}

Field<float> CourseLayers::deposit_with_deltas() {
    Field<float> sum = deposit();
    if (delta_deposit_ != nullptr)
        for (std::int64_t cell = 0; cell < sum.size(); ++cell) sum[cell] += (*delta_deposit_)[cell];
    return sum;
}

const OxbowLakes& CourseLayers::lakes() {
    SilentPart quiet(context_.progress);
    if (!lakes_) lakes_ = oxbow_lakes(history_, context_.landscape.grid, parameters_, quiet);
    return *lakes_;
}

Field<float> CourseLayers::moisture() {
    const Landscape& landscape = context_.landscape;
    SilentPart quiet(context_.progress);
    const Field<float>* const power =
        landscape.has("stream_power") ? &landscape.layer("stream_power") : nullptr;
    return meander_moisture(history_, landscape.grid, parameters_, quiet, {}, power);
}

void CourseLayers::put() {
    Landscape& landscape = context_.landscape;
    const auto wants = [&](const char* layer) { return context_.wanted.has(layer); };
    if (wants(kVegetation) || wants(kMoisture)) {
        Field<float> moist = moisture();
        if (wants(kVegetation))
            landscape.set(kVegetation, meander_vegetation({.channel_age = age(),
                                                           .moisture = moist,
                                                           .deposit = deposit_with_deltas(),
                                                           .water_depth = lakes().depth},
                                                          parameters_));
        if (wants(kMoisture)) landscape.set(kMoisture, std::move(moist));
    }
    if (wants(kOxbow)) landscape.set(kOxbow, numbers_of(lakes().oxbow));
    if (wants(kChannelBelt)) landscape.set(kChannelBelt, channel_belt(age()));
    if (wants(kChannelAge)) landscape.set(kChannelAge, Field<float>(age()));
    if (wants(kDeposit)) landscape.set(kDeposit, deposit_with_deltas());
}

ShapedGround CourseLayers::shaped(const Field<float>& elevation, const RiverNetwork& network,
                                  const MeanderGroundParameters& parameters) {
    SilentPart quiet(context_.progress);
    const bool has_bars = parameters_.deposit_form == DepositForm::Bars;
    return shaped_ground({.elevation = elevation,
                          .network = network,
                          .history = history_,
                          .channel_age = age(),
                          .deposit = deposit(),
                          .oxbow_depth = lakes().depth,
                          .bar_height = has_bars ? parameters_.bar_height : 0.0},
                         parameters, quiet);
}

}  // namespace thalweg
