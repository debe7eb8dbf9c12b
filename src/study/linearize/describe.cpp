#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "study/linearize/linearizer.hpp"

namespace dalembert {
namespace {

NumberMatrix part_of(const NumberMatrix& m, std::span<const std::size_t> rows, std::span<const std::size_t> columns) {
  NumberMatrix part(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) part(i, j) = m(rows[i], columns[j]);
  return part;
}

double largest(const NumberMatrix& m) {
  double found = 0;
  for (const double value : m.values) found = std::max(found, std::abs(value));
  return found;
}

bool contains(std::span<const std::size_t> list, std::size_t value) {
  return std::ranges::find(list, value) != list.end();
}

}  // namespace

void Linearizer::add_second_order(const Look& look, Linearization& result) const {
  const Reduced& reduced = look.reduced;
  std::vector<std::size_t> own, others;
  for (const std::size_t k : state_.velocities) own.push_back(choice_.free_u[k]);
  for (const std::size_t k : state_.coordinates)
    if (!contains(own, choice_.free_q[k])) return;  // a coordinate whose rate is not among the velocities
  for (std::size_t k = 0; k < choice_.free_u.size(); ++k)
    if (!contains(state_.velocities, k)) others.push_back(k);
  if (largest(part_of(reduced.mass, state_.velocities, others)) > tolerance::clear_sign * largest(reduced.mass)) return;
  SecondOrder form;
  const std::size_t n = own.size();
  form.mass = part_of(reduced.mass, state_.velocities, state_.velocities);
  form.damping = part_of(reduced.damping, state_.velocities, state_.velocities);
  form.stiffness = NumberMatrix(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    form.coordinates.push_back(name(own[j]));
    for (const std::size_t k : state_.coordinates)
      if (choice_.free_q[k] == own[j])
        for (std::size_t i = 0; i < n; ++i) form.stiffness(i, j) = reduced.stiffness(state_.velocities[i], extra() + k);
  }
  result.second_order = std::move(form);
}

std::vector<std::string> Linearizer::notes() const {
  std::vector<std::string> list;
  for (const ConstraintRow& row : equations_.rows)
    if (row.kind == ConstraintKind::one_sided) list.push_back(fmt::format("the contact {} is taken to hold", row.name));
  return list;
}

Linearization Linearizer::describe(const Look& look) const {
  Linearization result;
  const Reduced& reduced = look.reduced;
  result.about = {look.at.t, look.at.q, look.at.u};
  for (const Coordinate& coordinate : equations_.model->coordinates) result.coordinates.push_back(coordinate.name);
  result.state = state_names();
  result.coordinate_count = coordinate_count();
  for (std::size_t k = 0; k < choice_.dependent.size(); ++k) {
    if (k < choice_.geometric) result.dependent.push_back(name(choice_.dependent[k]));
    result.dependent.push_back(rate_name(choice_.dependent[k]));
  }
  for (std::size_t k = 0; k < choice_.free_q.size(); ++k)
    if (!contains(state_.coordinates, k)) result.carried.push_back(name(choice_.free_q[k]));
  for (std::size_t k = 0; k < choice_.free_u.size(); ++k)
    if (!contains(state_.velocities, k)) result.left_out.push_back(rate_name(choice_.free_u[k]));
  for (const std::size_t input : inputs_) result.inputs.push_back(equations_.model->parameters[input].name);
  for (const Output& output : equations_.model->outputs) result.outputs.push_back(output.name);

  result.A = system_matrix(reduced);
  const std::size_t q = coordinate_count(), n = result.A.rows, m = inputs_.size();
  result.B = NumberMatrix(n, m);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      result.B(i, j) =
          i < q ? reduced.kinematic_e(state_.coordinates[i], j) : reduced.rate_e(state_.velocities[i - q], j);
  result.C = NumberMatrix(result.outputs.size(), n);
  result.D = NumberMatrix(result.outputs.size(), m);
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    for (std::size_t j = 0; j < n; ++j)
      result.C(i, j) =
          j < q ? reduced.output_e(i, extra() + state_.coordinates[j]) : reduced.output_w(i, state_.velocities[j - q]);
    for (std::size_t j = 0; j < m; ++j) result.D(i, j) = reduced.output_e(i, j);
    for (std::size_t k = 0; k < choice_.free_q.size(); ++k)
      if (!contains(state_.coordinates, k) &&
          std::abs(reduced.output_e(i, extra() + k)) > tolerance::clear_sign * largest(reduced.output_e))
        result.notes.push_back(fmt::format("the output {} also changes with {}, which the state leaves out",
                                           result.outputs[i], name(choice_.free_q[k])));
  }
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t r = 0; r < terms_->row_count(); ++r)
      if (look.slopes.velocity_e(r, j) != 0 || look.slopes.position_x(r, j) != 0)
        result.notes.push_back(
            fmt::format("the input {} moves the constraint {}: B has its value, not what its rates do",
                        result.inputs[j], terms_->row_name(r)));
  add_second_order(look, result);
  for (std::string& note : notes()) result.notes.push_back(std::move(note));
  return result;
}

Linearization linearize(const Model& model, const LinearizeOptions& options) {
  Linearizer linearizer(model, options);
  const Linearizer::Look look = linearizer.look_at_start({}, {});
  Linearization result = linearizer.describe(look);
  if (options.frozen)
    result.verdict = "no verdict: the matrices of a moment";
  else
    judge(linearizer, look, result);
  return result;
}

}  // namespace dalembert
