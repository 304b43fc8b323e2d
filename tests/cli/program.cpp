#include "tests/cli/program.hpp"

#include "thalweg/io/raster.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUtm11 =
    R"(PROJCS["WGS 84 / UTM zone 11N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],)"
    R"(PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],)"
    R"(PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",-117],PARAMETER["scale_factor",0.9996],)"
    R"(PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]])";
constexpr std::chrono::milliseconds kGlance{5};

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void redirect(const fs::path& path, int flags, int descriptor) {
    const int file = ::open(path.c_str(), flags, 0600);
    if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(127);
    ::close(file);
}

void set_limit(decltype(RLIMIT_FSIZE) resource, std::optional<std::uintmax_t> bytes) {
    if (!bytes) return;
    const rlimit limit{static_cast<rlim_t>(*bytes), static_cast<rlim_t>(*bytes)};
    if (::setrlimit(resource, &limit) != 0) ::_exit(127);
}

}  // namespace

Program::Program() {
    std::string pattern = (fs::temp_directory_path() / "thalweg-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    outer_ = pattern;
    folder_ = outer_ / "work";
    fs::create_directory(folder_);
}

Program::~Program() {
    std::error_code ignored;
    fs::remove_all(outer_, ignored);
}

pid_t Program::start(const std::vector<std::string>& arguments, const Surroundings& surroundings) const {
    fs::remove(outer_ / "input");
    if (surroundings.input_never_ends) {
        if (::mkfifo((outer_ / "input").c_str(), 0600) != 0) throw std::runtime_error("no pipe");
    } else {
        std::ofstream(outer_ / "input", std::ios::binary) << surroundings.input;
    }
    // What an earlier run said must not be taken for what this one says.
    fs::remove(outer_ / "output");
    fs::remove(outer_ / "errors");
    std::vector<std::string> words = {THALWEG_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);

    const pid_t process = ::fork();
    if (process != 0) return process;
    redirect(outer_ / "input", surroundings.input_never_ends ? O_RDWR : O_RDONLY, STDIN_FILENO);
    redirect(outer_ / "output", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(outer_ / "errors", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    if (::chdir(folder_.c_str()) != 0) ::_exit(127);
    set_limit(RLIMIT_FSIZE, surroundings.largest_file_size);
    set_limit(RLIMIT_AS, surroundings.largest_address_space);
    for (const auto& [name, value] : surroundings.environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
}

Ran Program::wait_for(pid_t process) const {
    int status = 0;
    ::waitpid(process, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), text_of(outer_ / "output"),
            text_of(outer_ / "errors")};
}

Ran Program::run(const std::vector<std::string>& arguments, const Surroundings& surroundings) const {
    return wait_for(start(arguments, surroundings));
}

bool Program::errors_show(const std::string& text, std::chrono::seconds longest) const {
    const auto end = std::chrono::steady_clock::now() + longest;
    while (std::chrono::steady_clock::now() < end) {
        if (text_of(outer_ / "errors").find(text) != std::string::npos) return true;
        std::this_thread::sleep_for(kGlance);
    }
    return false;
}

void Program::write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
}

std::string Program::read(const std::string& name) const {
    return text_of(path(name));
}

std::vector<std::string> Program::files() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_))
        if (!entry.is_directory()) names.push_back(fs::relative(entry.path(), folder_).string());
    std::sort(names.begin(), names.end());
    return names;
}

void Program::write_bare_raster(const std::string& name, int columns, int rows, int bands,
                                const std::vector<float>& values) const {
    write(name, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
    write(fs::path(name).stem().string() + ".hdr",
          fmt::format("ENVI\nsamples = {}\nlines = {}\nbands = {}\nheader offset = 0\ndata type = 4\n"
                      "interleave = bsq\nbyte order = {}\n",
                      columns, rows, bands, std::endian::native == std::endian::big ? 1 : 0));
}

void Program::write_terrain(const std::string& name, int cells) const {
    Grid grid = make_grid(cells * 30.0, cells * 30.0, cells);
    grid.west = 400000.0;
    grid.north = 3800000.0;
    grid.crs = kUtm11;
    Field<float> elevation(grid);
    const int middle = cells / 2;
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column) {
            const double from_valley = std::abs(column - middle + 4.0 * std::sin(row / 7.0));
            elevation(column, row) =
                static_cast<float>(100.0 + 12.0 * from_valley + 3.0 * (cells - row) + std::cos(column * row));
        }
    elevation(0, 0) = elevation(1, 0) = kNoData;
    write_raster(path(name), elevation, RasterFormat::GeoTiff);
}

std::optional<fs::path> real_data(const std::string& name) {
    const char* folder = std::getenv("THALWEG_DATA");
    const fs::path file = fs::absolute(fs::path(folder != nullptr ? folder : THALWEG_DATA_DEFAULT) / name);
    return fs::exists(file) ? std::optional(file) : std::nullopt;
}

}  // namespace thalweg
