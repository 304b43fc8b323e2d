// What tells one build of the library from another.
#pragma once

#include <string>

namespace thalweg {

/// SHA-256, as hexadecimal digits, of the program or shared library that holds this function: two builds that
/// may differ in a bit of any result have two. The version's number alone where that file can't be read.
const std::string& program_identity();

}  // namespace thalweg
