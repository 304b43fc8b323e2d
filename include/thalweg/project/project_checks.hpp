// Checks of a project's settings, and messages that begin with a place.
#pragma once

#include "thalweg/core/error.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/grid.hpp"
#include "thalweg/project/settings.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace thalweg {

/// Runs `body`; an Error that it throws is thrown again with `place` before its message.
template <class Body>
decltype(auto) with_place(const std::string& place, const Body& body) {
    try {
        return body();
    } catch (const Error& error) {
        throw Error(error.kind(), place + error.what());
    }
}

/// Letters, digits, - and _ alone, at least one: such a name can stand in a file's name.
bool is_plain_name(const std::string& name);

/// The grid of [grid], or of the same flags on the command line; `from` starts at `base_directory`. Throws
/// Error::input, also for a grid of one cell.
///
/// Example:
///     const Grid grid = grid_of({.extent = {8000.0, 4000.0}, .cells = 256}, ".");
Grid grid_of(const GridSettings& settings, const std::filesystem::path& base_directory);

/// Throws Error::input for a grid of one cell, which holds no terrain; `name` says whose grid it is.
void check_holds_terrain(const Grid& grid, const std::string& name);

/// Throws Error::input when two formats would write the same file.
void check_formats(const std::vector<std::string>& formats);

}  // namespace thalweg
