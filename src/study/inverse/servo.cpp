#include "study/inverse/servo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>
#include <dalembert/expr/formula.hpp>

#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"
#include "study/linearize/spectrum.hpp"

namespace dalembert {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::ranges::find(list, name) != list.end();
}

/// Least squares always answer: is it an answer?
bool is_solved(const NumberMatrix& all, const std::vector<double>& found, const std::vector<double>& known) {
  double off = 0, scale = 0;
  for (std::size_t i = 0; i < all.rows; ++i) {
    double sum = -known[i], sizes = std::abs(known[i]);
    for (std::size_t j = 0; j < all.columns; ++j) {
      sum += all(i, j) * found[j];
      sizes += std::abs(all(i, j) * found[j]);
    }
    off = std::max(off, std::abs(sum));
    scale = std::max(scale, sizes);
  }
  return off <= tolerance::consistent * scale;
}

}  // namespace

Servo::Servo(const Model& bound, const InverseOptions& options)
    : options_(options),
      equations_(derive_multipliers(bound)),
      system_(equations_),
      workspace_(system_.make_workspace()),
      parameters_(workspace_.parameters().begin(), workspace_.parameters().end()) {
  if (!equations_.contacts.empty())
    refuse("constraints." + equations_.contacts[0].name, "what one-sided constraints let follow is not solved for",
           "write it with = where it holds all along, or leave it out");
  find_inputs(bound);
  for (std::size_t r = 0; r < equations_.rows.size(); ++r)
    (contains(options_.follow, equations_.rows[r].name) ? followed_ : kept_).push_back(r);
  if (followed_.size() != options_.follow.size())
    refuse("inverse.follow", "what is followed is not one number each",
           "follow components one by one, as position(P).x");
  if (followed_.size() != places_.size())
    refuse("inverse", fmt::format("{} outputs are followed by {} inputs", followed_.size(), places_.size()),
           "name as many inputs as outputs");
  std::vector<std::string> hidden;
  for (const std::string& name : options_.follow) hidden.push_back(reaction_symbol(name));
  for (std::size_t k = 0; k < system_.columns().size(); ++k)
    if (!contains(hidden, system_.columns()[k])) shown_.push_back(k);
  terms_.emplace(equations_, places_);
  terms_->set_parameters(parameters_);
}

void Servo::refuse(const std::string& key, const std::string& problem, const std::string& remedy) const {
  throw InputError({equations_.model->file, {}, key, problem, remedy});
}

void Servo::find_inputs(const Model& bound) {
  std::vector<std::string> known;
  for (const Parameter& parameter : bound.parameters) known.push_back(parameter.name);
  for (const std::string& name : options_.by) {
    if (std::ranges::count(options_.by, name) > 1) refuse("inverse.by", name + " is named twice", "name it once");
    const auto at = std::ranges::find(known, name);
    if (at == known.end()) {
      const std::string nearest = nearest_name(name, known);
      refuse("inverse.by", fmt::format("there is no input {} that is constant", name),
             nearest.empty() || nearest == name
                 ? fmt::format("write [inputs] {} = 0; one that varies with time is set to a number with --set", name)
                 : fmt::format("did you mean {}?", nearest));
    }
    places_.push_back(static_cast<std::size_t>(at - known.begin()));
    inputs_.push_back(parameters_[places_.back()]);
    for (const Parameter& parameter : bound.parameters)
      for (const Expr& symbol : free_symbols({&parameter.value, 1}))
        if (symbol.name() == name)
          refuse("inverse.by", fmt::format("the parameter {} is computed from the input {}", parameter.name, name),
                 "write it as a definition");
  }
}

std::vector<std::string> Servo::columns() const {
  std::vector<std::string> made;
  for (const std::size_t k : shown_) made.push_back(system_.columns()[k]);
  made.insert(made.begin() + 1 + static_cast<std::ptrdiff_t>(2 * size()), options_.by.begin(), options_.by.end());
  return made;
}

void Servo::set_inputs() {
  for (std::size_t k = 0; k < places_.size(); ++k) parameters_[places_[k]] = inputs_[k];
  terms_->set_parameters(parameters_);
}

bool Servo::choose_at(const MotionPoint& at) {
  choice_ = choose(*terms_, terms_->evaluate(at), std::vector<bool>(size(), false));
  return choice_.dependent.size() == choice_.rows.size();
}

/// [M -A^T h_w; A 0 0; C 0 0].
NumberMatrix Servo::assemble(const TermValues& values, const SlopeValues& slopes) const {
  const std::size_t n = size(), r = kept_.size(), m = followed_.size();
  spend_work(std::pow(static_cast<double>(n + r + m), 3));
  NumberMatrix all(n + r + m, n + r + m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) all(i, j) = values.mass(i, j);
    for (std::size_t k = 0; k < r; ++k) all(i, n + k) = -values.jacobian(kept_[k], i);
    for (std::size_t k = 0; k < m; ++k) all(i, n + r + k) = slopes.force_e(i, k);
  }
  for (std::size_t k = 0; k < r + m; ++k)
    for (std::size_t j = 0; j < n; ++j) all(n + k, j) = values.jacobian(k < r ? kept_[k] : followed_[k - r], j);
  return all;
}

/// At the inputs w; again at w + dw, which leaves nothing where the forces are linear in them.
bool Servo::solve(MotionPoint& at) {
  constexpr int most = 20;
  const std::size_t n = size(), r = kept_.size(), m = followed_.size();
  at.a.assign(n, 0.0);
  at.lambda.assign(equations_.rows.size(), 0.0);
  for (int pass = 0; pass < most; ++pass) {
    const TermValues values = terms_->evaluate(at);
    const NumberMatrix all = assemble(values, terms_->evaluate_slopes(at));
    std::vector<double> known(n + r + m);
    for (std::size_t i = 0; i < n; ++i) known[i] = -values.bias[i];
    for (std::size_t k = 0; k < r + m; ++k) known[n + k] = -values.drift[k < r ? kept_[k] : followed_[k - r]];
    if (!is_finite(all.values) || !is_finite(known)) return false;
    const std::vector<double> found = solve_least(all, known);
    if (!is_finite(found)) return false;
    std::copy_n(found.begin(), n, at.a.begin());
    for (std::size_t k = 0; k < r; ++k) at.lambda[kept_[k]] = found[n + k];
    double change = 0, largest = 1;
    for (std::size_t k = 0; k < m; ++k) {
      inputs_[k] += found[n + r + k];
      change = std::max(change, std::abs(found[n + r + k]));
      largest = std::max(largest, std::abs(inputs_[k]));
    }
    set_inputs();
    if (change <= tolerance::settled * largest) return is_solved(all, found, known);
  }
  return false;
}

bool Servo::determines(MotionPoint at) {
  if (!solve(at)) return false;
  const NumberMatrix all = assemble(terms_->evaluate(at), terms_->evaluate_slopes(at));
  for (std::size_t k = 0; k < followed_.size(); ++k) {
    std::vector<double> alone(all.rows, 0.0);
    alone[all.rows - followed_.size() + k] = 1;
    if (!is_solved(all, solve_least(all, alone), alone)) return false;
  }
  return true;
}

void Servo::check_drives(const MotionPoint& at) {
  const SlopeValues slopes = terms_->evaluate_slopes(at);
  for (std::size_t r = 0; r < equations_.rows.size(); ++r)
    for (std::size_t k = 0; k < places_.size(); ++k)
      if (slopes.position_x(r, k) != 0 || slopes.velocity_e(r, k) != 0 || slopes.acceleration_e(r, k) != 0)
        refuse("inverse.by",
               fmt::format("the input {} moves the constraint {}, and only forces are solved for", options_.by[k],
                           equations_.rows[r].name),
               "follow with inputs that loads read");
}

std::vector<double> Servo::row(const MotionPoint& at) {
  NamedNumbers numbers;
  for (std::size_t k = 0; k < places_.size(); ++k) numbers.emplace_back(options_.by[k], inputs_[k]);
  system_.set_parameters(workspace_, numbers);
  const std::vector<double> all = system_.evaluate_row(workspace_, State{at.t, at.q, at.u});
  std::vector<double> made;
  for (const std::size_t k : shown_) made.push_back(all[k]);
  made.insert(made.begin() + 1 + static_cast<std::ptrdiff_t>(2 * size()), inputs_.begin(), inputs_.end());
  return made;
}

std::size_t Servo::index() const {
  std::size_t most = 1;
  for (const std::size_t r : followed_) most = std::max<std::size_t>(most, terms_->is_geometric(r) ? 3 : 2);
  return most;
}

}  // namespace dalembert
