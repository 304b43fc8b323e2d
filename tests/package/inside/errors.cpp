// The header of an engine suffices for the errors that it throws.
#include <cstdio>

#include <thalweg/erosion/erode.hpp>

int main() {
    thalweg::QuietProgress progress;
    try {
        thalweg::erode({.grid = {.columns = 8, .rows = 8}}, {}, 1, progress);
    } catch (const thalweg::Error& error) {
        std::puts(error.what());
        return error.exit_code() == 2 ? 0 : 1;
    }
    return 1;
}
