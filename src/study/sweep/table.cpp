#include <algorithm>
#include <dalembert/study/sweep.hpp>

namespace dalembert {

std::vector<double> SweepTable::column(std::string_view wanted) const {
  const auto found = std::ranges::find(columns, wanted);
  if (found == columns.end()) {
    const std::string nearest = nearest_name(wanted, columns);
    throw InputError(
        {"",
         {},
         "",
         "the " + name + " have no column " + std::string(wanted),
         nearest.empty() ? "its columns are what varies and what the study keeps" : "did you mean " + nearest + "?"});
  }
  std::vector<double> values;
  values.reserve(size());
  for (auto at = static_cast<std::size_t>(found - columns.begin()); at < numbers.size(); at += columns.size())
    values.push_back(numbers[at]);
  return values;
}

void SweepTable::append(const SweepTable& more) {
  numbers.insert(numbers.end(), more.numbers.begin(), more.numbers.end());
  texts.insert(texts.end(), more.texts.begin(), more.texts.end());
}

const SweepTable& SweepResult::operator[](std::string_view name) const {
  const auto found = std::ranges::find(tables, name, &SweepTable::name);
  if (found == tables.end())
    throw InputError(
        {"", {}, "", "there is no table " + std::string(name), "there are runs, section and motion, where asked for"});
  return *found;
}

void SweepResult::append(const SweepResult& more) {
  for (std::size_t k = 0; k < tables.size(); ++k) tables[k].append(more.tables[k]);
}

}  // namespace dalembert
