// Thousands of broken inputs, each given to the program as a user would: it ends by itself, or soon after an
// interrupt, with an exit code and sentences that say why, and never by a signal.
//   THALWEG_MUTATIONS      how many inputs, 2000 unless given
//   THALWEG_MUTATION_SEED  which ones, 1 unless given; input i of a seed is the same in every run
#include "thalweg/core/parameters.hpp"
#include "thalweg/io/gdal/gdal_session.hpp"
#include "thalweg/project/stage.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "tests/cli/processor_time.hpp"
#include "tests/cli/program.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/long_test.hpp"
#include <cpl_conv.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gdal_priv.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int program_main(int count, char** arguments);  // that of cli/main.cpp

namespace thalweg {
namespace {

namespace fs = std::filesystem;
using Bytes = std::string;
using Random = std::mt19937_64;

constexpr rlim_t kAddressSpace = rlim_t{2} << 30;  // bytes: many a broken header asks for terabytes
constexpr rlim_t kFileSize = rlim_t{64} << 20;     // bytes
constexpr double kPatience = 20.0;                 // s of work before an interrupt, and from there to a hang
constexpr std::chrono::seconds kLongestWait{180};  // the same where nothing works: a machine may be busy

/// Files that a command reads; the first is the one that it names.
struct Base {
    std::string driver;
    std::vector<std::pair<std::string, Bytes>> files;
};

std::size_t below(Random& random, std::size_t count) {
    return count == 0 ? 0 : random() % count;
}

template <class List>
auto any_of(Random& random, const List& list) {
    return list[below(random, std::size(list))];
}

// --- What is broken ---------------------------------------------------------------------------------------

constexpr std::array<const char*, 30> kTokens = {
    "0",     "-1",       "1",          "nan",        "inf",        "-inf",
    "1e300", "-1e300",   "1e-300",     "1e18",       "1e9",        "32768",
    "65536", "-32768",   "2147483647", "2147483648", "4294967296", "99999999999999999999",
    "",      "\"\"",     "[]",         "{}",         "true",       "0x7f",
    "1mm",   "\x1b[31m", "\xff\xfe",   "/dev/zero",  "..",         "-"};

/// A place in the bytes; half of the time in the head, where headers are.
std::size_t place_in(Random& random, const Bytes& bytes) {
    return below(random, random() % 2 == 0 ? std::min<std::size_t>(bytes.size(), 512) : bytes.size());
}

void replace_number(Random& random, Bytes& bytes) {
    constexpr const char* kDigits = "0123456789.";
    std::size_t at = bytes.find_first_of(kDigits, place_in(random, bytes));
    if (at == Bytes::npos) at = bytes.find_first_of(kDigits);
    if (at == Bytes::npos) return;
    const std::size_t end = std::min(bytes.find_first_not_of(kDigits, at), bytes.size());
    bytes.replace(at, end - at, any_of(random, kTokens));
}

void break_once(Random& random, Bytes& bytes) {
    if (bytes.empty()) return;
    const std::size_t at = place_in(random, bytes);
    const std::size_t length = 1 + below(random, std::min<std::size_t>(64, bytes.size() - at));
    switch (random() % 9) {
        case 0:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
            break;
        case 1:
            bytes[at] =
                any_of(random, std::to_array<char>({'\0', '\x7f', '\x80', '\xff', '\n', ' ', '-', '9'}));
            break;
        case 2:
            bytes.resize(below(random, bytes.size()));
            break;
        case 3:
            bytes.erase(at, length);
            break;
        case 4:
            bytes.insert(at, bytes.substr(place_in(random, bytes), length));
            break;
        case 5:
            bytes.replace(at, length, Bytes(length, random() % 2 == 0 ? '\0' : '\xff'));
            break;
        case 6:
            bytes.insert(at, any_of(random, kTokens));
            break;
        default:
            replace_number(random, bytes);
    }
}

Bytes broken(Random& random, Bytes bytes) {
    for (std::uint64_t times = 1 + random() % 4; times > 0; --times) break_once(random, bytes);
    return bytes;
}

/// Runs `child` in a process of its own: loading the program's libraries anew would take most of the time.
template <class Child>
pid_t start(const Child& child) {
    const pid_t process = ::fork();
    if (process == 0) ::_exit(child());
    return process;
}

// --- What is broken from ----------------------------------------------------------------------------------

/// Writes a small terrain with a place in metres, or one in degrees with two bands.
void write_small_raster(const fs::path& path, GDALDataType type, bool in_degrees) {
    constexpr int kSide = 24;
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
    const std::unique_ptr<GDALDataset> dataset(
        driver->Create(path.c_str(), kSide, kSide, in_degrees ? 2 : 1, type, nullptr));
    std::array<double, 6> metres = {500000.0, 30.0, 0.0, 4000000.0, 0.0, -30.0};
    std::array<double, 6> degrees = {-118.0, 0.0003, 0.0, 34.0, 0.0, -0.0003};
    dataset->SetGeoTransform(in_degrees ? degrees.data() : metres.data());
    OGRSpatialReference reference;
    reference.importFromEPSG(in_degrees ? 4326 : 32611);
    dataset->SetSpatialRef(&reference);
    std::vector<float> values(std::size_t{kSide} * kSide);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(150 + (i * 37) % 55 + i / kSide);
    for (int band = 1; band <= dataset->GetRasterCount(); ++band)
        EXPECT_EQ(dataset->GetRasterBand(band)->RasterIO(GF_Write, 0, 0, kSide, kSide, values.data(), kSide,
                                                         kSide, GDT_Float32, 0, 0, nullptr),
                  CE_None);
}

/// Makes a raster by one of GDAL's drivers, where it can.
void copy_raster(const char* driver_name, const fs::path& from, const fs::path& to) {
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(driver_name);
    const std::unique_ptr<GDALDataset> source(GDALDataset::Open(from.c_str()));
    CPLPushErrorHandler(CPLQuietErrorHandler);
    if (driver != nullptr)
        std::unique_ptr<GDALDataset>(
            driver->CreateCopy(to.c_str(), source.get(), FALSE, nullptr, nullptr, nullptr));
    CPLPopErrorHandler();
}

/// The raster `file` and all beside it, but for the one that it was made of, which only a VRT needs.
Base files_in(const fs::path& folder, const std::string& driver, const std::string& file) {
    Base base{driver, {}};
    if (!fs::exists(folder / file)) return base;
    base.files.emplace_back(file, content_of(folder / file));
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name != file && (name != "source.tif" || driver == "VRT"))
            base.files.emplace_back(name, content_of(entry.path()));
    }
    std::sort(base.files.begin() + 1, base.files.end());
    return base;
}

std::vector<Base> rasters_to_break() {
    struct Format {
        const char* driver;
        const char* file;
        GDALDataType type = GDT_Float32;
    };
    const std::vector<Format> formats = {{"GTiff", "a.tif"},
                                         {"GTiff", "b.tif", GDT_Int16},
                                         {"HFA", "a.img"},
                                         {"AAIGrid", "a.asc"},
                                         {"ENVI", "a.envi"},
                                         {"EHdr", "a.bil"},
                                         {"netCDF", "a.nc"},
                                         {"PCRaster", "a.map"},
                                         {"SAGA", "a.sdat"},
                                         {"GSBG", "a.grd"},
                                         {"GS7BG", "b.grd"},
                                         {"RST", "a.rst"},
                                         {"BT", "a.bt"},
                                         {"PNG", "a.png", GDT_UInt16},
                                         {"PNM", "a.pgm", GDT_Byte},
                                         {"USGSDEM", "a.dem", GDT_Int16},
                                         {"XYZ", "a.xyz"},
                                         {"HF2", "a.hf2"},
                                         {"SIGDEM", "a.sigdem"},
                                         {"ZMap", "a.zmap"},
                                         {"GTX", "a.gtx"},
                                         {"GRIB", "a.grb2"},
                                         {"ISIS3", "a.cub"},
                                         {"VRT", "a.vrt"},
                                         {"BMP", "a.bmp", GDT_Byte},
                                         {"GSAG", "c.grd"},
                                         {"COG", "c.tif"}};
    std::vector<Base> bases;
    for (const bool in_degrees : {false, true})
        for (const Format& format : formats) {
            const TemporaryFolder folder;
            int status = 0;
            // In a process of its own: the program must find GDAL as it would, without any drivers.
            ::waitpid(start([&] {
                          GDALAllRegister();
                          write_small_raster(folder / "source.tif", format.type, in_degrees);
                          copy_raster(format.driver, folder / "source.tif", folder / format.file);
                          return 0;
                      }),
                      &status, 0);
            Base base = files_in(folder.path(), format.driver, format.file);
            if (!base.files.empty()) bases.push_back(std::move(base));
        }
    return bases;
}

std::vector<Base> projects_to_break() {
    std::vector<Base> bases;
    for (const fs::directory_entry& entry : fs::directory_iterator(THALWEG_SOURCE_DIR "/examples"))
        if (entry.path().extension() == ".toml")
            bases.push_back({"project",
                             {{"a.toml", content_of(entry.path())},
                              {"dem.tif", content_of(THALWEG_SOURCE_DIR "/examples/dem.tif")},
                              {"drawn-network.geojson",
                               content_of(THALWEG_SOURCE_DIR "/examples/drawn-network.geojson")}}});
    std::sort(bases.begin(), bases.end(),
              [](const Base& a, const Base& b) { return a.files[0].second < b.files[0].second; });
    return bases;
}

// --- Runs -------------------------------------------------------------------------------------------------

/// A command, its files, and what came of it.
struct Trial {
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, Bytes>> files;
    std::string input = {};  // standard input
};

struct Outcome {
    int status = 0;  // of waitpid
    bool hung = false;
    bool interrupted = false;
    std::string output;
    std::string errors;
};

pid_t start(const Trial& trial, const fs::path& folder) {
    std::ofstream(folder / "input", std::ios::binary) << trial.input;
    std::vector<std::string> words = {"thalweg"};
    words.insert(words.end(), trial.arguments.begin(), trial.arguments.end());
    return start([&] {
        const auto redirect = [&](const char* name, int flags, int descriptor) {
            const int file = ::open((folder / name).c_str(), flags, 0600);
            return file >= 0 && ::dup2(file, descriptor) >= 0;
        };
        const rlimit space{kAddressSpace, kAddressSpace}, size{kFileSize, kFileSize}, core{0, 0};
        if (!redirect("input", O_RDONLY, STDIN_FILENO) ||
            !redirect("output", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) ||
            !redirect("errors", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO) ||
            ::chdir((folder / "work").c_str()) != 0 || ::setrlimit(RLIMIT_AS, &space) != 0 ||
            ::setrlimit(RLIMIT_FSIZE, &size) != 0 || ::setrlimit(RLIMIT_CORE, &core) != 0)
            return 127;
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        return program_main(static_cast<int>(pointers.size()), pointers.data());
    });
}

/// Whether the process ends within kPatience of its own processor time, or kLongestWait where it takes none.
bool ends(pid_t process, int& status) {
    const double longest_work = processor_time(process) + kPatience;
    const auto end = std::chrono::steady_clock::now() + kLongestWait;
    while (std::chrono::steady_clock::now() < end) {
        if (::waitpid(process, &status, WNOHANG) == process) return true;
        if (processor_time(process) > longest_work) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    return false;
}

Outcome run(const Trial& trial, const fs::path& folder) {
    std::error_code ignored;
    fs::remove_all(folder / "work", ignored);
    fs::create_directories(folder / "work");
    for (const auto& [name, bytes] : trial.files)
        std::ofstream(folder / "work" / name, std::ios::binary) << bytes;
    Outcome outcome;
    const pid_t process = start(trial, folder);
    if (!ends(process, outcome.status)) {
        outcome.interrupted = true;
        ::kill(process, SIGINT);
        outcome.hung = !ends(process, outcome.status);
        if (outcome.hung) {
            ::kill(process, SIGKILL);
            ::waitpid(process, &outcome.status, 0);
        }
    }
    outcome.output = content_of(folder / "output");
    outcome.errors = content_of(folder / "errors");
    return outcome;
}

/// What is wrong with an outcome; empty when nothing is.
std::string fault_of(const Trial& trial, const Outcome& outcome) {
    if (outcome.hung) return "it hangs";
    if (WIFSIGNALED(outcome.status)) return fmt::format("signal {} ended it", WTERMSIG(outcome.status));
    const int code = WEXITSTATUS(outcome.status);
    if (code > 3) return fmt::format("exit code {}", code);
    const auto commands_terminal = [](const std::string& text) {
        return std::ranges::any_of(text, [](char letter) {
            return (static_cast<unsigned char>(letter) < 0x20 && letter != '\n') || letter == '\x7f';
        });
    };
    if (commands_terminal(outcome.errors)) return "control characters on standard error";
    if (std::ranges::find(trial.arguments, "-o") == trial.arguments.end() &&
        commands_terminal(outcome.output))
        return "control characters on standard output";
    if (outcome.errors.size() > 16384) return "it talks too much";
    for (const char* phrase : {"std::", "basic_string", "filesystem error", "vector::", "map::at", "bad_",
                               "HDF5-DIAG", "proj_", "json.exception", "terminate called", "Assertion"})
        if (outcome.errors.find(phrase) != std::string::npos) return fmt::format("it says \"{}\"", phrase);
    std::size_t complaints = 0;
    for (std::size_t at = 0; at < outcome.errors.size(); at = outcome.errors.find('\n', at) + 1) {
        const std::string_view rest = std::string_view(outcome.errors).substr(at);
        if (rest.starts_with("thalweg: ")) {
            ++complaints;
        } else if (!rest.starts_with("note: ")) {
            return "a line on standard error that is not the program's";
        }
    }
    return complaints == (code == 0 ? 0U : 1U) ? ""
                                               : fmt::format("{} complaints, exit code {}", complaints, code);
}

// --- Inputs -----------------------------------------------------------------------------------------------

class Inputs {
  public:
    Inputs() : rasters_(rasters_to_break()), projects_(projects_to_break()) {
        const TemporaryFolder folder;
        terrain_ = rasters_.front().files.front().second;
        for (const char* name : {"rivers.gpkg", "rivers.geojson"}) {
            const Trial trial{{"rivers", "t.tif", "--min-area", "3000", "-o", "../" + std::string(name)},
                              {{"t.tif", terrain_}}};
            EXPECT_EQ(run(trial, folder.path()).status, 0);
            networks_.push_back({name, {{name, content_of(folder / name)}}});
        }
        networks_.push_back(
            {"drawn",
             {{"rivers.geojson", content_of(THALWEG_SOURCE_DIR "/examples/drawn-network.geojson")}}});
    }

    [[nodiscard]] Trial input(std::uint64_t seed, std::uint64_t number) const {
        Random random(seed * 1000003 + number);
        Trial trial;
        const std::uint64_t kind = random() % 10;
        if (kind < 5) {
            trial = raster(random);
        } else if (kind < 7) {
            trial = project(random);
        } else if (kind < 8) {
            trial = network(random);
        } else {
            trial = parameters(random);
        }
        for (const char* word : {"--threads", "1", "--progress", "none"})
            if (trial.arguments[0] != "info") trial.arguments.emplace_back(word);
        return trial;
    }

  private:
    [[nodiscard]] Trial raster(Random& random) const {
        const Base base = any_of(random, rasters_);
        Trial trial{.arguments = {}, .files = base.files};
        auto& [name, bytes] = trial.files[random() % 4 == 0 ? below(random, trial.files.size()) : 0];
        bytes = broken(random, bytes);
        const std::string& file = trial.files[0].first;
        const std::vector<std::vector<std::string>> commands = {
            {"info", file},
            {"info", "--reproject", file},
            {"info", "-"},
            {"flow", file, "-o", "out.tif"},
            {"flow", "--reproject", file, "-o", "out.png"},
            {"flow", file, "--memory-limit", "64", "-o", "out.tif"},
            {"erode", file, "--time", "1000", "-o", "out.tif"},
            {"rivers", file, "--min-area", "3000", "-o", "out.gpkg"},
            {"render", file, "--size", "64", "-o", "out.png"},
            {"render", file, "--view", "--width", "32", "--height", "32", "--samples", "1", "-o", "out.png"},
            {"import", file, "--cells", "20", "-o", "out.tif"}};
        trial.arguments = any_of(random, commands);
        if (trial.arguments.back() == "-") trial.input = trial.files[0].second;
        return trial;
    }

    [[nodiscard]] Trial project(Random& random) const {
        Trial trial{.arguments = {"build", "a.toml", "--cells", "24", "--out", "out"},
                    .files = any_of(random, projects_).files};
        trial.files[0].second = broken(random, trial.files[0].second);
        if (random() % 4 == 0) trial.files[2].second = broken(random, trial.files[2].second);
        if (random() % 2 == 0) trial.arguments.emplace_back("--dry-run");
        return trial;
    }

    [[nodiscard]] Trial network(Random& random) const {
        const Base base = any_of(random, networks_);
        Trial trial{.arguments = {}, .files = base.files};
        trial.files[0].second = broken(random, trial.files[0].second);
        trial.files.emplace_back("t.tif", terrain_);
        const std::string& file = trial.files[0].first;
        const std::vector<std::vector<std::string>> commands = {
            {"info", file},
            {"flow", "t.tif", "--rivers-file", file, "-o", "out.tif"},
            {"rivers", "t.tif", "--rivers-file", file, "--min-area", "3000", "-o", "out.geojson"},
            {"erode", "t.tif", "--rivers-file", file, "--time", "1000", "-o", "out.tif"},
            {"render", "t.tif", "--rivers", file, "--size", "64", "-o", "out.png"}};
        trial.arguments = any_of(random, commands);
        return trial;
    }

    /// A verb with one to three parameters that nobody means.
    [[nodiscard]] Trial parameters(Random& random) const {
        const std::vector<Stage>& stages = stage_registry();
        const Stage& stage = stages[below(random, stages.size())];
        Trial trial{.arguments = {stage.name}, .files = {{"t.tif", terrain_}}};
        if (stage.needs_input || stage.name == "import") {
            trial.arguments.emplace_back("t.tif");
        } else {
            trial.arguments.insert(trial.arguments.end(), {"--cells", "24"});
        }
        for (std::uint64_t count = 1 + random() % 3; count > 0; --count) {
            std::string name = any_of(random, stage.parameters->parameters()).name;
            std::replace(name.begin(), name.end(), '_', '-');
            trial.arguments.push_back(fmt::format("--{}={}", name, any_of(random, kTokens)));
        }
        trial.arguments.insert(trial.arguments.end(),
                               {"-o", stage.primary == "rivers" ? "out.gpkg" : "out.tif"});
        return trial;
    }

    std::vector<Base> rasters_;
    std::vector<Base> projects_;
    std::vector<Base> networks_;
    Bytes terrain_;
};

/// Keeps what went wrong for whoever looks into it.
fs::path keep(const Trial& trial, const Outcome& outcome, std::uint64_t number) {
    const fs::path folder = fs::temp_directory_path() / fmt::format("thalweg-mutation-{}", number);
    fs::create_directories(folder);
    for (const auto& [name, bytes] : trial.files) std::ofstream(folder / name, std::ios::binary) << bytes;
    std::ofstream(folder / "command") << fmt::format("{}\n", fmt::join(trial.arguments, " "));
    std::ofstream(folder / "errors") << outcome.errors;
    return folder;
}

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

using LongMutations = LongTest;

TEST_F(LongMutations, of_rasters_projects_networks_and_parameters_neither_crash_nor_hang) {
    const Inputs inputs;
    const GdalSession session;  // what every run would do first
    const std::uint64_t count = number_in("THALWEG_MUTATIONS", 2000);
    const std::uint64_t seed = number_in("THALWEG_MUTATION_SEED", 1);
    std::atomic<std::uint64_t> next{0};
    std::mutex mutex;
    std::map<int, std::uint64_t> codes;  // how often the program ended with each exit code
    std::uint64_t interrupted = 0;
    const auto work = [&](const fs::path& folder) {
        for (std::uint64_t number = next++; number < count; number = next++) {
            const Trial trial = inputs.input(seed, number);
            const Outcome outcome = run(trial, folder);
            const std::string fault = fault_of(trial, outcome);
            const std::lock_guard lock(mutex);
            ++codes[WIFEXITED(outcome.status) ? WEXITSTATUS(outcome.status) : -WTERMSIG(outcome.status)];
            interrupted += outcome.interrupted ? 1 : 0;
            if (!fault.empty())
                ADD_FAILURE() << "input " << number << " of seed " << seed << ": " << fault << "\n  "
                              << fmt::format("{}", fmt::join(trial.arguments, " ")) << "\n  kept in "
                              << keep(trial, outcome, number) << "\n  " << outcome.errors.substr(0, 500);
        }
    };
    const TemporaryFolder folder;
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 1U, 8U); ++i)
        workers.emplace_back(work, folder / fmt::format("{}", i));
    workers.clear();
    for (const auto& [code, times] : codes) std::cout << "exit code " << code << ": " << times << "\n";
    std::cout << "interrupted for taking long: " << interrupted << "\n";
}

}  // namespace
}  // namespace thalweg
