#include "thalweg/io/exr.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <exception>

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfOutputFile.h>
#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr const char* kChannel = "Y";  // luminance: what viewers show of a one-channel file

/// Collects in memory what OpenEXR writes.
class MemoryStream : public Imf::OStream {
  public:
    MemoryStream() : Imf::OStream("memory") {}

    void write(const char* data, int size) override {
        const auto* first = reinterpret_cast<const std::byte*>(data);
        const std::size_t end = position_ + static_cast<std::size_t>(size);
        if (end > bytes_.size()) bytes_.resize(end);
        std::copy_n(first, size, bytes_.begin() + static_cast<std::ptrdiff_t>(position_));
        position_ = end;
    }
    uint64_t tellp() override { return position_; }
    void seekp(uint64_t position) override { position_ = position; }

    std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
    std::size_t position_ = 0;
};

}  // namespace

std::vector<std::byte> encode_exr(const Field<float>& field, const std::string& name) {
    MemoryStream stream;
    try {
        Imf::Header header(field.columns(), field.rows());
        header.compression() = Imf::ZIP_COMPRESSION;
        header.channels().insert(kChannel, Imf::Channel(Imf::FLOAT));

        // OpenEXR's slices are for readers too; writing leaves the values as they are.
        auto* values = reinterpret_cast<char*>(const_cast<float*>(field.data()));
        Imf::FrameBuffer frame;
        frame.insert(kChannel,
                     Imf::Slice(Imf::FLOAT, values, sizeof(float), sizeof(float) * field.columns()));

        constexpr int kNoThreads = 0;
        Imf::OutputFile file(stream, header, kNoThreads);
        file.setFrameBuffer(frame);
        file.writePixels(field.rows());
    } catch (const std::exception& error) {
        throw Error::failure(fmt::format("{} can't be encoded as OpenEXR: {}", name, error.what()));
    }
    return stream.take();
}

}  // namespace thalweg
