// A .glb file as its parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {

/// A .glb file taken apart again, by the format's own words and no library.
struct ReadGlb {
    nlohmann::json json;
    std::string binary;

    explicit ReadGlb(const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const auto word = [&](std::size_t at) {
            std::uint32_t value = 0;
            std::memcpy(&value, bytes.data() + at, 4);
            return value;
        };
        EXPECT_EQ(word(0), 0x46546C67U);  // "glTF"
        EXPECT_EQ(word(4), 2U);
        EXPECT_EQ(word(8), bytes.size());
        EXPECT_EQ(word(16), 0x4E4F534AU);  // "JSON"
        json = nlohmann::json::parse(bytes.substr(20, word(12)));
        const std::size_t second = 20 + word(12);
        EXPECT_EQ(word(second + 4), 0x004E4942U);  // "BIN"
        binary = bytes.substr(second + 8, word(second));
    }

    template <class T>
    [[nodiscard]] std::vector<T> values(const nlohmann::json& accessor_place) const {
        const nlohmann::json& accessor = json["accessors"][accessor_place.get<std::size_t>()];
        const nlohmann::json& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
        const std::size_t offset = view.value("byteOffset", std::size_t{0});
        std::vector<T> values(view["byteLength"].get<std::size_t>() / sizeof(T));
        std::memcpy(values.data(), binary.data() + offset, values.size() * sizeof(T));
        return values;
    }
};

}  // namespace thalweg
