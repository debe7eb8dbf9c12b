#pragma once
// Text inside HTML.

#include <string>
#include <string_view>

#include "report/page/bytes.hpp"

namespace dalembert {

/// What would turn the direction of writing, or is no text, is shown as printable() does.
std::string escape_html(std::string_view text);
/// A file's name as part of an address: letters, digits, - _ . as they are, all else by its bytes.
std::string escape_path(std::string_view name);
/// What a Content-Security-Policy names an element's content by.
std::string hash_source(std::string_view content);

}  // namespace dalembert
