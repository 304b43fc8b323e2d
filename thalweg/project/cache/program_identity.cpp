#include "thalweg/project/cache/program_identity.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/version.hpp"
#include "thalweg/io/files.hpp"

#include <cstdint>
#include <filesystem>

#include <link.h>

namespace thalweg {
namespace {

struct Search {
    std::uintptr_t address = 0;
    std::string file = {};
};

/// For dl_iterate_phdr: notes the file of the object that holds the address, and then ends the search.
int look_into(dl_phdr_info* object, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        const std::uintptr_t first = object->dlpi_addr + segment.p_vaddr;
        if (segment.p_type != PT_LOAD || search.address < first || search.address >= first + segment.p_memsz)
            continue;
        search.file = object->dlpi_name;
        return 1;
    }
    return 0;
}

std::string identity() {
    Search search{.address = reinterpret_cast<std::uintptr_t>(&program_identity)};
    dl_iterate_phdr(look_into, &search);
    // The program itself has no name there.
    const std::filesystem::path file = search.file.empty() ? "/proc/self/exe" : search.file;
    try {
        return sha256_of_file(file);
    } catch (const Error&) {
        return kVersion;
    }
}

}  // namespace

const std::string& program_identity() {
    static const std::string found = identity();
    return found;
}

}  // namespace thalweg
