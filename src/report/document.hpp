#pragma once
// A JSON document as text.

#include <nlohmann/json.hpp>
#include <string>

namespace dalembert {

/// With a line end; what a terminal would act on inside texts is escaped, what is not UTF-8 replaced by U+FFFD.
std::string write_document(const nlohmann::ordered_json& document, int indent = 2);

}  // namespace dalembert
