#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/pfaff.hpp>
#include <dalembert/simulate/system.hpp>
#include <dalembert/study/check.hpp>

namespace dalembert {
namespace {

bool depends_on_time(const Model& model, const ConstraintRow& row) {
  std::vector<Expr> parts{row.offset};
  if (row.position) parts.push_back(row.position);
  for (const Entry& entry : row.jacobian) parts.push_back(entry.value);
  for (const Expr& symbol : free_symbols(parts))
    if (symbol == model.time) return true;
  return false;
}

CheckedConstraint checked(const Model& model, const ConstraintRow& row) {
  CheckedConstraint constraint;
  constraint.name = row.name;
  constraint.kind = row.kind;
  constraint.is_unit = row.is_unit;
  constraint.is_rheonomic = depends_on_time(model, row);
  return constraint;
}

/// Large systems are looked at only as far as the graph shows: proofs for thousands of formulas take minutes.
Effort effort_for(const Equations& equations) {
  return equations.velocities.size() <= 40 ? Effort::prove : Effort::glance;
}

/// Simplified, or as it is, where that is short enough to read; else empty.
std::string readable(Expr formula) {
  constexpr double hopeless = 5000, work = 2e7;  // nodes written out; of simplifying
  constexpr std::size_t longest = 480;           // characters: three lines
  if (count_written(formula) > hopeless) return {};
  CanonicalLimits limits;
  limits.work = work;
  std::string text = to_text(make_display(formula, {}, limits));
  return text.size() <= longest ? text : std::string();
}

std::vector<std::string> sections_kept(const Model& model) {
  std::vector<std::string> remarks;
  if (model.reduction)
    remarks.push_back("[reduction] to " + std::to_string(model.reduction->coordinates.size()) +
                      " coordinates: --by reduced uses it");
  return remarks;
}

}  // namespace

CheckReport check_model(const Equations& of) {
  const Equations equations = fork(of);
  const Model& model = *equations.model;
  CheckReport report;
  report.name = model.name;
  report.about = model.about;
  for (const Coordinate& coordinate : model.coordinates) report.coordinates.push_back(coordinate.name);
  const System system(equations);
  Workspace workspace = system.make_workspace();
  State state = system.initial_state(workspace);
  Residuals residuals = system.evaluate_residuals(workspace, state);
  State assembled = state;
  // The rank is that of the manifold: a start that is off by a mistake is reported, not analysed.
  try {
    assembled = system.make_consistent_start(workspace, state, true).state;
  } catch (const InputError& error) {
    report.remarks.push_back(error.complaint().problem);
  }
  report.rank = system.analyse_constraints(workspace, assembled);
  report.degrees_of_freedom = model.coordinates.size() - report.rank.rank;
  report.is_natural = is_natural(equations, effort_for(equations));

  Integrability integrability = decide_integrability(model);
  std::vector<ConstraintIntegral> found = find_constraint_integrals(model, integrability);
  for (std::size_t a = 0; a < equations.rows.size(); ++a) {
    CheckedConstraint constraint = checked(model, equations.rows[a]);
    constraint.residual = std::max(std::fabs(residuals.position[a]), std::fabs(residuals.velocity[a]));
    constraint.is_unique = report.rank.unique[a];
    constraint.is_integrable = integrability.constraints[a].in_system;
    for (const ConstraintIntegral& integral : found) {
      if (integral.constraint != constraint.name) continue;
      constraint.integral = readable(integral.formula);
      report.remarks.push_back(
          constraint.name + " keeps " + constraint.integral +
          " constant; it may be written as a geometric constraint: " + write_as_geometric(integral));
    }
    report.constraints.push_back(std::move(constraint));
  }
  std::vector<Binding> bindings = bind_symbols(equations, assembled, workspace.parameters());
  std::vector<bool> unique(equations.rows.size() + equations.contacts.size(), true);
  try {
    if (!equations.contacts.empty()) unique = system.evaluate_contacts(workspace, assembled).unique;
  } catch (const InputError& error) {
    report.remarks.push_back(error.complaint().problem);
  }
  for (const ConstraintRow& contact : equations.contacts) {
    CheckedConstraint constraint = checked(model, contact);
    constraint.is_unique = unique[report.constraints.size()];
    double value = evaluate(contact.position, bindings);
    bool violated = contact.relation == Relation::less_equal ? value > 0 : value < 0;
    constraint.residual = violated ? std::fabs(value) : 0;
    report.constraints.push_back(std::move(constraint));
  }
  for (const FirstIntegral& integral : find_integrals(equations, effort_for(equations))) {
    report.integrals.push_back({integral.name, readable(integral.formula), evaluate(integral.formula, bindings)});
  }
  if (!integrability.remark.empty()) report.remarks.push_back("integrability: " + integrability.remark);
  if (!report.rank.warning.empty()) report.remarks.push_back(report.rank.warning);
  for (std::string& remark : sections_kept(model)) report.remarks.push_back(std::move(remark));
  return report;
}

}  // namespace dalembert
