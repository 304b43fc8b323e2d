#include "cli/frame_flags.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/frame_times.hpp"

#include "cli/parameter_flags.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr const char* kTimes = "times";
constexpr const char* kEvery = "every";
constexpr const char* kAnimation = "animation";

}  // namespace

FlagGroup frame_flags(const FrameWords& words) {
    const std::string limits = fmt::format("unit {}; at most {} times", words.unit, kMostFrames);
    FlagGroup group{
        "Frames",
        {{.name = kTimes, .value = "START:END:COUNT", .sentence = words.times, .limits = limits},
         {.name = kEvery, .value = "STEP", .sentence = words.every, .limits = limits},
         {.name = kFrames, .value = "DIR", .sentence = "Folder of the frames, in place of --out."},
         {.name = kAnimation,
          .value = "FILE",
          .sentence = "Write the frames as an animation too, .webp or .mp4, with the same colours and camera "
                      "for all."}}};
    for (const Flag& flag : parameter_flags(parameters_of<AnimationSettings>())) group.flags.push_back(flag);
    return group;
}

bool wants_frames(const Given& given) {
    const bool wants = given.has(kTimes) || given.has(kEvery);
    if (given.has(kTimes) && given.has(kEvery))
        throw Error::input("--times and --every are given: give one of them");
    for (const char* flag : {kAnimation, kFrames})
        if (given.has(flag) && !wants)
            throw Error::input(fmt::format("--{} needs frames: add --times or --every", flag));
    for (const Parameter& parameter : parameters_of<AnimationSettings>().parameters())
        if (given.has(flag_name(parameter.name)) && !given.has(kAnimation))
            throw Error::input(
                fmt::format("--{} is for an animation: add --animation", flag_name(parameter.name)));
    return wants;
}

std::string frames_asked_by(const Given& given) {
    return fmt::format("--{}", given.has(kTimes) ? kTimes : kEvery);
}

Given with_frames_folder(Given given) {
    const auto folder = given.value(kFrames);
    if (!folder) return given;
    if (const auto out = given.value("out"))
        throw Error::input(fmt::format("--out {} and --frames {} are given: name one folder", *out, *folder));
    given.flags["out"] = {*folder};
    return given;
}

void set_frames(const Given& given, const StageUse& timed, const std::vector<std::string>& others,
                RunOptions& options) {
    const auto times = given.value(kTimes);
    for (const std::string& other : others)
        if (given.has(other))
            throw Error::input(fmt::format("--{} is not allowed beside {}: leave one of them out", other,
                                           frames_asked_by(given)));
    options.times = times ? parse_frame_times(*times, *timed.stage)
                          : frame_times_every(given.required_value(kEvery), timed);
    if (const auto animation = given.value(kAnimation)) {
        options.animation = AnimationOptions{.file = *animation};
        set_parameters(parameters_of<AnimationSettings>(), given, &options.animation->look);
        check_animation(*options.animation);
    }
}

std::string animation_file(const RunOptions& options) {
    return options.animation ? options.animation->file.string() : "";
}

}  // namespace thalweg::cli
