#pragma once
// Quantities integrated along a motion: coordinates more, whose rates are given.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

struct Carried {
  std::string name;
  Expr rate;  ///< in t, q, u and the carried quantities' own symbols
  double start = 0;
};
Equations carry(Equations equations, const std::vector<Carried>& quantities);

}  // namespace dalembert
