#include <algorithm>

#include "model/hidden_rates.hpp"

namespace dalembert {

bool hides_rate(const Constraint& constraint, const Coordinate& c, std::span<const Expr> rates) {
  if (constraint.kind != ConstraintKind::differential) return false;
  const Expr written = constraint.written;
  if (depends_on(written, c.rate)) return false;
  Expr zero = written.graph().constant(0);
  std::vector<Replacement> still, positions;
  for (const Expr& rate : rates) still.push_back({rate, zero});
  for (const Mention& mention : constraint.mentions)
    for (std::size_t k = 0; k < 3; ++k) {
      bool is_position = mention.kind == Mention::Kind::position;
      if (is_position) positions.push_back({mention.symbols[k], mention.value[k]});
      if (!is_position) still.push_back({mention.symbols[k], zero});
    }
  if (depends_on(substitute(written, still), c.q)) return true;
  std::vector<Expr> coefficients = substitute(gradient(written, rates), positions);
  return std::ranges::any_of(coefficients, [&](Expr coefficient) { return depends_on(coefficient, c.q); });
}

bool hides_rate(Expr energy, const Coordinate& c, std::span<const Expr> rates) {
  if (depends_on(energy, c.rate)) return false;
  Expr slope = derivative(energy, c.q);
  return std::ranges::any_of(rates, [&](Expr rate) { return depends_on(slope, rate); });
}

std::vector<std::string> find_releasable(const Model& of) {
  const Model model = fork(of);
  std::vector<Expr> geometry, rates;
  auto add = [&](const Vector3& vector) { geometry.insert(geometry.end(), vector.begin(), vector.end()); };
  for (const Point& point : model.points)
    if (point.mass || point.force) add(point.position);
  for (const Body& body : model.bodies) {
    add(body.centre);
    for (const Vector3& row : model.frames[body.frame].rotation) add(row);
  }
  for (const Constraint& constraint : model.constraints)
    if (!constraint.is_unit) geometry.push_back(constraint.f);
  for (const Coordinate& coordinate : model.coordinates) rates.push_back(coordinate.rate);
  std::vector<Expr> symbols = free_symbols(geometry), typed;
  for (const Expr& energy : {model.kinetic, model.lagrangian})
    if (energy) typed.push_back(energy);

  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) {
    Coordinate c{parameter.name, parameter.symbol, model.graph->symbol(parameter.name + "'"), {}, {}, {}, {}};
    auto hides = [&](const auto& formula) { return hides_rate(formula, c, rates); };
    if (std::ranges::find(symbols, c.q) != symbols.end() && std::ranges::none_of(model.constraints, hides) &&
        std::ranges::none_of(typed, hides))
      names.push_back(parameter.name);
  }
  names.insert(names.end(), model.drives.begin(), model.drives.end());
  return names;
}

}  // namespace dalembert
