#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <dalembert/base/failure.hpp>
#include <unsupported/Eigen/NonLinearOptimization>

#include "study/eigen_view.hpp"
#include "study/fit/problem.hpp"

namespace dalembert {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double unseen = 1e-6;      // singular values below this part of the largest: good to half the digits of J
constexpr double takes_part = 1e-3;  // of a component in such a direction
constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Spread {
  double size = 0;
  std::size_t count = 0;
};

/// Root of the mean square about the mean, a column each.
std::vector<Spread> find_spreads(const FitProblem& problem) {
  std::vector<Spread> spreads(problem.columns().size());
  std::vector<double> sum(spreads.size(), 0.0), square(spreads.size(), 0.0);
  for (const Measured& each : problem.measured()) {
    ++spreads[each.column].count;
    sum[each.column] += each.value;
  }
  for (const Measured& each : problem.measured()) {
    const double off = each.value - sum[each.column] / static_cast<double>(spreads[each.column].count);
    square[each.column] += off * off;
  }
  for (std::size_t c = 0; c < spreads.size(); ++c) {
    const double count = static_cast<double>(std::max<std::size_t>(1, spreads[c].count));
    spreads[c].size = std::sqrt(square[c] / count);
    if (!(spreads[c].size > 0)) spreads[c].size = std::max(1.0, std::abs(sum[c] / count));
  }
  return spreads;
}

std::vector<double> sum_squares(const FitProblem& problem) {
  std::vector<double> squares(problem.columns().size(), 0.0);
  for (std::size_t i = 0; i < problem.measured().size(); ++i) {
    const double off = problem.differences()[to_index(i)];
    squares[problem.measured()[i].column] += off * off;
  }
  return squares;
}

/// One minimum under the deviations at hand; true where the method came to one.
bool minimise(FitProblem& problem, const FitOptions& options, VectorXd& x) {
  Eigen::LevenbergMarquardt<FitProblem> method(problem);
  method.parameters.maxfev = static_cast<int>(options.most_motions);
  method.parameters.ftol = method.parameters.xtol = 1e-10;
  const auto status = method.minimize(x);
  using namespace Eigen::LevenbergMarquardtSpace;
  return status == RelativeReductionTooSmall || status == RelativeErrorTooSmall ||
         status == RelativeErrorAndReductionTooSmall || status == CosinusTooSmall || status == FtolTooSmall ||
         status == XtolTooSmall || status == GtolTooSmall;
}

/// "m, k: changes with dm/m : dk/k = 1 : 0.5 ..."
std::string name_direction(const std::vector<FittedParameter>& parameters, const VectorXd& relative) {
  std::vector<std::string> names, parts, sizes;
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const double part = relative[to_index(j)];
    if (std::abs(part) < takes_part) continue;
    names.push_back(parameters[j].name);
    parts.push_back(parameters[j].value == 0 ? "d" + parameters[j].name : fmt::format("d{0}/{0}", parameters[j].name));
    sizes.push_back(fmt::format("{:.3g}", part));
  }
  if (names.size() == 1) return fmt::format("{}: no measured column depends on it", names[0]);
  return fmt::format("{}: a change with {} = {} leaves every measured column as it is", fmt::join(names, ", "),
                     fmt::join(parts, " : "), fmt::join(sizes, " : "));
}

/// Covariance from the slopes of residuals; directions that none of them sees are named and left out.
void judge(const MatrixXd& weighted, Fit& fit) {
  const std::size_t k = fit.parameters.size();
  VectorXd scale(to_index(k));
  for (std::size_t j = 0; j < k; ++j) {
    const double size = std::abs(fit.parameters[j].value);
    scale[to_index(j)] = size > 0 ? size : 1;
  }
  const MatrixXd relative = weighted * scale.asDiagonal();
  VectorXd lengths = relative.colwise().norm().transpose();
  const double longest = lengths.maxCoeff();
  std::vector<bool> open(k, false);
  for (std::size_t j = 0; j < k; ++j)
    if (!(lengths[to_index(j)] > 1e-9 * longest))
      lengths[to_index(j)] = std::max(longest, 1e-300);  // a column of zeros
  const MatrixXd unit = relative * lengths.cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> svd(unit, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd values = svd.singularValues();
  MatrixXd covariance = MatrixXd::Zero(to_index(k), to_index(k));
  for (Eigen::Index s = 0; s < values.size(); ++s) {
    const VectorXd direction = svd.matrixV().col(s).cwiseQuotient(lengths);  // relative changes
    if (values[s] > unseen * values[0]) {
      const VectorXd change = direction.cwiseProduct(scale) / values[s];
      covariance += change * change.transpose();
      continue;
    }
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    const VectorXd shown = direction / direction[largest];
    fit.not_identifiable.push_back(name_direction(fit.parameters, shown));
    for (std::size_t j = 0; j < k; ++j) open[j] = open[j] || std::abs(shown[to_index(j)]) >= takes_part;
  }
  fit.covariance = fit.correlation = NumberMatrix(k, k);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      const double entry = covariance(to_index(i), to_index(j));
      const double root = std::sqrt(covariance(to_index(i), to_index(i)) * covariance(to_index(j), to_index(j)));
      fit.covariance(i, j) = open[i] || open[j] ? none : entry;
      fit.correlation(i, j) = open[i] || open[j] ? none : entry / root;
    }
  for (std::size_t j = 0; j < k; ++j)
    if (!open[j]) fit.parameters[j].deviation = std::sqrt(covariance(to_index(j), to_index(j)));
}

Trajectory tabulate(const FitProblem& problem) {
  const std::size_t count = problem.columns().size();
  Trajectory table;
  table.columns = {"t"};
  for (const char* kind : {"", " measured", " residual"})
    for (const std::string& column : problem.columns()) table.columns.push_back(column + kind);
  std::vector<std::vector<double>> rows(problem.times().size(), std::vector<double>(table.columns.size(), none));
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r][0] = problem.times()[r];
  for (std::size_t i = 0; i < problem.measured().size(); ++i) {
    const Measured& each = problem.measured()[i];
    const double off = problem.differences()[to_index(i)];
    rows[each.row][1 + each.column] = each.value + off;
    rows[each.row][1 + count + each.column] = each.value;
    rows[each.row][1 + 2 * count + each.column] = -off;
  }
  table.rows = Table(table.columns.size());
  for (const std::vector<double>& row : rows) table.rows.add(row);
  return table;
}

}  // namespace

Fit fit(const Model& model, const CsvTable& data, const FitOptions& options) {
  FitProblem problem(model, data, options);
  const std::vector<Spread> spreads = find_spreads(problem);
  const std::size_t count = problem.columns().size();
  std::vector<bool> given(count, false);
  for (std::size_t c = 0; c < count; ++c) problem.deviations()[c] = spreads[c].size;
  for (const auto& [name, deviation] : options.deviations) {
    const auto found = std::ranges::find(problem.columns(), name);
    if (found == problem.columns().end() || !(deviation > 0))
      throw InputError({data.file,
                        {},
                        "--deviation",
                        fmt::format("{} = {} is no deviation of a column that is fitted", name, deviation),
                        fmt::format("give positive numbers for {}", fmt::join(problem.columns(), ", "))});
    const auto c = static_cast<std::size_t>(found - problem.columns().begin());
    problem.deviations()[c] = deviation;
    given[c] = true;
  }
  if (!problem.evaluate(problem.start()))
    throw ComputationError(
        fmt::format("the model as it stands cannot be compared with the table: {}; start from other "
                    "values with --set",
                    problem.failure()));
  Fit result;
  VectorXd x = problem.to_variables(problem.start());
  constexpr int most_passes = 4;
  constexpr double settled = 1e-3;
  const double freedom = std::max(
      0.0, 1 - static_cast<double>(options.parameters.size()) / static_cast<double>(problem.measured().size()));
  for (int pass = 0; pass < most_passes; ++pass) {
    result.converged = minimise(problem, options, x);
    if (!problem.evaluate(problem.to_values(x)))
      throw ComputationError(fmt::format("the search ended where there is no motion: {}", problem.failure()));
    const std::vector<double> squares = sum_squares(problem);
    double change = 0;
    for (std::size_t c = 0; c < count; ++c) {
      if (given[c]) continue;
      const double degrees = static_cast<double>(spreads[c].count) * freedom;
      const double estimate = degrees > 0 ? std::sqrt(squares[c] / degrees) : 0;
      const double next = std::max(estimate, 1e-10 * spreads[c].size);  // a table without noise
      change = std::max(change, std::abs(std::log(next / problem.deviations()[c])));
      problem.deviations()[c] = next;
    }
    if (change < settled) break;
  }
  const std::vector<double> values = problem.to_values(x), squares = sum_squares(problem);
  for (std::size_t j = 0; j < values.size(); ++j) {
    const FitParameter& asked = options.parameters[j];
    const double room = 1e-6 * std::max(1e-300, std::min(asked.high - asked.low, std::abs(values[j])));
    const bool at_bound = values[j] - asked.low < room || asked.high - values[j] < room;
    result.parameters.push_back({asked.name, problem.start()[j], values[j], std::nullopt, at_bound});
    if (at_bound) result.notes.push_back(fmt::format("{} ends at a bound: its deviation tells nothing", asked.name));
  }
  MatrixXd weighted = problem.slopes();
  double sum = 0;
  for (std::size_t i = 0; i < problem.measured().size(); ++i) {
    const double deviation = problem.deviations()[problem.measured()[i].column];
    weighted.row(to_index(i)) /= deviation;
    sum += std::pow(problem.differences()[to_index(i)] / deviation, 2);
  }
  judge(weighted, result);
  for (std::size_t c = 0; c < count; ++c)
    result.columns.push_back({problem.columns()[c], problem.deviations()[c],
                              std::sqrt(squares[c] / static_cast<double>(std::max<std::size_t>(1, spreads[c].count))),
                              spreads[c].count});
  result.residual = std::sqrt(sum / static_cast<double>(problem.measured().size()));
  result.motions = problem.motions();
  result.residuals = tabulate(problem);
  if (!result.converged)
    result.notes.push_back("the search was ended by its allowance: start nearer, or allow more motions");
  return result;
}

}  // namespace dalembert
