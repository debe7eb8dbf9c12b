#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/study/frame.hpp>

#include "mechanics/listing/unit_norm.hpp"
#include "study/large_frame.hpp"
#include "study/metric_reactions.hpp"
#include "study/writer.hpp"

namespace dalembert {
namespace {

/// omega_r = pi_rl q'_l + pi_r0.
Expr formula_of(const Model& model, const QuasiFrame& frame, std::size_t r) {
  std::vector<Expr> terms{frame.pi[r].back()};
  for (std::size_t l = 0; l < model.coordinates.size(); ++l)
    terms.push_back(frame.pi[r][l] * model.coordinates[l].rate);
  return model.graph->sum(terms);
}

/// Of what was simplified before.
std::string shown(Expr formula) { return write_if_short(formula, 2e6); }
std::string shown(const Model& model, Expr formula) { return shown(OnUnitQuaternions(model).simplify(formula)); }

class Shortener {
 public:
  explicit Shortener(const Model& model) : model_(model) {}
  std::string operator()(Expr formula) {
    if (!tries_.is_worth(formula)) return {};
    std::string text = shown(model_, formula);
    if (text.empty()) tries_.fail(formula);
    return text;
  }

 private:
  const Model& model_;
  Tries tries_;
};

/// t = 0, parameters, coordinates, rates and quasi-velocities.
std::vector<Binding> bind_start(const Model& model, const QuasiFrame& frame) {
  const std::vector<double> parameters = parameter_values(model);
  std::vector<Binding> start = bind_symbols(model, initial_state(model, parameters), parameters);
  std::vector<Binding> velocities;
  for (std::size_t r = 0; r < frame.size(); ++r)
    velocities.push_back({frame.velocities[r].symbol, evaluate(formula_of(model, frame, r), start)});
  start.insert(start.end(), velocities.begin(), velocities.end());
  return start;
}

bool is_as_written(const Model& model, const QuasiFrame& frame) {
  for (std::size_t r = 0; r < model.quasi_velocities.size(); ++r)
    if (frame.velocities[r].name != model.quasi_velocities[r].name) return false;
  return true;
}

FrameReport::Velocity describe_velocity(const Model& model, const QuasiFrame& frame, std::size_t r) {
  const QuasiFrame::Velocity& velocity = frame.velocities[r];
  return {velocity.name, shown(model, formula_of(model, frame, r)),
          velocity.row ? model.constraints[*velocity.row].name : ""};
}

void describe_group(const Model& model, const std::vector<TransitionCoefficient>& beta, FrameReport& report) {
  report.is_constant = are_constant(model, beta);
  if (report.is_constant != std::optional(true)) return;
  report.group = classify_group(make_structure_constants(model, beta, report.velocities.size()));
  if (!report.group) report.remarks.push_back("group: the zero test could not decide whether a number vanishes");
}

}  // namespace

QuasiFrame make_shown_frame(const Model& model) {
  QuasiFrame with_constraints = make_frame(model);
  if (is_as_written(model, with_constraints)) return with_constraints;
  Model unconstrained = model;
  std::erase_if(unconstrained.constraints, [](const Constraint& constraint) { return !constraint.is_unit; });
  QuasiFrame frame = make_frame(unconstrained);
  for (QuasiFrame::Velocity& velocity : frame.velocities) {
    if (!velocity.row) continue;
    const std::string& name = unconstrained.constraints[*velocity.row].name;
    for (std::size_t a = 0; a < model.constraints.size(); ++a)
      if (model.constraints[a].name == name) velocity.row = a;
  }
  return frame;
}

FrameReport describe_frame(const Model& of) {
  const Model model = fork(of);
  if (model.coordinates.size() > most_dense) return describe_large_frame(model);
  FrameReport report;
  report.name = model.name;
  report.names = symbol_names(model);
  report.graph = model.graph;
  QuasiFrame frame = make_shown_frame(model);
  for (std::size_t r : tangent_velocities(model, frame))
    report.velocities.push_back(describe_velocity(model, frame, r));
  const std::vector<TransitionCoefficient> all = derive_transition_coefficients(model, frame);
  const std::vector<TransitionCoefficient> beta = tangent_coefficients(model, frame, all);
  auto name = [&](std::size_t r) {
    return r < report.velocities.size() ? report.velocities[r].name : std::string("t");
  };
  const std::vector<Binding> start = bind_start(model, frame);
  std::vector<Expr> formulas;
  for (const TransitionCoefficient& b : beta) formulas.push_back(b.value);
  const std::vector<double> values = evaluate(formulas, start);  // at once: they share most of what they are made of
  for (std::size_t i = 0; i < beta.size(); ++i)
    report.beta.push_back({name(beta[i].mu), name(beta[i].nu), name(beta[i].rho), shown(beta[i].value), values[i]});
  for (std::size_t constraint : frame.dependent)
    report.remarks.push_back(
        model.constraints[constraint].name +
        " follows from the constraints before it at the initial state, and is none of the velocities");
  describe_group(model, beta, report);
  report.integrability = decide_integrability(model);
  if (std::ranges::none_of(model.constraints,
                           [](const Constraint& c) { return c.kind == ConstraintKind::differential; }))
    report.integrability.integrals.reset();  // they are their own integrals, and their rank is a question for check
  if (!report.integrability.remark.empty()) report.remarks.push_back("integrability: " + report.integrability.remark);
  std::erase_if(report.integrability.constraints, [&](const Integrability::Entry& entry) {
    return entry.name.starts_with("unit(");  // belongs to the description, not to the system
  });
  for (const ConstraintIntegral& integral : find_constraint_integrals(model, report.integrability))
    report.integrals.push_back({integral.constraint, shown(integral.formula), write_as_geometric(integral)});
  FrameDynamics dynamics = derive_frame_dynamics(model, frame, all);
  report.euler = dynamics.euler;
  Shortener shorten(model);
  for (std::size_t r : tangent_velocities(model, frame)) {
    const Momentum& momentum = dynamics.momenta[r];
    report.momenta.push_back({frame.velocities[r].name, shorten(momentum.formula), momentum.is_admitted,
                              momentum.is_conserved, evaluate(momentum.formula, start)});
  }
  return report;
}

}  // namespace dalembert
