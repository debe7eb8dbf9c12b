#include "simulate/march/root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {

double find_root(const std::function<double(double)>& f, double a, double fa, double b, double fb) {
  double c = a, fc = fa, d = b - a, e = d;
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (fb * fc > 0) {
      c = a;
      fc = fa;
      d = e = b - a;
    }
    if (std::abs(fc) < std::abs(fb)) {
      a = b;
      b = c;
      c = a;
      fa = fb;
      fb = fc;
      fc = fa;
    }
    const double tolerance = 2 * std::numeric_limits<double>::epsilon() * std::abs(b);
    const double middle = (c - b) / 2;
    if (std::abs(middle) <= tolerance || fb == 0) return b;
    if (std::abs(e) >= tolerance && std::abs(fa) > std::abs(fb)) {
      const double s = fb / fa;
      double p, q;
      if (a == c) {
        p = 2 * middle * s;
        q = 1 - s;
      } else {
        const double r = fa / fc, w = fb / fc;
        p = s * (2 * middle * r * (r - w) - (b - a) * (w - 1));
        q = (r - 1) * (w - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      p = std::abs(p);
      if (2 * p < std::min(3 * middle * q - std::abs(tolerance * q), std::abs(e * q))) {
        e = d;
        d = p / q;
      } else {
        d = e = middle;
      }
    } else {
      d = e = middle;
    }
    a = b;
    fa = fb;
    b += std::abs(d) > tolerance ? d : (middle > 0 ? tolerance : -tolerance);
    fb = f(b);
    if (!std::isfinite(fb)) return b;
  }
  return b;
}

}  // namespace dalembert
