#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/study/frame.hpp>
#include <limits>

#include "study/action/carry.hpp"
#include "study/metric_reactions.hpp"

// Hamel 1904, section 4: fields X' = E X that commute with all X exist exactly when beta is constant, and then
// X_r(E_st) = -E_sk beta_rkt. Along a path with velocities omega this is E' = -E B with B_kt = omega_r beta_rkt, time
// with omega = 1 included.

namespace dalembert {
namespace {

std::string entry_name(std::size_t s, std::size_t t) {
  return "E(" + std::to_string(s) + "," + std::to_string(t) + ")";
}

std::vector<Carried> make_carried(const Model& model, const QuasiFrame& frame,
                                  const std::vector<TransitionCoefficient>& beta) {
  Graph& graph = *model.graph;
  const std::vector<std::size_t> list = tangent_velocities(model, frame);
  const std::size_t count = list.size();
  std::vector<Expr> omega;
  for (std::size_t r : list) {
    std::vector<Expr> terms{frame.pi[r].back()};
    for (std::size_t l = 0; l < model.coordinates.size(); ++l)
      terms.push_back(frame.pi[r][l] * model.coordinates[l].rate);
    omega.push_back(graph.sum(terms));
  }
  omega.push_back(graph.constant(1));
  std::vector<std::vector<Expr>> b(count, std::vector<Expr>(count, graph.constant(0)));
  for (const TransitionCoefficient& c : beta) {
    if (c.nu < count) b[c.nu][c.rho] += omega[c.mu] * c.value;
    b[c.mu][c.rho] -= omega[c.nu] * c.value;
  }
  std::vector<Carried> carried;
  for (std::size_t s = 0; s < count; ++s)
    for (std::size_t t = 0; t < count; ++t) {
      std::vector<Expr> terms;
      for (std::size_t k = 0; k < count; ++k) terms.push_back(-graph.symbol(entry_name(s, k)) * b[k][t]);
      carried.push_back({entry_name(s, t), graph.sum(terms), s == t ? 1.0 : 0.0});
    }
  return carried;
}

/// Equations of a path that is straight in the coordinates: no forces, unit masses, no constraints.
Equations derive_straight(std::shared_ptr<const Model> own) {
  Equations equations = derive_multipliers(own);
  const Model& model = *own;
  const Expr zero = model.graph->constant(0);
  for (std::uint32_t i = 0; i < equations.mass.size(); ++i) {
    equations.mass[i] = {{i, model.graph->constant(1)}};
    equations.bias[i] = zero;
  }
  equations.rows.clear();
  equations.contacts.clear();
  equations.lagrangian = equations.energy = equations.jacobi = equations.jacobi_power = zero;
  return equations;
}

double compare_with_straight(const Model& model, const std::vector<Carried>& carried, const SimulateOptions& options,
                             const State& start, const std::vector<double>& end_q, const std::vector<double>& end_e) {
  auto free = std::make_shared<Model>(model);
  free->constraints.clear();
  SimulateOptions plan = options;
  plan.start = start;
  plan.every = options.until;
  for (std::size_t i = 0; i < end_q.size(); ++i)
    plan.start->u[i] = (end_q[i] - start.q[i]) / (*options.until - start.t);
  const Trajectory path = System(carry(derive_straight(free), carried)).simulate(plan);
  if (path.status != Status::finished) return std::numeric_limits<double>::quiet_NaN();
  double defect = 0;
  for (std::size_t k = 0; k < end_e.size(); ++k)
    defect = std::max(defect, std::fabs(path.last.q[end_q.size() + k] - end_e[k]));
  return defect;
}

}  // namespace

ReciprocalFrame integrate_reciprocal_frame(const Model& given, const SimulateOptions& options) {
  if (given.coordinates.size() > most_dense)
    throw InputError(
        {given.file,
         {},
         "--reciprocal",
         fmt::format("the reciprocal frame of {} velocities has the square of that many entries, which are "
                     "not integrated beyond {}",
                     given.coordinates.size(), most_dense),
         "leave --reciprocal out, or use a smaller model"});
  auto own = std::make_shared<Model>(fork(given));
  own->events.clear();
  own->outputs.clear();
  const Model& model = *own;
  const QuasiFrame frame = make_shown_frame(model);
  const auto beta = tangent_coefficients(model, frame, derive_transition_coefficients(model, frame));
  if (are_constant(model, beta) != std::optional(true))
    throw ModelError({model.file, model.quasi_velocities.empty() ? Place{} : model.quasi_velocities[0].place, "frame",
                      "there is no reciprocal frame: the transition coefficients are not constant",
                      "choose velocities that belong to a group"});
  const std::vector<Carried> carried = make_carried(model, frame, beta);
  const Equations equations = carry(derive_multipliers(own), carried);
  const System system(equations);
  const Trajectory motion = system.simulate(options);
  ReciprocalFrame result;
  for (std::size_t r : tangent_velocities(model, frame)) result.velocities.push_back(frame.velocities[r].name);
  const std::size_t first = 1 + model.coordinates.size();
  for (const Table::Row row : motion.rows) {
    result.t.push_back(row[0]);
    result.e.emplace_back();
    for (std::size_t k = 0; k < carried.size(); ++k) result.e.back().push_back(row[first + k]);
  }
  const State start = system.initial_state();
  std::vector<double> end = motion.last.q;
  end.resize(model.coordinates.size());
  SimulateOptions plan = options;
  plan.until = motion.last.t;
  if (plan.until > 0 && !result.e.empty())
    result.defect = compare_with_straight(model, carried, plan, start, end, result.e.back());
  return result;
}

}  // namespace dalembert
