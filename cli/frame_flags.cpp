#include "cli/frame_flags.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/frame_times.hpp"

#include "cli/parameter_flags.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr const char* kTimes = "times";
constexpr const char* kAnimation = "animation";

}  // namespace

FlagGroup frame_flags() {
    FlagGroup group{
        "Frames",
        {{.name = kTimes,
          .value = "START:END:COUNT",
          .sentence = "Run at each of these times, from START to END years in COUNT even steps "
                      "(START:END:COUNT:log for even steps of the logarithm), or at those of a list such "
                      "as 0,1e5,5e5; -o names a folder then.",
          .limits = fmt::format("unit yr; at most {} times", kMostFrames)},
         {.name = kAnimation,
          .value = "FILE",
          .sentence =
              "Write the frames as an animation too, .webp, with the same colours and camera for all."}}};
    for (const Flag& flag : parameter_flags(parameters_of<AnimationSettings>())) group.flags.push_back(flag);
    return group;
}

void set_frames(const Given& given, const std::vector<std::string>& others, RunOptions& options) {
    const auto times = given.value(kTimes);
    const auto animation = given.value(kAnimation);
    if (animation && !times) throw Error::input("--animation needs frames: add --times");
    for (const Parameter& parameter : parameters_of<AnimationSettings>().parameters())
        if (given.has(flag_name(parameter.name)) && !animation)
            throw Error::input(
                fmt::format("--{} is for an animation: add --animation", flag_name(parameter.name)));
    if (!times) return;
    for (const std::string& other : others)
        if (given.has(other))
            throw Error::input(
                fmt::format("--{} is not allowed beside --times: leave one of them out", other));
    options.times = parse_frame_times(*times);
    if (!animation) return;
    options.animation = AnimationOptions{.file = *animation};
    set_parameters(parameters_of<AnimationSettings>(), given, &options.animation->look);
    check_animation(*options.animation);
}

std::string animation_file(const RunOptions& options) {
    return options.animation ? options.animation->file.string() : "";
}

}  // namespace thalweg::cli
