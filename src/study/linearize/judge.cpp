#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/failure.hpp>
#include <dalembert/expr/canonical.hpp>
#include <numbers>

#include "base/tolerances.hpp"
#include "study/linearize/linearizer.hpp"

// What the eigenvalues say of the motion itself (theory 8.4). A zero root says nothing by itself. Where
// the kernel of A is tangent to a family of steady motions as large as there are zero roots, and all others lie to the
// left, neighbouring motions settle on a member of the family (Lyapunov and Malkin); where the energy has a minimum,
// centres are stable (Lagrange and Dirichlet).

namespace dalembert {
std::string name_largest(const Mode& mode, const Linearization& about) {
  constexpr double counts = 0.1, digits = 1e6;
  constexpr std::size_t most = 3;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < about.state.size(); ++i)
    if (std::abs(mode.components[i]) > counts &&
        (i < about.coordinate_count || order.empty() || order[0] >= about.coordinate_count))
      order.push_back(i);
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::size_t i) { return std::round(digits * std::abs(mode.components[i])); });
  std::vector<std::string> names;
  for (const std::size_t i : order)
    if (names.size() < most) names.push_back(about.state[i]);
  return fmt::format("{}", fmt::join(names, ", "));
}

namespace {

std::string describe_mode(const Mode& mode, const Linearization& about) {
  const std::complex<double> s = mode.eigenvalue;
  const std::string value =
      s.imag() == 0 ? fmt::format("{:.6g}", s.real()) : fmt::format("{:.6g} ± {:.6g}i", s.real(), std::abs(s.imag()));
  return fmt::format("{} (mostly {})", value, name_largest(mode, about));
}

double norm(const std::vector<double>& x) {
  double square = 0;
  for (const double value : x) square += value * value;
  return std::sqrt(square);
}

/// A with the directions under it as further rows.
NumberMatrix border(const NumberMatrix& a, const std::vector<std::vector<double>>& directions) {
  NumberMatrix made(a.rows + directions.size(), a.columns);
  std::ranges::copy(a.values, made.values.begin());
  for (std::size_t k = 0; k < directions.size(); ++k)
    std::ranges::copy(directions[k], made.values.begin() + static_cast<std::ptrdiff_t>((a.rows + k) * a.columns));
  return made;
}

/// Is there a steady motion a finite step along a direction of the kernel? Newton's method at a fixed place along all
/// of the kernel. At a branch point the terms of third order leave 1e-6 of the step; on a family rounding.
bool is_family(Linearizer& linearizer, const Linearizer::Look& look, const std::vector<std::vector<double>>& kernel,
               std::size_t along, double size) {
  constexpr double step = 0.01;
  constexpr int most = 12;
  std::vector<double> x = kernel[along];
  for (double& value : x) value *= step;
  for (int k = 0; k < most; ++k) {
    const std::optional<Linearizer::Look> there = linearizer.look_beside(look, x);
    if (!there) return false;
    std::vector<double> off = linearizer.rate(*there);
    if (norm(off) <= tolerance::consistent * step * size) return true;
    off.resize(off.size() + kernel.size(), 0.0);  // no change along the kernel
    const std::vector<double> change = solve_least(border(linearizer.system_matrix(there->reduced), kernel), off);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= change[i];
    if (!(norm(x) < 10 * step * norm(kernel[along]))) return false;
  }
  return false;
}

/// What varies along the family that the zero roots belong to; empty where there is none of that dimension.
std::vector<std::string> find_family(Linearizer& linearizer, const Linearizer::Look& look, const Spectrum& spectrum,
                                     const std::vector<std::string>& names) {
  std::vector<std::vector<double>> kernel;
  for (const Mode& mode : spectrum.modes) {
    if (mode.eigenvalue != 0.0) continue;
    kernel.emplace_back();
    for (const std::complex<double>& component : mode.components) kernel.back().push_back(component.real());
  }
  if (kernel.size() != spectrum.zero_count()) return {};
  std::vector<std::string> family;
  for (std::size_t k = 0; k < kernel.size(); ++k)
    if (!is_family(linearizer, look, kernel, k, std::max(spectrum.size, 1.0))) return {};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::any_of(kernel, [&](const auto& v) { return std::abs(v[i]) > tolerance::clearly_nonzero; }))
      family.push_back(names[i]);
  return family;
}

/// Proved: under these values of the parameters nothing but constraints at rest acts beside what has a potential.
bool loses_no_energy(const Equations& given, std::span<const double> parameters) {
  const Equations equations = fork(given);
  std::vector<Replacement> values;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    values.push_back({equations.model->parameters[i].symbol, equations.graph->constant_from_double(parameters[i])});
  return test_zero(substitute(equations.jacobi_power, values)).verdict == Verdict::zero;
}

/// Jacobi's integral is there, and M and K of the whole system are those of its least value.
bool has_energy_minimum(const Linearizer& linearizer, const Linearization& about) {
  const Equations& equations = linearizer.equations();
  if (!about.second_order || !about.carried.empty() || !about.left_out.empty()) return false;
  if (about.coordinate_count * 2 != about.state.size()) return false;
  for (const ConstraintRow& row : equations.rows)
    if (!row.position || !row.offset.is_zero()) return false;
  const NumberMatrix &c = about.second_order->damping, &k = about.second_order->stiffness;
  double size_c = 0, size_k = 0;
  for (const double value : c.values) size_c = std::max(size_c, std::abs(value));
  for (const double value : k.values) size_k = std::max(size_k, std::abs(value));
  for (std::size_t i = 0; i < k.rows; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (std::abs(k(i, j) - k(j, i)) > tolerance::clear_sign * size_k ||
          std::abs(c(i, j) + c(j, i)) > tolerance::clear_sign * size_c)
        return false;
  if (!is_positive_definite(k)) return false;
  return loses_no_energy(equations, linearizer.parameters());
}

constexpr const char* energy_minimum = "stable: the energy has a minimum here; disturbances neither grow nor die out";

std::string time_words(double rate) { return fmt::format("{:.4g}", std::numbers::ln2 / std::abs(rate)); }

void decide(const Linearizer& linearizer, const Spectrum& spectrum, Linearization& result) {
  const double margin = tolerance::clear_sign * spectrum.size;
  const Mode* growing = nullptr;
  const Mode* centre = nullptr;
  const Mode* slowest = nullptr;
  for (const Mode& mode : result.modes) {
    if (mode.eigenvalue == 0.0) continue;
    if (mode.eigenvalue.real() > margin)
      growing = growing == nullptr ? &mode : growing;
    else if (mode.eigenvalue.real() >= -margin)
      centre = centre == nullptr ? &mode : centre;
    else
      slowest = slowest == nullptr ? &mode : slowest;
  }
  const std::string along = fmt::format("{}", fmt::join(result.family, ", "));
  if (growing != nullptr) {
    result.stable = false;
    result.verdict = fmt::format("unstable: the mode {} {}, doubling in {}", describe_mode(*growing, result),
                                 growing->eigenvalue.imag() == 0 ? "grows" : "swings ever wider",
                                 time_words(growing->eigenvalue.real()));
  } else if (result.state.empty()) {
    result.verdict = "nothing is free to depart";
  } else if (centre != nullptr && result.zero_roots == 0 && has_energy_minimum(linearizer, result)) {
    result.stable = true;
    result.verdict = energy_minimum;
  } else if (centre != nullptr) {
    result.verdict = fmt::format("linearisation does not decide: the mode {} neither grows nor dies out",
                                 describe_mode(*centre, result));
  } else if (result.zero_roots == 0) {
    result.stable = true;
    result.verdict = fmt::format("asymptotically stable: all disturbances die out; the slowest mode {} halves in {}",
                                 describe_mode(*slowest, result), time_words(slowest->eigenvalue.real()));
  } else if (!result.family.empty()) {
    result.stable = true;
    result.verdict =
        slowest == nullptr
            ? fmt::format("neutral: every disturbance leads to a neighbouring steady motion, with other {}", along)
            : fmt::format(
                  "stable: disturbances die out but for a change to a neighbouring steady motion, with other "
                  "{}; the slowest mode {} halves in {}",
                  along, describe_mode(*slowest, result), time_words(slowest->eigenvalue.real()));
  } else if (result.zero_blocks < result.zero_roots) {
    result.verdict = "linearisation does not decide: by the linear equations some disturbances drift away steadily";
  } else {
    result.verdict = "linearisation does not decide: a zero root that belongs to no family of steady motions";
  }
}

/// What is known without the eigenvalues of so many states.
void judge_by_energy(const Linearizer& linearizer, Linearization& result) {
  result.modes_left_out = true;
  result.notes.push_back(
      fmt::format("eigenvalues and modes of more than {} states are found with --modes", most_states_with_modes));
  if (!has_energy_minimum(linearizer, result)) {
    result.verdict = "no verdict without the eigenvalues: the energy has no minimum here, or is not kept";
    return;
  }
  result.stable = true;
  result.verdict = energy_minimum;
}

}  // namespace

void judge(Linearizer& linearizer, const Linearizer::Look& look, Linearization& result) {
  if (result.state.size() > most_states_with_modes && !linearizer.options().modes)
    return judge_by_energy(linearizer, result);
  Spectrum spectrum = find_spectrum(result.A, result.coordinate_count);
  if (!spectrum.ok) throw ComputationError("the eigenvalues of A could not be found");
  result.zero_roots = spectrum.zero_count();
  result.zero_blocks = spectrum.kernel;
  result.modes = spectrum.modes;
  if (result.zero_roots > 0) result.family = find_family(linearizer, look, spectrum, result.state);
  decide(linearizer, spectrum, result);
}

}  // namespace dalembert
