#include "thalweg/io/pictures/mp4_file.hpp"

#include <string_view>

namespace thalweg {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint32_t kOne = 0x00010000;        // in fixed point of 16 bits
constexpr std::uint32_t kDotsPerInch = 0x480000;  // 72, as the standard wants

void put(Bytes& bytes, std::uint64_t value, int size) {
    for (int i = size - 1; i >= 0; --i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

void put(Bytes& bytes, std::string_view text) {
    for (const char letter : text) bytes.push_back(static_cast<std::byte>(letter));
}

void put(Bytes& bytes, const Bytes& others) {
    bytes.insert(bytes.end(), others.begin(), others.end());
}

void put_zeros(Bytes& bytes, int count) {
    bytes.resize(bytes.size() + count);
}

/// A box of what `fill(bytes)` adds.
template <class Fill>
Bytes box(std::string_view type, const Fill& fill) {
    Bytes bytes;
    put_zeros(bytes, 4);
    put(bytes, type);
    fill(bytes);
    const auto size = static_cast<std::uint32_t>(bytes.size());
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::byte>(size >> (8 * (3 - i)));
    return bytes;
}

/// One with version 0 and flags.
template <class Fill>
Bytes full_box(std::string_view type, std::uint32_t flags, const Fill& fill) {
    return box(type, [&](Bytes& bytes) {
        put(bytes, flags, 4);
        fill(bytes);
    });
}

void put_unit_matrix(Bytes& bytes) {
    constexpr std::uint32_t kUnit = 0x40000000;  // in fixed point of 30 bits
    for (const std::uint32_t value : {kOne, 0U, 0U, 0U, kOne, 0U, 0U, 0U, kUnit}) put(bytes, value, 4);
}

std::uint32_t duration_of(const Mp4Film& film) {
    std::uint32_t sum = 0;
    for (const Mp4Picture& picture : film.pictures) sum += picture.duration;
    return sum;
}

Bytes file_type() {
    return box("ftyp", [](Bytes& bytes) {
        put(bytes, "isom");
        put(bytes, 0x200, 4);
        put(bytes, "isomiso2avc1mp41");
    });
}

Bytes film_header(const Mp4Film& film) {
    return full_box("mvhd", 0, [&](Bytes& bytes) {
        put_zeros(bytes, 8);  // times of making
        put(bytes, film.ticks_per_second, 4);
        put(bytes, duration_of(film), 4);
        put(bytes, kOne, 4);    // speed
        put(bytes, 0x0100, 2);  // loudness
        put_zeros(bytes, 10);
        put_unit_matrix(bytes);
        put_zeros(bytes, 24);
        put(bytes, 2, 4);  // number of the next track
    });
}

Bytes track_header(const Mp4Film& film) {
    constexpr std::uint32_t kShown = 3;  // enabled, and in the film
    return full_box("tkhd", kShown, [&](Bytes& bytes) {
        put_zeros(bytes, 8);
        put(bytes, 1, 4);  // number
        put_zeros(bytes, 4);
        put(bytes, duration_of(film), 4);
        put_zeros(bytes, 16);  // layer, group, loudness
        put_unit_matrix(bytes);
        put(bytes, static_cast<std::uint32_t>(film.width) * kOne, 4);
        put(bytes, static_cast<std::uint32_t>(film.height) * kOne, 4);
    });
}

/// How the units are to be decoded.
Bytes decoder_settings(const Mp4Film& film) {
    return box("avcC", [&](Bytes& bytes) {
        put(bytes, 1, 1);
        for (std::size_t i = 1; i <= 3; ++i) bytes.push_back(film.sequence_parameters.at(i));
        put(bytes, 0xFF, 1);  // lengths of units have 4 bytes
        put(bytes, 0xE1, 1);  // one set of either kind
        put(bytes, film.sequence_parameters.size(), 2);
        put(bytes, film.sequence_parameters);
        put(bytes, 1, 1);
        put(bytes, film.picture_parameters.size(), 2);
        put(bytes, film.picture_parameters);
    });
}

Bytes colours() {
    return box("colr", [](Bytes& bytes) {
        put(bytes, "nclx");
        for (int i = 0; i < 3; ++i) put(bytes, 1, 2);  // primaries, transfer and matrix of BT.709
        put(bytes, 0, 1);                              // from 16 to 235
    });
}

Bytes sample_description(const Mp4Film& film) {
    return full_box("stsd", 0, [&](Bytes& bytes) {
        put(bytes, 1, 4);
        put(bytes, box("avc1", [&](Bytes& entry) {
                put_zeros(entry, 6);
                put(entry, 1, 2);  // number of the data reference
                put_zeros(entry, 16);
                put(entry, static_cast<std::uint64_t>(film.width), 2);
                put(entry, static_cast<std::uint64_t>(film.height), 2);
                put(entry, kDotsPerInch, 4);
                put(entry, kDotsPerInch, 4);
                put_zeros(entry, 4);
                put(entry, 1, 2);  // pictures to a sample
                put_zeros(entry, 32);
                put(entry, 24, 2);  // bits of a pixel
                put(entry, 0xFFFF, 2);
                put(entry, decoder_settings(film));
                put(entry, colours());
            }));
    });
}

/// For how long pictures are shown: runs of equal durations.
Bytes durations(const Mp4Film& film) {
    std::uint32_t runs = 0;
    Bytes table;
    for (std::size_t first = 0, end = 0; first < film.pictures.size(); first = end) {
        const std::uint32_t duration = film.pictures[first].duration;
        while (end < film.pictures.size() && film.pictures[end].duration == duration) ++end;
        put(table, end - first, 4);
        put(table, duration, 4);
        ++runs;
    }
    return full_box("stts", 0, [&](Bytes& bytes) {
        put(bytes, runs, 4);
        put(bytes, table);
    });
}

/// Numbers, from 1, of pictures from which playing can begin.
Bytes pictures_alone(const Mp4Film& film) {
    std::uint32_t count = 0;
    Bytes table;
    for (std::size_t i = 0; i < film.pictures.size(); ++i) {
        if (!film.pictures[i].stands_alone) continue;
        put(table, i + 1, 4);
        ++count;
    }
    return full_box("stss", 0, [&](Bytes& bytes) {
        put(bytes, count, 4);
        put(bytes, table);
    });
}

/// All pictures lie behind one another, from byte `start` of the file on.
Bytes places(const Mp4Film& film, std::uint32_t start) {
    Bytes tables = full_box("stsc", 0, [&](Bytes& bytes) {
        put(bytes, 1, 4);
        put(bytes, 1, 4);  // from the first chunk on
        put(bytes, film.pictures.size(), 4);
        put(bytes, 1, 4);  // as the first description says
    });
    put(tables, full_box("stsz", 0, [&](Bytes& bytes) {
            put(bytes, 0, 4);  // sizes differ
            put(bytes, film.pictures.size(), 4);
            for (const Mp4Picture& picture : film.pictures) put(bytes, picture.units.size(), 4);
        }));
    put(tables, full_box("stco", 0, [&](Bytes& bytes) {
            put(bytes, 1, 4);
            put(bytes, start, 4);
        }));
    return tables;
}

Bytes media_information(const Mp4Film& film, std::uint32_t start) {
    return box("minf", [&](Bytes& bytes) {
        put(bytes, full_box("vmhd", 1, [](Bytes& header) { put_zeros(header, 8); }));
        put(bytes, box("dinf", [](Bytes& information) {
                put(information, full_box("dref", 0, [](Bytes& references) {
                        put(references, 1, 4);
                        put(references, full_box("url ", 1, [](Bytes&) {}));  // this file
                    }));
            }));
        put(bytes, box("stbl", [&](Bytes& table) {
                put(table, sample_description(film));
                put(table, durations(film));
                put(table, pictures_alone(film));
                put(table, places(film, start));
            }));
    });
}

Bytes media(const Mp4Film& film, std::uint32_t start) {
    constexpr std::uint32_t kNoLanguage = 0x55C4;  // "und"
    return box("mdia", [&](Bytes& bytes) {
        put(bytes, full_box("mdhd", 0, [&](Bytes& header) {
                put_zeros(header, 8);
                put(header, film.ticks_per_second, 4);
                put(header, duration_of(film), 4);
                put(header, kNoLanguage, 2);
                put_zeros(header, 2);
            }));
        put(bytes, full_box("hdlr", 0, [](Bytes& handler) {
                put_zeros(handler, 4);
                put(handler, "vide");
                put_zeros(handler, 12);
                put(handler, std::string_view("pictures\0", 9));
            }));
        put(bytes, media_information(film, start));
    });
}

Bytes description(const Mp4Film& film, std::uint32_t start) {
    return box("moov", [&](Bytes& bytes) {
        put(bytes, film_header(film));
        put(bytes, box("trak", [&](Bytes& track) {
                put(track, track_header(film));
                put(track, media(film, start));
            }));
    });
}

}  // namespace

std::vector<std::byte> mp4_file(const Mp4Film& film) {
    constexpr std::size_t kBoxHeader = 8;  // bytes
    Bytes file = file_type();
    const std::size_t before = file.size() + description(film, 0).size() + kBoxHeader;
    put(file, description(film, static_cast<std::uint32_t>(before)));
    put(file, box("mdat", [&](Bytes& bytes) {
            for (const Mp4Picture& picture : film.pictures) put(bytes, picture.units);
        }));
    return file;
}

}  // namespace thalweg
