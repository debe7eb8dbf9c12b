#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/failure.hpp>
#include <dalembert/expr/formula.hpp>
#include <optional>

#include "base/tolerances.hpp"
#include "study/linearize/linearizer.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_values = 1'000'000;

/// The spectrum over one number of a model.
class Locus {
 public:
  Locus(const Model& model, const LocusRange& range, const LinearizeOptions& options)
      : range_(range),
        is_parameter_(find_name(model)),
        linearizer_(model, options, parameters((range.first + range.last) / 2),
                    initial((range.first + range.last) / 2)) {}

  Spectrum operator()(double value) {
    const Linearizer::Look look = linearizer_.look_at_start(parameters(value), initial(value));
    Spectrum spectrum = find_spectrum(linearizer_.system_matrix(look.reduced), linearizer_.coordinate_count(),
                                      zeros_ ? &*zeros_ : nullptr);
    if (!spectrum.ok) throw ComputationError(fmt::format("no eigenvalues at {} = {}", range_.name, value));
    return spectrum;
  }
  /// From now on so many zero roots are split off.
  void set_zeros(std::vector<std::size_t> zeros) { zeros_ = std::move(zeros); }
  const Linearizer& linearizer() const { return linearizer_; }

 private:
  NamedNumbers parameters(double value) const {
    return is_parameter_ ? NamedNumbers{{range_.name, value}} : NamedNumbers{};
  }
  NamedNumbers initial(double value) const {
    return is_parameter_ ? NamedNumbers{} : NamedNumbers{{range_.name, value}};
  }
  /// True for a parameter, false for an initial value or rate.
  bool find_name(const Model& model) const {
    std::vector<std::string> known;
    for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
    if (std::ranges::find(known, range_.name) != known.end()) return true;
    for (const Coordinate& coordinate : model.coordinates) {
      known.push_back(coordinate.name);
      known.push_back(coordinate.rate.name());
    }
    if (std::ranges::find(known, range_.name) != known.end()) return false;
    const std::string nearest = nearest_name(range_.name, known);
    throw InputError({model.file,
                      {},
                      "--over",
                      fmt::format("there is no parameter, initial value or rate {}", range_.name),
                      nearest.empty() ? "name one of the model's" : fmt::format("did you mean {}?", nearest)});
  }

  LocusRange range_;
  bool is_parameter_;
  Linearizer linearizer_;
  std::optional<std::vector<std::size_t>> zeros_;
};

double margin_of(const Spectrum& spectrum) { return tolerance::clear_sign * spectrum.size; }
std::size_t count_unstable(const Spectrum& spectrum) { return spectrum.count_right(margin_of(spectrum)); }
std::size_t count_not_stable(const Spectrum& spectrum) { return spectrum.count_right(-margin_of(spectrum)); }

/// Where `is_beyond` becomes true between a (false) and b (true).
template <class Predicate>
double bisect(double a, double b, Predicate&& is_beyond) {
  while (true) {
    const double middle = a + (b - a) / 2;
    if (middle == a || middle == b || std::abs(b - a) <= tolerance::unchanged * std::max(std::abs(a), std::abs(b)))
      return middle;
    (is_beyond(middle) ? b : a) = middle;
  }
}

/// Roots that cross the margin right of the axis, at p, cross the one left of it too where the crossing is transversal:
/// the axis lies half-way, but for the square of the margin. Where roots only leave the axis, it is at p.
double refine(Locus& locus, double p, double towards_stable, std::size_t crossing) {
  const double reach = std::abs(towards_stable - p), sign = towards_stable > p ? 1 : -1;
  const std::size_t here = count_not_stable(locus(p));
  const auto is_left = [&](double value) { return count_not_stable(locus(value)) + crossing <= here; };
  for (double d = tolerance::consistent * reach; d < reach; d *= 4)
    if (is_left(p + sign * d)) return (p + bisect(p, p + sign * d, is_left)) / 2;
  return p;
}

/// All changes between two values with so many unstable roots, as far as these numbers show them.
void find_changes(Locus& locus, double a, double b, std::size_t before, std::size_t last,
                  std::vector<StabilityChange>& changes) {
  while (before != last) {
    const double p = bisect(a, b, [&](double value) { return count_unstable(locus(value)) != before; });
    const double beyond = std::min(b, p + tolerance::consistent * (b - a));
    const Spectrum there = locus(beyond), at = locus(std::max(a, p - tolerance::consistent * (b - a)));
    const std::size_t after = count_unstable(there);
    if (after == before) break;  // closer together than can be told apart
    const Spectrum& unstable = after > before ? there : at;
    const std::size_t index = std::min(before, after);  // the last of the unstable ones, by real part
    const std::complex<double> root = unstable.modes[index].eigenvalue;
    const double value = refine(locus, p, after > before ? a : b, std::max(before, after) - index);
    changes.push_back({value, root.imag() == 0 ? "divergence" : "flutter", before, after, root});
    a = beyond;
    before = after;
  }
}

/// Zero roots included, as often as they count.
std::vector<std::complex<double>> list_roots(const Spectrum& spectrum) {
  std::vector<std::complex<double>> roots;
  for (const Mode& mode : spectrum.modes)
    if (mode.eigenvalue != 0.0) roots.push_back(mode.eigenvalue);
  roots.resize(roots.size() + spectrum.zero_count(), 0.0);
  return roots;
}

/// The roots in the order of those before: the nearest pair first.
void follow(const std::vector<std::complex<double>>& before, std::vector<std::complex<double>>& roots) {
  const std::size_t n = roots.size();
  std::vector<std::complex<double>> ordered(n);
  std::vector<bool> from(n, false), to(n, false);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best_i = n, best_j = n;
    double best = INFINITY;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (!from[i] && !to[j] && std::abs(before[i] - roots[j]) < best) {
          best = std::abs(before[i] - roots[j]);
          best_i = i;
          best_j = j;
        }
    ordered[best_i] = roots[best_j];
    from[best_i] = to[best_j] = true;
  }
  roots = std::move(ordered);
}

std::vector<double> list_values(const LocusRange& range) {
  const double count = std::floor((range.last - range.first) / range.step * (1 + tolerance::consistent));
  const std::string text = fmt::format("{}={}:{}:{}", range.name, range.first, range.last, range.step);
  if (!(range.step > 0) || !(range.last > range.first))
    throw InputError({"",
                      {},
                      "--over",
                      text + " gives no values",
                      "write NAME=FIRST:LAST:STEP with FIRST < LAST and a STEP above zero, as v=0:10:0.05"});
  if (!(count < static_cast<double>(most_values)))
    throw InputError(
        {"", {}, "--over", fmt::format("{} gives more than {} values", text, most_values), "give a larger STEP"});
  std::vector<double> values;
  for (double k = 0; k <= count; ++k) values.push_back(range.first + k * range.step);
  if (range.last - values.back() > tolerance::consistent * range.step) values.push_back(range.last);
  return values;
}

/// "W = 2, 3 to 4.5", of some among all values in their order.
std::string list_runs(const LocusRange& range, const std::vector<double>& some, const std::vector<double>& all) {
  std::vector<std::string> runs;
  for (auto from = some.begin(); from != some.end();) {
    auto in_all = std::ranges::find(all, *from);
    auto to = from;
    while (to != some.end() && in_all != all.end() && *to == *in_all) ++to, ++in_all;
    runs.push_back(to - from == 1 ? fmt::format("{:.10g}", *from)
                                  : fmt::format("{:.10g} to {:.10g}", *from, *(to - 1)));
    from = to;
  }
  return fmt::format("{} = {}", range.name, fmt::join(runs, ", "));
}

}  // namespace

RootLocus find_root_locus(const Model& model, const LocusRange& range, const LinearizeOptions& options) {
  const std::vector<double> values = list_values(range);
  RootLocus result{range.name, {}, {}, {}, {}, {}};
  Locus locus(model, range, options);
  std::vector<Spectrum> spectra;
  std::vector<std::size_t> places;  // among all values
  std::optional<Complaint> first;
  std::vector<double> left_out;
  std::vector<std::string> unsearched;
  for (std::size_t k = 0; k < values.size(); ++k) {
    try {
      spectra.push_back(locus(values[k]));
      result.values.push_back(values[k]);
      places.push_back(k);
    } catch (const InputError& error) {
      if (!first) first = error.complaint();
      left_out.push_back(values[k]);
    }
  }
  if (spectra.empty()) {
    first->problem = fmt::format("none of {} has linear equations; at the first {}", list_runs(range, left_out, values),
                                 first->problem);
    throw InputError(*first);
  }
  // Zero roots that are there all along; one more at a value is a root that passes.
  locus.set_zeros(std::ranges::min_element(spectra, {}, [](const Spectrum& s) { return s.zero_count(); })->zeros);
  for (std::size_t k = 0; k < spectra.size(); ++k) {
    result.roots.push_back(list_roots(spectra[k]));
    if (k == 0) continue;
    follow(result.roots[k - 1], result.roots[k]);
    if (places[k] != places[k - 1] + 1) continue;
    try {
      find_changes(locus, result.values[k - 1], result.values[k], count_unstable(spectra[k - 1]),
                   count_unstable(spectra[k]), result.changes);
    } catch (const InputError& error) {
      unsearched.push_back(
          fmt::format("stability changes between {} = {:.10g} and {:.10g}, and it is not located where: {}", range.name,
                      result.values[k - 1], result.values[k], error.complaint().problem));
    }
  }
  result.state = locus.linearizer().state_names();
  result.notes = locus.linearizer().notes();
  if (first)
    result.notes.push_back(
        fmt::format("left out, with the changes of stability beside them: {}; at the first of them {}",
                    list_runs(range, left_out, values), first->problem));
  result.notes.insert(result.notes.end(), unsearched.begin(), unsearched.end());
  return result;
}

}  // namespace dalembert
