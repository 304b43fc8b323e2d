#include "thalweg/project/stage_cache.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/project/files/scratch_file.hpp"
#include "thalweg/project/model/dataset_archive.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = ".thalweg-cache";
constexpr const char* kExtension = ".result";
constexpr const char* kUnfinished = ".unfinished";
constexpr const char* kMark = "thalweg stage result 1";
constexpr std::int64_t kChecksumBytes = sizeof(std::uint64_t);

// So that programs which make backups leave the folder out (https://bford.info/cachedir/).
constexpr const char* kTagName = "CACHEDIR.TAG";
constexpr const char* kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# Results of stages that `thalweg build` need not compute again. May be removed at any time.\n";

constexpr const char* kIgnoreName = ".gitignore";  // so that version control leaves it out, too

/// What stands first in a result's file.
struct Head {
    std::string mark;
    std::string key;
    std::vector<std::pair<std::string, KeptDataset>> datasets;
};

template <class Archive, class AnyHead>
void visit_members(Archive& archive, AnyHead& head) {
    auto& [mark, key, datasets] = head;
    archive(mark, key, datasets);
}

Head head_of(const std::string& key, const StageResult& result) {
    Head head{kMark, key, {}};
    for (const auto& [name, dataset] : result.datasets) {
        const KeptDataset kept = !dataset                      ? KeptDataset::Removed
                                 : is_archived_whole(*dataset) ? KeptDataset::Whole
                                                               : KeptDataset::WithoutSource;
        head.datasets.emplace_back(name, kept);
    }
    return head;
}

/// Reads a file from its start, up to the checksum.
class ResultReader {
  public:
    explicit ResultReader(const fs::path& path)
        : file_(path, ScratchFile::Use::Read),
          end_(file_.size() - kChecksumBytes),
          archive_([this](std::span<std::byte> into) { give(into); }, end_) {}

    Head head() {
        Head head;
        archive_(head);
        return head;
    }

    StageResult result(const Head& head) {
        StageResult result;
        for (const auto& [name, kept] : head.datasets)
            result.datasets.emplace(
                name, kept == KeptDataset::Removed ? std::nullopt : std::optional(read_dataset(archive_)));
        result.report.diagnostics = read_diagnostics(archive_);
        return result;
    }

    /// Whether the file's checksum is that of its bytes.
    [[nodiscard]] bool is_whole() const {
        Checksum checksum;
        for (std::int64_t first = 0; first < end_;) {
            const std::vector<std::byte> piece = piece_from(first);
            checksum.add(piece);
            first += static_cast<std::int64_t>(piece.size());
        }
        std::array<std::byte, sizeof(std::uint64_t)> kept{};
        file_.read(end_, kept);
        return std::bit_cast<std::uint64_t>(kept) == checksum.value();
    }

  private:
    [[nodiscard]] std::vector<std::byte> piece_from(std::int64_t first) const {
        constexpr std::int64_t kMostBytes = ArchiveWriter::kPieceBytes;
        poll_cancelled();
        std::vector<std::byte> piece(static_cast<std::size_t>(std::min(end_ - first, kMostBytes)));
        file_.read(first, piece);
        return piece;
    }

    void give(std::span<std::byte> into) {
        while (!into.empty()) {
            if (taken_ == piece_.size()) {
                piece_ = piece_from(next_);
                next_ += static_cast<std::int64_t>(piece_.size());
                taken_ = 0;
            }
            const std::size_t count = std::min(into.size(), piece_.size() - taken_);
            std::ranges::copy(std::span(piece_).subspan(taken_, count), into.begin());
            taken_ += count;
            into = into.subspan(count);
        }
    }

    ScratchFile file_;
    std::int64_t end_;              // byte after the last but the checksum
    std::int64_t next_ = 0;         // byte after piece_
    std::vector<std::byte> piece_;  // of the file
    std::size_t taken_ = 0;         // bytes of it
    ArchiveReader archive_;
};

/// Nothing where the file is damaged.
std::optional<StageResult> whole_result(const fs::path& path) {
    try {
        ResultReader reader(path);
        if (!reader.is_whole()) return std::nullopt;
        const Head head = reader.head();
        return reader.result(head);
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void write_result(const fs::path& path, const std::string& key, const StageResult& result) {
    ScratchFile file(path);
    std::int64_t next = 0;
    const auto put = [&](std::span<const std::byte> bytes) {
        poll_cancelled();
        file.write(next, bytes);
        next += static_cast<std::int64_t>(bytes.size());
    };
    Checksum checksum;
    ArchiveWriter archive([&](std::span<const std::byte> bytes) {
        checksum.add(bytes);
        put(bytes);
    });
    archive(head_of(key, result));
    for (const auto& [name, dataset] : result.datasets)
        if (dataset) write_dataset(archive, *dataset);
    write_diagnostics(archive, result.report.diagnostics);
    archive.finish();
    const std::uint64_t sum = checksum.value();
    put(std::as_bytes(std::span(&sum, 1)));
}

bool can_be_kept(const StageResult& result) {
    return std::ranges::all_of(
        result.datasets, [](const auto& entry) { return !entry.second || can_be_archived(*entry.second); });
}

bool leaves_room(const fs::path& folder, std::int64_t bytes) {
    std::error_code unknown;
    const fs::space_info space = fs::space(folder, unknown);
    return unknown || space.available / 4 >= static_cast<std::uintmax_t>(bytes);
}

struct Entry {
    fs::path path;
    std::int64_t bytes = 0;
    fs::file_time_type used;
};

/// The files of the folder that have the extension. Others may remove them meanwhile.
std::vector<Entry> entries_of(const fs::path& folder, const char* extension) {
    std::vector<Entry> entries;
    std::error_code unreadable;
    for (fs::directory_iterator file(folder, unreadable), end; !unreadable && file != end;
         file.increment(unreadable)) {
        if (file->path().extension() != extension) continue;
        std::error_code gone;
        const std::uintmax_t bytes = file->file_size(gone);
        if (gone) continue;
        const fs::file_time_type used = file->last_write_time(gone);
        if (!gone) entries.push_back({file->path(), static_cast<std::int64_t>(bytes), used});
    }
    return entries;
}

/// Throws Error::input where there is something else than a folder of this user alone.
void check_folder(const fs::path& folder) {
    struct stat status{};
    if (::lstat(folder.c_str(), &status) != 0) return;
    if (!S_ISDIR(status.st_mode)) throw Error::input(fmt::format("{} is no folder", folder.string()));
    if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw Error::input(fmt::format("{} can be changed by other users", folder.string()));
}

}  // namespace

fs::path cache_folder(const fs::path& output_directory) {
    const fs::path place = fs::absolute(output_directory).lexically_normal();
    return (place.has_filename() ? place : place.parent_path()).parent_path() / kFolder;
}

StageCache::StageCache(fs::path folder, std::int64_t limit) : folder_(std::move(folder)), limit_(limit) {
    check_folder(folder_);
}

void StageCache::make_folder() const {
    constexpr mode_t kOwnerAlone = 0700;
    if (::mkdir(folder_.c_str(), kOwnerAlone) == 0) {
        std::ofstream(folder_ / kTagName) << kTag;
        std::ofstream(folder_ / kIgnoreName) << "*\n";
    }
    check_folder(folder_);
}

void StageCache::remove_empty_folder() const {
    std::error_code ignored;
    for (fs::directory_iterator file(folder_, ignored), end; !ignored && file != end; file.increment(ignored))
        if (file->path().filename() != kTagName && file->path().filename() != kIgnoreName) return;
    fs::remove(folder_ / kTagName, ignored);
    fs::remove(folder_ / kIgnoreName, ignored);
    fs::remove(folder_, ignored);
}

fs::path StageCache::file_of(const std::string& key) const {
    return folder_ / (key + kExtension);
}

bool StageCache::has(const std::string& key) const {
    return fs::is_regular_file(fs::symlink_status(file_of(key)));
}

std::optional<std::map<std::string, KeptDataset>> StageCache::contents(const std::string& key) const {
    if (!has(key)) return std::nullopt;
    try {
        const Head head = ResultReader(file_of(key)).head();
        if (head.mark != kMark || head.key != key) return std::nullopt;
        return std::map(head.datasets.begin(), head.datasets.end());
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<StageResult> StageCache::load(const std::string& key) {
    const fs::path path = file_of(key);
    std::error_code ignored;
    std::optional<StageResult> result = whole_result(path);
    if (result)
        fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    else
        fs::remove(path, ignored);
    return result;
}

void StageCache::store(const std::string& key, const StageResult& result) {
    const std::int64_t bytes = bytes_of_layers(result);
    if (!can_be_kept(result) || bytes > limit_ || !leaves_room(folder_.parent_path(), bytes)) return;
    static std::atomic<int> writes = 0;  // two threads of one process may keep the same result
    const fs::path unfinished = folder_ / fmt::format("{}.{}.{}{}", key, ::getpid(), writes++, kUnfinished);
    std::error_code ignored;
    try {
        make_folder();
        write_result(unfinished, key, result);
        fs::rename(unfinished, file_of(key));
    } catch (const Cancelled&) {
        fs::remove(unfinished, ignored);
        throw;
    } catch (const std::exception&) {  // no room, or no rights
        fs::remove(unfinished, ignored);
        remove_empty_folder();
    }
}

void StageCache::trim() noexcept {
    constexpr std::chrono::hours kLongestWrite{1};
    const auto now = fs::file_time_type::clock::now();
    std::error_code ignored;
    for (const Entry& entry : entries_of(folder_, kUnfinished))
        if (now - entry.used > kLongestWrite) fs::remove(entry.path, ignored);
    std::vector<Entry> entries = entries_of(folder_, kExtension);
    std::ranges::sort(entries, {}, &Entry::used);
    std::int64_t bytes = usage().bytes;
    for (const Entry& entry : entries) {
        if (bytes <= limit_) break;
        fs::remove(entry.path, ignored);
        bytes -= entry.bytes;
    }
    remove_empty_folder();
}

void StageCache::clear() {
    std::error_code ignored;
    for (const char* extension : {kExtension, kUnfinished})
        for (const Entry& entry : entries_of(folder_, extension)) fs::remove(entry.path, ignored);
    remove_empty_folder();
}

CacheUsage StageCache::usage() const {
    CacheUsage usage;
    for (const Entry& entry : entries_of(folder_, kExtension)) {
        ++usage.results;
        usage.bytes += entry.bytes;
    }
    return usage;
}

}  // namespace thalweg
