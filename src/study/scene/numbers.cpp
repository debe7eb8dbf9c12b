#include <algorithm>
#include <limits>

#include "study/scene/parts.hpp"

namespace dalembert {

SceneFormulas::SceneFormulas(const Model& model, std::span<const Expr> outputs) {
  const std::vector<Expr> inputs = scene_inputs(model);
  std::vector<Expr> parameters;
  for (const Parameter& parameter : model.parameters) parameters.push_back(parameter.symbol);
  function_ = compile(make_program(inputs, parameters, outputs), {.native = false});
  scratch_ = function_.make_scratch();
  function_.set_parameters(scratch_, parameter_values(model));
}

std::vector<double> SceneFormulas::operator()(std::span<const double> inputs) {
  std::vector<double> values(function_.output_count());
  function_.evaluate(scratch_, inputs, values);
  return values;
}

struct SceneNumbers::Parts {
  const Scene& scene;
  const Trajectory& motion;
  std::vector<std::size_t> columns;
  std::vector<std::size_t> positions, rotations, sizes;              // where each place's, shape's numbers begin
  std::vector<std::vector<std::size_t>> factors;                     // of each arrow's parts
  std::vector<std::vector<std::optional<std::size_t>>> multipliers;  // their columns, where the motion has them
  std::optional<SceneFormulas> formulas;
  std::vector<double> values;
  std::size_t row = 0;
};

SceneNumbers::SceneNumbers(const Scene& scene, const Trajectory& motion)
    : parts_(new Parts{scene, motion, scene_columns(*scene.model, motion), {}, {}, {}, {}, {}, {}, {}}) {
  std::vector<Expr> outputs;
  const auto add = [&](const auto& formulas) {
    outputs.insert(outputs.end(), formulas.begin(), formulas.end());
    return outputs.size() - formulas.size();
  };
  for (const ScenePlace& place : scene.places) {
    parts_->positions.push_back(add(place.position));
    parts_->rotations.push_back(outputs.size());
    if (place.rotation)
      for (const Vector3& row : *place.rotation) add(row);
  }
  for (const SceneShape& shape : scene.shapes) parts_->sizes.push_back(add(shape.size));
  for (const SceneArrow& arrow : scene.arrows) {
    parts_->factors.emplace_back();
    parts_->multipliers.emplace_back();
    for (const SceneArrow::Part& part : arrow.parts) {
      parts_->factors.back().push_back(add(part.factor));
      const auto found = std::ranges::find(motion.columns, part.column);
      parts_->multipliers.back().push_back(found == motion.columns.end()
                                               ? std::optional<std::size_t>()
                                               : static_cast<std::size_t>(found - motion.columns.begin()));
    }
  }
  parts_->formulas.emplace(*scene.model, outputs);
  if (!motion.rows.empty()) move_to(0);
}
SceneNumbers::~SceneNumbers() = default;

std::size_t SceneNumbers::row_count() const { return parts_->motion.rows.size(); }

void SceneNumbers::move_to(std::size_t row) {
  parts_->row = row;
  std::vector<double> inputs;
  for (std::size_t column : parts_->columns) inputs.push_back(parts_->motion.rows[row][column]);
  parts_->values = (*parts_->formulas)(inputs);
}

Numbers3 SceneNumbers::position(std::size_t place) const {
  const double* at = parts_->values.data() + parts_->positions[place];
  return {at[0], at[1], at[2]};
}

Numbers9 SceneNumbers::rotation(std::size_t place) const {
  if (!parts_->scene.places[place].rotation) return {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Numbers9 turn;
  std::copy_n(parts_->values.data() + parts_->rotations[place], 9, turn.begin());
  return turn;
}

std::vector<double> SceneNumbers::size(const SceneShape& shape) const {
  const auto index = static_cast<std::size_t>(&shape - parts_->scene.shapes.data());
  const double* first = parts_->values.data() + parts_->sizes[index];
  return {first, first + shape.size.size()};
}

Numbers3 SceneNumbers::force(const SceneArrow& arrow) const {
  const auto index = static_cast<std::size_t>(&arrow - parts_->scene.arrows.data());
  Numbers3 sum{};
  for (std::size_t i = 0; i < arrow.parts.size(); ++i) {
    const std::optional<std::size_t> column = parts_->multipliers[index][i];
    const double multiplier =
        column ? parts_->motion.rows[parts_->row][*column] : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < 3; ++k) {
      const double factor = parts_->values[parts_->factors[index][i] + k];
      if (factor != 0) sum[k] += multiplier * factor;
    }
  }
  return sum;
}

}  // namespace dalembert
