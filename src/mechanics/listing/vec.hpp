#pragma once
// 3-vectors as values and as notation at once.

#include <dalembert/expr/display.hpp>

#include "model/vectors.hpp"

namespace dalembert {

struct Vec {
  Vector3 value;         ///< components in symbols of the state and of named parts
  Shown shown;           ///< in vector notation
  bool literal;          ///< shown as its three components
  bool readable = true;  ///< otherwise `shown` says nothing: the components alone are of use
  bool is_zero() const { return value[0].is_zero() && value[1].is_zero() && value[2].is_zero(); }
};

/// [x, y, z]
Vec make_literal(const Vector3& value);
Vec make_sum(const std::vector<Vec>& terms);
Vec make_cross(const Vec& a, const Vec& b);
Vec make_scaled(Expr factor, const Vec& v);
Vec make_negative(const Vec& v);
/// matrix * v, by components.
Vec make_turned(const Matrix3& matrix, const Vec& v);
/// The components of v along three directions.
Vec make_along(const Vec& v, const std::array<Vec, 3>& directions);

/// Signs to read in an expression, at most about `most` of them counted.
std::size_t count_signs_up_to(Expr expression, std::size_t most);
/// As short as a name would be: written out wherever it is used.
bool is_brief(Expr expression);

}  // namespace dalembert
