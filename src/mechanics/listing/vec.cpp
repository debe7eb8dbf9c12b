#include "mechanics/listing/vec.hpp"

#include <algorithm>

namespace dalembert {
namespace {

bool is_unit(const Matrix3& m) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (i == j ? !m[i][j].is_one() : !m[i][j].is_zero()) return false;
  return true;
}

Vec zero_like(const Vec& v) {
  Expr zero = v.value[0].graph().constant(0);
  return make_literal({zero, zero, zero});
}

}  // namespace

std::size_t count_signs_up_to(Expr expression, std::size_t most) {
  constexpr double signs_per_node = 0.5;  // at the least
  if (count_written(expression) * signs_per_node > static_cast<double>(most)) return most + 1;
  return count_signs(make_shown(expression));
}

bool is_brief(Expr expression) {
  constexpr std::size_t name_signs = 5;  // sin(a), -a, a*b
  return count_signs_up_to(expression, name_signs) <= name_signs;
}

Vec make_literal(const Vector3& value) {
  // A tree of what is shared by much would be too large: it is by components only.
  constexpr std::size_t readable = 200;
  for (const Expr& component : value)
    if (count_signs_up_to(component, readable) > readable) return {value, {}, true, false};
  return {value, show_vector(make_shown(value[0]), make_shown(value[1]), make_shown(value[2])), true};
}

Vec make_sum(const std::vector<Vec>& terms) {
  std::vector<const Vec*> present;
  for (const Vec& term : terms)
    if (!term.is_zero()) present.push_back(&term);
  if (present.empty()) return zero_like(terms.front());
  if (present.size() == 1) return *present[0];
  Vector3 total = present[0]->value, written = zero_like(*present[0]).value;
  std::vector<Shown> shown;
  bool readable = true;
  for (std::size_t i = 0; i < present.size(); ++i) {
    if (i > 0) total = total + present[i]->value;
    readable = readable && present[i]->readable;
    if (present[i]->literal)
      written = written + present[i]->value;
    else
      shown.push_back(present[i]->shown);
  }
  if (shown.empty()) return make_literal(total);
  Vec literals = make_literal(written);
  if (!literals.is_zero()) shown.push_back(literals.shown);
  return {total, show_sum(std::move(shown)), false, readable && literals.readable};
}

Vec make_cross(const Vec& a, const Vec& b) {
  Vector3 value = cross(a.value, b.value);
  if (a.is_zero() || b.is_zero()) return zero_like(a);
  if (a.literal && b.literal) return make_literal(value);
  return {value, show_call("cross", {a.shown, b.shown}), false, a.readable && b.readable};
}

Vec make_scaled(Expr factor, const Vec& v) {
  Vector3 value = factor * v.value;
  if (factor.is_one()) return v;
  if (v.literal) return make_literal(value);
  constexpr std::size_t readable = 200;
  if (count_signs_up_to(factor, readable) > readable) return make_literal(value);
  Shown shown = make_shown(factor);
  if (shown.is_number(-1) || !begins_negative(shown))
    return {value, show_product({std::move(shown), v.shown}), false, v.readable};
  return {value, show_product({show_number(-1), without_sign(std::move(shown)), v.shown}), false, v.readable};
}

Vec make_negative(const Vec& v) { return make_scaled(v.value[0].graph().constant(-1), v); }

Vec make_turned(const Matrix3& matrix, const Vec& v) {
  if (is_unit(matrix)) return v;
  return make_literal(matrix * v.value);
}

Vec make_along(const Vec& v, const std::array<Vec, 3>& directions) {
  std::array<Shown, 3> products;
  bool readable = v.readable;
  Vector3 value = v.value;
  for (std::size_t c = 0; c < 3; ++c) {
    value[c] = dot(directions[c].value, v.value);
    products[c] = show_call("dot", {directions[c].shown, v.shown});
    readable = readable && directions[c].readable;
  }
  return {value, show_vector(products[0], products[1], products[2]), false, readable};
}

}  // namespace dalembert
