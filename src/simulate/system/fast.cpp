// The right-hand side as one straight-line program: from the structure that the model keeps, and for a small system by
// L D L^T of M and of the Gram matrix, unrolled. What costs least by count is taken.

#include <algorithm>
#include <dalembert/expr/linear.hpp>
#include <optional>

#include "mechanics/structure/structure.hpp"
#include "program/latency.hpp"
#include "simulate/system/compiled.hpp"

namespace dalembert {
namespace {

// Which programs are tried. Factors of derived equations: beyond, those from the structure are shorter, or loops are.
constexpr std::size_t most_velocities = 25, most_rows = 12, most_nodes = 50'000;
// Velocities for which M is formed from the structure: an arm of 7 joints takes 1.2 times the instructions of the
// recursive program, one of 20 twice as many.
constexpr std::size_t most_composite = 25;
// Velocities up to which rows of a motion come from a factor of M even where none is needed: a chain of 40 links takes
// 30 us by it and 1 us by its program, one of 300 links 15 ms and 8 us.
constexpr std::size_t most_factored = 40;
// Unknowns from which right-hand sides by any principle come from the structure: with a whole M the rounding of its
// entries counts by its condition, which grows with the fourth power of a chain's length. At 1e-10 a chain of 20 links
// takes 1.5 times the steps, one of 30 ten times.
constexpr std::size_t least_by_structure = 20;
// What is sparse adds up 10 to 60 terms an unknown; a dense matrix of 66 velocities 50 000.
constexpr TermLimit most_terms{50'000, 100};

/// What a program takes, for comparison: the cycles that its instructions keep the processor busy, two a cycle, and
/// half of its longest chain of instructions of which each waits for the one before. Either alone misjudges: a
/// processor that waits does something else meanwhile, and one that is shared or looks ahead less far waits more.
/// Measured, in ns:
///
///   |                          | recursive: instructions, ns | through M   |
///   | chain of 10, relative    | 407   163                   | 794    208  |
///   | chain of 10, absolute    | 478   199                   | 793    183  |
///   | arm of 5 joints          | 980   228                   | 1084   252  |
///   | arm of 7 joints          | 1576  337                   | 1933   400  |
double cost_of(const Program& program) {
  const Section& body = program.body;
  std::vector<double> ready(body.value_count(), 0.0);
  double busy = 0, longest = 0;
  std::uint32_t value = body.first_result();
  for (const Instruction& instruction : body.code) {
    const bool quotient = instruction.op == Opcode::div || instruction.op == Opcode::sqrt;
    const std::uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
    double begin = instruction.op == Opcode::second ? ready[value - 1] : 0;
    for (int k = 0; k < operand_count(instruction.op); ++k) begin = std::max(begin, ready[operands[k]]);
    busy += is_call(instruction.op) ? 10 : quotient ? 4 : 0.5;
    ready[value] = begin + latency_of(instruction.op);
    longest = std::max(longest, ready[value++]);
  }
  return busy + longest / 2;
}

using Exprs = std::vector<Expr>;
using ExprRows = std::vector<Exprs>;  // lower triangles are filled

/// Reads expressions that were copied into another graph in the order in which they were listed.
class Copied {
 public:
  Copied(Graph& graph, const Exprs& expressions) : copies_(copy_to(graph, expressions)) {}
  Expr next() { return copies_[at_++]; }

 private:
  Exprs copies_;
  std::size_t at_ = 0;
};

}  // namespace

Kernel CompiledSystem::compile_fast(const std::vector<Index>& mending) const {
  if (!equations_.impulses.empty()) return {};  // their rates are the multipliers, which it does not give
  const bool by_own_solver = equations_.solver != Solver::gram_matrix;
  if (by_own_solver && u_count() + row_count() < least_by_structure) return {};
  std::optional<Program> best;
  const auto offer = [&](auto&& make) {
    try {
      std::optional<Program> made = make();
      if (made && (!best || cost_of(*made) < cost_of(*best))) best = std::move(made);
    } catch (const InputError&) {
      // A pivot is zero as it stands: there is no program, and the factorisation with numbers says what that means.
    }
  };
  if (!by_own_solver) offer([&] { return make_unrolled(mending); });
  if (has_structure(equations_)) {
    offer([&] { return make_structured(mending, Order::recursive); });
    if (u_count() <= most_composite) offer([&] { return make_structured(mending, Order::composite); });
  }
  return best ? Kernel(std::move(*best)) : Kernel();
}

bool CompiledSystem::needs_no_factor(const Selection& selection) const {
  return selection.active().empty() && u_count() > most_factored;
}

/// From the frames, points and bodies of the model.
std::optional<Program> CompiledSystem::make_structured(const std::vector<Index>& mending, Order order) const {
  const Equations own = fork(equations_);
  Graph& graph = *own.graph;
  std::vector<Expr> parameters;
  for (const Expr& symbol : symbols_) parameters.push_back(rebind(symbol, graph));
  std::vector<MendingRow> rows;
  for (Index r : mending) {
    rows.push_back({r, graph.symbol("sigma " + std::to_string(r))});
    parameters.push_back(rows.back().sigma);
  }
  std::vector<Expr> found = solve_structured(own, rows, order, most_terms);
  if (found.empty()) return {};
  const std::vector<Expr> multipliers(found.begin() + std::ssize(own.velocities), found.end());
  found.resize(u_count());
  if (fast_rate_count() > 0) found.insert(found.begin(), own.rates.begin(), own.rates.end());
  if (has_work) {
    Exprs terms = {own.jacobi_power};
    for (std::size_t r = 0; r < multipliers.size(); ++r) terms.push_back(-multipliers[r] * own.rows[r].offset);
    found.push_back(graph.sum(terms));
  }
  std::vector<Expr> inputs;
  for (const Expr& input : state_inputs()) inputs.push_back(rebind(input, graph));
  return make_program(inputs, parameters, found);
}

/// M, the bias, A and the drift as they were derived, factored.
std::optional<Program> CompiledSystem::make_unrolled(const std::vector<Index>& mending) const {
  if (u_count() > most_velocities || row_count() > most_rows) return {};
  Exprs listed;
  for (const auto& row : equations_.mass) {
    for (const Entry& entry : row) listed.push_back(entry.value);
  }
  listed.insert(listed.end(), equations_.bias.begin(), equations_.bias.end());
  for (const ConstraintRow& row : equations_.rows) {
    for (const Entry& entry : row.jacobian) listed.push_back(entry.value);
    listed.push_back(row.drift);
    listed.push_back(row.offset);
  }
  if (has_work) listed.push_back(equations_.jacobi_power);
  if (fast_rate_count() > 0) listed.insert(listed.end(), equations_.rates.begin(), equations_.rates.end());
  if (count_nodes(listed) > most_nodes) return {};

  Graph graph;
  const auto zero = graph.constant(0);
  Copied copied(graph, listed);
  const std::size_t n = u_count(), rows = row_count();
  ExprRows m(n);
  for (std::size_t i = 0; i < n; ++i) {
    m[i].assign(i + 1, zero);
    for (const Entry& entry : equations_.mass[i]) m[i][entry.column] = copied.next();
  }
  Exprs bias, drift, offset;
  std::vector<std::vector<Entry>> a(rows);
  for (std::size_t i = 0; i < n; ++i) bias.push_back(copied.next());
  for (std::size_t r = 0; r < rows; ++r) {
    for (const Entry& entry : equations_.rows[r].jacobian) a[r].push_back({entry.column, copied.next()});
    drift.push_back(copied.next());
    offset.push_back(copied.next());
  }
  graph.flatten = false;  // sums of a factorisation are shared, writing them out would repeat them
  Exprs sigma(rows, zero);
  Exprs parameters = copy_to(graph, symbols_);
  for (Index r : mending) {
    sigma[r] = graph.symbol("sigma " + std::to_string(r));
    parameters.push_back(sigma[r]);
    for (const Entry& i : a[r])
      for (const Entry& j : a[r])
        if (j.column <= i.column) m[i.column][j.column] += sigma[r] * i.value * j.value;
  }

  auto [acceleration, lambda] = solve_saddle(make_symmetric_rows(m), bias, a, drift);
  if (has_work) {
    Exprs terms = {copied.next()};
    for (std::size_t r = 0; r < rows; ++r) terms.push_back(-(lambda[r] + sigma[r] * drift[r]) * offset[r]);
    acceleration.push_back(graph.sum(terms));
  }
  Exprs made;
  for (std::size_t i = 0; i < fast_rate_count(); ++i) made.push_back(copied.next());
  made.insert(made.end(), acceleration.begin(), acceleration.end());
  return make_program(copy_to(graph, state_inputs()), parameters, made);
}

}  // namespace dalembert
