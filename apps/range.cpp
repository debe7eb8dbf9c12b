#include "range.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "model_options.hpp"

using namespace dalembert;

namespace {

[[noreturn]] void refuse_range(const std::string& text) {
  throw InputError({"",
                    {},
                    "--over",
                    fmt::format("'{}' is no range", text),
                    "write NAME=FIRST:LAST:STEP with numbers, as v=0:10:0.05"});
}

}  // namespace

LocusRange parse_range(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse_range(text);
  LocusRange range{trimmed(text.substr(0, equals))};
  std::string rest = text.substr(equals + 1);
  for (double* number : {&range.first, &range.last, &range.step}) {
    const std::size_t colon = number == &range.step ? rest.size() : rest.find(':');
    if (colon == std::string::npos) refuse_range(text);
    const std::string part = trimmed(rest.substr(0, colon));
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), *number);
    if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(*number)) refuse_range(text);
    rest.erase(0, std::min(rest.size(), colon + 1));
  }
  return range;
}
