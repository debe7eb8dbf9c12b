#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/formula.hpp>
#include <dalembert/study/gradient.hpp>

#include "expr/walk.hpp"
#include "simulate/march/motion.hpp"
#include "simulate/system/start.hpp"
#include "study/eigen_view.hpp"
#include "study/gradient/follow.hpp"

namespace dalembert {
namespace {

bool is_parameter(const Model& model, const std::string& name) {
  return std::ranges::find(model.parameters, name, &Parameter::name) != model.parameters.end();
}

void check_names(const Model& model, const std::vector<std::string>& by) {
  std::vector<std::string> known;
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  for (const Coordinate& coordinate : model.coordinates)
    known.insert(known.end(), {coordinate.name, coordinate.rate.name()});
  for (const std::string& name : by) {
    if (std::ranges::find(known, name) == known.end()) {
      const std::string nearest = nearest_name(name, known);
      throw InputError({model.file,
                        {},
                        name,
                        "no parameter, coordinate or rate has this name",
                        nearest.empty() ? "name parameters (l), initial values (theta) or rates (theta')"
                                        : fmt::format("did you mean {}?", nearest)});
    }
    if (std::ranges::count(by, name) > 1) throw InputError({model.file, {}, name, "it is named twice", "name it once"});
  }
  if (by.empty())
    throw InputError(
        {model.file, {}, "", "nothing is named to differentiate by", "name a parameter or an initial value"});
}

void put(NamedNumbers& numbers, const std::string& name, double value) {
  const auto found = std::ranges::find(numbers, name, &std::pair<std::string, double>::first);
  if (found != numbers.end())
    found->second = value;
  else
    numbers.emplace_back(name, value);
}

/// A force or constraint with sign(...) in it.
bool has_jump(const Equations& equations) {
  std::vector<Expr> formulas = equations.bias;
  for (const auto* rows : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *rows) formulas.push_back(row.drift);
  Graph& graph = *equations.graph;
  return std::ranges::any_of(Walk(graph, formulas).order(), [&](NodeId id) { return graph.op(id) == Op::sign; });
}

/// Where a motion starts and under which parameters, as one function of what it is differentiated by.
struct Outset {
  std::vector<double> parameters, y;  ///< y: q, u
};

}  // namespace

std::string gradient_column(const std::string& column, const std::string& by) {
  return fmt::format("d({})/d({})", column, by);
}

struct GradientSystem::Parts {
  Parts(const Model& given, std::vector<std::string> names)
      : model(given),
        by(std::move(names)),
        equations(derive_multipliers(model)),
        compiled(std::make_shared<const CompiledSystem>(equations)),
        evaluator(compiled) {
    std::vector<std::size_t> contacts(equations.contacts.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) contacts[c] = c;
    jumps = has_jump(equations);
    find_inputs();
    tangent.emplace(hold_contacts(equations, contacts), inputs);
    list_columns();
  }

  void find_inputs();
  void list_columns();
  double value_of(const std::string& name, const Outset& base) const;
  Outset outset(const SimulateOptions& options);
  Outset slope_of_outset(const SimulateOptions& options, const std::string& name);
  GradientFollower::Plan make_plan(const SimulateOptions& options);

  Model model;
  std::vector<std::string> by;
  Equations equations;
  std::shared_ptr<const CompiledSystem> compiled;
  SystemEvaluator evaluator;
  std::vector<std::size_t> inputs;  // parameters that change with what is asked for
  std::optional<Tangent> tangent;
  std::vector<ColumnSource> sources;
  std::vector<std::string> source_names;
  bool jumps = false;  // a force has jumps
};

/// The parameters asked for, and those that are computed from them.
void GradientSystem::Parts::find_inputs() {
  std::vector<std::string> reached = by;
  for (bool more = true; more;) {
    more = false;
    for (const Parameter& parameter : model.parameters) {
      if (std::ranges::find(reached, parameter.name) != reached.end()) continue;
      const std::vector<Expr> read = free_symbols({&parameter.value, 1});
      const auto is_reached = [&](const Expr& symbol) {
        return is_parameter(model, symbol.name()) && std::ranges::find(reached, symbol.name()) != reached.end();
      };
      if (!std::ranges::any_of(read, is_reached)) continue;
      reached.push_back(parameter.name);
      more = true;
    }
  }
  for (std::size_t i = 0; i < model.parameters.size(); ++i)
    if (std::ranges::find(reached, model.parameters[i].name) != reached.end()) inputs.push_back(i);
}

void GradientSystem::Parts::list_columns() {
  using Kind = ColumnSource::Kind;
  const auto find = [](const auto& list, const std::string& name, auto&& name_of) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (name_of(list[i]) == name) return i;
    return std::nullopt;
  };
  std::vector<std::string> rows;
  for (const auto* list : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *list) rows.push_back(reaction_symbol(row.name));
  const auto symbol_name = [](const Expr& symbol) { return symbol.name(); };
  const auto itself = [](const std::string& name) { return name; };
  for (const std::string& column : compiled->columns) {
    if (const auto q = find(equations.coordinates, column, symbol_name))
      sources.push_back({Kind::coordinate, *q});
    else if (const auto u = find(equations.velocities, column, symbol_name))
      sources.push_back({Kind::velocity, *u});
    else if (const auto row = find(rows, column, itself))
      sources.push_back({Kind::multiplier, *row});
    else if (const auto seen = find(tangent->terms().output_names(), column, itself))
      sources.push_back({Kind::seen, *seen});
    else
      continue;
    source_names.push_back(column);
  }
}

Outset GradientSystem::Parts::outset(const SimulateOptions& options) {
  evaluator.set_parameters(options.parameters);
  const State state = options.start
                          ? *options.start
                          : make_initial_start(evaluator, options.initial, options.project_initial).found.state;
  Outset found{{evaluator.parameters().begin(), evaluator.parameters().end()}, state.q};
  found.y.insert(found.y.end(), state.u.begin(), state.u.end());
  return found;
}

double GradientSystem::Parts::value_of(const std::string& name, const Outset& base) const {
  for (std::size_t i = 0; i < model.parameters.size(); ++i)
    if (model.parameters[i].name == name) return base.parameters[i];
  for (std::size_t i = 0; i < base.y.size(); ++i)
    if (compiled->component_name(i) == name) return base.y[i];
  return 0;
}

/// By differences of sixth order: parameters computed from others and starts solved from constraints are smooth, and
/// with steps of a thousandth what is left is rounding (1e-13) and not the seventh derivative (1e-18 of it).
Outset GradientSystem::Parts::slope_of_outset(const SimulateOptions& options, const std::string& name) {
  constexpr double part = 0x1p-10;
  constexpr std::pair<int, double> weights[] = {{1, 0.75}, {2, -0.15}, {3, 1.0 / 60}};
  const bool parameter = is_parameter(model, name);
  const Outset base = outset(options);
  const double value = value_of(name, base);
  const double h = part * (value == 0 ? 1 : std::abs(value));
  Outset slope{std::vector<double>(base.parameters.size(), 0.0), std::vector<double>(base.y.size(), 0.0)};
  for (const auto& [steps, weight] : weights)
    for (const double side : {1.0, -1.0}) {
      SimulateOptions moved = options;
      const double there = value + side * steps * h;
      if (parameter) {
        put(moved.parameters, name, there);
      } else if (moved.start) {
        for (std::size_t i = 0; i < base.y.size(); ++i)
          if (compiled->component_name(i) == name)
            (i < moved.start->q.size() ? moved.start->q[i] : moved.start->u[i - moved.start->q.size()]) = there;
      } else {
        put(moved.initial, name, there);
      }
      const Outset found = outset(moved);
      const double factor = side * weight / h;
      for (std::size_t i = 0; i < slope.parameters.size(); ++i) slope.parameters[i] += factor * found.parameters[i];
      for (std::size_t i = 0; i < slope.y.size(); ++i) slope.y[i] += factor * found.y[i];
    }
  return slope;
}

GradientFollower::Plan GradientSystem::Parts::make_plan(const SimulateOptions& options) {
  GradientFollower::Plan plan;
  plan.names = by;
  plan.columns = sources;
  plan.tolerance = options.tolerance.value_or(model.simulate.tolerance);
  const Eigen::Index n = to_index(equations.coordinates.size()), k = to_index(by.size());
  Eigen::MatrixXd directions(to_index(inputs.size()), k);
  plan.start = {Eigen::MatrixXd(n, k), Eigen::MatrixXd(n, k)};
  for (Eigen::Index j = 0; j < k; ++j) {
    const std::string& name = by[static_cast<std::size_t>(j)];
    try {
      const Outset slope = slope_of_outset(options, name);
      for (std::size_t i = 0; i < inputs.size(); ++i) directions(to_index(i), j) = slope.parameters[inputs[i]];
      plan.start.q.col(j) = Eigen::Map<const Eigen::VectorXd>(slope.y.data(), n);
      plan.start.u.col(j) = Eigen::Map<const Eigen::VectorXd>(slope.y.data() + n, n);
    } catch (const ModelError& error) {
      throw InputError({model.file,
                        {},
                        name,
                        fmt::format("with another {} there is no start: {}", name, error.complaint().problem),
                        "write the initial values that depend on it as formulas of parameters, or as guesses "
                        "(--solve NAME,...)"});
    }
  }
  const Outset base = outset(options);
  plan.expected_start = base.y;
  for (const std::string& name : by) {
    const double value = std::abs(value_of(name, base));
    plan.sizes.push_back(value > 0 ? value : 1);
  }
  std::vector<Binding> values;
  for (std::size_t i = 0; i < base.parameters.size(); ++i)
    values.push_back({equations.model->parameters[i].symbol, base.parameters[i]});
  for (const ConstraintRow& contact : equations.contacts) {
    Restitution made{0, Eigen::RowVectorXd::Zero(k)};
    if (contact.restitution) {
      made.value = evaluate(contact.restitution, values);
      for (std::size_t i = 0; i < inputs.size(); ++i)
        made.slope += evaluate(derivative(contact.restitution, equations.model->parameters[inputs[i]].symbol), values) *
                      directions.row(to_index(i));
    }
    plan.contacts.push_back(std::move(made));
  }
  tangent->set(base.parameters, std::move(directions));
  return plan;
}

GradientSystem::GradientSystem(const Model& model, std::vector<std::string> by) {
  check_names(model, by);
  if (model.simulate.vakonomic)
    throw InputError({model.file,
                      {},
                      "simulate.principle",
                      "a vakonomic motion has no gradients here",
                      "use principle = \"dalembert\""});
  parts_ = std::make_unique<Parts>(model, std::move(by));
}
GradientSystem::~GradientSystem() = default;
GradientSystem::GradientSystem(GradientSystem&&) noexcept = default;
GradientSystem& GradientSystem::operator=(GradientSystem&&) noexcept = default;
const Equations& GradientSystem::equations() const { return parts_->equations; }
const std::vector<std::string>& GradientSystem::columns() const { return parts_->compiled->columns; }
const std::vector<std::string>& GradientSystem::by() const { return parts_->by; }

GradientMotion GradientSystem::simulate(const SimulateOptions& options) { return run(options, {}); }

GradientMotion GradientSystem::simulate_at(std::span<const double> times, const SimulateOptions& options) {
  if (times.empty()) return run(options, {});
  SimulateOptions plan = options;
  plan.every = plan.until = times.back();
  if (times.back() == 0) plan.every = 1;
  return run(plan, times);
}

GradientMotion GradientSystem::run(const SimulateOptions& options, std::span<const double> times) {
  GradientFollower::Plan plan = parts_->make_plan(options);
  plan.times.assign(times.begin(), times.end());
  GradientFollower follower(*parts_->tangent, std::move(plan));
  GradientMotion result{run_motion(parts_->evaluator, options, &follower), follower.event_times()};
  Trajectory& motion = result.motion;
  Table rows = motion.rows;
  if (!times.empty()) {
    rows = Table(motion.columns.size());
    for (const std::vector<double>& row : follower.motion_rows()) rows.add(row);
  }
  for (const std::string& name : parts_->by)
    for (const std::string& column : parts_->source_names) motion.columns.push_back(gradient_column(column, name));
  motion.rows = Table(motion.columns.size());
  motion.rows.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double> row = rows[i];
    row.insert(row.end(), follower.rows()[i].begin(), follower.rows()[i].end());
    motion.rows.add(row);
  }
  if (!motion.error.empty()) motion.error.resize(motion.columns.size(), 0.0);
  motion.notes.insert(motion.notes.end(), follower.notes().begin(), follower.notes().end());
  if (parts_->jumps)
    motion.notes.push_back(
        "a force has jumps (sign): where the motion passes one, gradients leave out what its moved time does");
  return result;
}

}  // namespace dalembert
