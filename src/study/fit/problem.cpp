#include "study/fit/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <numbers>

#include "study/eigen_view.hpp"

namespace dalembert {
namespace {

std::vector<std::string> names_of(const FitOptions& options) {
  std::vector<std::string> names;
  for (const FitParameter& parameter : options.parameters) names.push_back(parameter.name);
  return names;
}

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& key, const std::string& problem,
                         const std::string& remedy) {
  throw InputError({file, {line, 0}, key, problem, remedy});
}

[[noreturn]] void refuse_column(const CsvTable& data, const std::string& name, const std::vector<std::string>& known,
                                const std::string& what) {
  const std::string nearest = nearest_name(name, known);
  refuse(data.file, 1, "", fmt::format("{} has no column {}", what, name),
         nearest.empty() ? "name the columns to fit with --columns" : fmt::format("did you mean {}?", nearest));
}

}  // namespace

double Bounded::to_value(double x) const {
  if (std::isfinite(low_) && std::isfinite(high_)) return low_ + (high_ - low_) * (1 + std::sin(x)) / 2;
  if (std::isfinite(low_)) return low_ - 1 + std::hypot(x, 1);
  if (std::isfinite(high_)) return high_ + 1 - std::hypot(x, 1);
  return x;
}

double Bounded::to_variable(double p) const {
  if (std::isfinite(low_) && std::isfinite(high_))
    return std::asin(std::clamp(2 * (p - low_) / (high_ - low_) - 1, -1.0, 1.0));
  const auto root = [](double over) { return std::sqrt(std::max(0.0, over * over - 1)); };
  if (std::isfinite(low_)) return root(p - low_ + 1);
  if (std::isfinite(high_)) return root(high_ - p + 1);
  return p;
}

double Bounded::slope(double x) const {
  if (std::isfinite(low_) && std::isfinite(high_)) return (high_ - low_) * std::cos(x) / 2;
  if (std::isfinite(low_)) return x / std::hypot(x, 1);
  if (std::isfinite(high_)) return -x / std::hypot(x, 1);
  return 1;
}

FitProblem::FitProblem(const Model& model, const CsvTable& data, const FitOptions& options)
    : names_(names_of(options)), tolerance_(options.tolerance), system_(model, names_) {
  const std::vector<double> parameters = parameter_values(model);
  const ModelState state = initial_state(model);
  for (const FitParameter& parameter : options.parameters) {
    bounds_.emplace_back(parameter);
    const auto found = std::ranges::find(model.parameters, parameter.name, &Parameter::name);
    is_parameter_.push_back(found != model.parameters.end());
    double value = is_parameter_.back() ? parameters[static_cast<std::size_t>(found - model.parameters.begin())] : 0;
    for (std::size_t i = 0; !is_parameter_.back() && i < model.coordinates.size(); ++i) {
      if (model.coordinates[i].name == parameter.name) value = state.q[i];
      if (model.coordinates[i].rate.name() == parameter.name) value = state.rates[i];
    }
    if (!(parameter.low < parameter.high))
      refuse(model.file, 0, "--bounds",
             fmt::format("{} has no room between {} and {}", parameter.name, parameter.low, parameter.high),
             "give the lower one first");
    if (!(value >= parameter.low && value <= parameter.high))
      refuse(model.file, 0, "--bounds",
             fmt::format("{} is {} in the model, outside its bounds {} and {}", parameter.name, value, parameter.low,
                         parameter.high),
             fmt::format("start inside them: --set {}=...", parameter.name));
    start_.push_back(value);
  }
  read(model, data, options);
  differences_.resize(to_index(measured_.size()));
  slopes_.resize(to_index(measured_.size()), to_index(names_.size()));
}

void FitProblem::read(const Model& model, const CsvTable& data, const FitOptions& options) {
  const std::optional<std::size_t> time = data.find("t");
  if (!time) refuse(data.file, 1, "", "there is no column t", "expected a first line with column names: t,...");
  columns_ = options.columns;
  if (columns_.empty())
    for (const std::string& column : data.columns)
      if (column != "t") columns_.push_back(column);
  if (columns_.empty()) refuse(data.file, 1, "", "there is no column beside t", "give measured columns");
  std::vector<std::size_t> places;
  for (const std::string& column : columns_) {
    const std::vector<std::string>& own = system_.columns();
    if (column == "t" || column == "residual" || std::ranges::find(own, column) == own.end())
      refuse_column(data, column, own, "the motion of " + (model.name.empty() ? "the model" : model.name));
    const std::optional<std::size_t> found = data.find(column);
    if (!found) refuse_column(data, column, data.columns, "the table");
    if (std::ranges::count(columns_, column) > 1)
      refuse("", 0, "columns", column + " is named twice", "name it once: it would count twice");
    places.push_back(*found);
    deviations_.push_back(0);
  }
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    const std::optional<double> t = data.rows[i][*time];
    if (!t) refuse(data.file, data.lines[i], "t", "the time is missing", "give each row its time");
    if (*t < 0)
      refuse(data.file, data.lines[i], "t", "the row is before the start at t = 0", "count time from the start");
    if (!times_.empty() && !(*t > times_.back()))
      refuse(data.file, data.lines[i], "t", "the time is not later than in the row before", "sort the rows by time");
    bool any = false;
    for (std::size_t c = 0; c < places.size(); ++c)
      if (const std::optional<double> value = data.rows[i][places[c]]) {
        measured_.push_back({times_.size(), c, *value});
        any = true;
      }
    if (any) times_.push_back(*t);
  }
  if (measured_.size() < names_.size())
    refuse(data.file, 0, "",
           fmt::format("{} numbers are measured, fewer than the {} parameters", measured_.size(), names_.size()),
           "measure more, or fit fewer");
  if (!times_.empty() && times_.back() == 0)
    refuse(data.file, 0, "t", "all rows are at the start", "measure later ones too");
}

Eigen::VectorXd FitProblem::to_variables(std::span<const double> values) const {
  Eigen::VectorXd x(to_index(bounds_.size()));
  for (std::size_t j = 0; j < bounds_.size(); ++j) x[to_index(j)] = bounds_[j].to_variable(values[j]);
  return x;
}

std::vector<double> FitProblem::to_values(const Eigen::VectorXd& x) const {
  std::vector<double> values;
  for (std::size_t j = 0; j < bounds_.size(); ++j) values.push_back(bounds_[j].to_value(x[to_index(j)]));
  return values;
}

bool FitProblem::evaluate(std::span<const double> values) {
  if (std::ranges::equal(values, last_)) return last_ok_;
  last_.assign(values.begin(), values.end());
  last_ok_ = false;
  ++motions_;
  SimulateOptions options;
  options.tolerance = tolerance_;
  for (std::size_t j = 0; j < names_.size(); ++j)
    (is_parameter_[j] ? options.parameters : options.initial).emplace_back(names_[j], values[j]);
  try {
    const Trajectory motion = system_.simulate_at(times_, options).motion;
    failure_ = motion.rows.size() < times_.size()
                   ? fmt::format("the motion ends at t = {:.6g}: {}", motion.last.t, motion.message)
                   : "";
    if (!failure_.empty()) return false;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::span<const double> column = motion[columns_[c]];
      std::vector<std::span<const double>> by;
      for (const std::string& name : names_) by.push_back(motion[gradient_column(columns_[c], name)]);
      for (std::size_t i = 0; i < measured_.size(); ++i) {
        if (measured_[i].column != c) continue;
        differences_[to_index(i)] = column[measured_[i].row] - measured_[i].value;
        for (std::size_t j = 0; j < by.size(); ++j) slopes_(to_index(i), to_index(j)) = by[j][measured_[i].row];
      }
    }
    last_ok_ = differences_.allFinite() && slopes_.allFinite();
    if (!last_ok_) failure_ = motion.notes.empty() ? "a measured column has no derivative" : motion.notes.back();
  } catch (const InputError& error) {  // parameters under which there is no start
    failure_ = error.what();
  }
  return last_ok_;
}

/// Where there is no motion the residuals are so large that the method takes a shorter step.
int FitProblem::operator()(const Eigen::VectorXd& x, Eigen::VectorXd& residuals) {
  constexpr double hopeless = 1e10;
  if (!evaluate(to_values(x))) {
    residuals.setConstant(hopeless);
    return 0;
  }
  for (std::size_t i = 0; i < measured_.size(); ++i)
    residuals[to_index(i)] = differences_[to_index(i)] / deviations_[measured_[i].column];
  return 0;
}

int FitProblem::df(const Eigen::VectorXd& x, Eigen::MatrixXd& slopes) {
  if (!evaluate(to_values(x))) return -1;
  slopes = slopes_;
  for (std::size_t i = 0; i < measured_.size(); ++i) slopes.row(to_index(i)) /= deviations_[measured_[i].column];
  for (std::size_t j = 0; j < bounds_.size(); ++j) slopes.col(to_index(j)) *= bounds_[j].slope(x[to_index(j)]);
  return 0;
}

}  // namespace dalembert
