// Results of stages in a folder, kept from run to run.
#pragma once

#include "thalweg/project/stage_result.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace thalweg {

/// The folder of the cache that projects with this output folder share: `.thalweg-cache` beside it.
std::filesystem::path cache_folder(const std::filesystem::path& output_directory);

/// What a folder of results holds.
struct CacheUsage {
    int results = 0;
    std::int64_t bytes = 0;
};

/// How a kept result has a dataset.
enum class KeptDataset : std::uint8_t {
    Whole,
    WithoutSource,  // a layer whose source, a function, is not kept: only a run of the stage gives it again
    Removed,        // the stage has taken it away
};

/// Results by the keys of stages: hashes of all that decides what they leave. A result is a file of its own,
/// which appears whole or not at all, and carries a checksum: one that is cut short or changed counts as not
/// there. Any number of processes may use one folder. What can't be kept (no room, no rights) is not, and
/// fails nothing.
///
/// Example:
///     StageCache cache(cache_folder("out"), std::int64_t{4} << 30);
///     cache.trim();
///     std::printf("%d results\n", cache.usage().results);
class StageCache {
  public:
    /// `folder` need not be there: the first result makes it. Throws Error::input where it belongs to another
    /// user, can be written by others, or is a link. Bytes of all results: at most `limit`, once trim() has
    /// run.
    StageCache(std::filesystem::path folder, std::int64_t limit);

    /// Whether a result is kept; it may be damaged.
    [[nodiscard]] bool has(const std::string& key) const;

    /// The datasets of a kept result, by name; nothing where there is none. Reads only the file's head.
    /// Polls.
    [[nodiscard]] std::optional<std::map<std::string, KeptDataset>> contents(const std::string& key) const;

    /// A kept result, without a label and parameters in its report. Where the file is damaged, it is removed,
    /// and there is nothing. Polls.
    [[nodiscard]] std::optional<StageResult> load(const std::string& key);

    /// Keeps a result, unless the disk has less room than its layers take four times. Polls.
    void store(const std::string& key, const StageResult& result);

    /// Removes results that were not used for longest until the others are within the limit, and what killed
    /// runs have left.
    void trim() noexcept;

    /// Removes all results, and the folder once nothing else is in it.
    void clear();

    [[nodiscard]] CacheUsage usage() const;
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
    void make_folder() const;
    void remove_empty_folder() const;

    std::filesystem::path folder_;
    std::int64_t limit_;
};

}  // namespace thalweg
