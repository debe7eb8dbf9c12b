#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/simulate/start.hpp>

#include "base/linear_algebra.hpp"
#include "base/tolerances.hpp"
#include "simulate/system/magnitudes.hpp"
#include "simulate/system/start.hpp"

// A start in two descriptions, the model's and its reduction's; and a model with its start solved.

namespace dalembert {
namespace {

/// The slopes of the embedding at s: what rates it gives to unit velocities, less what it moves by itself.
std::vector<double> embedding_slopes(SystemEvaluator& evaluator, State at) {
  std::fill(at.u.begin(), at.u.end(), 0.0);
  const ModelState idle = evaluator.to_model_state(at);
  std::vector<double> slopes(idle.q.size() * at.u.size());
  for (std::size_t j = 0; j < at.u.size(); ++j) {
    at.u[j] = 1;
    const ModelState moving = evaluator.to_model_state(at);
    for (std::size_t i = 0; i < idle.q.size(); ++i) slopes[i * at.u.size() + j] = moving.rates[i] - idle.rates[i];
    at.u[j] = 0;
  }
  return slopes;
}

/// The free coordinates of the reduction, then its free rates, that come nearest to a state of the model.
void follow(SystemEvaluator& evaluator, const Freedom& freedom, const ModelState& wanted, State& own) {
  constexpr int most_iterations = 50;
  const std::size_t n = own.q.size();
  // What may move of `values`, by least squares of what is missing; the largest change.
  const auto correct = [&](std::vector<double>& values, std::size_t first, const std::vector<double>& missing) {
    std::vector<double> slopes = embedding_slopes(evaluator, own);
    for (std::size_t k = 0; k < slopes.size(); ++k)
      if (!freedom.free[first + k % n]) slopes[k] = 0;
    const std::vector<double> change =
        solve_least_norm({missing.size(), n, slopes}, missing, tolerance::vanishing_pivot).x;
    double largest = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double step = change[j];
      values[j] += step;
      largest = std::max(largest, std::abs(step) / std::max(1.0, std::abs(values[j])));
    }
    return largest;
  };
  const auto missing = [](const std::vector<double>& target, std::vector<double> is) {
    for (std::size_t i = 0; i < is.size(); ++i) is[i] = target[i] - is[i];
    return is;
  };
  for (int iteration = 0; iteration < most_iterations; ++iteration)
    if (!(correct(own.q, 0, missing(wanted.q, evaluator.to_model_state(own).q)) > tolerance::unchanged)) break;
  correct(own.u, n, missing(wanted.rates, evaluator.to_model_state(own).rates));
}

/// InputError where the reduction's start is another than the model's.
void check_agreement(SystemEvaluator& evaluator, const State& own, const ModelState& wanted) {
  const Model& model = evaluator.model();
  const ModelState image = evaluator.to_model_state(own);
  double way = 0, speed = 0;
  for (std::size_t i = 0; i < wanted.q.size(); ++i) {
    way = std::max({way, std::abs(wanted.q[i]), std::abs(image.q[i])});
    speed = std::max({speed, std::abs(wanted.rates[i]), std::abs(image.rates[i])});
  }
  std::vector<std::string> differences;
  const auto compare = [&](const std::string& name, double a, double b, double size) {
    if (!(std::abs(a - b) <= tolerance::consistent * size))
      differences.push_back(fmt::format("{} = {:.10g} by [coordinates], {:.10g} by [reduction]", name, a, b));
  };
  for (std::size_t i = 0; i < wanted.q.size(); ++i) compare(model.coordinates[i].name, wanted.q[i], image.q[i], way);
  for (std::size_t i = 0; i < wanted.q.size(); ++i)
    compare(model.coordinates[i].rate.name(), wanted.rates[i], image.rates[i], speed);
  if (differences.empty()) return;
  throw ModelError({model.file, model.reduction->place, "reduction",
                    fmt::format("its start is another than that of [coordinates]: {}", fmt::join(differences, "; ")),
                    "make them agree, or write one of them as a guess"});
}

/// The start in both descriptions.
struct TwoStarts {
  ModelState in_model;
  State own;
  std::string report;
};

TwoStarts find_both(SystemEvaluator& evaluator, const NamedNumbers& instead, bool project) {
  const Model& model = evaluator.model();
  const CompiledSystem& system = evaluator.system();
  TwoStarts starts{initial_state(model, evaluator.parameters()), evaluator.initial_state(instead), {}};
  if (project || has_open_start(model)) {
    SystemEvaluator in_model(system.in_rates());
    in_model.set_parameters(evaluator.parameters());
    Freedom freedom = project ? free_all(in_model.system()) : free_guesses(in_model.system(), model.coordinates, {});
    freedom.conditions = !model.initial.empty();
    const Freedom open = project ? free_all(system) : free_guesses(system, model.reduction->coordinates, instead);
    // What the reduction gives is the best guess of what the model leaves open.
    const bool gives = std::ranges::find(open.free, false) != open.free.end();
    const ModelState image = evaluator.to_model_state(starts.own);
    State guess = in_model.to_state(starts.in_model);
    for (std::size_t i = 0; gives && i < image.q.size(); ++i) {
      if (freedom.free[i]) guess.q[i] = image.q[i];
      if (freedom.free[image.q.size() + i]) guess.u[i] = image.rates[i];
    }
    const Start found = make_start(in_model, guess, freedom);
    starts.in_model = {found.found.state.t, found.found.state.q, found.found.state.u};
    starts.report = found.found.report;
    if (open.any()) follow(evaluator, open, starts.in_model, starts.own);
  }
  if (instead.empty()) check_agreement(evaluator, starts.own, starts.in_model);
  return starts;
}

}  // namespace

Start make_reduced_start(SystemEvaluator& evaluator, const NamedNumbers& instead, bool project) {
  TwoStarts starts = find_both(evaluator, instead, project);
  Start start = make_start(evaluator, starts.own, fix_all(evaluator.system()));
  start.found.projected = !starts.report.empty();
  start.found.report = std::move(starts.report);
  return start;
}

SettledStart settle_start(Model model) {
  if (!has_open_start(model)) return {std::move(model), {}};
  const auto settle = [&](const Equations& equations) {
    SystemEvaluator evaluator(std::make_shared<const CompiledSystem>(equations));
    evaluator.set_parameters(NamedNumbers{});
    if (model.reduction) return find_both(evaluator, {}, false);
    const ConsistentStart found = make_initial_start(evaluator, {}, false).found;
    return TwoStarts{{found.state.t, found.state.q, found.state.u}, {}, found.report};
  };
  const TwoStarts starts = settle(model.reduction ? derive_reduced(model) : derive_multipliers(model));
  return {with_solved_guesses(model, starts.in_model, {starts.own.t, starts.own.q, starts.own.u}), starts.report};
}

}  // namespace dalembert
