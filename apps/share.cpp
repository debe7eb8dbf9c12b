#include "share.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <dalembert/base/error.hpp>

using dalembert::InputError;

namespace {

std::optional<std::size_t> parse_count(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::size_t> variable(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const std::optional<std::size_t> number = parse_count(text);
  if (!number)
    throw InputError({"",
                      {},
                      name,
                      fmt::format("the environment has '{}', which is no number of a process", text),
                      "unset it, or say --chunk K/N"});
  return number;
}

}  // namespace

Share parse_share(const std::string& text) {
  const std::size_t slash = text.find('/');
  std::optional<std::size_t> index, count;
  if (slash != std::string::npos) {
    index = parse_count(std::string_view(text).substr(0, slash));
    count = parse_count(std::string_view(text).substr(slash + 1));
  }
  if (!index || !count || *index == 0 || *index > *count)
    throw InputError(
        {"", {}, "--chunk", fmt::format("'{}' is no part of a whole", text), "write K/N with K from 1 to N, as 3/8"});
  return {*index - 1, *count};
}

std::optional<Share> find_share() {
  struct Names {
    const char *rank, *size, *first;
  };
  for (const auto& [rank_name, size_name, first_name] :
       {Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr}, Names{"PMI_RANK", "PMI_SIZE", nullptr},
        Names{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", nullptr},
        Names{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"}}) {
    const std::optional<std::size_t> rank = variable(rank_name), size = variable(size_name);
    if (!rank || !size || *size <= 1) continue;
    const std::size_t first = first_name == nullptr ? 0 : variable(first_name).value_or(0);
    if (*rank < first || *rank - first >= *size)
      throw InputError({"",
                        {},
                        rank_name,
                        fmt::format("process {} of {} from {} on cannot be", *rank, *size, first),
                        "number the tasks one after the other, or say --chunk K/N"});
    return Share{*rank - first, *size};
  }
  return std::nullopt;
}
