#include "thalweg/io/pictures/film_crop.hpp"

#include <cstdint>

namespace thalweg {
namespace {

constexpr int kBitsOfByte = 8;

/// Bits of a unit, the highest of each byte first.
using Bits = std::vector<bool>;

/// Without the bytes 3 that stand behind two zeros, so that no unit holds a start.
Bits bits_of(std::span<const std::byte> unit) {
    Bits bits;
    int zeros = 0;
    for (const std::byte byte : unit) {
        const int value = std::to_integer<int>(byte);
        if (zeros >= 2 && value == 3) {
            zeros = 0;
            continue;
        }
        zeros = value == 0 ? zeros + 1 : 0;
        for (int i = kBitsOfByte - 1; i >= 0; --i) bits.push_back((value >> i & 1) != 0);
    }
    return bits;
}

/// The reverse of bits_of.
std::vector<std::byte> unit_of(const Bits& bits) {
    std::vector<std::byte> unit;
    int zeros = 0;
    for (std::size_t first = 0; first < bits.size(); first += kBitsOfByte) {
        int value = 0;
        for (std::size_t i = first; i < first + kBitsOfByte; ++i)
            value = 2 * value + (i < bits.size() && bits[i] ? 1 : 0);
        if (zeros >= 2 && value <= 3) {
            unit.push_back(std::byte{3});
            zeros = 0;
        }
        zeros = value == 0 ? zeros + 1 : 0;
        unit.push_back(static_cast<std::byte>(value));
    }
    return unit;
}

/// Passes by one number of n zeros and n + 1 bits, and returns it.
std::uint32_t pass_number(const Bits& bits, std::size_t& at) {
    int zeros = 0;
    while (!bits.at(at + static_cast<std::size_t>(zeros))) ++zeros;
    std::uint32_t value = 0;
    for (int i = 0; i < 2 * zeros + 1; ++i) value = 2 * value + (bits.at(at++) ? 1 : 0);
    return value - 1;
}

void append_number(Bits& bits, std::uint32_t number) {
    int length = 0;
    while ((number + 1) >> length != 0) ++length;
    bits.insert(bits.end(), static_cast<std::size_t>(length - 1), false);
    for (int i = length - 1; i >= 0; --i) bits.push_back(((number + 1) >> i & 1) != 0);
}

/// Where the flag stands that says whether pictures are cropped.
std::size_t crop_flag_of(const Bits& bits) {
    constexpr std::size_t kHeader = 4;  // bytes: type, profile, its limits, level
    std::size_t at = kHeader * kBitsOfByte;
    pass_number(bits, at);                                  // id
    pass_number(bits, at);                                  // bits of picture numbers
    if (pass_number(bits, at) == 0) pass_number(bits, at);  // how their order is told, and its bits
    pass_number(bits, at);                                  // pictures that others are made from
    ++at;                                                   // whether numbers may be left out
    pass_number(bits, at);                                  // width
    pass_number(bits, at);                                  // height
    return at + 2;                                          // whole pictures, and how motion is told
}

}  // namespace

std::vector<std::byte> with_crop(std::span<const std::byte> sequence_parameters, int right, int bottom) {
    if (right == 0 && bottom == 0) return {sequence_parameters.begin(), sequence_parameters.end()};
    Bits bits = bits_of(sequence_parameters);
    while (!bits.back()) bits.pop_back();  // what fills the last byte is a one and zeros
    bits.pop_back();
    const std::size_t flag = crop_flag_of(bits);
    Bits cropped(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(flag));
    cropped.push_back(true);
    for (const int pixels : {0, right, 0, bottom})
        append_number(cropped, static_cast<std::uint32_t>(pixels / 2));
    cropped.insert(cropped.end(), bits.begin() + static_cast<std::ptrdiff_t>(flag) + 1, bits.end());
    cropped.push_back(true);
    return unit_of(cropped);
}

}  // namespace thalweg
