#include "thalweg/io/files.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

/// The most bytes that one write call is given, for polls in between.
constexpr std::size_t kWriteBytes = std::size_t{1} << 23;

/// How long to wait for bytes, room or a reader between polls.
constexpr std::chrono::milliseconds kPatience{20};

/// How much of a file is hashed at a time, bytes.
constexpr std::size_t kHashBytes = std::size_t{1} << 20;

std::string system_message(int code) {
    return std::generic_category().message(code);
}

[[noreturn]] void throw_cannot_write(const fs::path& path, int code) {
    throw Error::failure(fmt::format("{} can't be written: {}", path.string(), system_message(code)));
}

/// An open file that is closed when it goes out of scope.
class FileDescriptor {
  public:
    explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
    ~FileDescriptor() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;

    [[nodiscard]] int get() const { return descriptor_; }

    /// Closes now and returns errno, 0 when all is well: some file systems report a full disk only here.
    int close() {
        const int result = ::close(std::exchange(descriptor_, -1));
        return result == 0 ? 0 : errno;
    }

  private:
    int descriptor_;
};

/// Writes all bytes; returns errno, 0 when all is well.
int write_all(int descriptor, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        poll_cancelled();
        const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), kWriteBytes));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) {
            wait_until_ready(descriptor, POLLOUT);
            continue;
        }
        if (written < 0) return errno;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
}

/// Flushes to the disk; returns errno, 0 when all is well or when the file system can't flush.
int flush(int descriptor) {
    if (::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS) return 0;
    return errno;
}

/// Follows symbolic links, so that the file is replaced and not the link to it.
fs::path link_target(const fs::path& path) {
    std::error_code error;
    return fs::is_symlink(path, error) ? resolved_place(path) : path;
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// A name beside `path` that no other thread or process takes; short, since `path` may be as long as the file
/// system allows.
fs::path temporary_beside(const fs::path& path) {
    static std::atomic<unsigned> count{0};
    return folder_of(path) / fmt::format(".thalweg-{}-{}.tmp", ::getpid(), count++);
}

/// Waits until somebody opens a pipe for reading.
int open_special(const fs::path& path) {
    while (true) {
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor >= 0 || errno != ENXIO || !fs::is_fifo(path)) return descriptor;
        poll_cancelled();
        std::this_thread::sleep_for(kPatience);
    }
}

void write_special(const fs::path& path, std::span<const std::byte> bytes) {
    FileDescriptor file(open_special(path));
    if (file.get() < 0) throw_cannot_write(path, errno);
    if (const int code = write_all(file.get(), bytes)) throw_cannot_write(path, code);
    if (const int code = file.close()) throw_cannot_write(path, code);
}

/// Creates `temporary` with the bytes, on the disk when this returns 0; otherwise returns errno.
int write_temporary(const fs::path& temporary, const fs::path& path, std::span<const std::byte> bytes) {
    FileDescriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() < 0) return errno;
    // A file that is replaced keeps its permissions.
    struct stat existing{};
    if (::stat(path.c_str(), &existing) == 0 && ::fchmod(file.get(), existing.st_mode & 07777) != 0)
        return errno;
    if (const int code = write_all(file.get(), bytes)) return code;
    if (const int code = flush(file.get())) return code;
    return file.close();
}

/// A file that is removed when it goes out of scope, unless it has got its name by then.
class TemporaryFile {
  public:
    explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
    ~TemporaryFile() { ::unlink(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

/// Makes the rename itself last; best effort, since the file is already in place.
void flush_folder(const fs::path& folder) {
    const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.get() >= 0) flush(opened.get());
}

/// A running SHA-256 (FIPS 180-4).
class Sha256 {
  public:
    Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
        check(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
    }
    void add(const void* data, std::size_t size) { check(EVP_DigestUpdate(context_.get(), data, size) == 1); }
    std::string digits() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned length = 0;
        check(EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1);
        std::string text;
        for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
        return text;
    }

  private:
    static void check(bool done) {
        if (!done) throw Error::failure("SHA-256 can't be computed by the OpenSSL library of this machine");
    }

    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

fs::path resolved_place(const fs::path& path) {
    constexpr int kMostLinks = 40;  // as Linux follows (path_resolution(7))
    std::error_code error;
    fs::path place = fs::absolute(path, error);
    for (int link = 0; link < kMostLinks; ++link) {
        const fs::path folder = fs::weakly_canonical(place.parent_path(), error);
        if (error) return place.lexically_normal();
        place = (folder / place.filename()).lexically_normal();
        if (!fs::is_symlink(place, error)) return place;
        const fs::path target = fs::read_symlink(place, error);
        if (error) return place;
        place = folder / target;
    }
    return place;
}

std::string lower_case_extension(const fs::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return extension;
}

bool is_special_file(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void write_file_atomically(const fs::path& path, std::span<const std::byte> bytes) {
    if (is_special_file(path)) return write_special(path, bytes);
    const fs::path target = link_target(path);
    const TemporaryFile temporary(temporary_beside(target));
    int code = write_temporary(temporary.path(), target, bytes);
    if (code == 0 && ::rename(temporary.path().c_str(), target.c_str()) != 0) code = errno;
    if (code != 0) throw_cannot_write(path, code);
    flush_folder(folder_of(target));
}

void check_writable(const fs::path& path) {
    const auto refuse = [&](const std::string& reason) {
        throw Error::input(fmt::format("{} can't be written: {}", path.string(), reason));
    };
    if (path.empty()) throw Error::input("the name of an output file is empty: give a path");
    std::error_code error;
    const fs::path target = link_target(path);
    const fs::path folder = folder_of(target);
    if (fs::is_directory(target, error)) refuse("it is a folder; give the name of a file");
    if (!fs::exists(folder, error)) refuse(fmt::format("the folder {} does not exist", folder.string()));
    if (!fs::is_directory(folder, error)) refuse(fmt::format("{} is not a folder", folder.string()));
    if (fs::exists(target, error) && ::access(target.c_str(), W_OK) != 0) refuse(system_message(errno));
    if (is_special_file(target)) return;

    // Creating a file is the one sure test: permission bits say nothing of full or special file systems.
    const fs::path temporary = temporary_beside(target);
    const FileDescriptor probe(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (probe.get() < 0)
        refuse(
            fmt::format("no file can be made in the folder {} ({})", folder.string(), system_message(errno)));
    ::unlink(temporary.c_str());
}

void wait_until_ready(int descriptor, short events) {
    pollfd waited{.fd = descriptor, .events = events, .revents = 0};
    int ready = 0;
    while (ready == 0 || (ready < 0 && errno == EINTR)) {
        poll_cancelled();
        ready = ::poll(&waited, 1, static_cast<int>(kPatience.count()));
    }
}

void read_pieces(int descriptor, const std::string& name,
                 const std::function<void(std::span<const std::byte>)>& take) {
    std::vector<std::byte> piece(kHashBytes);
    while (true) {
        wait_until_ready(descriptor, POLLIN);
        const ssize_t count = ::read(descriptor, piece.data(), piece.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count < 0) throw Error::failure(fmt::format("{} can't be read: {}", name, system_message(errno)));
        if (count == 0) return;
        take(std::span(piece).first(static_cast<std::size_t>(count)));
    }
}

void read_pieces(const fs::path& path, const std::function<void(std::span<const std::byte>)>& take) {
    // A pipe that nobody writes to yet is opened at once, and waited for with polls.
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
        throw Error::input(fmt::format("{} can't be read: {}", path.string(), system_message(errno)));
    read_pieces(file.get(), path.string(), take);
}

std::string sha256_of_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || fs::is_directory(path))
        throw Error::input(fmt::format("{} can't be read: give the path of a readable file", path.string()));
    Sha256 hash;
    std::vector<char> buffer(kHashBytes);
    while (file) {
        poll_cancelled();
        file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        hash.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) throw Error::failure(fmt::format("{} can't be read to its end", path.string()));
    return hash.digits();
}

std::string sha256(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.digits();
}

}  // namespace thalweg
