#include <fmt/format.h>

#include <array>

#include "study/sweep/plan.hpp"

// Which numbers a run has. Each is a function of the study and the run's number alone, so that runs can be made in any
// order and by anybody.

namespace dalembert {
namespace {

constexpr double most_runs = 4294967296;  // 2^32: as many of Sobol's points as the direction numbers give

/// Steele, Lea, Flood (2014), "Fast splittable pseudorandom number generators": the finalizer of SplitMix64.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr int digits = 53;
constexpr std::uint64_t to_digits(std::uint64_t bits) { return bits >> (64 - digits); }
double to_unit(std::uint64_t number) { return static_cast<double>(number) * 0x1p-53; }

/// A primitive polynomial over GF(2), its inner coefficients as bits, and the first direction numbers of a dimension:
/// S. Joe, F. Y. Kuo (2008), "Constructing Sobol sequences with better two-dimensional projections", from the second
/// dimension on.
struct Directions {
  int degree;
  unsigned inner;
  std::array<std::uint64_t, 7> first;
};
constexpr std::array<Directions, 20> directions = {{{1, 0, {1}},
                                                    {2, 1, {1, 3}},
                                                    {3, 1, {1, 3, 1}},
                                                    {3, 2, {1, 1, 1}},
                                                    {4, 1, {1, 1, 3, 3}},
                                                    {4, 4, {1, 3, 5, 13}},
                                                    {5, 2, {1, 1, 5, 5, 17}},
                                                    {5, 4, {1, 1, 5, 5, 5}},
                                                    {5, 7, {1, 1, 7, 11, 19}},
                                                    {5, 11, {1, 1, 5, 1, 1}},
                                                    {5, 13, {1, 1, 1, 3, 11}},
                                                    {5, 14, {1, 3, 5, 5, 31}},
                                                    {6, 1, {1, 3, 3, 9, 7, 49}},
                                                    {6, 13, {1, 1, 1, 15, 21, 21}},
                                                    {6, 16, {1, 3, 1, 13, 27, 49}},
                                                    {6, 19, {1, 1, 1, 15, 7, 5}},
                                                    {6, 22, {1, 3, 1, 15, 13, 25}},
                                                    {6, 25, {1, 1, 5, 5, 19, 61}},
                                                    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                    {7, 4, {1, 3, 7, 13, 13, 15, 69}}}};
constexpr std::size_t most_dimensions = directions.size() + 1;

/// Of one dimension, by digits of the run's number; in the first it is the number read backwards.
std::uint64_t sobol_point(std::size_t dimension, std::uint64_t run) {
  std::array<std::uint64_t, 32> m{};
  for (std::size_t k = 0; k < m.size(); ++k) {
    if (dimension == 0) {
      m[k] = 1;
      continue;
    }
    const Directions& own = directions[dimension - 1];
    const auto degree = static_cast<std::size_t>(own.degree);
    if (k < degree) {
      m[k] = own.first[k];
      continue;
    }
    m[k] = m[k - degree] ^ (m[k - degree] << degree);
    for (std::size_t j = 1; j < degree; ++j)
      if ((own.inner >> (degree - 1 - j) & 1U) != 0) m[k] ^= m[k - j] << j;
  }
  std::uint64_t point = 0;
  for (std::size_t k = 0; k < m.size(); ++k)
    if ((run >> k & 1U) != 0) point ^= m[k] << (static_cast<std::size_t>(digits) - 1 - k);
  return point;
}

double draw(const Sweep& sweep, std::size_t axis, std::size_t run) {
  const std::uint64_t own = mix(mix(sweep.seed) + axis);
  const std::uint64_t number = sweep.kind == SweepKind::sobol ? sobol_point(axis, run) ^ to_digits(own)
                                                              : to_digits(mix(own + static_cast<std::uint64_t>(run)));
  const double low = sweep.axes[axis].values[0], high = sweep.axes[axis].values[1];
  return low + (high - low) * to_unit(number);
}

bool is_drawn(const Sweep& sweep) { return sweep.kind == SweepKind::random || sweep.kind == SweepKind::sobol; }

void check_draws(const Sweep& sweep) {
  if (sweep.count == 0) refuse(sweep, {}, "draw.count", "no runs are asked for", "give a number above 0");
  if (sweep.kind == SweepKind::sobol && sweep.axes.size() > most_dimensions)
    refuse(sweep, sweep.axes[most_dimensions].name, "draw.kind",
           fmt::format("Sobol's points are known here for up to {} numbers, and {} vary", most_dimensions,
                       sweep.axes.size()),
           "use kind = \"random\"");
  for (const SweepAxis& axis : sweep.axes)
    if (axis.values.size() != 2)
      refuse(sweep, axis.name, "vary." + axis.name.text, "a draw needs a range", "write \"LOW:HIGH\"");
}

}  // namespace

std::size_t count_runs(const Sweep& sweep) {
  double count = 1;
  if (is_drawn(sweep)) {
    check_draws(sweep);
    count = static_cast<double>(sweep.count);
  }
  for (const SweepAxis& axis : sweep.axes) {
    if (axis.values.empty())
      refuse(sweep, axis.name, "vary." + axis.name.text, "there are no values", "give some, as [1, 2] or \"1:2:0.1\"");
    if (sweep.kind == SweepKind::grid) count *= static_cast<double>(axis.values.size());
    if (sweep.kind != SweepKind::list) continue;
    count = static_cast<double>(axis.values.size());
    if (axis.values.size() != sweep.axes[0].values.size())
      refuse(sweep, axis.name, "list." + axis.name.text,
             fmt::format("{} values, but {} has {}", axis.values.size(), sweep.axes[0].name.text,
                         sweep.axes[0].values.size()),
             "a list has as many of each");
  }
  if (count > most_runs)
    refuse(sweep, {}, "vary", fmt::format("{:.3g} runs are more than {:.0f}", count, most_runs), "use fewer values");
  return static_cast<std::size_t>(count);
}

std::vector<double> run_values(const Sweep& sweep, std::size_t run) {
  std::vector<double> values(sweep.axes.size());
  std::size_t rest = run;
  for (std::size_t i = values.size(); i-- > 0;) {
    const std::vector<double>& given = sweep.axes[i].values;
    if (is_drawn(sweep)) {
      values[i] = draw(sweep, i, run);
    } else if (sweep.kind == SweepKind::list) {
      values[i] = given[run];
    } else {
      values[i] = given[rest % given.size()];
      rest /= given.size();
    }
  }
  return values;
}

}  // namespace dalembert
