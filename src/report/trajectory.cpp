#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/formula.hpp>
#include <dalembert/report/report.hpp>

namespace dalembert {
namespace {

std::size_t column_index(const Trajectory& trajectory, const std::string& name) {
  auto found = std::ranges::find(trajectory.columns, name);
  if (found != trajectory.columns.end()) return static_cast<std::size_t>(found - trajectory.columns.begin());
  std::string nearest = nearest_name(name, trajectory.columns);
  std::string remedy = "did you mean " + nearest + "?";
  if (nearest.empty()) {
    std::vector<std::string> some(
        trajectory.columns.begin(),
        trajectory.columns.begin() + std::min<std::ptrdiff_t>(20, std::ssize(trajectory.columns)));
    remedy =
        fmt::format("there are {}{}", fmt::join(some, ", "), some.size() < trajectory.columns.size() ? ", ..." : "");
  }
  throw InputError({"", {}, "--columns", fmt::format("there is no column {}", name), remedy});
}

template <class T>
std::vector<T> pick(const std::vector<T>& values, const std::vector<std::size_t>& indices) {
  std::vector<T> picked;
  for (std::size_t index : indices)
    if (index < values.size()) picked.push_back(values[index]);
  return picked;
}

}  // namespace

Trajectory select_columns(const Trajectory& trajectory, const std::vector<std::string>& names) {
  std::vector<std::size_t> indices{0};
  for (const std::string& name : names) {
    std::size_t index = column_index(trajectory, name);
    if (std::ranges::find(indices, index) == indices.end()) indices.push_back(index);
  }
  Trajectory chosen = trajectory;
  chosen.columns = pick(trajectory.columns, indices);
  chosen.rows = trajectory.rows.pick(indices);
  for (EventRecord& event : chosen.events) event.state = pick(event.state, indices);
  chosen.error = pick(trajectory.error, indices);
  return chosen;
}

}  // namespace dalembert
