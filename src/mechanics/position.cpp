#include <algorithm>
#include <dalembert/mechanics/position.hpp>

#include "mechanics/simplify.hpp"

namespace dalembert {

/// form = sum two_ij u_i u_j / 2 + sum one_i u_i + zero
struct Quadratic {
  std::vector<std::vector<Expr>> two;
  std::vector<Expr> one;
  Expr zero;
};

namespace {

constexpr std::size_t most_rates = 12;  // larger systems give nothing that anybody reads

bool depends_on_any(Expr expression, std::span<const Expr> symbols) {
  return std::ranges::any_of(symbols, [&](Expr symbol) { return depends_on(expression, symbol); });
}

/// Empty where the form is of another kind.
std::optional<Quadratic> make_quadratic(Expr form, std::span<const Expr> rates, Simplifier& simplify) {
  std::vector<Replacement> at_rest;
  for (Expr rate : rates) at_rest.push_back({rate, form.graph().constant(0)});
  Quadratic result;
  result.zero = simplify(substitute(form, at_rest));
  for (Expr slope : gradient(form, rates)) {
    result.one.push_back(simplify(substitute(slope, at_rest)));
    std::vector<Expr> row;
    for (Expr second : gradient(slope, rates)) {
      row.push_back(simplify(second));
      if (depends_on_any(row.back(), rates)) return std::nullopt;
    }
    result.two.push_back(std::move(row));
  }
  return result;
}

bool is_proved_zero(Expr expression) { return expression.is_zero() || test_zero(expression).verdict == Verdict::zero; }

bool is_proved_nonzero(Expr expression) {
  return !expression.is_zero() && test_zero(expression).verdict == Verdict::nonzero;
}

/// quantity - factor * energy without rates? Then the factor.
std::optional<Expr> proportion(const Quadratic& quantity, const Quadratic* energy, Graph& graph, Simplifier& simplify) {
  const std::size_t count = quantity.one.size();
  Expr factor = graph.constant(0);
  for (std::size_t i = 0; energy && i < count && factor.is_zero(); ++i)
    for (std::size_t j = 0; j <= i && factor.is_zero(); ++j)
      if (!quantity.two[i][j].is_zero() && is_proved_nonzero(energy->two[i][j]))
        factor = simplify(quantity.two[i][j] / energy->two[i][j]);
  auto rest = [&](Expr a, Expr b) { return energy ? a - factor * b : a; };
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_proved_zero(rest(quantity.one[i], energy ? energy->one[i] : Expr()))) return std::nullopt;
    for (std::size_t j = 0; j <= i; ++j)
      if (!is_proved_zero(rest(quantity.two[i][j], energy ? energy->two[i][j] : Expr()))) return std::nullopt;
  }
  return factor;
}

}  // namespace

struct RateElimination::Parts {
  /// Some rates in terms of the others, the energy in what is left.
  struct Stage {
    std::vector<Replacement> solved;
    std::vector<Expr> rates;  // those left
    std::optional<Quadratic> energy;
  };

  Equations equations;
  Simplifier simplify;
  std::vector<IntegralConstant> constants;  // the energy's first, where there is one
  bool has_energy = false;
  std::vector<Stage> stages;
  std::vector<Replacement> fixed;  // coordinates that a constraint by itself holds where they are

  Parts(const Equations& derived, double work) : equations(derived), simplify(work) {}

  Graph& graph() const { return *equations.graph; }

  /// A name that nothing in the model has.
  Expr fresh_symbol(std::string name) {
    while (graph().find_symbol(name)) name += "_";
    return graph().symbol(name);
  }

  void make_constants(const Model& model) {
    std::vector<Replacement> start{{equations.time, graph().constant(0)}};
    for (const Coordinate& coordinate : model.coordinates) {
      start.push_back({coordinate.q, coordinate.value});
      start.push_back({coordinate.rate, coordinate.rate_value});
    }
    for (const FirstIntegral& integral : find_integrals_in(equations, Effort::prove)) {
      const std::string prefix = "momentum of ";
      if (integral.name.find("momentum a") != std::string::npos) continue;  // along, about: of several rates
      bool is_momentum = integral.name.starts_with(prefix);
      has_energy |= !is_momentum;
      std::string name = is_momentum ? "p_" + integral.name.substr(prefix.size()) : "E";
      constants.push_back({fresh_symbol(name), integral.name, integral.formula, substitute(integral.formula, start)});
    }
  }

  /// A geometric constraint that names one coordinate only, linearly, gives its place.
  void find_fixed() {
    for (const ConstraintRow& row : equations.rows) {
      if (!row.position || row.jacobian.size() != 1 || depends_on(row.position, equations.time)) continue;
      const Entry& entry = row.jacobian[0];
      Expr place = simplify(equations.coordinates[entry.column] - row.position / entry.value);
      if (!depends_on_any(place, equations.coordinates)) fixed.push_back({equations.coordinates[entry.column], place});
    }
  }

  /// One rate less by `relation` = 0, if it is linear in the rates left.
  void solve(Expr relation, Stage& stage) {
    relation = simplify(substitute(relation, stage.solved));
    std::vector<Expr> slopes = gradient(relation, stage.rates);
    std::size_t pivot = slopes.size();
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      slopes[i] = simplify(slopes[i]);
      if (depends_on_any(slopes[i], stage.rates)) return;
      bool is_shorter = pivot == slopes.size() || count_written(slopes[i]) < count_written(slopes[pivot]);
      if (is_shorter && is_proved_nonzero(slopes[i])) pivot = i;
    }
    if (pivot == slopes.size()) return;
    Expr rate = stage.rates[pivot];
    Expr value = simplify(rate - relation / slopes[pivot]);
    if (depends_on(value, rate)) return;
    const Replacement step{rate, value};
    for (Replacement& earlier : stage.solved) earlier.by = simplify(substitute(earlier.by, {&step, 1}));
    stage.solved.push_back(step);
    stage.rates.erase(stage.rates.begin() + static_cast<std::ptrdiff_t>(pivot));
  }

  void finish(Stage& stage) {
    if (has_energy)
      stage.energy = make_quadratic(simplify(substitute(constants[0].formula, stage.solved)), stage.rates, simplify);
    stages.push_back(stage);
  }

  /// Nothing solved; constraints solved; momenta too. The plainest that serves is taken.
  void make_stages() {
    Stage stage{{}, equations.velocities, {}};
    finish(stage);
    std::size_t before = stage.rates.size();
    for (const ConstraintRow& row : equations.rows) {
      Expr psi = row.offset;
      for (const Entry& entry : row.jacobian) psi += entry.value * equations.velocities[entry.column];
      solve(psi, stage);
    }
    if (stage.rates.size() < before) finish(stage);
    before = stage.rates.size();
    for (std::size_t i = has_energy ? 1 : 0; i < constants.size(); ++i)
      solve(constants[i].formula - constants[i].symbol, stage);
    if (stage.rates.size() < before) finish(stage);
  }

  std::optional<Expr> eliminate(Expr quantity, const Stage& stage) {
    Expr form = simplify(substitute(quantity, stage.solved));
    std::optional<Quadratic> quadratic = make_quadratic(form, stage.rates, simplify);
    if (!quadratic || simplify.is_exhausted()) return std::nullopt;
    const Quadratic* energy = stage.energy ? &*stage.energy : nullptr;
    std::optional<Expr> factor = proportion(*quadratic, energy, graph(), simplify);
    if (!factor) return std::nullopt;
    return energy ? quadratic->zero + *factor * (constants[0].symbol - energy->zero) : quadratic->zero;
  }

  /// The square of one rate goes, the others stay; the choice that leaves fewest rates.
  std::optional<Expr> eliminate_one(Expr quantity, const Stage& stage) {
    if (!stage.energy) return std::nullopt;
    Expr form = simplify(substitute(quantity, stage.solved));
    std::optional<Quadratic> quadratic = make_quadratic(form, stage.rates, simplify);
    if (!quadratic) return std::nullopt;
    Expr energy = substitute(constants[0].formula, stage.solved) - constants[0].symbol;
    std::optional<Expr> best;
    auto rates_in = [&](Expr e) {
      return std::ranges::count_if(stage.rates, [&](Expr rate) { return depends_on(e, rate); });
    };
    for (std::size_t i = 0; i < stage.rates.size(); ++i) {
      if (quadratic->two[i][i].is_zero() || !is_proved_nonzero(stage.energy->two[i][i])) continue;
      Expr candidate = simplify(form - quadratic->two[i][i] / stage.energy->two[i][i] * energy);
      if (rates_in(candidate) < rates_in(best.value_or(form))) best = candidate;
    }
    return best;
  }

  OfPosition conclude(Expr formula) {
    OfPosition result;
    if (simplify.is_exhausted()) {
      result.remark = "the formula grows too large to read";
      return result;
    }
    result.formula = formula = substitute(formula, fixed);
    std::vector<Replacement> values;
    for (const IntegralConstant& constant : constants) {
      values.push_back({constant.symbol, constant.at_start});
      if (depends_on(formula, constant.symbol)) result.constants.push_back(constant);
    }
    result.at_start = substitute(formula, values);
    for (Expr rate : equations.velocities)
      if (depends_on(formula, rate)) result.remaining.push_back(rate);
    return result;
  }
};

RateElimination::RateElimination(const Model& model, const Equations& equations, double work)
    : parts_(std::make_unique<Parts>(equations, work)) {
  if (equations.velocities.size() > most_rates) return;
  parts_->make_constants(model);
  parts_->find_fixed();
  parts_->make_stages();
}
RateElimination::~RateElimination() = default;
RateElimination::RateElimination(RateElimination&&) noexcept = default;
RateElimination& RateElimination::operator=(RateElimination&&) noexcept = default;

OfPosition RateElimination::eliminate(Expr quantity) {
  OfPosition result;
  if (parts_->stages.empty()) {
    result.remark = "too many coordinates to eliminate rates for reading";
    return result;
  }
  for (const Parts::Stage& stage : parts_->stages)
    if (std::optional<Expr> formula = parts_->eliminate(quantity, stage)) return parts_->conclude(*formula);
  result.remark = parts_->has_energy ? "the integrals do not take all rates away" : "no energy integral";
  if (std::optional<Expr> partly = parts_->eliminate_one(quantity, parts_->stages.back())) {
    std::string remark = result.remark;
    result = parts_->conclude(*partly);
    if (result.remark.empty()) result.remark = remark;
  }
  return result;
}

std::optional<RateSquared> RateElimination::rate_squared() {
  if (parts_->stages.empty()) return std::nullopt;
  const Parts::Stage& stage = parts_->stages.back();
  if (stage.rates.size() != 1 || !stage.energy || !stage.energy->one[0].is_zero() ||
      !is_proved_nonzero(stage.energy->two[0][0]))
    return std::nullopt;
  Expr square = 2 * (parts_->constants[0].symbol - stage.energy->zero) / stage.energy->two[0][0];
  auto rate = std::ranges::find(parts_->equations.velocities, stage.rates[0]);
  Expr at_start = parts_->conclude(square).at_start;
  if (!at_start) return std::nullopt;
  return RateSquared{static_cast<std::size_t>(rate - parts_->equations.velocities.begin()), at_start};
}

}  // namespace dalembert
