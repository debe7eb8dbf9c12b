#include "mechanics/release/orthogonality.hpp"

#include <algorithm>

#include "mechanics/lagrange/dynamics.hpp"

namespace dalembert {
namespace {

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The worst of the verdicts that these vanish.
Verdict test_all_zero(std::span<const Expr> expressions, const CanonicalLimits& limits) {
  Verdict verdict = Verdict::zero;
  for (const Expr& each : expressions) {
    Verdict one = each.is_zero() ? Verdict::zero : test_zero(each, limits).verdict;
    if (one == Verdict::nonzero) return one;
    if (one == Verdict::undecided) verdict = one;
  }
  return verdict;
}

Vector3 on_motion(const Variation& variation, const Vector3& vector) {
  std::vector<Expr> parts = substitute(vector, variation.actual);
  return {parts[0], parts[1], parts[2]};
}

/// d x/d s for a coordinate s of the varied model, on the true motion.
Vector3 path(const Variation& variation, const Vector3& position, Expr symbol) {
  std::vector<Expr> slope = derivative(position, symbol);
  return on_motion(variation, {slope[0], slope[1], slope[2]});
}

/// The position of a point, or of a frame's origin where a body or frame is named.
std::optional<Vector3> position_of(const Model& model, const std::string& name) {
  for (const Point& point : model.points)
    if (point.name == name) return point.position;
  for (const Frame& frame : model.frames)
    if (frame.name == name) return frame.origin;
  for (const Body& body : model.bodies)
    if (body.name == name) return model.frames[body.frame].origin;
  return std::nullopt;
}

/// The rank of vectors in space, where it can be decided.
std::optional<std::size_t> rank_of(std::span<const Vector3> vectors, const CanonicalLimits& limits) {
  std::optional<Vector3> first;
  std::optional<Vector3> normal;
  for (const Vector3& vector : vectors) {
    if (!first) {
      Verdict verdict = test_all_zero(vector, limits);
      if (verdict == Verdict::undecided) return std::nullopt;
      if (verdict == Verdict::nonzero) first = vector;
      continue;
    }
    Vector3 product = cross(*first, vector);
    Expr volume = normal ? dot(*normal, vector) : Expr();
    Verdict verdict = normal ? test_all_zero({&volume, 1}, limits) : test_all_zero(product, limits);
    if (verdict == Verdict::undecided) return std::nullopt;
    if (verdict == Verdict::nonzero && normal) return 3;
    if (verdict == Verdict::nonzero) normal = product;
  }
  return normal ? 2 : first ? 1 : 0;
}

}  // namespace

Verdict test_parallel(const Release& release, const Vector3& slope, const CanonicalLimits& limits) {
  std::optional<Vector3> position = position_of(*release.variation.model, release.mentions[0].on);
  if (!position) return Verdict::undecided;
  return test_all_zero(cross(slope, path(release.variation, *position, release.variation.freed[0].q)), limits);
}

Shortcut test_shortcut(const Release& release, const std::string& point, const CanonicalLimits& limits) {
  const Variation& variation = release.variation;
  const Vector3 position = *position_of(*variation.model, point);
  const Expr c = variation.freed[0].q;
  Shortcut result{Verdict::nonzero, path(variation, position, c)};
  Expr square = dot(result.direction, result.direction);
  Verdict still = test_all_zero({&square, 1}, limits);
  if (still != Verdict::nonzero) return {still == Verdict::zero ? Verdict::nonzero : still, {}};

  std::vector<Vector3> along;
  for (const Coordinate& coordinate : variation.model->coordinates)
    if (coordinate.q != c) along.push_back(path(variation, position, coordinate.q));
  std::vector<Expr> products;
  for (const Vector3& each : along) products.push_back(dot(result.direction, each));
  result.verdict = test_all_zero(products, limits);
  if (result.verdict != Verdict::zero) return result;

  std::size_t filled = 0;  // Cartesian coordinates in which the point moves at all
  for (const Expr& component : position) {
    std::vector<Expr> symbols = free_symbols({&component, 1});
    auto reads = [&](Expr symbol) { return std::ranges::find(symbols, symbol) != symbols.end(); };
    bool moves = reads(variation.model->time) ||
                 std::ranges::any_of(variation.model->coordinates, [&](const auto& q) { return reads(q.q); });
    filled += moves ? 1 : 0;
  }
  std::optional<std::size_t> rank = rank_of(along, limits);
  if (!rank) return {Verdict::undecided, {}};
  if (*rank + 1 != filled) return {Verdict::nonzero, {}};
  for (Expr& component : result.direction) component = component / square;
  return result;
}

}  // namespace dalembert
