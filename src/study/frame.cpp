#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/study/frame.hpp>

#include "study/writer.hpp"

namespace dalembert {
namespace {

/// Of what was simplified before.
std::string shown(Expr formula) { return write_if_short(formula, 2e6); }

bool is_as_written(const Model& model, const QuasiFrame& frame) {
  for (std::size_t r = 0; r < model.quasi_velocities.size(); ++r)
    if (frame.velocities[r].name != model.quasi_velocities[r].name) return false;
  return true;
}

FrameReport::Velocity describe_velocity(const Model& model, const QuasiFrame& frame, std::size_t r) {
  std::vector<Expr> terms{frame.pi[r].back()};
  for (std::size_t l = 0; l < model.coordinates.size(); ++l)
    terms.push_back(frame.pi[r][l] * model.coordinates[l].rate);
  const QuasiFrame::Velocity& velocity = frame.velocities[r];
  return {velocity.name, shown(model.graph->sum(terms)), velocity.row ? model.constraints[*velocity.row].name : ""};
}

void describe_group(const Model& model, const std::vector<TransitionCoefficient>& beta, FrameReport& report) {
  report.is_constant = are_constant(model, beta);
  if (report.is_constant != std::optional(true)) return;
  report.group = classify_group(make_structure_constants(model, beta, report.velocities.size()));
  if (!report.group) report.remarks.push_back("group: the zero test could not decide whether a number vanishes");
}

}  // namespace

QuasiFrame make_shown_frame(const Model& model) {
  try {
    QuasiFrame frame = make_frame(model);
    if (is_as_written(model, frame)) return frame;
  } catch (const ModelError&) {
    // Dependent constraints find no place in a frame; without them it may still be one.
  }
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

FrameReport describe_frame(const Model& model) {
  constexpr std::size_t most = 60;  // coordinates; the table of coefficients grows with their third power
  if (model.coordinates.size() > most)
    throw ModelError({model.file,
                      {},
                      "frame",
                      "the model has " + std::to_string(model.coordinates.size()) +
                          " coordinates, too many for a frame " + "that people read",
                      "take a smaller model of its kind"});
  FrameReport report;
  report.name = model.name;
  QuasiFrame frame = make_shown_frame(model);
  for (std::size_t r : tangent_velocities(model, frame))
    report.velocities.push_back(describe_velocity(model, frame, r));
  const std::vector<TransitionCoefficient> all = derive_transition_coefficients(model, frame);
  const std::vector<TransitionCoefficient> beta = tangent_coefficients(model, frame, all);
  auto name = [&](std::size_t r) {
    return r < report.velocities.size() ? report.velocities[r].name : std::string("t");
  };
  for (const TransitionCoefficient& b : beta)
    report.beta.push_back({name(b.mu), name(b.nu), name(b.rho), shown(b.value)});
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
  for (std::size_t r : tangent_velocities(model, frame)) {
    const Momentum& momentum = dynamics.momenta[r];
    report.momenta.push_back(
        {frame.velocities[r].name, shown(momentum.formula), momentum.is_admitted, momentum.is_conserved});
  }
  return report;
}

}  // namespace dalembert
