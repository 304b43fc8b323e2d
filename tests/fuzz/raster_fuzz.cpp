// Any bytes given as a raster end in a field or in one Error, never in a crash.
#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"

#include <cstddef>
#include <cstdint>

namespace {

/// A few bytes may claim gigabytes of one value, which is no crash; the fuzzer's memory is for those that
/// are.
constexpr std::int64_t kMostCells = 1 << 24;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        thalweg::decode_raster(std::as_bytes(std::span(data, size)), "fuzz", kMostCells);
    } catch (const thalweg::Error&) {
        // A refusal is what broken bytes should get.
    }
    return 0;
}
