#pragma once

#include <functional>

namespace dalembert {

/// A zero of f between a and b, where it has the values fa and fb of opposite signs, to rounding in its place (Brent
/// 1973, Algorithms for Minimization without Derivatives, chapter 4). Where f gives no number, that place.
double find_root(const std::function<double(double)>& f, double a, double fa, double b, double fb);

}  // namespace dalembert
