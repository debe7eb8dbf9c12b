#include <algorithm>
#include <cmath>

#include "base/matrix_view.hpp"
#include "study/scene/parts.hpp"

namespace dalembert {
namespace {

constexpr std::size_t states = 5;              ///< of the motion that are looked at
constexpr std::size_t most_coordinates = 150;  ///< beyond, only the motion's own direction is tried at each
constexpr std::size_t directions = 3;          ///< random ones at a state
/// Of the central difference, in units of the coordinates' own sizes: its error is this squared, its rounding 1e-16
/// divided by it.
constexpr double relative_step = 1e-5;

/// Takes from v what lies along the vectors of an orthonormal list.
void remove_along(const std::vector<std::vector<double>>& list, std::vector<double>& v) {
  for (int pass = 0; pass < 2; ++pass)  // twice is enough (Kahan and Parlett)
    for (const std::vector<double>& unit : list) add_scaled(-dot(unit, v), unit, v);
}

bool scale_to_unit(std::vector<double>& v, double least) {
  const double length = std::sqrt(dot(v, v));
  if (!(length > least)) return false;
  for (double& part : v) part /= length;
  return true;
}

/// Gradients of the geometric constraints, one after the other.
std::vector<Expr> geometric_gradients(const Model& model) {
  std::vector<Expr> coordinates, gradients;
  for (const Coordinate& coordinate : model.coordinates) coordinates.push_back(coordinate.q);
  for (const Constraint& constraint : model.constraints)
    if (constraint.kind == ConstraintKind::geometric)
      for (const Expr& part : gradient(constraint.f, coordinates)) gradients.push_back(part);
  return gradients;
}

/// An orthonormal basis of the rows.
std::vector<std::vector<double>> basis_of(const std::vector<double>& rows, std::size_t n) {
  std::vector<std::vector<double>> basis;
  for (std::size_t first = 0; first + n <= rows.size(); first += n) {
    std::vector<double> row(rows.begin() + static_cast<std::ptrdiff_t>(first),
                            rows.begin() + static_cast<std::ptrdiff_t>(first + n));
    if (!scale_to_unit(row, 0)) continue;
    remove_along(basis, row);
    if (scale_to_unit(row, 1e-8)) basis.push_back(std::move(row));
  }
  return basis;
}

}  // namespace

SceneProbe::SceneProbe(const Scene& scene, const Trajectory& motion) : model_(*scene.model) {
  std::vector<Expr> outputs;
  for (const ScenePlace& place : scene.places) {
    offsets_.push_back(outputs.size());
    outputs.insert(outputs.end(), place.position.begin(), place.position.end());
    if (place.rotation)
      for (const Vector3& row : *place.rotation) outputs.insert(outputs.end(), row.begin(), row.end());
  }
  const std::size_t n = model_.coordinates.size();
  SceneFormulas places(model_, outputs);
  const bool is_small = n <= most_coordinates;
  SceneFormulas gradients(model_, is_small ? geometric_gradients(model_) : std::vector<Expr>{});
  const std::vector<std::size_t> columns = scene_columns(model_, motion);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (std::size_t k = 0; k < std::min(states, motion.rows.size()); ++k) {
    const auto row = motion.rows[k * (motion.rows.size() - 1) / std::max<std::size_t>(1, states - 1)];
    std::vector<double> inputs;
    for (std::size_t column : columns) inputs.push_back(row[column]);
    const std::vector<std::vector<double>> normals =
        is_small ? basis_of(gradients(inputs), n) : std::vector<std::vector<double>>{};
    for (std::size_t i = 0; i <= (is_small ? directions : 0); ++i) {
      std::vector<double> v(inputs.begin() + 1 + static_cast<std::ptrdiff_t>(n), inputs.end());  // the motion's own
      if (i > 0)
        for (double& part : v) part = number(random);
      remove_along(normals, v);
      if (!scale_to_unit(v, 0)) continue;
      Sample sample{{}, places(inputs), {}, 2 * relative_step};
      std::vector<double> beside = inputs;
      for (const double side : {-1.0, 1.0}) {
        for (std::size_t j = 0; j < n; ++j) beside[1 + j] = inputs[1 + j] + side * relative_step * v[j];
        (side < 0 ? sample.before : sample.after) = places(beside);
      }
      samples_.push_back(std::move(sample));
    }
  }
  for (const Sample& sample : samples_)
    for (const std::size_t offset : offsets_)
      for (std::size_t j = 0; j < 3; ++j)
        if (std::isfinite(sample.here[offset + j])) extent_ = std::max(extent_, std::fabs(sample.here[offset + j]));
}

double SceneProbe::at_start(Expr formula) const {
  return evaluate(formula, bind_symbols(model_, initial_state(model_), parameter_values(model_)));
}

}  // namespace dalembert
