#pragma once
// 3-vectors and 3x3 matrices of expressions.

#include <dalembert/model/model.hpp>

namespace dalembert {

inline Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3 operator*(Expr s, const Vector3& v) { return {s * v[0], s * v[1], s * v[2]}; }

inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Expr dot(const Vector3& a, const Vector3& b) {
  Expr terms[] = {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
  return a[0].graph().sum(terms);
}

inline Matrix3 transpose(const Matrix3& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}
inline Matrix3 operator+(const Matrix3& a, const Matrix3& b) { return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}}; }
inline Vector3 operator*(const Matrix3& m, const Vector3& v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }
inline Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  Matrix3 columns = transpose(b);
  return {{columns * a[0], columns * a[1], columns * a[2]}};
}

}  // namespace dalembert
