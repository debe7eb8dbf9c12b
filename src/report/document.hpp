#pragma once
// JSON documents: their numbers, and the whole as text.

#include <dalembert/study/linearize.hpp>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace dalembert {

using Json = nlohmann::ordered_json;

/// Matrices of equations with more columns are told by their entries that are not zero.
inline constexpr std::size_t most_columns_by_rows = 100;

/// What is not finite is null.
Json json_number(double value);
Json json_numbers(std::span<const double> values);
Json json_rows(const std::vector<std::vector<double>>& matrix);
Json json_rows(const NumberMatrix& matrix);

/// With a line end; what a terminal would act on inside texts is escaped, what is not UTF-8 replaced by U+FFFD.
std::string write_document(const Json& document, int indent = 2);

}  // namespace dalembert
