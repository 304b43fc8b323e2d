#include "thalweg/project/files/tile_store.hpp"

#include "thalweg/core/index.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>

namespace thalweg {
namespace {

constexpr std::uint64_t kPartMark = 0x7472617074726170ULL;
constexpr std::int64_t kPiece = std::int64_t{1} << 20;  // bytes that are checked at a time

/// What stands before a part.
struct PartHead {
    std::uint64_t mark = kPartMark;
    std::uint64_t kind = 0;
    std::int64_t number = 0;
    std::int64_t size = 0;       // bytes behind this
    std::uint64_t checksum = 0;  // over all of the above and the bytes
};

std::uint64_t checksum_of(const PartHead& head, std::span<const std::byte> bytes) {
    Checksum checksum;
    checksum.add(std::as_bytes(std::span(&head, 1)).first(offsetof(PartHead, checksum)));
    checksum.add(bytes);
    return checksum.value();
}

/// What the file begins with: the purpose between its length and a checksum.
std::vector<std::byte> head_for(const std::string& purpose) {
    const std::uint64_t size = purpose.size();
    Checksum checksum(size);
    checksum.add(std::as_bytes(std::span(purpose)));
    const std::uint64_t sum = checksum.value();
    std::vector<std::byte> head(sizeof size + purpose.size() + sizeof sum);
    std::memcpy(head.data(), &size, sizeof size);
    std::memcpy(head.data() + sizeof size, purpose.data(), purpose.size());
    std::memcpy(head.data() + sizeof size + purpose.size(), &sum, sizeof sum);
    return head;
}

}  // namespace

TileStore::TileStore(const std::filesystem::path& path, const std::string& purpose)
    : file_(path), head_(head_for(purpose)) {
    if (take_over(purpose)) {
        state_ = parts_.empty() ? StoreState::Empty : StoreState::GoesOn;
    } else {
        begin_anew();
    }
}

void TileStore::begin_anew() {
    parts_.clear();
    file_.cut(0);
    file_.write(0, head_);
    end_ = static_cast<std::int64_t>(head_.size());
}

void TileStore::drop() {
    const std::lock_guard lock(mutex_);
    state_ = StoreState::Damaged;
    begin_anew();
}

/// Whether the file holds parts for this purpose; else says in state_ what it is.
bool TileStore::take_over(const std::string& purpose) {
    const std::int64_t size = file_.size();
    std::uint64_t purpose_size = 0;
    const std::int64_t least = static_cast<std::int64_t>(head_.size() - purpose.size());
    if (size < least) return false;  // killed when it had hardly begun
    file_.read(0, std::as_writable_bytes(std::span(&purpose_size, 1)));
    state_ = StoreState::Damaged;
    if (purpose_size > static_cast<std::uint64_t>(size - least)) return false;
    std::string found(purpose_size, ' ');
    file_.read(sizeof purpose_size, std::as_writable_bytes(std::span(found)));
    const std::vector<std::byte> sound = head_for(found);
    std::vector<std::byte> head(sound.size());
    file_.read(0, head);
    if (head != sound) return false;
    if (found != purpose) {
        state_ = StoreState::Foreign;
        return false;
    }
    return take_over_parts();
}

/// Whether all parts are sound. The last one may be cut short.
bool TileStore::take_over_parts() {
    const std::int64_t size = file_.size();
    constexpr auto kHeadSize = static_cast<std::int64_t>(sizeof(PartHead));
    std::vector<std::byte> piece;
    end_ = static_cast<std::int64_t>(head_.size());
    while (size - end_ >= kHeadSize) {
        PartHead head;
        file_.read(end_, std::as_writable_bytes(std::span(&head, 1)));
        if (head.mark != kPartMark || head.size < 0) return false;
        if (head.size > size - end_ - kHeadSize) break;
        Checksum checksum;
        checksum.add(std::as_bytes(std::span(&head, 1)).first(offsetof(PartHead, checksum)));
        const Place place = {.first = end_ + kHeadSize, .size = head.size};
        for (std::int64_t done = 0; done < place.size; done += kPiece) {
            piece.resize(at(std::min(kPiece, place.size - done)));
            file_.read(place.first + done, piece);
            checksum.add(piece);
        }
        if (checksum.value() != head.checksum) return false;
        parts_[{static_cast<std::uint8_t>(head.kind), head.number}] = place;
        end_ = place.first + place.size;
    }
    file_.cut(end_);
    return true;
}

void TileStore::keep(std::uint8_t kind, std::int64_t number, std::span<const std::byte> bytes) {
    PartHead head;
    head.kind = kind;
    head.number = number;
    head.size = static_cast<std::int64_t>(bytes.size());
    head.checksum = checksum_of(head, bytes);
    const std::lock_guard lock(mutex_);
    file_.write(end_, std::as_bytes(std::span(&head, 1)));
    const Place place = {.first = end_ + static_cast<std::int64_t>(sizeof head), .size = head.size};
    file_.write(place.first, bytes);
    end_ = place.first + place.size;
    parts_[{kind, number}] = place;
}

std::optional<TileStore::Place> TileStore::place_of(std::uint8_t kind, std::int64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto found = parts_.find({kind, number});
    return found == parts_.end() ? std::nullopt : std::optional(found->second);
}

bool TileStore::has(std::uint8_t kind, std::int64_t number) const {
    return place_of(kind, number).has_value();
}

std::vector<std::int64_t> TileStore::numbers(std::uint8_t kind) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::int64_t> numbers;
    for (const auto& [key, place] : parts_)
        if (key.first == kind) numbers.push_back(key.second);
    return numbers;
}

std::optional<std::vector<std::byte>> TileStore::kept(std::uint8_t kind, std::int64_t number) const {
    const std::optional<Place> place = place_of(kind, number);
    if (!place) return std::nullopt;
    std::vector<std::byte> bytes(at(place->size));
    file_.read(place->first, bytes);
    return bytes;
}

void TileStore::read(std::uint8_t kind, std::int64_t number, std::int64_t first,
                     std::span<std::byte> into) const {
    const std::optional<Place> place = place_of(kind, number);
    assert(place && first + static_cast<std::int64_t>(into.size()) <= place->size);
    file_.read(place->first + first, into);
}

}  // namespace thalweg
