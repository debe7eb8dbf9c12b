#include <algorithm>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/mechanics/listing.hpp>
#include <dalembert/mechanics/pfaff.hpp>
#include <dalembert/simulate/system.hpp>
#include <dalembert/study/check.hpp>

#include "mechanics/effort.hpp"
#include "model/inertia.hpp"
#include "study/index_families.hpp"
#include "study/writer.hpp"

namespace dalembert {
namespace {

constexpr double simplifying = 2e7;  // work for one formula

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

/// The rank is that of the manifold: what is off by a mistake is moved onto it where that can be done.
State assemble(const System& system, Workspace& workspace, const State& state) {
  try {
    return system.make_consistent_start(workspace, state, true).state;
  } catch (const InputError&) {
    return state;
  }
}

/// Rows that vanish at a state are identities, or have a critical point there: these are not zero as formulas.
std::vector<std::string> find_singular(const Equations& equations, const RankReport& rank) {
  std::vector<std::string> names;
  for (const RankReport::Redundant& redundant : rank.redundant) {
    const auto row = std::ranges::find(equations.rows, redundant.name, &ConstraintRow::name);
    if (!redundant.depends_on.empty() || row == equations.rows.end()) continue;
    if (std::ranges::any_of(row->jacobian,
                            [](const Entry& entry) { return test_zero(entry.value).verdict == Verdict::nonzero; }))
      names.push_back(redundant.name);
  }
  return names;
}

std::string text_of(Expr formula) {
  CanonicalLimits limits;
  limits.work = simplifying / 10;
  return to_text(make_display(formula, {}, limits));
}

std::string text_of(const NamedPart& part) {
  if (part.vector) return to_text(*part.vector);
  std::string text;
  for (const Expr& component : part.value) text += (text.empty() ? "" : ", ") + text_of(component);
  return part.value.size() == 1 ? text : "[" + text + "]";
}

/// Written by parts where it is too large to be read at once.
CheckedIntegral checked(const Model& model, const FirstIntegral& integral, double value) {
  CheckedIntegral result{integral.name, write_if_short(integral.formula, simplifying), value};
  if (!result.formula.empty() || integral.name != "energy") return result;
  constexpr std::size_t longest = 12'000;       // characters
  constexpr std::size_t most_arranged = 4'000;  // terms, which take a second
  const EnergyListing listing = list_energy(model);
  std::size_t size = 0;
  for (const NamedPart& part : listing.parts) {
    result.parts.push_back({part.name, text_of(part)});
    size += part.name.size() + result.parts.back()[1].size();
    if (size > longest) return {integral.name, "", value};
  }
  std::vector<std::string> terms;
  const bool as_it_stands = listing.terms.size() > most_arranged;
  for (const Expr& term : listing.terms) terms.push_back(as_it_stands ? to_text(term) : text_of(term));
  result.formula = Families(model).write_sum(terms);
  return result;
}

/// Their values all at once: one at a time each would look through all coordinates.
void add_integrals(const Equations& equations, std::span<const Binding> bindings, CheckReport& report) {
  const std::vector<FirstIntegral> integrals = find_integrals_in(equations, effort_for(equations));
  std::vector<Expr> formulas;
  for (const FirstIntegral& integral : integrals) formulas.push_back(integral.formula);
  const std::vector<double> values = evaluate(formulas, bindings);
  for (std::size_t i = 0; i < integrals.size(); ++i)
    report.integrals.push_back(checked(*equations.model, integrals[i], values[i]));
}

/// At the values at hand; others may be meant.
void add_inertias(const Model& model, std::span<const Binding> bindings, CheckReport& report) {
  for (const Body& body : model.bodies) {
    std::vector<Expr> entries;
    for (const Vector3& row : body.inertia) entries.insert(entries.end(), row.begin(), row.end());
    if (free_symbols(entries).empty()) continue;  // numbers have been looked at
    const std::string problem = find_wrong_inertia(evaluate(entries, bindings));
    if (!problem.empty()) report.remarks.push_back("bodies." + body.name + ".inertia: " + problem);
  }
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
  report.names = symbol_names(model);
  for (const Coordinate& coordinate : model.coordinates) report.coordinates.push_back(coordinate.name);
  const System system(equations);
  Workspace workspace = system.make_workspace();
  State state = system.initial_state(workspace);
  Residuals residuals = system.evaluate_residuals(workspace, state);
  State assembled = state;
  try {
    assembled = system.make_initial_start(workspace).state;
    if (model.reduction) static_cast<void>(System(derive_reduced(model)).make_initial_start());
  } catch (const InputError& error) {
    report.refused = error.complaint();
    assembled = assemble(system, workspace, state);
  }
  report.rank = system.analyse_constraints(workspace, assembled);
  report.degrees_of_freedom = model.coordinates.size() - report.rank.rank;
  report.singular = find_singular(equations, report.rank);
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
      constraint.integral = write_if_short(integral.formula, simplifying);
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
  add_integrals(equations, bindings, report);
  add_inertias(model, bindings, report);
  if (!integrability.remark.empty()) report.remarks.push_back("integrability: " + integrability.remark);
  if (!report.rank.warning.empty()) report.remarks.push_back(report.rank.warning);
  for (std::string& remark : sections_kept(model)) report.remarks.push_back(std::move(remark));
  return report;
}

}  // namespace dalembert
