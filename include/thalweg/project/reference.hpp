// Reference pages in Markdown, written from the declarations of stages, tables and layers.
#pragma once

#include "thalweg/project/settings.hpp"
#include "thalweg/project/stage.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// One stage: summary, what it reads and writes, every parameter with unit, default, range and source.
std::string stage_page(const Stage& stage);

/// The tables [project], [grid] and [output] of a project file.
std::string project_page();

/// All known layers.
std::string layers_page();

/// A page of docs/reference.
struct ReferencePage {
    std::string file_name;  // for example "erode.md"
    std::string text;
};

/// Every page of docs/reference, its index first. A test holds the folder to them.
///
/// Example:
///     for (const ReferencePage& page : reference_pages()) std::puts(page.file_name.c_str());
std::vector<ReferencePage> reference_pages();

}  // namespace thalweg
