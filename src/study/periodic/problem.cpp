#include "study/periodic/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/evaluator.hpp>
#include <numbers>

#include "study/written_out.hpp"

namespace dalembert {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

[[noreturn]] void refuse(const Model& model, const std::string& problem, const std::string& remedy) {
  throw InputError({model.file, {}, "periodic", problem, remedy});
}

double size_of(const PeriodShot& shot) { return std::max(1.0, shot.before.lpNorm<Eigen::Infinity>()); }

Expr find_definition(const Model& model, const std::string& name) {
  return std::ranges::find(model.definitions, name, &Definition::name)->value[0];
}

void check_options(const Model& model, const PeriodicOptions& options, bool period_free) {
  if (options.free.empty())
    refuse(model, "nothing is free to be solved for",
           "write [periodic] free = [\"theta\", \"T\"] and section = \"theta' = 0\"");
  if (!period_free && !options.period && options.period_name.empty())
    refuse(model, "the period is neither given nor free", "write period = \"2*pi/w\", or add \"T\" to free");
  if (period_free && options.section.empty())
    refuse(model, "T is free, and nothing says where on the motion the start lies",
           "write section = \"theta' = 0\", or another equation that holds at one place of the motion");
}

}  // namespace

ParameterFormula::ParameterFormula(const Model& model, Expr formula, const std::vector<std::string>& by,
                                   const std::string& key)
    : formula_(formula) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < model.parameters.size(); ++i)
    if (std::ranges::find(by, model.parameters[i].name) != by.end()) kept.push_back(i);
  formula_ = substitute(formula_, write_out_parameters(model, kept));
  for (const Expr& symbol : free_symbols({&formula, 1}))
    if (std::ranges::find(model.parameters, symbol.name(), &Parameter::name) == model.parameters.end())
      throw InputError(
          {model.file, {}, key, fmt::format("it depends on {}", symbol.name()), "expected a formula of parameters"});
  for (const std::string& name : by)
    slopes_.push_back(derivative(formula_, std::ranges::find(model.parameters, name, &Parameter::name)->symbol));
}

double ParameterFormula::value(const Model& model, const NamedNumbers& parameters) const {
  return evaluate(formula_, bind_symbols(model, initial_state(model), parameter_values(model, parameters)));
}

VectorXd ParameterFormula::slopes(const Model& model, const NamedNumbers& parameters) const {
  VectorXd made(static_cast<Eigen::Index>(slopes_.size()));
  const std::vector<Binding> bindings = bind_symbols(model, initial_state(model), parameter_values(model, parameters));
  for (std::size_t j = 0; j < slopes_.size(); ++j) made(static_cast<Eigen::Index>(j)) = evaluate(slopes_[j], bindings);
  return made;
}

PeriodicProblem::PeriodicProblem(const Model& model, const PeriodicOptions& options)
    : model_(fork(model)), precision_(options.tolerance.value_or(default_tolerance)) {
  period_free_ = std::ranges::find(options.free, "T") != options.free.end();
  has_section_ = !options.section.empty();
  check_options(model, options, period_free_);
  if (!options.period && !options.period_name.empty())
    period_formula_.emplace(model_, find_definition(model_, options.period_name), std::vector<std::string>{},
                            "periodic.period");
  shooting_.emplace(model, options);
  if (period_formula_)
    period_formula_.emplace(model_, find_definition(model_, options.period_name), shooting_->parameters(),
                            "periodic.period");
  for (std::size_t i = 0; i < shooting_->state().size(); ++i)
    if (std::ranges::find(options.free, shooting_->state()[i]) != options.free.end())
      open_.push_back(static_cast<Eigen::Index>(i));
  period_ = options.period    ? *options.period
            : period_formula_ ? period_formula_->value(model_, {})
                              : shooting_->guess_period();
  if (!(period_ > 0)) refuse(model, fmt::format("a period of {} is none", period_), "give a positive number");
}

VectorXd PeriodicProblem::start() const {
  const Eigen::Index open = static_cast<Eigen::Index>(open_.size()), extra = period_free_ ? 1 : 0;
  const VectorXd& p = shooting_->parameter_start();
  VectorXd z(open + extra + p.size());
  for (Eigen::Index i = 0; i < open; ++i) z(i) = shooting_->start()(open_[static_cast<std::size_t>(i)]);
  if (period_free_) z(open) = period_;
  z.tail(p.size()) = p;
  return z;
}

NamedNumbers PeriodicProblem::parameters(const Vector& z) const {
  const std::vector<std::string>& names = shooting_->parameters();
  NamedNumbers made;
  for (std::size_t j = 0; j < names.size(); ++j)
    made.emplace_back(names[j], z(z.size() - static_cast<Eigen::Index>(names.size() - j)));
  return made;
}

VectorXd PeriodicProblem::state(const Vector& z) const {
  VectorXd x = shooting_->start();
  for (std::size_t i = 0; i < open_.size(); ++i) x(open_[i]) = z(static_cast<Eigen::Index>(i));
  return x;
}

double PeriodicProblem::period(const Vector& z) const {
  if (period_free_) return z(static_cast<Eigen::Index>(period_index()));
  return period_formula_ ? period_formula_->value(model_, parameters(z)) : period_;
}

PeriodShot PeriodicProblem::shoot(const Vector& z) {
  const Eigen::Index p = static_cast<Eigen::Index>(shooting_->parameters().size());
  const double T = period(z);
  if (!(T > 0)) {
    PeriodShot none;
    none.problem = fmt::format("a period of {:.6g} is none", T);
    return none;
  }
  PeriodShot shot = shooting_->shoot(state(z), z.tail(p), T);
  if (!shot.ok) return shot;
  if (p > 0 && !period_free_ && period_formula_)
    shot.by_parameters += shot.rate * period_formula_->slopes(model_, parameters(z)).transpose();
  if (!turns_) turns_ = shooting_->find_turns(shot);
  shot.after -= *turns_;
  return shot;
}

VectorXd PeriodicProblem::residual(const PeriodShot& shot) const {
  const Eigen::Index n = shot.after.size();
  VectorXd made(n + (has_section_ ? 1 : 0));
  made.head(n) = shot.after - shot.before;
  if (has_section_) made(n) = shot.section;
  return made / size_of(shot);
}

MatrixXd PeriodicProblem::slopes(const PeriodShot& shot) const {
  const Eigen::Index n = shot.after.size(), p = shot.by_parameters.cols(),
                     open = static_cast<Eigen::Index>(open_.size()), extra = period_free_ ? 1 : 0;
  MatrixXd made = MatrixXd::Zero(n + (has_section_ ? 1 : 0), open + extra + p);
  made.topLeftCorner(n, open) = shot.by_state(Eigen::all, open_);
  if (period_free_) made.col(open).head(n) = shot.rate;
  made.topRightCorner(n, p) = shot.by_parameters;
  if (has_section_) {
    made.row(n).head(open) = shot.section_by_state(open_).transpose();
    made.row(n).tail(p) = shot.section_by_parameters.transpose();
  }
  return made / size_of(shot);
}

double PeriodicProblem::allowed(const PeriodShot& shot) const {
  return 1e4 * precision_ * std::max(1.0, shot.monodromy.lpNorm<Eigen::Infinity>());
}

NamedNumbers PeriodicProblem::found(const Vector& z) const {
  NamedNumbers list;
  for (std::size_t i = 0; i < open_.size(); ++i)
    list.emplace_back(shooting_->state()[static_cast<std::size_t>(open_[i])], z(static_cast<Eigen::Index>(i)));
  for (const auto& [name, value] : parameters(z)) list.emplace_back(name, value);
  if (period_free_) list.emplace_back("T", period(z));
  return list;
}

NamedNumbers PeriodicProblem::turns() const {
  NamedNumbers list;
  for (std::size_t i = 0; turns_ && i < model_.coordinates.size(); ++i)
    if ((*turns_)(static_cast<Eigen::Index>(i)) != 0)
      list.emplace_back(model_.coordinates[i].name, (*turns_)(static_cast<Eigen::Index>(i)) / (2 * std::numbers::pi));
  return list;
}

std::vector<double> PeriodicProblem::find_weights(const Vector& z) {
  const Eigen::Index p = static_cast<Eigen::Index>(shooting_->parameters().size());
  const VectorXd sizes = shooting_->find_sizes(state(z), z.tail(p), period(z));
  std::vector<double> made;
  for (const Eigen::Index i : open_) made.push_back(1 / sizes(i));
  if (period_free_) made.push_back(1 / period(z));
  for (Eigen::Index j = 0; j < p; ++j) {
    const double size = std::abs(z(z.size() - p + j));
    made.push_back(size > 0 ? 1 / size : 1);
  }
  return made;
}

}  // namespace dalembert
