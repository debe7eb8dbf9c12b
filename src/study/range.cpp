#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <numbers>

#include "study/writer.hpp"

namespace dalembert {
namespace {

constexpr int scan_steps = 2000;

/// A formula of one symbol.
class Curve {
 public:
  Curve(Expr formula, Expr symbol, const std::vector<Binding>& parameters) : formula_(formula), bindings_(parameters) {
    bindings_.push_back({symbol, 0});
  }
  double operator()(double x) {
    bindings_.back().value = x;
    return evaluate(formula_, bindings_);
  }

 private:
  Expr formula_;
  std::vector<Binding> bindings_;
};

/// The end of the interval next to `inside` in which the square is positive, between there and `outside`.
double bisect(Curve& square, double inside, double outside) {
  for (int i = 0; i < 200; ++i) {
    double middle = 0.5 * (inside + outside);
    if (middle == inside || middle == outside) break;
    (square(middle) >= 0 ? inside : outside) = middle;
  }
  return inside;
}

/// Going by growing steps from the start; empty where the square stays positive as far as one looks.
std::optional<double> find_end(Curve& square, double start, double first_step, double growth) {
  double inside = start, step = first_step;
  for (int i = 0; i < scan_steps; ++i, step *= growth) {
    double next = inside + step;
    double value = square(next);
    if (!std::isfinite(value)) return std::nullopt;
    if (value < 0) return bisect(square, inside, next);
    inside = next;
  }
  return std::nullopt;
}

bool has_period(Expr formula, Expr symbol, Expr period) {
  const Replacement shift{symbol, symbol + period};
  return are_equal(substitute(formula, {&shift, 1}), formula);
}

/// The largest |value| of even samples, refined by sections around the best.
void find_largest(Curve& value, OverRange& range) {
  const double step = (range.to - range.from) / scan_steps;
  auto size = [&](double x) { return std::fabs(value(x)); };
  double best = range.from;
  for (int i = 1; i <= scan_steps; ++i) {
    double x = i == scan_steps ? range.to : range.from + i * step;
    if (size(x) > size(best)) best = x;
  }
  double a = std::max(range.from, best - step), b = std::min(range.to, best + step);
  for (int i = 0; i < 100 && b - a > 0; ++i) {
    double left = a + (b - a) / 3, right = b - (b - a) / 3;
    (size(left) < size(right) ? a : b) = size(left) < size(right) ? left : right;
  }
  double refined = 0.5 * (a + b);
  range.at = size(refined) > size(best) ? refined : best;
  range.largest = value(range.at);
}

/// The length over which the square changes as much as it is, or its slope as much as that is.
double find_scale(Expr square, Expr symbol, double start, const std::vector<Binding>& parameters) {
  Expr slope = derivative(square, symbol), bend = derivative(slope, symbol);
  double s = std::fabs(Curve(square, symbol, parameters)(start)),
         ds = std::fabs(Curve(slope, symbol, parameters)(start)),
         dds = std::fabs(Curve(bend, symbol, parameters)(start));
  double scale = std::fabs(start);
  for (double length : {s / ds, ds / dds})
    if (std::isfinite(length)) scale = std::max(scale, length);
  return scale;
}

}  // namespace

std::optional<OverRange> find_over_range(Expr square, Expr value, Expr coordinate, double start,
                                         const std::vector<Binding>& parameters) {
  Curve squared(square, coordinate, parameters), valued(value, coordinate, parameters);
  OverRange range;
  range.coordinate = coordinate.name();
  Expr turn = 2 * coordinate.graph().pi();
  const bool is_periodic = has_period(square, coordinate, turn) && has_period(value, coordinate, turn);
  const double full = 2 * std::numbers::pi;
  double step = is_periodic ? full / scan_steps : 1e-6 * find_scale(square, coordinate, start, parameters);
  double growth = is_periodic ? 1.0 : 1.02;  // to 1e11 of the scale in the end
  if (!(step > 0) || !std::isfinite(step)) return std::nullopt;
  std::optional<double> up = find_end(squared, start, step, growth), down = find_end(squared, start, -step, growth);
  range.is_full_turn = is_periodic && !up && !down;
  if (range.is_full_turn) {
    range.from = start;
    range.to = start + full;
  } else {
    if (!up || !down) return std::nullopt;
    range.from = *down;
    range.to = *up;
  }
  find_largest(valued, range);
  if (!std::isfinite(range.largest)) return std::nullopt;
  return range;
}

}  // namespace dalembert
