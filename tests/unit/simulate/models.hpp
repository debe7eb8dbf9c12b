#pragma once
// Small models written in formulas, for tests that do not want a file.

#include <dalembert/mechanics/equations.hpp>
#include <dalembert/simulate/system.hpp>

namespace dalembert::testing {

struct Unknown {
  std::string name;
  double value, rate;
};
struct Named {
  std::string name, formula;
};

/// f >= 0, or f <= 0.
struct OneSided {
  std::string name, f;
  double restitution = 0;
  bool upper = false;
};

struct Written {
  std::vector<Named> parameters;
  std::vector<Unknown> coordinates;
  std::string kinetic, potential, lagrangian;
  std::vector<Named> forces, constraints, frame, outputs;
  std::vector<std::pair<Named, std::pair<Direction, bool>>> crossings;  // name, when; direction, stop
  std::vector<OneSided> contacts{};
};

inline Coordinate make_coordinate(Graph& g, const Unknown& u) {
  return {u.name,
          g.symbol(u.name),
          g.symbol(u.name + "'"),
          g.symbol(u.name + "''"),
          g.constant_from_double(u.value),
          g.constant_from_double(u.rate),
          {}};
}

inline bool has_rate(const Model& model, Expr f) {
  for (const Coordinate& c : model.coordinates) {
    if (depends_on(f, c.rate)) return true;
  }
  return false;
}

/// "lhs = rhs" or "lhs".
inline Expr parse_relation(Graph& g, const std::string& text) {
  const auto at = text.find('=');
  if (at == std::string::npos) return parse_expression(g, text);
  return parse_expression(g, text.substr(0, at)) - parse_expression(g, text.substr(at + 1));
}

inline Model make_model(const Written& written) {
  Model model;
  model.graph = std::make_shared<Graph>();
  Graph& g = *model.graph;
  model.time = g.symbol("t");
  model.gravity = {g.constant(0), g.constant(0), g.constant(0)};
  for (const Named& p : written.parameters) {
    model.parameters.push_back({p.name, g.symbol(p.name), parse_expression(g, p.formula), {}});
  }
  for (const Unknown& u : written.coordinates) {
    model.coordinates.push_back(make_coordinate(g, u));
    model.forces.push_back(g.constant(0));
    for (const Named& f : written.forces) {
      if (f.name == u.name) model.forces.back() = parse_expression(g, f.formula);
    }
  }
  if (!written.kinetic.empty()) model.kinetic = parse_expression(g, written.kinetic);
  if (!written.potential.empty()) model.potential = parse_expression(g, written.potential);
  if (!written.lagrangian.empty()) model.lagrangian = parse_expression(g, written.lagrangian);
  for (const Named& c : written.constraints) {
    Constraint constraint;
    constraint.name = c.name;
    constraint.f = constraint.written = parse_relation(g, c.formula);
    constraint.kind = has_rate(model, constraint.f) ? ConstraintKind::differential : ConstraintKind::geometric;
    constraint.is_unit = c.name.starts_with("unit(");
    model.constraints.push_back(constraint);
  }
  for (const OneSided& c : written.contacts) {
    Constraint constraint;
    constraint.name = c.name;
    constraint.f = constraint.written = parse_expression(g, c.f);
    constraint.kind = ConstraintKind::one_sided;
    constraint.relation = c.upper ? Relation::less_equal : Relation::greater_equal;
    constraint.restitution = g.constant_from_double(c.restitution);
    model.constraints.push_back(constraint);
  }
  for (const Named& v : written.frame) {
    model.quasi_velocities.push_back({v.name, g.symbol(v.name), parse_expression(g, v.formula), {}});
  }
  for (const Named& o : written.outputs) model.outputs.push_back({o.name, parse_expression(g, o.formula), {}});
  for (const auto& [named, how] : written.crossings) {
    model.events.push_back({named.name, parse_expression(g, named.formula), how.first, how.second, {}});
  }
  return model;
}

inline double value_of(const Trajectory& trajectory, std::size_t row, const std::string& column) {
  for (std::size_t k = 0; k < trajectory.columns.size(); ++k) {
    if (trajectory.columns[k] == column) return trajectory.rows.column(k)[row];
  }
  throw std::out_of_range(column);
}
inline double last_of(const Trajectory& trajectory, const std::string& column) {
  return value_of(trajectory, trajectory.rows.size() - 1, column);
}

inline Trajectory run(const Written& written, double until, double tolerance, double every = 0.1,
                      const std::string& by = "multipliers") {
  const Model model = make_model(written);
  SimulateOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.every = every;
  return System(derive_equations(model, by)).simulate(options);
}

}  // namespace dalembert::testing
