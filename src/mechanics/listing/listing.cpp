#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/listing.hpp>

#include "mechanics/listing/reactions.hpp"
#include "mechanics/listing/share.hpp"
#include "mechanics/listing/unit_norm.hpp"

// The equation of coordinate i is that of d'Alembert's principle: the sum over bodies of (m a - force) . dv/dq_i' +
// (I alpha + omega x I omega - torque) . d omega/dq_i', what is written by energies and forces on coordinates beside
// it. In other velocities u it is their sum with dq_i'/du_j (theory 1.2, 3.4).

namespace dalembert {
namespace {

constexpr double hopeless_size = 5000;  // nodes written out: an acceleration is told as the rate of its velocity
constexpr std::size_t short_row = 40;   // signs: larger entries of a Jacobian are put as loads on what they act on

class Lister {
 public:
  explicit Lister(const Equations& equations)
      : equations_(equations),
        model_(*equations.model),
        graph_(*equations.graph),
        parts_(model_),
        kinematics_(model_, parts_),
        loads_(model_, parts_, kinematics_),
        constraints_(model_, parts_, kinematics_, loads_),
        right_(equations.velocities.size()),
        is_dalemberts_(find_dalemberts(equations)) {}

  EquationListing run(std::vector<Expr>& also) {
    EquationListing listing;
    std::vector<Expr> left, right, results;
    if (is_dalemberts()) {
      if (!in_rates()) express_coordinates();
      loads_.add_masses();
      add_reactions();
      left = in_rates() ? on_coordinates() : on_velocities();
      for (const auto& terms : right_) right.push_back(graph_.sum(terms));
    } else {
      left = inertia_side(equations_);
      right = reaction_side(equations_);
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
      results.push_back(left[i]);
      results.push_back(right[i]);
    }
    for (const ConstraintRow& row : equations_.rows) results.push_back(undifferentiated(row));
    results.insert(results.end(), also.begin(), also.end());
    results.insert(results.end(), differentiated_.begin(), differentiated_.end());
    listing.parts = parts_.finish(results);
    results.resize(results.size() - differentiated_.size());
    auto next = results.begin();
    for (const Expr& velocity : equations_.velocities) {
      Expr one = *next++, other = *next++;
      listing.motion.push_back({velocity.name(), one, other});
    }
    for (const ConstraintRow& row : equations_.rows)
      listing.constraints.push_back({row.name, *next++, graph_.constant(0)});
    also.assign(next, results.end());
    return listing;
  }

 private:
  /// Neither of a variational problem nor with a metric that constraints have mended.
  static bool find_dalemberts(const Equations& equations) {
    if (!equations.impulses.empty()) return false;
    if (equations.solver != Solver::projector) return true;
    const Equations plain = derive_multipliers(equations.model);
    const auto same = [](const std::vector<Entry>& a, const std::vector<Entry>& b) {
      return std::ranges::equal(a, b, [](const Entry& x, const Entry& y) { return x.value == y.value; });
    };
    return std::ranges::equal(plain.mass, equations.mass, same);
  }
  bool is_dalemberts() const { return is_dalemberts_; }
  /// The velocities are the rates of the model's coordinates.
  bool in_rates() const { return equations_.velocities == equations_.model_rates; }

  /// The model's coordinates, rates and accelerations become parts; what a rate has of a velocity is xi.
  void express_coordinates() {
    const auto xi = sparse_jacobian(equations_.model_rates, equations_.velocities);
    for (std::size_t i = 0; i < xi.size() && equations_.quasi; ++i)
      for (const Entry& entry : xi[i])
        parts_.give(entry.value,
                    "xi(" + equations_.velocities[entry.column].name() + ", " + model_.coordinates[i].name + ")");
    std::vector<Replacement> numbers;
    auto define = [&](Expr symbol, Expr value) {
      if (value.is_constant()) return numbers.push_back({symbol, value});
      if (symbol != value) parts_.define(NamedPart::Kind::kinematics, symbol.name(), value);
    };
    const OnUnitQuaternions on_unit(model_);
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      const Expr rate = on_unit(equations_.model_rates[i]);
      define(model_.coordinates[i].q, equations_.model_coordinates[i]);
      define(model_.coordinates[i].rate, rate);
      if (equations_.quasi && !is_brief(rate)) parts_.give(rate, model_.coordinates[i].rate.name());
    }
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      const Coordinate& c = model_.coordinates[i];
      const Expr acceleration = acceleration_of(i, on_unit);
      const bool told = count_written(acceleration) > hopeless_size;
      if (told) differentiated_.push_back(c.rate);
      define(c.acceleration, told ? graph_.symbol("rate(" + c.rate.name() + ")") : acceleration);
    }
    kinematics_.know(numbers);
    parts_.know(std::move(numbers));
    if (!equations_.quasi) return;
    loads_.use_velocities(equations_.velocities);
    for (std::size_t frame = 1; frame < model_.frames.size(); ++frame) express_spin(frame, on_unit);
  }

  /// An angular velocity whose components are velocities of the frame needs no rates of coordinates.
  void express_spin(std::size_t frame, const OnUnitQuaternions& on_unit) {
    constexpr CanonicalLimits limits{.work = 1e6};
    Vector3 spin = model_.frames[frame].spin, rate = spin;
    for (std::size_t c = 0; c < 3; ++c) {
      if (spin[c].is_zero()) continue;
      auto found = std::ranges::find_if(equations_.quasi->formulas, [&](const Expr& formula) {
        return are_equal(on_unit(spin[c]), on_unit(formula), limits);
      });
      if (found == equations_.quasi->formulas.end()) return;
      const auto k = static_cast<std::size_t>(found - equations_.quasi->formulas.begin());
      spin[c] = equations_.velocities[k];
      rate[c] = equations_.accelerations[k];
    }
    if (spin != model_.frames[frame].spin) kinematics_.set_spin(frame, spin, rate);
  }

  /// The derivative of a rate, the rates that it leads to by their names, where that is shorter than as derived.
  Expr acceleration_of(std::size_t i, const OnUnitQuaternions& on_unit) const {
    const Expr derived = equations_.model_accelerations[i], rate = on_unit(equations_.model_rates[i]);
    if (!equations_.quasi || count_written(rate) > hopeless_size) return derived;
    std::vector<Replacement> direction{{equations_.time, graph_.constant(1)}};
    for (const Coordinate& c : model_.coordinates) direction.push_back({c.q, c.rate});
    for (std::size_t k = 0; k < equations_.velocities.size(); ++k)
      direction.push_back({equations_.velocities[k], equations_.accelerations[k]});
    const Expr by_names = directional_derivative(rate, direction);
    return count_written(by_names) < count_written(derived) ? by_names : derived;
  }

  /// Of energies and forces that are written in coordinates.
  std::vector<Expr> written_side() const {
    auto bare = std::make_shared<Model>(model_);
    bare->points.clear();
    bare->bodies.clear();
    bare->constraints.clear();
    bare->releases.clear();
    return inertia_side(derive_multipliers(std::shared_ptr<const Model>(bare)));
  }

  std::vector<Expr> on_coordinates() {
    std::vector<Expr> total = loads_.on_coordinates(), written = written_side();
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += written[i];
    return total;
  }

  std::vector<Expr> on_velocities() {
    std::vector<Expr> total = on_coordinates();
    for (std::size_t i = 0; i < total.size(); ++i) {  // used by several equations
      if (is_brief(total[i])) continue;
      std::string name = parts_.free_name("Q", model_.coordinates[i].name);
      parts_.define(NamedPart::Kind::load, name, total[i]);
      total[i] = graph_.symbol(name);
    }
    std::vector<std::vector<Expr>> terms(equations_.velocities.size());
    const std::vector<Expr> direct = loads_.on_velocities();
    for (std::size_t j = 0; j < direct.size(); ++j) terms[j].push_back(direct[j]);
    auto rows = sparse_jacobian(equations_.model_rates, equations_.velocities);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const Entry& entry : rows[i]) terms[entry.column].push_back(entry.value * total[i]);
    std::vector<Expr> sums;
    for (const auto& sum : terms) sums.push_back(graph_.sum(sum));
    return sums;
  }

  /// The constraint of a row that the loads can take: where it is one of the model's own, over its rates.
  const Constraint* constraint_of(const ConstraintRow& row) const {
    if (!in_rates() || !is_dalemberts()) return nullptr;
    auto found = std::ranges::find(model_.constraints, row.name, &Constraint::name);
    const bool by_mentions = found != model_.constraints.end() && !found->mentions.empty();
    return by_mentions ? &*found : nullptr;
  }

  void add_reactions() {
    for (const auto* rows : {&equations_.rows, &equations_.contacts})
      for (const ConstraintRow& row : *rows) add_reaction(row);
    for (const auto& [column, term] : constraints_.apply()) right_[column].push_back(term);
  }

  void add_reaction(const ConstraintRow& row) {
    Expr multiplier = graph_.symbol(reaction_symbol(row.name));
    std::size_t signs = 0;
    for (const Entry& entry : row.jacobian) signs = std::max(signs, count_signs_up_to(entry.value, short_row));
    const Constraint* constraint = constraint_of(row);
    if (signs <= short_row || constraint == nullptr) {
      for (const Entry& entry : row.jacobian) right_[entry.column].push_back(entry.value * multiplier);
    } else {
      for (const auto& [column, term] : constraints_.add(*constraint, multiplier)) right_[column].push_back(term);
    }
  }

  Expr undifferentiated(const ConstraintRow& row) {
    Expr f = row.position;
    if (!f) {
      std::vector<Expr> terms{row.offset};
      for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations_.velocities[entry.column]);
      f = graph_.sum(terms);
    }
    const Constraint* constraint = constraint_of(row);
    if (constraint == nullptr || count_signs_up_to(f, short_row) <= short_row) return f;
    return constraints_.as_written(*constraint);
  }

  const Equations& equations_;
  const Model& model_;
  Graph& graph_;
  PartList parts_;
  FrameKinematics kinematics_;
  FrameLoads loads_;
  ConstraintLoads constraints_;
  std::vector<std::vector<Expr>> right_;  // terms, on each velocity
  bool is_dalemberts_;
  std::vector<Expr> differentiated_;  // rates whose own rates are not written out
};

}  // namespace

std::vector<Expr> inertia_side(const Equations& equations) {
  std::vector<std::vector<Expr>> terms(equations.velocities.size());
  for (std::size_t i = 0; i < equations.mass.size(); ++i) {
    terms[i].push_back(equations.bias[i]);
    for (const Entry& entry : equations.mass[i]) {
      terms[i].push_back(entry.value * equations.accelerations[entry.column]);
      if (entry.column != i) terms[entry.column].push_back(entry.value * equations.accelerations[i]);
    }
  }
  std::vector<Expr> side;
  for (const auto& sum : terms) side.push_back(equations.graph->sum(sum));
  return side;
}

std::vector<Expr> reaction_side(const Equations& equations) {
  Graph& graph = *equations.graph;
  std::vector<std::vector<Expr>> terms(equations.velocities.size());
  for (const auto* rows : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *rows) {
      Expr multiplier = graph.symbol(reaction_symbol(row.name));
      for (const Entry& entry : row.jacobian) terms[entry.column].push_back(entry.value * multiplier);
    }
  std::vector<Expr> side;
  for (const auto& sum : terms) side.push_back(graph.sum(sum));
  return side;
}

EquationListing make_equation_listing(const Equations& equations, std::vector<Expr>& also) {
  return Lister(equations).run(also);
}

}  // namespace dalembert
