#include "cli/frame_flags.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/frame_times.hpp"

#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr const char* kTimes = "times";

}  // namespace

FlagGroup frame_flags() {
    return {"Frames",
            {{.name = kTimes,
              .value = "START:END:COUNT",
              .sentence = "Run at each of these times, from START to END years in COUNT even steps "
                          "(START:END:COUNT:log for even steps of the logarithm), or at those of a list such "
                          "as 0,1e5,5e5; -o names a folder then.",
              .limits = fmt::format("unit yr; at most {} times", kMostFrames)}}};
}

std::optional<FrameOptions> frame_options(const Given& given, const std::vector<std::string>& others) {
    const auto times = given.value(kTimes);
    if (!times) return std::nullopt;
    for (const std::string& other : others)
        if (given.has(other))
            throw Error::input(
                fmt::format("--{} is not allowed beside --times: leave one of them out", other));
    return FrameOptions{.times = parse_frame_times(*times)};
}

}  // namespace thalweg::cli
