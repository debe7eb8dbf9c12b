#include <algorithm>
#include <cmath>
#include <dalembert/report/page.hpp>

namespace dalembert {

std::vector<std::size_t> thin_rows(const Trajectory& motion, std::size_t most) {
  const std::size_t count = motion.rows.size();
  std::vector<std::size_t> kept;
  if (count == 0) return kept;
  // Extremes come on top of the rows at equal steps, so there is room for them; those of a few columns alone would tell
  // nothing of the others.
  const bool has_room = count > most && 2 * motion.columns.size() <= most / 2;
  const std::size_t extremes = has_room ? 2 * motion.columns.size() : 0;
  const std::size_t step = (count + most - extremes - 1) / std::max<std::size_t>(1, most - extremes);
  for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, step)) kept.push_back(i);
  if (kept.back() != count - 1) kept.push_back(count - 1);
  if (step <= 1) return kept;
  for (std::size_t column = 0; 2 * column < extremes; ++column) {
    const std::span<const double> values = motion.rows.column(column);
    std::size_t least = 0, largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (std::isnan(values[i])) continue;
      if (std::isnan(values[least]) || values[i] < values[least]) least = i;
      if (std::isnan(values[largest]) || values[i] > values[largest]) largest = i;
    }
    kept.push_back(least);
    kept.push_back(largest);
  }
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace dalembert
