// Any bytes given as a raster end in a field or in one Error, never in a crash.
#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        thalweg::decode_raster(std::as_bytes(std::span(data, size)), "fuzz");
    } catch (const thalweg::Error&) {
        // A refusal is what broken bytes should get.
    }
    return 0;
}
