#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/plot/plot.hpp"

namespace dalembert {
namespace {

/// 1, 2 or 5 times a power of ten, the least that is at least `rough`.
double nice_step(double rough) {
  double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::string superscript(int number) {
  static const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (char digit : std::to_string(std::abs(number))) text += digits[digit - '0'];
  return text;
}

std::string with_minus_sign(std::string text) { return text.starts_with('-') ? "−" + text.substr(1) : text; }

/// A range that has a width also where the data have none.
Interval with_width(Interval data, bool widen) {
  double size = std::max(std::abs(data.low), std::abs(data.high));
  double least =
      std::max(size * 16 * std::numeric_limits<double>::epsilon(), std::numeric_limits<double>::min() * 1e16);
  if (data.width() >= least) {
    double margin = widen ? 0.05 * data.width() : 0;
    return {data.low - margin, data.high + margin};
  }
  double half = size == 0 ? 1 : 0.5 * size;  // constant but for rounding
  double middle = data.low + 0.5 * data.width();
  return {middle - half, middle + half};
}

}  // namespace

Interval span_of(std::span<const double> values) {
  Interval interval{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (double value : values) {
    if (!std::isfinite(value)) continue;
    interval.low = std::min(interval.low, value);
    interval.high = std::max(interval.high, value);
  }
  return interval;
}

bool is_empty(Interval interval) { return !(interval.low <= interval.high); }

Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Axis make_axis(Interval data, int wanted, bool widen) {
  if (is_empty(data)) data = {0, 1};
  const double limit = std::numeric_limits<double>::max() / 4;  // so that widths stay finite
  data = {std::clamp(data.low, -limit, limit), std::clamp(data.high, -limit, limit)};
  Axis axis;
  axis.range = with_width(data, widen);
  double step = nice_step(axis.range.width() / wanted);
  double size = std::max(std::abs(axis.range.low), std::abs(axis.range.high));

  // Digits that all labels share are taken off and said once: 9.81 + ... instead of 9.8100000001, 9.8100000002.
  double origin = 0;
  if (step < 1e-5 * size) {
    double coarse = nice_step(100 * step);
    origin = std::round((axis.range.low + 0.5 * axis.range.width()) / coarse) * coarse;
  }
  double reach = std::max(std::abs(axis.range.low - origin), std::abs(axis.range.high - origin));
  int exponent = static_cast<int>(std::floor(std::log10(reach)));
  if (exponent >= -3 && exponent <= 4) exponent = 0;
  int decimals = std::max(0, exponent - static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  double scale = std::pow(10.0, exponent);

  double first = std::ceil((axis.range.low - origin) / step - 1e-9),
         last = std::floor((axis.range.high - origin) / step + 1e-9);
  for (double k = first; k <= last && axis.ticks.size() < 100; ++k) {
    double label = k == 0 ? 0 : k * (step / scale);
    axis.ticks.push_back({origin + k * step, with_minus_sign(fmt::format("{:.{}f}", label, decimals))});
  }
  if (exponent != 0) axis.note = "×10" + superscript(exponent);
  if (origin != 0)
    axis.note += fmt::format("{}{} {:.15g}", exponent == 0 ? "" : " ", origin < 0 ? "−" : "+", std::abs(origin));
  return axis;
}

}  // namespace dalembert
