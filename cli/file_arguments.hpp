// Files named on the command line: "-" for the standard streams, and outputs checked before any work.
#pragma once

#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/standard_streams.hpp"
#include "cli/verb.hpp"

namespace thalweg::cli {

/// How a raster that is not in square cells of metres is taken.
enum class Degrees { Refused, Reprojected };

/// The flags of verbs that read an elevation raster, under their title.
FlagGroup input_flags();
Degrees degrees_of(const Given& given);

/// The flag that names where rasters may lie that other rasters refer to.
Flag sources_flag();
void allow_sources(const Given& given);
/// What they say of the raster. Throws Error::input.
RasterHints hints_of(const Given& given);

/// A file to read. "-" is standard input, kept in a temporary file while this lives, and so is the view of a
/// raster that was reprojected.
class InputFile {
  public:
    /// Reads standard input to its end where `name` is "-", and reprojects by raster_in_metres where that is
    /// asked for. Throws Error.
    explicit InputFile(const std::string& name, Degrees degrees = Degrees::Refused, RasterHints hints = {});

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// What that file does not say of itself.
    [[nodiscard]] const RasterHints& hints() const { return hints_; }

    /// Whether the file goes with this.
    [[nodiscard]] bool is_temporary() const;

    /// What was done to the raster.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

    /// Runs `body`, and says what was typed, or "standard input", in the message of an Error that names a
    /// temporary file.
    template <class Body>
    decltype(auto) read_by(const Body& body) const {
        try {
            return body();
        } catch (const Error& error) {
            throw Error(error.kind(), with_typed_name(error.what()));
        }
    }

  private:
    [[nodiscard]] std::string with_typed_name(std::string message) const;

    void reproject();

    std::unique_ptr<TemporaryFolder> folder_;
    std::filesystem::path path_;
    std::string typed_name_;
    RasterHints hints_;
    std::vector<std::string> notes_;
};

/// A file to write. "-" is standard output: the file is written to a temporary place and delivered at the
/// end.
class OutputFile {
  public:
    /// `extension` is that of the temporary file behind "-", for example ".tif".
    OutputFile(const std::string& name, const std::string& extension);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] bool is_standard_output() const { return folder_ != nullptr; }

    /// Copies what was written to standard output, where that was asked for.
    void deliver() const;

  private:
    std::unique_ptr<TemporaryFolder> folder_;
    std::filesystem::path path_;
};

/// Throws Error::input when an output can't be written, is the same file as an input or one that an input
/// raster is made of, or is named twice. "-"
/// and empty names are passed over, but only one output may be "-".
void check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

/// Throws Error::input when the same file is named twice.
void check_inputs_differ(const std::vector<std::string>& inputs);

/// Throws Error::input when one of `results`, which all have other names, is the same file as an input, or as
/// one of the outputs `named` by themselves; and when these are an input, or the same file. For results in a
/// folder that need not exist yet; whether they can be written is not looked at.
void check_results(const std::vector<std::string>& inputs, const std::vector<std::string>& named,
                   const std::vector<std::filesystem::path>& results);

/// The folder of --out of a build; nothing where it is not given. Throws Error::input for none or a stream.
std::optional<std::filesystem::path> output_folder(const Given& given);

}  // namespace thalweg::cli
