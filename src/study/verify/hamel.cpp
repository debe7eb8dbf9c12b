#include <dalembert/mechanics/hamel.hpp>

#include "base/tolerances.hpp"
#include "mechanics/structure/structure.hpp"
#include "study/verify/verify.hpp"

// Hamel 1904 against the multipliers' equations: the transition equation (I) for random fields, the Lagrange-Euler
// equations (III) and the surplus reactions at a state, the central equation (II) along a motion for arbitrary
// variations. Time is one more coordinate and velocity, the last.

namespace dalembert {
namespace {

using TrackedValues = std::vector<Tracked>;

class HamelPrinciple : public Principle {
 public:
  HamelPrinciple(const Model& model, const Derivations& derivations)
      : model_(model),
        multipliers_(derivations.multipliers),
        hamel_(*derivations.hamel),
        parameters_(tracked_parameters(model)),
        random_(model.coordinates.size()) {
    std::vector<Expr> rates = symbols(&Coordinate::rate), coordinates = symbols(&Coordinate::q);
    momentum_ = gradient(multipliers_.lagrangian, rates);
    pull_ = gradient(multipliers_.lagrangian, coordinates);
    for (const auto& row : hamel_.frame.pi) frame_.insert(frame_.end(), row.begin(), row.end());
    for (const auto& row : hamel_.frame.xi) frame_.insert(frame_.end(), row.begin(), row.end());
    try {
      structured_ = solve_structured(hamel_.equations, {}, Order::recursive);
    } catch (const InputError&) {  // a velocity without inertia: M is singular as it stands
    }
  }

  void compare(const State& state, const Reference& reference, Ledger& ledger) override {
    Values<Tracked> at = with_choice(reference.at, state);
    compare_transition(at, ledger);
    compare_motion(state, at, reference, ledger);
  }

  void compare_along(const State& /*start*/, const Trajectory& motion, Ledger& ledger) override {
    constexpr std::size_t wanted = 8;
    const std::size_t n = model_.coordinates.size();
    const std::size_t stride = std::max<std::size_t>(1, motion.rows.size() / wanted);
    for (std::size_t k = 0; k < motion.rows.size(); k += stride) {
      const Table::Row row = motion.rows[k];  // t, q, q', ... of the multipliers' equations
      State state{row[0], {}, {}};
      for (std::size_t i = 0; i < n; ++i) {
        state.q.push_back(row[1 + i]);
        state.u.push_back(row[1 + n + i]);
      }
      if (auto reference = make_reference(multipliers_, parameters_, state))
        compare_central(state, *reference, with_choice(reference->at, state), ledger);
    }
  }

 private:
  std::vector<Expr> symbols(Expr Coordinate::*which) const {
    std::vector<Expr> result;
    for (const Coordinate& coordinate : model_.coordinates) result.push_back(coordinate.*which);
    return result;
  }

  /// The numbers of a chosen frame, chosen for this state.
  Values<Tracked> with_choice(Values<Tracked> at, const State& state) const {
    if (!hamel_.frame.completion) return at;
    const Completion& completion = *hamel_.frame.completion;
    const std::vector<double> parameters = parameter_values(model_);
    const auto choose = [&](const ModelState& where) {
      return choose_completion(completion, bind_symbols(model_, where, parameters));
    };
    std::vector<double> values = choose({state.t, state.q, state.u});
    if (values.size() != completion.symbols.size()) values = choose(initial_state(model_, parameters));
    for (std::size_t i = 0; i < values.size(); ++i) at[completion.symbols[i].id()] = values[i];
    return at;
  }

  std::vector<double> draw_vector(std::size_t size) {
    std::vector<double> result(size);
    for (double& value : result) value = draw(random_);
    return result;
  }

  // The frame at a state, with derivatives in two directions: pi[r][l] (l to n), xi[r][l] (r to n).
  struct Rows {
    std::vector<Jet> values;
    std::size_t n;
    const Jet& pi(std::size_t r, std::size_t l) const { return values[r * (n + 1) + l]; }
    const Jet& xi(std::size_t r, std::size_t l) const { return values[n * (n + 1) + r * n + l]; }
  };
  Rows evaluate_frame(const Values<Jet>& jets) const { return {evaluate_jets(frame_, jets), hamel_.frame.size()}; }

  /// The direction of q that belongs to velocities; time's own part is the last of them.
  TrackedValues direction(const Rows& rows, std::span<const double> velocities) const {
    TrackedValues result(rows.n);
    for (std::size_t l = 0; l < rows.n; ++l)
      for (std::size_t r = 0; r <= rows.n; ++r) result[l] = result[l] + rows.xi(r, l).v * Tracked(velocities[r]);
    return result;
  }

  Values<Jet> make_jets(const Values<Tracked>& at) const {
    Values<Jet> jets;
    for (const auto& [symbol, value] : at) jets[symbol] = Jet(value);
    return jets;
  }
  void set_directions(Values<Jet>& jets, const Values<Tracked>& at, const TrackedValues& a, Tracked time_a,
                      const TrackedValues& b, Tracked time_b) const {
    jets[model_.time.id()] = Jet(at.at(model_.time.id()), time_a, time_b, 0);
    for (std::size_t l = 0; l < a.size(); ++l) {
      NodeId q = model_.coordinates[l].q.id();
      jets[q] = Jet(at.at(q), a[l], b[l], 0);
    }
  }

  /// (I) for fields with constant components a and b in the frame: beta_mnr a_m b_n = d_b (pi_r a) - d_a (pi_r b).
  void compare_transition(const Values<Tracked>& at, Ledger& ledger) {
    const std::size_t n = hamel_.frame.size();
    std::vector<double> a = draw_vector(n + 1), b = draw_vector(n + 1);
    Values<Jet> jets = make_jets(at);
    Rows rows = evaluate_frame(jets);
    TrackedValues along_a = direction(rows, a), along_b = direction(rows, b);
    set_directions(jets, at, along_a, a[n], along_b, b[n]);
    rows = evaluate_frame(jets);
    TrackedValues beta = evaluate_beta(at), sum(n);
    for (std::size_t k = 0; k < beta.size(); ++k) {
      const TransitionCoefficient& entry = hamel_.beta[k];
      sum[entry.rho] = sum[entry.rho] + beta[k] * Tracked(a[entry.mu] * b[entry.nu] - a[entry.nu] * b[entry.mu]);
    }
    for (std::size_t r = 0; r < n; ++r) {
      Tracked turn;
      for (std::size_t l = 0; l <= n; ++l)
        turn = turn + rows.pi(r, l).b * (l < n ? along_a[l] : Tracked(a[n])) -
               rows.pi(r, l).a * (l < n ? along_b[l] : Tracked(b[n]));
      ledger("transition coefficients", "Hamel 1904, (I)", "derivatives of the frame")
          .add(turn, sum[r], hamel_.frame.velocities[r].name);
    }
  }

  TrackedValues evaluate_beta(const Values<Tracked>& at) const {
    std::vector<Expr> values;
    for (const TransitionCoefficient& entry : hamel_.beta) values.push_back(entry.value);
    return evaluate_tracked(values, at);
  }

  /// Accelerations and reactions of (III) against those of the multipliers' equations.
  void compare_motion(const State& state, Values<Tracked> at, const Reference& reference, Ledger& ledger) const {
    const Equations& equations = hamel_.equations;
    // Where the constraints lose rank the frame is not one.
    if (reference.solution.rank + equations.velocities.size() != model_.coordinates.size()) return;
    TrackedValues u = evaluate_tracked(equations.quasi->formulas, at);
    if (!set_velocities(state, u, at)) return;
    std::optional<NullSpaceSolution> solution = solve_by_null_space(evaluate_matrices(equations, at));
    if (!solution) return;
    compare_structure(at, *solution, ledger);
    for (std::size_t i = 0; i < u.size(); ++i)
      at[equations.accelerations[i].id()] = Tracked(solution->acceleration[i], solution->acceleration_bound[i]);
    TrackedValues accelerations = evaluate_tracked(equations.model_accelerations, at);
    for (std::size_t i = 0; i < accelerations.size(); ++i)
      ledger("accelerations", "multipliers", "hamel")
          .add(reference.solution.acceleration[i] - accelerations[i].value,
               reference.solution.acceleration_bound[i] + 4 * accelerations[i].error,
               multipliers_.velocities[i].name());
    compare_reactions(at, reference, ledger);
  }

  /// What motions are computed by, against M and the bias of (III).
  void compare_structure(const Values<Tracked>& at, const NullSpaceSolution& solution, Ledger& ledger) const {
    const TrackedValues found = evaluate_tracked(structured_, at);
    for (std::size_t i = 0; i < found.size(); ++i)
      ledger("accelerations", "hamel", "structure")
          .add(found[i].value - solution.acceleration[i], solution.acceleration_bound[i] + 4 * found[i].error,
               hamel_.equations.velocities[i].name());
  }

  /// The quasi-velocities of a state. What its rates are off the constraints by rounding, the frame does not see; near
  /// singular configurations, where a row all but vanishes, that may be much: then there is nothing to compare.
  bool set_velocities(const State& state, const TrackedValues& u, Values<Tracked>& at) const {
    const Equations& equations = hamel_.equations;
    Values<Tracked> own = at;
    for (std::size_t i = 0; i < u.size(); ++i) own[equations.velocities[i].id()] = u[i];
    TrackedValues rates = evaluate_tracked(equations.rates, own);
    double unseen = 0, largest = 0;
    for (std::size_t l = 0; l < rates.size(); ++l) {
      unseen = std::max(unseen, std::abs(rates[l].value - state.u[l]));
      largest = std::max(largest, std::abs(state.u[l]));
    }
    if (!(unseen <= tolerance::consistent * largest)) return false;
    std::vector<Expr> pi;
    for (std::size_t r = 0; r < hamel_.frame.size(); ++r)
      if (!hamel_.frame.velocities[r].row)
        pi.insert(pi.end(), hamel_.frame.pi[r].begin(), hamel_.frame.pi[r].end() - 1);
    TrackedValues entries = evaluate_tracked(pi, at);
    for (std::size_t i = 0; i < u.size(); ++i) {
      Tracked value = u[i];
      for (std::size_t l = 0; l < rates.size(); ++l)
        value.error += std::abs(entries[i * rates.size() + l].value * (rates[l].value - state.u[l]));
      at[equations.velocities[i].id()] = value;
    }
    return true;
  }

  void compare_reactions(const Values<Tracked>& at, const Reference& reference, Ledger& ledger) const {
    const Equations& equations = hamel_.equations;
    const auto& rows = multipliers_.rows;
    if (equations.recovery) {  // not unique one by one: what they exert together is
      TrackedValues force = evaluate_tracked(equations.recovery->force, at);
      for (std::size_t i = 0; i < force.size(); ++i) {
        Tracked total;
        for (std::size_t r = 0; r < rows.size(); ++r)
          if (!rows[r].is_unit)
            total = total + reference.matrices.jacobian[r * reference.matrices.n + i] *
                                Tracked(reference.solution.multipliers[r], reference.solution.multiplier_bound[r]);
        ledger("reactions", "multipliers", "hamel").add(total, force[i], "on " + model_.coordinates[i].name);
      }
      return;
    }
    std::vector<Expr> values;
    for (const ReactionFormula& reaction : equations.quasi->reactions) values.push_back(reaction.value);
    TrackedValues seen = evaluate_tracked(values, at);
    for (std::size_t k = 0; k < seen.size(); ++k)
      for (std::size_t r = 0; r < rows.size(); ++r)
        if (rows[r].name == equations.quasi->reactions[k].name)
          ledger("reactions", "multipliers", "hamel")
              .add(reference.solution.multipliers[r] - seen[k].value,
                   reference.solution.multiplier_bound[r] + 4 * seen[k].error, rows[r].name);
  }

  /// (II): d/dt (J_l dtheta_l) = Q_l dtheta_l + dL + J_l (d dtheta_l/dt - domega_l) - J_r beta_mnr dtheta_m omega_n for
  /// any dtheta(t) and any domega, reactions counted among the forces. J, and L's variation, are formed in the model's
  /// own coordinates and rates.
  void compare_central(const State& state, const Reference& reference, const Values<Tracked>& at, Ledger& ledger) {
    const std::size_t n = hamel_.frame.size();
    std::vector<double> theta = draw_vector(n + 1), theta_rate = draw_vector(n), omega_change = draw_vector(n);
    theta[n] = 0;  // time is not varied
    Values<Jet> jets = make_jets(at);
    TrackedValues varied = direction(evaluate_frame(jets), theta), rates(n);
    for (std::size_t l = 0; l < n; ++l) rates[l] = state.u[l];
    set_directions(jets, at, rates, 1, varied, 0);
    for (std::size_t l = 0; l < n; ++l)
      jets[model_.coordinates[l].rate.id()] =
          Jet(state.u[l], Tracked(reference.solution.acceleration[l], reference.solution.acceleration_bound[l]), 0, 0);
    Rows rows = evaluate_frame(jets);
    std::vector<Jet> p = evaluate_jets(momentum_, jets);
    TrackedValues pull = evaluate_tracked(pull_, at), force = evaluate_tracked(multipliers_.force, at);
    for (std::size_t r = 0; r < multipliers_.rows.size(); ++r)
      for (std::size_t l = 0; l < n; ++l)
        force[l] = force[l] + reference.matrices.jacobian[r * n + l] *
                                  Tracked(reference.solution.multipliers[r], reference.solution.multiplier_bound[r]);

    Tracked left, right;
    for (std::size_t l = 0; l < n; ++l) {
      Tracked varied_rate;  // d/dt of the variation of q_l
      for (std::size_t r = 0; r < n; ++r)
        varied_rate = varied_rate + rows.xi(r, l).a * Tracked(theta[r]) + rows.xi(r, l).v * Tracked(theta_rate[r]);
      left = left + p[l].a * varied[l] + p[l].v * varied_rate;
      right = right + (pull[l] + force[l]) * varied[l];
    }
    TrackedValues omega(n + 1), momentum(n);
    omega[n] = 1;
    for (std::size_t r = 0; r < n; ++r) {
      Tracked turned;  // variation of omega_r at fixed rates
      omega[r] = rows.pi(r, n).v;
      turned = rows.pi(r, n).b;
      for (std::size_t l = 0; l < n; ++l) {
        omega[r] = omega[r] + rows.pi(r, l).v * rates[l];
        turned = turned + rows.pi(r, l).b * rates[l];
        momentum[r] = momentum[r] + rows.xi(r, l).v * p[l].v;
      }
      right = right + momentum[r] * (Tracked(omega_change[r]) - turned);  // p_l times the variation of q'_l
      right = right + momentum[r] * (Tracked(theta_rate[r]) - Tracked(omega_change[r]));
    }
    TrackedValues beta = evaluate_beta(at);
    for (std::size_t k = 0; k < beta.size(); ++k) {
      const TransitionCoefficient& b = hamel_.beta[k];
      right =
          right - momentum[b.rho] * beta[k] * (Tracked(theta[b.mu]) * omega[b.nu] - Tracked(theta[b.nu]) * omega[b.mu]);
    }
    ledger("central equation along the motion", "d/dt (J dtheta)", "Hamel 1904, (II)").add(left, right);
  }

  const Model& model_;
  const Equations& multipliers_;
  const HamelDerivation& hamel_;
  Values<Tracked> parameters_;
  Random random_;
  std::vector<Expr> momentum_, pull_, frame_, structured_;
};

}  // namespace

std::unique_ptr<Principle> make_hamel_principle(const Model& model, const Derivations& derivations) {
  return std::make_unique<HamelPrinciple>(model, derivations);
}

}  // namespace dalembert
