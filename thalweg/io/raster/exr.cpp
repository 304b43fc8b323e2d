#include "thalweg/io/raster/exr.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kRowsAtOnce = 16;        // that OpenEXR compresses together
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

/// The name of the channel that is read.
std::string channel_of(const Imf::Header& header, const std::string& name) {
    const Imf::ChannelList& channels = header.channels();
    if (channels.findChannel(kChannel) != nullptr) return kChannel;
    const auto first = channels.begin();
    auto second = first;
    if (first == channels.end() || ++second != channels.end())
        throw Error::input(fmt::format(
            "{} holds no channel \"Y\": give an OpenEXR file with that channel, or with one", name));
    return first.name();
}

/// Its size and texts. Throws Error::input for one that no grid has.
ExrChannel channel_in(const Imf::Header& header, const std::string& name) {
    const Imath::Box2i& window = header.dataWindow();
    const std::int64_t columns = std::int64_t{window.max.x} - window.min.x + 1;
    const std::int64_t rows = std::int64_t{window.max.y} - window.min.y + 1;
    if (columns < 1 || rows < 1 || columns > kMaximumCells / rows)
        throw Error::input(
            fmt::format("{} has {} x {} cells: give {} cells at most", name, columns, rows, kMaximumCells));
    ExrChannel channel{.columns = static_cast<int>(columns), .rows = static_cast<int>(rows)};
    for (auto attribute = header.begin(); attribute != header.end(); ++attribute)
        if (const auto* text = dynamic_cast<const Imf::StringAttribute*>(&attribute.attribute()))
            channel.texts[attribute.name()] = text->value();
    return channel;
}

}  // namespace

ExrChannel read_exr(const std::filesystem::path& path) {
    const std::string name = path.string();
    try {
        constexpr int kNoThreads = 0;
        Imf::InputFile file(path.c_str(), kNoThreads);
        ExrChannel channel = channel_in(file.header(), name);
        const std::string channel_name = channel_of(file.header(), name);
        const auto columns = static_cast<std::size_t>(channel.columns);
        channel.values.resize(columns * static_cast<std::size_t>(channel.rows));
        const Imath::Box2i window = file.header().dataWindow();
        Imf::FrameBuffer frame;
        frame.insert(channel_name, Imf::Slice::Make(Imf::FLOAT, channel.values.data(), window, sizeof(float),
                                                    sizeof(float) * columns));
        file.setFrameBuffer(frame);
        for (int row = window.min.y; row <= window.max.y; row += kRowsAtOnce) {
            poll_cancelled();
            file.readPixels(row, std::min(row + kRowsAtOnce - 1, window.max.y));
        }
        return channel;
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& error) {
        std::string reason = error.what();
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        throw Error::input(fmt::format("{} can't be read as OpenEXR: {}", name, reason));
    }
}

std::vector<std::byte> encode_exr(const Field<float>& field,
                                  const std::vector<std::pair<std::string, std::string>>& texts,
                                  const std::string& name) {
    MemoryStream stream;
    try {
        Imf::Header header(field.columns(), field.rows());
        header.compression() = Imf::ZIP_COMPRESSION;
        header.channels().insert(kChannel, Imf::Channel(Imf::FLOAT));
        for (const auto& [attribute, text] : texts)
            header.insert(attribute.c_str(), Imf::StringAttribute(text));

        // OpenEXR's slices are for readers too; writing leaves the values as they are.
        auto* values = reinterpret_cast<char*>(const_cast<float*>(field.data()));
        Imf::FrameBuffer frame;
        frame.insert(kChannel,
                     Imf::Slice(Imf::FLOAT, values, sizeof(float), sizeof(float) * field.columns()));

        constexpr int kNoThreads = 0;
        Imf::OutputFile file(stream, header, kNoThreads);
        file.setFrameBuffer(frame);
        for (int row = 0; row < field.rows(); row += kRowsAtOnce) {
            poll_cancelled();
            file.writePixels(std::min(kRowsAtOnce, field.rows() - row));
        }
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& error) {
        throw Error::failure(fmt::format("{} can't be encoded as OpenEXR: {}", name, error.what()));
    }
    return stream.take();
}

}  // namespace thalweg
