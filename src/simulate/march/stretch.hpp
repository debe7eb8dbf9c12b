#pragma once
// Functions of time along a stretch of a step, as polynomials of degree 8 through their values at nine Chebyshev nodes,
// and by how much they may differ from these. The method's dense output has degree 7 and is met exactly; what is
// computed from it is smooth on the scale of the step, and its last two coefficients tell what is left out.

#include <span>
#include <vector>

#include "program/enclose.hpp"

namespace dalembert {

class Stretch {
 public:
  static constexpr std::size_t nodes = 9;

  explicit Stretch(std::size_t functions) : terms_(functions) {}

  /// Where node j of the stretch from left to right lies; the first and the last are its ends.
  static double node(std::size_t j, double left, double right);
  /// The value of a function at a node; fit() when all are there.
  void set(std::size_t function, std::size_t j, double value) { terms_[function].value[j] = value; }
  void fit();

  /// Over the part of the stretch, -1 to 1, about a middle.
  Enclosure over(std::size_t function, double middle, double radius) const;
  /// What is left out is no more than rounding.
  bool is_exact() const { return exact_; }
  /// Some value is not a number: nothing is known.
  bool is_broken() const { return broken_; }

 private:
  struct Terms {
    double value[nodes];        // at the nodes, then coefficients of 1, s, s^2, ...
    double left_out, rounding;  // of a value
  };

  std::vector<Terms> terms_;
  bool broken_ = false, exact_ = false;
};

}  // namespace dalembert
