#include "study/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>

#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"
#include "study/linearize/spectrum.hpp"

namespace dalembert {
namespace {

/// The slopes with a row more: the direction's part.
NumberMatrix border(const NumberMatrix& slopes, const std::vector<double>& direction,
                    const std::vector<double>& weights) {
  NumberMatrix made(slopes.rows + 1, slopes.columns);
  std::ranges::copy(slopes.values, made.values.begin());
  for (std::size_t j = 0; j < slopes.columns; ++j) made(slopes.rows, j) = weights[j] * weights[j] * direction[j];
  return made;
}

}  // namespace

double Continuation::inner(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += plan_.weights[i] * plan_.weights[i] * a[i] * b[i];
  return sum;
}

std::vector<double> Continuation::tangent(const std::vector<double>& y, const std::vector<double>& along) const {
  const std::optional<CurveValues> at = curve_(y);
  if (!at) return {};
  std::vector<double> right(at->residual.size(), 0.0);
  right.push_back(1);
  std::vector<double> found = solve_least(border(at->slopes, along, plan_.weights), right);
  const double length = std::sqrt(inner(found, found));
  for (double& part : found) part /= length;
  return found;
}

Knot Continuation::aim(const std::vector<double>& y, double way) const {
  std::vector<double> along = y;
  for (double& part : along) part = &part == &along.back() ? way : 0;
  return {y, tangent(y, along)};
}

std::optional<Knot> Continuation::step(const Knot& from, double distance) const {
  constexpr int most = 8;
  std::vector<double> y = from.y, ahead = from.y;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = ahead[i] += distance * from.tangent[i];
  for (int k = 0; k < most; ++k) {
    const std::optional<CurveValues> at = curve_(y);
    if (!at || !is_finite(at->residual) || !is_finite(at->slopes.values)) return std::nullopt;
    std::vector<double> off = at->residual, gone = y;
    for (std::size_t i = 0; i < y.size(); ++i) gone[i] -= ahead[i];
    off.push_back(inner(from.tangent, gone));
    const std::vector<double> change = solve_least(border(at->slopes, from.tangent, plan_.weights), off);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= change[i];
    const double size = std::sqrt(inner(change, change));
    if (size > distance) return std::nullopt;
    if (size >= plan_.settled) continue;
    Knot knot{y, tangent(y, from.tangent)};
    // A turn by more than half a right angle is another branch.
    if (knot.tangent.empty() || !(inner(knot.tangent, from.tangent) > 0.7)) return std::nullopt;
    return knot;
  }
  return std::nullopt;
}

Knot Continuation::bisect(const Knot& from, double distance, const std::function<bool(const Knot&)>& is_beyond) const {
  double low = 0, high = distance;
  Knot found = from;
  for (int k = 0; k < 60 && high - low > tolerance::unchanged; ++k) {
    const double middle = (low + high) / 2;
    const std::optional<Knot> there = step(from, middle);
    if (!there || is_beyond(*there)) {
      high = middle;
    } else {
      low = middle;
      found = *there;
    }
  }
  return found;
}

/// By false position, the end that stays halved (Dowell and Jarratt 1971).
Continuation::Place Continuation::find_zero(const Knot& from, const Knot& to, double distance,
                                            const std::function<double(const Knot&)>& value) const {
  double a = 0, b = distance, at_a = value(from), at_b = value(to);
  Place best = std::abs(at_a) < std::abs(at_b) ? Place{0, from} : Place{distance, to};
  double least = std::min(std::abs(at_a), std::abs(at_b));
  for (int k = 0; k < 60 && b - a > tolerance::assembled * distance; ++k) {
    const double c = b - at_b * (b - a) / (at_b - at_a);
    if (!(c > a && c < b)) break;
    const std::optional<Knot> there = step(from, c);
    if (!there) break;
    const double here = value(*there);
    if (std::abs(here) < least) {
      least = std::abs(here);
      best = {c, *there};
    }
    if (here == 0) break;
    const bool is_left = (here < 0) == (at_a < 0);
    (is_left ? a : b) = c;
    (is_left ? at_b : at_a) /= 2;
    (is_left ? at_a : at_b) = here;
  }
  return best;
}

Continuation::Ending Continuation::walk(Knot knot, const Way& way) {
  const std::vector<double> origin = knot.y;
  std::size_t count = 1;
  for (double size = plan_.longest; count < plan_.most_steps;) {
    const std::optional<Knot> next = step(knot, size);
    if (!next) {
      if ((size /= 2) < plan_.shortest) return Ending::stuck;
      continue;
    }
    if (way.outside(*next) > 0) {
      const Place last = way.outside(knot) < 0 ? find_zero(knot, *next, size, way.outside) : Place{};
      if (last.distance > 0) way.pass(knot, last.knot, last.distance);
      return Ending::outside;
    }
    if (!way.pass(knot, *next, size)) return Ending::stopped;
    knot = *next;
    const double length = std::sqrt(inner(knot.tangent, knot.tangent));  // `pass` may have set other weights
    for (double& part : knot.tangent) part /= length;
    std::vector<double> gone = knot.y;
    for (std::size_t i = 0; i < gone.size(); ++i) gone[i] -= origin[i];
    if (++count > 4 && inner(gone, gone) < size * size / 2) return Ending::closed;
    size = std::min(1.3 * size, plan_.longest);
  }
  return Ending::long_enough;
}

void check_range(const LocusRange& range) {
  if (!(range.first < range.last) || !(range.step > 0))
    throw InputError({"",
                      {},
                      "--over",
                      fmt::format("{}={}:{}:{} is no range", range.name, range.first, range.last, range.step),
                      "write NAME=FIRST:LAST:STEP with FIRST < LAST and a STEP above zero"});
}

std::size_t find_parameter(const Model& model, const std::string& wanted) {
  std::vector<std::string> known;
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  const auto at = std::ranges::find(known, wanted);
  if (at != known.end()) return static_cast<std::size_t>(at - known.begin());
  const std::string nearest = nearest_name(wanted, known);
  throw InputError({model.file,
                    {},
                    "--over",
                    fmt::format("there is no parameter {}", wanted),
                    nearest.empty() ? "name one of the model's" : fmt::format("did you mean {}?", nearest)});
}

}  // namespace dalembert
