#include <dalembert/expr/antiderivative.hpp>
#include <dalembert/expr/canonical.hpp>

namespace dalembert {
namespace {

using Found = std::optional<Expr>;

Expr simplify(Expr expression) { return make_display(expression).expression; }

bool is_proved_zero(Expr expression) { return expression.is_zero() || test_zero(expression).verdict == Verdict::zero; }

/// log|u|
Expr log_of_size(Expr u) { return log(pow(u, 2)) / 2; }

/// The antiderivative of f(u)^exponent with respect to u.
Found of_function(Op op, Expr u, const mpq_class& exponent) {
  if (exponent == 1) switch (op) {
      case Op::sin: return -cos(u);
      case Op::cos: return sin(u);
      case Op::tan: return -log_of_size(cos(u));
      case Op::sinh: return cosh(u);
      case Op::cosh: return sinh(u);
      case Op::tanh: return log(cosh(u));
      case Op::exp: return exp(u);
      case Op::log: return u * log(u) - u;
      case Op::atan: return u * atan(u) - log(1 + pow(u, 2)) / 2;
      default: return std::nullopt;
    }
  if (exponent == 2) switch (op) {
      case Op::sin: return (u - sin(u) * cos(u)) / 2;
      case Op::cos: return (u + sin(u) * cos(u)) / 2;
      case Op::tan: return tan(u) - u;
      default: return std::nullopt;
    }
  if (exponent == -2) switch (op) {
      case Op::sin: return -cos(u) / sin(u);
      case Op::cos: return tan(u);
      case Op::cosh: return tanh(u);
      default: return std::nullopt;
    }
  if (exponent == -1) switch (op) {
      case Op::sin: return log_of_size(tan(u / 2));
      case Op::cos: return log_of_size((1 + sin(u)) / cos(u));
      case Op::tan: return log_of_size(sin(u));
      default: return std::nullopt;
    }
  return std::nullopt;
}

class Antiderivative {
 public:
  explicit Antiderivative(Expr symbol) : x_(symbol), graph_(symbol.graph()) {}

  Found find(Expr e, int depth = 0) {
    if (depth > 12) return std::nullopt;
    if (!depends_on(e, x_)) return e * x_;
    if (e == x_) return pow(x_, 2) / 2;
    if (e.op() == Op::sum)
      if (Found terms = of_sum(e, depth)) return terms;
    std::vector<Factor> factors = split(e);
    Expr constant = graph_.constant(1);
    std::vector<Factor> rest;
    for (const Factor& factor : factors) {
      if (depends_on(factor.base, x_))
        rest.push_back(factor);
      else
        constant *= graph_.power(factor.base, factor.exponent);
    }
    if (rest.size() < factors.size()) {
      Found inner = find(product(rest), depth + 1);
      return inner ? Found(constant * *inner) : std::nullopt;
    }
    if (rest.size() == 1)
      if (Found power = of_power(rest[0])) return power;
    if (Found substituted = by_substitution(e, rest)) return substituted;
    if (Found parts = by_parts(rest, depth)) return parts;
    Expr expanded = make_canonical(e).expression;  // products of sums become sums
    return expanded == e || expanded.op() != Op::sum ? std::nullopt : of_sum(expanded, depth);
  }

 private:
  struct Factor {
    Expr base;
    mpq_class exponent;
  };

  Expr product(const std::vector<Factor>& factors) {
    std::vector<Expr> powers;
    for (const Factor& factor : factors) powers.push_back(graph_.power(factor.base, factor.exponent));
    return graph_.product(powers);
  }

  /// A sum is one factor; so is a function.
  std::vector<Factor> split(Expr e) {
    if (e.op() != Op::product) {
      if (e.op() == Op::sum && graph_.parts(e.id()).size() == 1 && graph_.offset(e.id()) == graph_.zero()) {
        const Part part = graph_.parts(e.id())[0];  // coefficient * term
        std::vector<Factor> factors = split(graph_[part.node]);
        factors.push_back({graph_[part.weight], 1});
        return factors;
      }
      return {{e, 1}};
    }
    const std::vector<Part> parts(graph_.parts(e.id()).begin(), graph_.parts(e.id()).end());
    std::vector<Factor> factors;
    for (const Part& part : parts) factors.push_back({graph_[part.node], graph_.value(part.weight)});
    return factors;
  }

  Found of_sum(Expr e, int depth) {
    const std::vector<Part> parts(graph_.parts(e.id()).begin(), graph_.parts(e.id()).end());
    std::vector<Expr> terms{graph_[graph_.offset(e.id())] * x_};
    if (parts.size() == 1 && graph_.offset(e.id()) == graph_.zero()) return std::nullopt;  // a product in truth
    for (const Part& part : parts) {
      Found term = find(graph_[part.node], depth + 1);
      if (!term) return std::nullopt;
      terms.push_back(graph_[part.weight] * *term);
    }
    return graph_.sum(terms);
  }

  /// One power: of something linear, of a function of something linear, of c + x^2.
  Found of_power(const Factor& factor) {
    Expr slope = simplify(derivative(factor.base, x_));
    if (!depends_on(slope, x_)) {
      if (factor.exponent == -1) return log_of_size(factor.base) / slope;
      const mpq_class next = factor.exponent + 1;
      return graph_.power(factor.base, next) / (graph_.constant(next) * slope);
    }
    if (is_unary(factor.base.op())) {
      Expr u = graph_[graph_.arguments(factor.base.id())[0]];
      Expr inner = simplify(derivative(u, x_));
      if (depends_on(inner, x_)) return std::nullopt;
      Found outer = of_function(factor.base.op(), u, factor.exponent);
      return outer ? Found(*outer / inner) : std::nullopt;
    }
    if (factor.exponent != -1) return std::nullopt;
    Expr bend = simplify(derivative(slope, x_)) / 2;  // base = bend x^2 + c
    Expr c = simplify(factor.base - bend * pow(x_, 2));
    if (depends_on(bend, x_) || depends_on(c, x_) || !bend.is_constant() || !c.is_constant()) return std::nullopt;
    if (sgn(bend.value()) <= 0 || sgn(c.value()) <= 0) return std::nullopt;
    Expr root = sqrt(bend * c);
    return atan(x_ * bend / root) / root;
  }

  /// e = ratio * u' * f(u) with a ratio free of x, for a factor f(u) of e.
  Found by_substitution(Expr e, const std::vector<Factor>& factors) {
    for (const Factor& factor : factors) {
      Expr power = graph_.power(factor.base, factor.exponent);
      Expr ratio = simplify(e / (power * derivative(factor.base, x_)));
      if (!depends_on(ratio, x_)) {
        if (factor.exponent == -1) return ratio * log_of_size(factor.base);
        const mpq_class next = factor.exponent + 1;
        return ratio * graph_.power(factor.base, next) / graph_.constant(next);
      }
      if (!is_unary(factor.base.op())) continue;
      Expr u = graph_[graph_.arguments(factor.base.id())[0]];
      ratio = simplify(e / (power * derivative(u, x_)));
      if (depends_on(ratio, x_)) continue;
      if (Found outer = of_function(factor.base.op(), u, factor.exponent)) return ratio * *outer;
    }
    return std::nullopt;
  }

  /// x^n f with a whole n > 0: x^n F - n integral of x^(n-1) F.
  Found by_parts(const std::vector<Factor>& factors, int depth) {
    for (std::size_t k = 0; k < factors.size(); ++k) {
      const Factor& factor = factors[k];
      bool is_power = factor.base == x_ && factor.exponent.get_den() == 1 && sgn(factor.exponent) > 0;
      bool is_log = factor.base.op() == Op::log && factor.exponent == 1;
      if (!is_power && !is_log) continue;
      std::vector<Factor> others = factors;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      if (others.empty()) continue;
      Found outer = find(product(others), depth + 1);
      if (!outer) continue;
      Expr u = graph_.power(factor.base, factor.exponent);
      Found rest = find(simplify(derivative(u, x_) * *outer), depth + 1);
      if (rest) return u * *outer - *rest;
    }
    return std::nullopt;
  }

  Expr x_;
  Graph& graph_;
};

}  // namespace

Found find_antiderivative(Expr expression, Expr symbol) {
  Found found = Antiderivative(symbol).find(expression);  // as written: simplifying may multiply angles out
  if (!found) found = Antiderivative(symbol).find(simplify(expression));
  if (!found || !is_proved_zero(derivative(*found, symbol) - expression)) return std::nullopt;
  return found;
}

Found find_potential(std::span<const Expr> form, std::span<const Expr> symbols) {
  if (form.empty()) return std::nullopt;
  Expr potential = form[0].graph().constant(0);
  for (std::size_t k = 0; k < form.size(); ++k) {
    Expr rest = simplify(form[k] - derivative(potential, symbols[k]));
    if (rest.is_zero()) continue;
    for (std::size_t i = 0; i < k; ++i)
      if (depends_on(rest, symbols[i])) return std::nullopt;
    Found part = find_antiderivative(rest, symbols[k]);
    if (!part) return std::nullopt;
    potential += *part;
  }
  for (std::size_t k = 0; k < form.size(); ++k)
    if (!is_proved_zero(form[k] - derivative(potential, symbols[k]))) return std::nullopt;
  return simplify(potential);
}

}  // namespace dalembert
