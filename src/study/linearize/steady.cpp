#include "study/linearize/steady.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>

#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"
#include "study/linearize/linearizer.hpp"

namespace dalembert {
namespace {

/// What is solved for: coordinates and rates that are open, accelerations, multipliers.
class Unknowns {
 public:
  Unknowns(const SteadyQuestion& question, std::size_t rows) : n_(question.open_q.size()), rows_(rows) {
    for (std::size_t i = 0; i < n_; ++i)
      if (question.open_q[i]) q_.push_back(i);
    for (std::size_t i = 0; i < n_; ++i)
      if (question.open_u[i]) u_.push_back(i);
  }

  std::size_t size() const { return q_.size() + u_.size() + n_ + rows_; }
  std::size_t first_u() const { return q_.size(); }
  std::size_t first_a() const { return q_.size() + u_.size(); }
  std::size_t first_lambda() const { return first_a() + n_; }
  const std::vector<std::size_t>& q() const { return q_; }
  const std::vector<std::size_t>& u() const { return u_; }

  /// at - part * step.
  MotionPoint move(MotionPoint at, const std::vector<double>& step, double part) const {
    std::size_t next = 0;
    for (const std::size_t i : q_) at.q[i] -= part * step[next++];
    for (const std::size_t i : u_) at.u[i] -= part * step[next++];
    for (double& a : at.a) a -= part * step[next++];
    for (double& lambda : at.lambda) lambda -= part * step[next++];
    return at;
  }

 private:
  std::size_t n_, rows_;
  std::vector<std::size_t> q_, u_;
};

class SteadyEquations {
 public:
  SteadyEquations(Terms& terms, const SteadyQuestion& question)
      : terms_(terms), question_(question), unknowns_(question, terms.row_count()) {}

  const Unknowns& unknowns() const { return unknowns_; }

  /// R, S, psi, f, q'' and q' of what is constant.
  std::vector<double> residual(const MotionPoint& at, const TermValues& values) const {
    const std::size_t n = terms_.size(), r = terms_.row_count();
    std::vector<double> made = values.bias;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) made[i] += values.mass(i, j) * at.a[j];
      for (std::size_t k = 0; k < r; ++k) made[i] -= values.jacobian(k, i) * at.lambda[k];
    }
    for (std::size_t k = 0; k < r; ++k) {
      double sum = values.drift[k];
      for (std::size_t j = 0; j < n; ++j) sum += values.jacobian(k, j) * at.a[j];
      made.push_back(sum);
    }
    made.insert(made.end(), values.velocity.begin(), values.velocity.end());
    made.insert(made.end(), values.position.begin(), values.position.end());
    for (std::size_t i = 0; i < n; ++i)
      if (question_.constant[i]) made.push_back(at.a[i]);
    for (std::size_t i = 0; i < n; ++i)
      if (question_.still_q[i]) made.push_back(at.u[i]);
    return made;
  }

  NumberMatrix slopes(const MotionPoint& at, const TermValues& values, std::size_t rows) const {
    const std::size_t n = terms_.size(), r = terms_.row_count(), extra = terms_.extra_count();
    const SlopeValues all = terms_.evaluate_slopes(at);
    NumberMatrix made(rows, unknowns_.size());
    for (std::size_t j = 0; j < unknowns_.q().size(); ++j) {
      const std::size_t from = unknowns_.q()[j];
      for (std::size_t i = 0; i < n; ++i) made(i, j) = all.force_e(i, extra + from);
      for (std::size_t k = 0; k < r; ++k) {
        made(n + k, j) = all.acceleration_e(k, extra + from);
        made(n + r + k, j) = all.velocity_e(k, extra + from);
        if (terms_.is_geometric(k)) made(n + 2 * r + k, j) = values.jacobian(k, from);
      }
    }
    for (std::size_t j = 0; j < unknowns_.u().size(); ++j) {
      const std::size_t from = unknowns_.u()[j], column = unknowns_.first_u() + j;
      for (std::size_t i = 0; i < n; ++i) made(i, column) = all.force_u(i, from);
      for (std::size_t k = 0; k < r; ++k) {
        made(n + k, column) = all.acceleration_u(k, from);
        made(n + r + k, column) = values.jacobian(k, from);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) made(i, unknowns_.first_a() + j) = values.mass(i, j);
      for (std::size_t k = 0; k < r; ++k) {
        made(i, unknowns_.first_lambda() + k) = -values.jacobian(k, i);
        made(n + k, unknowns_.first_a() + i) = values.jacobian(k, i);
      }
    }
    add_conditions(made, n + 3 * r);
    return made;
  }

 private:
  void add_conditions(NumberMatrix& made, std::size_t row) const {
    for (std::size_t i = 0; i < terms_.size(); ++i)
      if (question_.constant[i]) made(row++, unknowns_.first_a() + i) = 1;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (!question_.still_q[i]) continue;
      const auto at = std::ranges::find(unknowns_.u(), i);
      if (at != unknowns_.u().end())
        made(row, unknowns_.first_u() + static_cast<std::size_t>(at - unknowns_.u().begin())) = 1;
      ++row;
    }
  }

  Terms& terms_;
  const SteadyQuestion& question_;
  Unknowns unknowns_;
};

}  // namespace

MotionPoint approach_steady(Terms& terms, const SteadyQuestion& question, MotionPoint at) {
  constexpr int most = 60;
  const SteadyEquations equations(terms, question);
  TermValues values = terms.evaluate(at);
  std::vector<double> off = equations.residual(at, values);
  for (int k = 0; k < most; ++k) {
    const std::vector<double> step = solve_least(equations.slopes(at, values, off.size()), off);
    bool better = false;
    for (double part = 1; part > tolerance::root_epsilon && !better; part /= 2) {
      MotionPoint there = equations.unknowns().move(at, step, part);
      TermValues next = terms.evaluate(there);
      std::vector<double> left = equations.residual(there, next);
      if (!(length_of(left) < length_of(off))) continue;
      better = true;
      at = std::move(there);
      values = std::move(next);
      off = std::move(left);
    }
    if (!better) break;
  }
  return at;
}

void refuse_moving(const Model& model, const std::vector<std::string>& moving) {
  constexpr std::size_t most = 12;
  const std::size_t shown = std::min(most, moving.size());
  const std::string rest = shown < moving.size() ? fmt::format(" and {} more", moving.size() - shown) : "";
  throw InputError(
      {model.file,
       {},
       "",
       fmt::format("the start is not a steady motion: {}{}, where zero is expected",
                   fmt::join(moving.begin(), moving.begin() + static_cast<std::ptrdiff_t>(shown), ", "), rest),
       "change the start with --set, or name with --steady the values and rates to solve for; --frozen "
       "gives the matrices of a moment all the same"});
}

void refuse_falling(const Equations& equations, const NamedNumbers& parameters, const NamedNumbers& initial) {
  const System system(equations);
  Workspace workspace = system.make_workspace(parameters);
  State state = system.make_initial_start(workspace, initial).state;
  if (std::ranges::any_of(state.u, [](double u) { return u != 0; })) return;
  const std::vector<double> falls = system.evaluate_motion(workspace, state).acceleration;
  double largest = 0, slope = 0;
  for (const double a : falls) largest = std::max(largest, std::abs(a));
  if (largest == 0) return;
  for (std::size_t i = 0; i < falls.size(); ++i) state.q[i] += tolerance::root_epsilon * falls[i] / largest;
  const std::vector<double> beside = system.evaluate_motion(workspace, state).acceleration;
  for (std::size_t i = 0; i < falls.size(); ++i)
    slope = std::max(slope, std::abs(beside[i] - falls[i]) / tolerance::root_epsilon);
  std::vector<std::string> moving;
  for (std::size_t i = 0; i < falls.size(); ++i)
    if (std::abs(falls[i]) > tolerance::clearly_nonzero * std::max(slope, largest))
      moving.push_back(fmt::format("{} = {:.6g}", equations.accelerations[i].name(), falls[i]));
  if (!moving.empty()) refuse_moving(*equations.model, moving);
}

/// What a change of the state by one part does: a rate below `consistent` of it is that of a steady state as well
/// written as ten digits allow.
std::vector<std::string> Linearizer::find_moving(const Look& look) const {
  const NumberMatrix a = system_matrix(look.reduced);
  const std::size_t q = state_.coordinates.size();
  const std::vector<double> x = rate(look);
  double scale = look.reduced.forces, speed = 1;
  for (const double u : look.at.u) speed = std::max(speed, std::abs(u));
  for (std::size_t i = q; i < x.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += std::abs(a(i, j)) *
             (j < q ? 1.0 : std::max(1.0, std::abs(look.at.u[choice_.free_u[state_.velocities[j - q]]])));
    scale = std::max(scale, sum);
  }
  std::vector<std::string> moving;
  const auto add = [&](const std::string& name, double value, double size) {
    const std::string text = fmt::format("{} = {:.6g}", name, value);
    if (!(std::abs(value) <= tolerance::consistent * size) && std::ranges::find(moving, text) == moving.end())
      moving.push_back(text);
  };
  const auto add_acceleration = [&](std::size_t i) { add(equations_.accelerations[i].name(), look.at.a[i], scale); };
  for (const std::size_t k : state_.coordinates) add(rate_name(choice_.free_q[k]), look.at.u[choice_.free_q[k]], speed);
  for (const std::size_t k : state_.velocities) add_acceleration(choice_.free_u[k]);
  const std::size_t n = look.at.q.size();
  for (const std::string& wanted : options_.constant) {
    const std::size_t part = find_part(wanted, "steady.constant");
    if (part < n) add(rate_name(part), look.at.u[part], speed);
    add_acceleration(part % n);
  }
  return moving;
}

std::size_t Linearizer::find_part(const std::string& wanted, const std::string& key) const {
  const std::size_t n = equations_.coordinates.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (name(i) == wanted) return i;
    if (rate_name(i) == wanted) return n + i;
  }
  refuse(key, fmt::format("{} is not part of the state", wanted),
         fmt::format("the state has {}; other coordinates and rates may be named too", fmt::join(state_names(), ", ")));
}

/// Guesses are solved for, but for those that are given a number; with --steady what it names, and what depends on it.
SteadyQuestion Linearizer::ask_steady(const NamedNumbers& initial) const {
  const std::size_t n = equations_.coordinates.size();
  SteadyQuestion made{std::vector<bool>(n), std::vector<bool>(n), std::vector<bool>(n), std::vector<bool>(n)};
  const auto is_given = [&](const std::string& wanted) {
    return std::ranges::any_of(initial, [&](const auto& each) { return each.first == wanted; });
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Coordinate& coordinate = equations_.model->coordinates[i];
    made.open_q[i] = coordinate.is_guess && !is_given(coordinate.name);
    made.open_u[i] = coordinate.is_rate_guess && !is_given(coordinate.rate.name());
  }
  for (const std::string& wanted : options_.steady) {
    const std::size_t part = find_part(wanted, "--steady");
    (part < n ? made.open_q : made.open_u)[part % n] = true;
  }
  if (!options_.steady.empty())
    for (std::size_t k = 0; k < choice_.dependent.size(); ++k) {
      if (k < choice_.geometric) made.open_q[choice_.dependent[k]] = true;
      made.open_u[choice_.dependent[k]] = true;
    }
  for (const std::string& wanted : options_.constant.empty() ? state_names() : options_.constant) {
    const std::size_t part = find_part(wanted, "steady.constant");
    if (part < n) made.still_q[part] = true;
    made.constant[part % n] = true;
  }
  return made;
}

Linearizer::Look Linearizer::find_steady(const Look& from, const NamedNumbers& initial) {
  const SteadyQuestion question = ask_steady(initial);
  MotionPoint at = approach_steady(*terms_, question, from.at);
  const std::optional<Look> found = settle(*terms_, choice_, at) ? look(std::move(at), choice_) : std::nullopt;
  const std::vector<std::string> moving = find_moving(found ? *found : from);
  if (found && moving.empty()) return *found;
  std::vector<std::string> open;
  for (std::size_t i = 0; i < question.open_q.size(); ++i) {
    if (question.open_q[i]) open.push_back(name(i));
    if (question.open_u[i]) open.push_back(rate_name(i));
  }
  const std::string key = options_.constant.empty() ? "--steady" : "steady";
  if (open.empty())
    refuse(key, fmt::format("nothing is left to solve for, and {}", fmt::join(moving, ", ")),
           "write what may change as { guess = ..., rate_guess = ... }, or name it with --steady");
  refuse(key,
         fmt::format("no steady motion was found by changing {}: {} remain", fmt::join(open, ", "),
                     fmt::join(moving, ", ")),
         "start nearer to one, or solve for more");
}

}  // namespace dalembert
