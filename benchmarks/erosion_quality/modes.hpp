// The tables and the picture that the program makes.
#pragma once

#include "thalweg/render/image.hpp"

#include <vector>

namespace thalweg {

void print_quality(const std::vector<int>& sizes);
void print_likeness(const std::vector<int>& sizes);
void print_times(const std::vector<int>& sizes);
void print_turns(const std::vector<int>& sizes);
void print_hypsometry(const std::vector<int>& sizes);
Image draw_copies(int cells);

}  // namespace thalweg
