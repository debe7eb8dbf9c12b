#pragma once
// Curves r(y) = 0 with one unknown more than equations by pseudo-arclength (Keller 1977): the parameter is the last of
// y, and a step goes along the tangent, so that a fold is a place like others (theory 8.7).

#include <algorithm>
#include <dalembert/study/linearize.hpp>
#include <functional>

namespace dalembert {

struct CurveValues {
  std::vector<double> residual;
  NumberMatrix slopes;  ///< by y
};

/// A place of a curve, with its tangent of unit length.
struct Knot {
  std::vector<double> y, tangent;
};

/// How lengths are measured, and which are allowed.
struct ContinuationPlan {
  std::vector<double> weights;  ///< one over the range of each unknown; 0: it does not count
  double longest = 0.02;        ///< step
  double shortest = 1e-7;
  double settled = 0;  ///< the change that Newton's method ends with
  std::size_t most_steps = 5000;
};

class Continuation {
 public:
  /// Nothing where there is no value.
  using Curve = std::function<std::optional<CurveValues>(const std::vector<double>& y)>;
  Continuation(Curve curve, ContinuationPlan plan) : curve_(std::move(curve)), plan_(std::move(plan)) {}

  double inner(const std::vector<double>& a, const std::vector<double>& b) const;
  /// Of unit length, in the sense of `along`; empty where the curve has no value.
  std::vector<double> tangent(const std::vector<double>& y, const std::vector<double>& along) const;
  /// A place of the curve with the tangent along which the parameter grows (way > 0) or falls.
  Knot aim(const std::vector<double>& y, double way) const;
  /// The place on the curve a distance along the tangent; nothing where Newton's method does not find it.
  std::optional<Knot> step(const Knot& from, double distance) const;

  /// The last place on the way before the predicate becomes true.
  Knot bisect(const Knot& from, double distance, const std::function<bool(const Knot&)>& is_beyond) const;
  struct Place {
    double distance = 0;
    Knot knot;
  };
  /// Where a smooth function vanishes that has other signs at both ends.
  Place find_zero(const Knot& from, const Knot& to, double distance,
                  const std::function<double(const Knot&)>& value) const;

  enum class Ending : std::uint8_t { outside, closed, stopped, stuck, long_enough };
  struct Way {
    /// By how much a place is outside; negative inside.
    std::function<double(const Knot&)> outside;
    /// What there is between two places, and whether to go on.
    std::function<bool(const Knot& from, const Knot& to, double distance)> pass;
  };
  Ending walk(Knot knot, const Way& way);
  /// Lengths are measured so from now on.
  void set_weights(std::vector<double> weights) { plan_.weights = std::move(weights); }

 private:
  Curve curve_;
  ContinuationPlan plan_;
};

/// A curve from one of its places: `walk` gives the points of a way from there, with the parameter falling (-1) or
/// growing (1) first, and whether it has come back.
template <class Walk>
auto join_both_ways(const Knot& from, const Continuation& arc, Walk&& walk) {
  bool closed = false;
  auto points = walk(arc.aim(from.y, -1), closed);
  std::ranges::reverse(points);
  if (closed) return points;
  const auto others = walk(arc.aim(from.y, 1), closed);
  points.insert(points.end(), others.begin() + 1, others.end());
  return points;
}

/// A range over a parameter of the model. InputError where it is none.
void check_range(const LocusRange& range);
std::size_t find_parameter(const Model& model, const std::string& wanted);

}  // namespace dalembert
