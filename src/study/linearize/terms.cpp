#include "study/linearize/terms.hpp"

#include <algorithm>
#include <dalembert/base/work_limit.hpp>

#include "study/written_out.hpp"

namespace dalembert {
namespace {

/// An instruction takes about a nanosecond; what is small, a few microseconds with what is solved with it.
void spend(const BoundKernel& kernel) {
  constexpr double of_an_instruction = 0.1, at_least = 200;
  spend_work(at_least + of_an_instruction * static_cast<double>(kernel.instruction_count()));
}

void append(std::vector<Expr>& to, std::span<const Expr> from) { to.insert(to.end(), from.begin(), from.end()); }

std::vector<Expr> parameter_symbols(const Model& model) {
  std::vector<Expr> symbols;
  for (const Parameter& parameter : model.parameters) symbols.push_back(parameter.symbol);
  return symbols;
}

/// sum of entries times values.
Expr combine(Graph& graph, std::span<const Entry> entries, std::span<const Expr> values) {
  std::vector<Expr> terms;
  for (const Entry& entry : entries) terms.push_back(entry.value * values[entry.column]);
  return graph.sum(terms);
}

/// R, then S, then psi; `multipliers` are symbols, one a row.
std::vector<Expr> make_residuals(const Equations& equations, std::span<const Expr> multipliers) {
  Graph& graph = *equations.graph;
  const std::size_t n = equations.velocities.size();
  std::vector<std::vector<Expr>> force(n);
  for (std::size_t i = 0; i < n; ++i) {
    force[i].push_back(equations.bias[i]);
    for (const Entry& entry : equations.mass[i]) {
      force[i].push_back(entry.value * equations.accelerations[entry.column]);
      if (entry.column != i) force[entry.column].push_back(entry.value * equations.accelerations[i]);
    }
  }
  std::vector<Expr> accelerations, velocities;
  for (std::size_t r = 0; r < equations.rows.size(); ++r) {
    const ConstraintRow& row = equations.rows[r];
    for (const Entry& entry : row.jacobian) force[entry.column].push_back(-(entry.value * multipliers[r]));
    accelerations.push_back(combine(graph, row.jacobian, equations.accelerations) + row.drift);
    velocities.push_back(combine(graph, row.jacobian, equations.velocities) + row.offset);
  }
  std::vector<Expr> made;
  for (const std::vector<Expr>& terms : force) made.push_back(graph.sum(terms));
  append(made, accelerations);
  append(made, velocities);
  return made;
}

/// What is seen of a motion in t, q, q', q'' and the symbols of reactions, with names.
std::vector<Expr> make_outputs(const Equations& equations, Seen seen, std::vector<std::string>& names) {
  const Model& model = *equations.model;
  Graph& graph = *equations.graph;
  std::vector<Replacement> meaning{{graph.symbol("energy"), equations.energy}};
  for (const QuasiVelocity& v : model.quasi_velocities) meaning.push_back({v.symbol, v.formula});
  for (const ReactionFormula& release : equations.released)
    meaning.push_back({graph.symbol(reaction_symbol(release.name)), release.value});
  std::vector<Expr> formulas;
  const auto add = [&](const std::string& name, Expr formula) {
    names.push_back(name);
    formulas.push_back(formula);
  };
  for (const Output& output : model.outputs) add(output.name, output.formula);
  if (seen == Seen::motion) {
    for (const QuasiVelocity& v : model.quasi_velocities) add(v.name, v.formula);
    for (const ReactionFormula& release : equations.released) add(reaction_symbol(release.name), release.value);
    add("energy", equations.energy);
    for (const Event& event : model.events) add(event.name, event.when);
  }
  return substitute(formulas, meaning);
}

using SparseRows = std::vector<std::vector<Entry>>;

/// Rows from `first` on, their columns from `begin` to `end`.
SparseRows part_of(const SparseRows& all, std::size_t first, std::size_t count, std::size_t begin, std::size_t end) {
  SparseRows part(count);
  for (std::size_t r = 0; r < count; ++r)
    for (const Entry& entry : all[first + r])
      if (entry.column >= begin && entry.column < end)
        part[r].push_back({static_cast<std::uint32_t>(entry.column - begin), entry.value});
  return part;
}

}  // namespace

Terms::Terms(const Equations& given, std::span<const std::size_t> inputs, Seen seen)
    : n_(given.velocities.size()), rows_(given.rows.size()), inputs_(inputs.size()), seen_(seen) {
  const Equations equations = fork(given);
  for (const ConstraintRow& row : equations.rows) {
    geometric_.push_back(static_cast<bool>(row.position));
    names_.push_back(row.name);
  }
  compile_values(equations);
  compile_slopes(equations, inputs);
}

void Terms::add_block(const SparseRows& rows, std::size_t columns, std::vector<Expr>& made) {
  Block block{rows.size(), columns, {}};
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const Entry& entry : rows[r]) {
      block.slots.push_back({r, entry.column});
      made.push_back(entry.value);
    }
  blocks_.push_back(std::move(block));
}

void Terms::compile_values(const Equations& equations) {
  std::vector<Expr> inputs{equations.time}, made;
  append(inputs, equations.coordinates);
  append(inputs, equations.velocities);
  add_block(equations.mass, n_, made);
  SparseRows rows;
  for (const ConstraintRow& row : equations.rows) rows.push_back(row.jacobian);
  add_block(rows, n_, made);
  jacobian_ = std::move(blocks_.back());
  mass_ = std::move(blocks_.front());
  blocks_.clear();
  append(made, equations.bias);
  for (const ConstraintRow& row : equations.rows)
    made.push_back(combine(*equations.graph, row.jacobian, equations.velocities) + row.offset);
  for (const ConstraintRow& row : equations.rows) made.push_back(row.drift);
  for (const ConstraintRow& row : equations.rows)
    made.push_back(row.position ? row.position : equations.graph->constant(0));
  values_kernel_ = Kernel(inputs, parameter_symbols(*equations.model), made);
  values_ = BoundKernel(values_kernel_);
}

void Terms::compile_slopes(const Equations& equations, std::span<const std::size_t> inputs) {
  const Model& model = *equations.model;
  std::vector<Expr> multipliers, places;
  for (const ConstraintRow& row : equations.rows)
    multipliers.push_back(equations.graph->symbol(reaction_symbol(row.name)));
  for (std::size_t input : inputs) places.push_back(model.parameters[input].symbol);
  places.push_back(equations.time);
  const std::size_t extra = places.size(), e = extra + n_;
  append(places, equations.coordinates);
  std::vector<Expr> symbols = places;
  append(symbols, equations.velocities);

  const std::vector<Replacement> written_out = write_out_parameters(model, inputs);
  std::vector<Expr> made;
  const SparseRows slopes = sparse_jacobian(substitute(make_residuals(equations, multipliers), written_out), symbols);
  add_block(part_of(slopes, 0, n_, 0, e), e, made);
  add_block(part_of(slopes, 0, n_, e, e + n_), n_, made);
  add_block(part_of(slopes, n_, rows_, 0, e), e, made);
  add_block(part_of(slopes, n_, rows_, e, e + n_), n_, made);
  add_block(part_of(slopes, n_ + rows_, rows_, 0, e), e, made);
  std::vector<Expr> positions;
  for (const ConstraintRow& row : equations.rows)
    positions.push_back(row.position ? row.position : equations.graph->constant(0));
  add_block(sparse_jacobian(substitute(positions, written_out), std::span(places).first(extra)), extra, made);

  append(symbols, equations.accelerations);
  append(symbols, multipliers);
  const std::vector<Expr> seen = substitute(make_outputs(equations, seen_, output_names_), written_out);
  const SparseRows outputs = sparse_jacobian(seen, symbols);
  for (const auto& [begin, width] :
       {std::pair(std::size_t{0}, e), std::pair(e, n_), std::pair(e + n_, n_), std::pair(e + 2 * n_, rows_)})
    add_block(part_of(outputs, 0, output_count(), begin, begin + width), width, made);

  std::vector<Expr> arguments{equations.time};
  for (const auto& list : {equations.coordinates, equations.velocities, equations.accelerations, multipliers})
    append(arguments, list);
  slopes_kernel_ = Kernel(arguments, parameter_symbols(model), made);
  slopes_ = BoundKernel(slopes_kernel_);
  if (seen_ == Seen::motion) return;
  const std::size_t forces = blocks_[0].slots.size() + blocks_[1].slots.size();
  sizes_kernel_ = Kernel(arguments, parameter_symbols(model), majorant(std::span(made).first(forces)));
  sizes_ = BoundKernel(sizes_kernel_);
}

void Terms::set_parameters(std::span<const double> values) {
  values_.set_parameters(values);
  slopes_.set_parameters(values);
  sizes_.set_parameters(values);
}

NumberMatrix Terms::take(const Block& block, const double*& from) {
  NumberMatrix matrix(block.rows, block.columns);
  for (const Slot& slot : block.slots) matrix(slot.row, slot.column) = *from++;
  return matrix;
}

TermValues Terms::evaluate(const MotionPoint& at) {
  spend(values_);
  inputs_memory_.assign(1, at.t);
  for (const std::vector<double>* list : {&at.q, &at.u})
    inputs_memory_.insert(inputs_memory_.end(), list->begin(), list->end());
  made_.resize(values_kernel_.output_count());
  values_(inputs_memory_.data(), made_.data());
  const double* from = made_.data();
  TermValues values;
  values.mass = take(mass_, from);
  for (const Slot& slot : mass_.slots) values.mass(slot.column, slot.row) = values.mass(slot.row, slot.column);
  values.jacobian = take(jacobian_, from);
  const auto list = [&](std::size_t count) {
    std::vector<double> taken(from, from + count);
    from += count;
    return taken;
  };
  values.bias = list(n_);
  values.velocity = list(rows_);
  values.drift = list(rows_);
  values.position = list(rows_);
  return values;
}

SlopeValues Terms::evaluate_slopes(const MotionPoint& at) {
  spend(slopes_);
  inputs_memory_.assign(1, at.t);
  for (const std::vector<double>* list : {&at.q, &at.u, &at.a, &at.lambda})
    inputs_memory_.insert(inputs_memory_.end(), list->begin(), list->end());
  made_.resize(slopes_kernel_.output_count());
  slopes_(inputs_memory_.data(), made_.data());
  const double* from = made_.data();
  SlopeValues values;
  std::size_t block = 0;
  for (NumberMatrix* matrix :
       {&values.force_e, &values.force_u, &values.acceleration_e, &values.acceleration_u, &values.velocity_e,
        &values.position_x, &values.output_e, &values.output_u, &values.output_a, &values.output_l})
    *matrix = take(blocks_[block++], from);
  if (seen_ == Seen::motion) return values;
  made_.resize(sizes_kernel_.output_count());
  sizes_(inputs_memory_.data(), made_.data());
  from = made_.data();
  values.force_e_size = take(blocks_[0], from);
  values.force_u_size = take(blocks_[1], from);
  return values;
}

}  // namespace dalembert
