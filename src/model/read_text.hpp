#pragma once
// The text of a file that a user names.

#include <string>

namespace dalembert {

/// As far as any reader takes one (limit `file_size`). Throws ModelError with this remedy where it cannot be read.
std::string read_text(const std::string& path, const std::string& remedy);

}  // namespace dalembert
