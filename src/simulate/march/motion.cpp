#include "simulate/march/motion.hpp"

#include <fmt/format.h>

#include <cmath>

namespace dalembert {
namespace {

constexpr double most_rows = 1e7;

[[noreturn]] void refuse(const std::string& key, const std::string& problem, const std::string& remedy) {
  throw InputError({"", {}, key, problem, remedy});
}

}  // namespace

MarchOptions settle_options(const SimulateOptions& options, const Model& model, double start) {
  const SimulateSettings& own = model.simulate;
  MarchOptions result{};
  result.until = options.until.value_or(own.until);
  const double thousandth = result.until > 0 ? result.until / 1000 : 1;
  result.every = options.every.value_or(options.until && !own.every_given ? thousandth : own.every);
  result.tolerance = options.tolerance.value_or(own.tolerance);
  result.method = options.method;
  result.progress = options.progress;
  result.stop = options.stop;
  check_method(options.method);
  if (!std::isfinite(result.until))
    refuse("until", fmt::format("{} is not a finite number", result.until), "give the time to stop at");
  if (!(result.every > 0) || !std::isfinite(result.every))
    refuse("every", fmt::format("{} is no interval between rows", result.every), "give a positive number");
  if (!(result.tolerance >= 1e-15 && result.tolerance <= 1e-1))
    refuse("tolerance", fmt::format("{} cannot be kept", result.tolerance), "give a number from 1e-15 to 0.1");
  if (result.until < start)
    refuse("until", fmt::format("{} lies before the start at t = {}", result.until, start), "give a later time");
  if ((result.until - start) / result.every > most_rows)
    refuse("every", fmt::format("more than {:.0e} rows would be written", most_rows), "give a larger interval");
  return result;
}

namespace {

bool is_finite_at(SystemEvaluator& evaluator, const State& state) {
  Evaluation at(evaluator.system());
  return evaluator.evaluate(state.t, evaluator.to_vector(state).data(), at);
}

/// Quasi-velocities may say nothing of rates at a singular start that is one all the same.
bool is_finite_in_rates(SystemEvaluator& evaluator, const NamedNumbers& initial) {
  if (!evaluator.system().is_quasi()) return false;
  InRates in_rates(evaluator);
  return is_finite_at(in_rates.evaluator(), in_rates.evaluator().initial_state(initial));
}

}  // namespace

Motion::Motion(SystemEvaluator& evaluator, const SimulateOptions& asked, const MarchOptions& options) {
  result_.columns = evaluator.system().columns;
  result_.rows = Table(result_.columns.size());
  const State given = asked.start ? *asked.start : evaluator.initial_state(asked.initial);
  const std::vector<double> y = evaluator.to_vector(given);
  if (!is_finite_at(evaluator, given) && (asked.start || !is_finite_in_rates(evaluator, asked.initial))) {
    result_.status = Status::not_finite;
    result_.message = fmt::format("{} is not finite at the start", name_not_finite(evaluator, given.t, y.data()));
    return;
  }
  const Start start = asked.start ? make_start(evaluator, given, asked.project_initial)
                                  : make_initial_start(evaluator, asked.initial, asked.project_initial);
  if (!start.found.report.empty()) result_.notes.push_back(start.found.report);
  march_.emplace(evaluator, start, options, result_);
}

Trajectory Motion::take() {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  if (march_) result_.statistics.seconds = spent.count();
  march_.reset();
  return std::move(result_);
}

}  // namespace dalembert
