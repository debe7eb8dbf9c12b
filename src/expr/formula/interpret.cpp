#include <fmt/format.h>

#include <algorithm>

#include "expr/formula/functions.hpp"
#include "expr/formula/lexer.hpp"
#include "expr/rational.hpp"

// Syntax to graph: one pass over the post-order nodes with a stack of values.

namespace dalembert {
namespace {

using Kind = SyntaxNode::Kind;

/// Formulas may be short and yet make huge graphs, as (((a*b*...)^2)^2)^2. Counts summands, factors and machine words.
constexpr std::size_t largest_work = 20'000'000;
constexpr long largest_exponent = FormulaLimits{}.exponent;

/// What functions of other languages are called here; empty for names that are none.
std::string remedy_for_function(std::string_view name) {
  struct Other {
    std::string_view name, remedy;
  };
  constexpr std::string_view prime = "write a prime for a time derivative, as x'";
  constexpr Other others[] = {{"diff", prime},
                              {"der", prime},
                              {"ddt", prime},
                              {"derivative", prime},
                              {"D", prime},
                              {"ln", "write log(...) for the natural logarithm"},
                              {"log10", "write log(...)/log(10)"},
                              {"pow", "write a^b for a power"},
                              {"arcsin", "write asin(...)"},
                              {"arccos", "write acos(...)"},
                              {"arctan", "write atan(...), or atan2(y, x)"},
                              {"heaviside", "write (1 + sign(x))/2"},
                              {"step", "write (1 + sign(x))/2"},
                              {"deg", "angles are in radians: write *pi/180 for degrees"},
                              {"radians", "write *pi/180"}};
  auto found = std::ranges::find(others, name, &Other::name);
  return found == std::end(others) ? std::string() : std::string(found->remedy);
}

class Interpreter {
 public:
  Interpreter(const Formula& formula, const Scope& scope) : formula_(formula), scope_(scope), graph_(*scope.graph) {}

  Quantity run(std::uint32_t root) {
    find_scope_calls(root);
    for (std::uint32_t i = formula_.nodes[root].first; i <= root; ++i) {
      if (!scope_calls_.empty() && formula_.nodes[scope_calls_.back()].first == i) {
        i = scope_calls_.back();
        scope_calls_.pop_back();
        values_.push_back(ask_call(i));
      } else {
        interpret_node(i);
      }
      charge(formula_.nodes[i].place, values_.back());
    }
    return values_.back();
  }

 private:
  /// The outermost calls that the scope answers, last first: their arguments are not interpreted here.
  void find_scope_calls(std::uint32_t root) {
    std::uint32_t begin = formula_.nodes[root].first;
    for (std::uint32_t i = root + 1; i > begin;) {
      const SyntaxNode& node = formula_.nodes[--i];
      if (node.kind != Kind::call || is_builtin_function(node.text)) continue;
      scope_calls_.push_back(i);
      i = node.first;
    }
  }

  void interpret_node(std::uint32_t i) {
    const SyntaxNode& node = formula_.nodes[i];
    arguments_.assign(values_.end() - node.children, values_.end());
    values_.resize(values_.size() - node.children);
    try {
      values_.push_back(instead_of(make(node, i)));
    } catch (const FormulaError& error) {
      if (error.complaint().place.line != 0) throw;
      fail_formula(node.place, error.complaint().problem, error.complaint().remedy);
    }
  }

  Quantity make(const SyntaxNode& node, std::uint32_t i) {
    switch (node.kind) {
      case Kind::number: return graph_.constant(node.value);
      case Kind::name: return ask_name(node);
      case Kind::sum: return make_sum(i);
      case Kind::product: return make_product(i);
      case Kind::negative: return map(arguments_[0], [](Expr e) { return -e; });
      case Kind::inverse: return make_inverse(node);
      case Kind::power: return make_power(i);
      case Kind::vector: return Vector3{scalar(i, 0), scalar(i, 1), scalar(i, 2)};
      case Kind::member: return make_member(node);
      case Kind::call: break;
    }
    return call_function(formula_, i, graph_, arguments_);
  }

  Quantity instead_of(Quantity value) const {
    const Expr* e = std::get_if<Expr>(&value);
    return scope_.instead && e != nullptr && *e == scope_.instead->symbol ? Quantity(scope_.instead->by) : value;
  }

  /// Runs of neighbours that make what is read as something else.
  template <class Join>
  void replace_runs(std::vector<Expr>& operands, Join&& join) const {
    constexpr std::size_t longest = 8;
    if (!scope_.instead || (scope_.instead->symbol.op() != Op::sum && scope_.instead->symbol.op() != Op::product))
      return;
    for (std::size_t begin = 0; begin < operands.size(); ++begin)
      for (std::size_t count = std::min(longest, operands.size() - begin); count > 1; --count) {
        if (join(std::span<const Expr>(operands).subspan(begin, count)) != scope_.instead->symbol) continue;
        auto first = operands.begin() + static_cast<std::ptrdiff_t>(begin);
        *first = scope_.instead->by;
        operands.erase(first + 1, first + static_cast<std::ptrdiff_t>(count));
        break;
      }
  }

  template <class Change>
  static Quantity map(const Quantity& value, Change&& change) {
    if (const Expr* e = std::get_if<Expr>(&value)) return change(*e);
    const Vector3& v = std::get<Vector3>(value);
    return Vector3{change(v[0]), change(v[1]), change(v[2])};
  }

  static bool is_vector(const Quantity& value) { return std::holds_alternative<Vector3>(value); }
  Place place_of(std::uint32_t i, std::size_t child) const { return formula_.nodes[formula_.children(i)[child]].place; }

  Expr scalar(std::uint32_t i, std::size_t child) const {
    if (!is_vector(arguments_[child])) return std::get<Expr>(arguments_[child]);
    fail_formula(place_of(i, child), "a vector where a scalar is expected",
                 "take a component (.x, .y, .z) or norm(...)");
  }

  /// Constants are added up before the graph sees them, so that it keeps no partial sums.
  Expr add(std::span<const Expr> terms) {
    return fold(
        terms, 0, [](mpq_class& a, const mpq_class& b) { a += b; }, [&](auto list) { return graph_.sum(list); });
  }
  Expr multiply(std::span<const Expr> factors) {
    return fold(
        factors, 1, [](mpq_class& a, const mpq_class& b) { a *= b; }, [&](auto list) { return graph_.product(list); });
  }
  template <class Join, class Build>
  Expr fold(std::span<const Expr> operands, long neutral, Join&& join, Build&& build) {
    std::optional<mpq_class> constant;
    std::vector<Expr> rest;
    rest.reserve(operands.size());
    for (const Expr& operand : operands) {
      if (!operand.is_constant()) {
        rest.push_back(operand);
        continue;
      }
      if (!constant) constant.emplace(neutral);
      join(*constant, operand.value());
      check_size(*constant);
    }
    if (constant) rest.push_back(graph_.constant(*constant));
    return build(std::span<const Expr>(rest));
  }

  Quantity make_sum(std::uint32_t i) {
    bool vectors = is_vector(arguments_[0]);
    std::vector<Expr> terms[3];
    terms[0].reserve(arguments_.size());
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      if (is_vector(arguments_[k]) != vectors)
        fail_formula(place_of(i, k),
                     fmt::format("a {} is added to a {}", vectors ? "scalar" : "vector", vectors ? "vector" : "scalar"),
                     "all terms of a sum must be scalars, or all vectors");
      if (const Vector3* v = std::get_if<Vector3>(&arguments_[k])) {
        for (std::size_t c = 0; c < 3; ++c) terms[c].push_back((*v)[c]);
      } else {
        terms[0].push_back(std::get<Expr>(arguments_[k]));
      }
    }
    for (auto& list : terms) replace_runs(list, [&](auto run) { return add(run); });
    if (!vectors) return add(terms[0]);
    return Vector3{add(terms[0]), add(terms[1]), add(terms[2])};
  }

  Quantity make_product(std::uint32_t i) {
    std::vector<Expr> factors;
    factors.reserve(arguments_.size());
    const Vector3* vector = nullptr;
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      const Vector3* v = std::get_if<Vector3>(&arguments_[k]);
      if (v != nullptr && vector != nullptr)
        fail_formula(place_of(i, k), "a vector is multiplied by a vector", "write dot(a, b) or cross(a, b)");
      if (v != nullptr) {
        vector = v;
      } else {
        factors.push_back(std::get<Expr>(arguments_[k]));
      }
    }
    replace_runs(factors, [&](auto run) { return multiply(run); });
    if (vector == nullptr) return multiply(factors);
    return map(*vector, [&](Expr component) {
      std::vector<Expr> all = factors;
      all.push_back(component);
      return multiply(all);
    });
  }

  Quantity make_inverse(const SyntaxNode& node) {
    if (is_vector(arguments_[0]))
      fail_formula(node.place, "division by a vector",
                   "divide by a scalar, such as norm(...) or a component (.x, .y, .z)");
    Expr divisor = std::get<Expr>(arguments_[0]);
    if (divisor.is_zero()) fail_formula(node.place, "division by zero", "the divisor is exactly 0");
    return pow(divisor, -1);
  }

  Quantity make_power(std::uint32_t i) {
    if (is_vector(arguments_[0]))
      fail_formula(place_of(i, 0), "a vector is raised to a power",
                   "write dot(v, v) for its square, norm(v) for its length");
    Expr base = scalar(i, 0), exponent = scalar(i, 1);
    if (exponent.is_constant()) check_exponent(place_of(i, 1), exponent.value());
    if (base.is_zero() && exponent.is_constant() && sgn(exponent.value()) < 0)
      fail_formula(place_of(i, 1), "division by zero", "0 has no negative power");
    return pow(base, exponent);
  }

  Quantity make_member(const SyntaxNode& node) {
    if (!is_vector(arguments_[0]))
      fail_formula(node.place, fmt::format("component .{} of a scalar", node.text), "only vectors have .x, .y and .z");
    return std::get<Vector3>(arguments_[0])[static_cast<std::size_t>(node.text[0] - 'x')];
  }

  // ------------------------------------------------------------------------------------------ the scope

  Quantity ask_name(const SyntaxNode& node) {
    if (node.text == "pi" && node.primes == 0) return graph_.pi();
    if (node.text == "pi") fail_formula(node.place, "pi has no derivative", "remove the prime");
    if (is_builtin_function(node.text))
      fail_formula(node.place, fmt::format("the function {} without arguments", node.text),
                   fmt::format("write {}(...)", node.text));
    if (scope_.name)
      if (std::optional<Quantity> value = scope_.name(node)) return *value;
    const std::string shown = node.text + std::string(node.primes, '\'');
    fail_unknown(node, "name", shown, scope_.known_names ? scope_.known_names() : std::vector<std::string>{});
  }

  Quantity ask_call(std::uint32_t i) {
    const SyntaxNode& node = formula_.nodes[i];
    if (scope_.call)
      if (std::optional<Quantity> value = scope_.call(formula_, i)) return *value;
    std::vector<std::string> known = builtin_functions();
    if (scope_.known_names) std::ranges::copy(scope_.known_names(), std::back_inserter(known));
    fail_unknown(node, "function", node.text, known);
  }

  [[noreturn]] static void fail_unknown(const SyntaxNode& node, std::string_view what, const std::string& shown,
                                        const std::vector<std::string>& known) {
    std::string nearest = nearest_name(node.text, known);
    std::string remedy = nearest.empty() ? fmt::format("define it, or correct the {}", what)
                                         : fmt::format("did you mean '{}'?", nearest);
    if (what == "function") {
      if (nearest.empty()) remedy = "write * before ( for a product";
      if (std::string known_elsewhere = remedy_for_function(node.text); !known_elsewhere.empty())
        remedy = known_elsewhere;
    }
    fail_formula(node.place, fmt::format("unknown {} '{}'", what, shown), remedy);
  }

  // ------------------------------------------------------------------------------------------ limits

  static void check_exponent(Place place, const mpq_class& exponent) {
    if (mpz_cmpabs_ui(exponent.get_num_mpz_t(), largest_exponent) > 0 || exponent.get_den() > largest_exponent)
      fail_limit(place, "exponent", static_cast<std::size_t>(largest_exponent), "the exponent is too large");
  }

  /// Refuses numbers that the graph would refuse, before more time goes into them.
  void check_size(const mpq_class& value) const {
    if (mpz_size(value.get_num_mpz_t()) + mpz_size(value.get_den_mpz_t()) > 2 * largest_constant_bits / GMP_NUMB_BITS)
      graph_.constant(value);
  }

  std::size_t words(NodeId constant) const {
    const mpq_class& value = graph_.value(constant);
    return (mpz_size(value.get_num_mpz_t()) + mpz_size(value.get_den_mpz_t())) / 3;
  }

  void charge(Place place, const Quantity& value) {
    if (const Expr* e = std::get_if<Expr>(&value)) return charge(place, *e);
    for (const Expr& component : std::get<Vector3>(value)) charge(place, component);
  }

  void charge(Place place, Expr e) {
    work_ += 1 + (e.is_constant() ? words(e.id()) : graph_.arguments(e.id()).size());
    for (const Part& part : graph_.parts(e.id())) work_ += 1 + words(part.weight);
    if (work_ > largest_work)
      fail_limit(place, "work", largest_work, "the formula is too large when its products are multiplied out");
    check_exponents(place, e);
  }

  /// Those of a product, also behind a coefficient; other nodes read only what was checked before.
  void check_exponents(Place place, Expr e) const {
    NodeId product = e.id();
    if (e.op() == Op::sum && graph_.parts(product).size() == 1) product = graph_.parts(product)[0].node;
    if (graph_.op(product) != Op::product) return;
    for (const Part& part : graph_.parts(product)) check_exponent(place, graph_.value(part.weight));
  }

  const Formula& formula_;
  const Scope& scope_;
  Graph& graph_;
  std::vector<std::uint32_t> scope_calls_;
  std::vector<Quantity> values_;
  std::vector<Quantity> arguments_;
  std::size_t work_ = 0;
};

}  // namespace

Quantity interpret(const Formula& formula, std::uint32_t root, const Scope& scope) {
  return Interpreter(formula, scope).run(root);
}

Expr interpret_scalar(const Formula& formula, std::uint32_t root, const Scope& scope) {
  Quantity value = interpret(formula, root, scope);
  if (const Expr* e = std::get_if<Expr>(&value)) return *e;
  fail_formula(formula.nodes[root].place, "a vector where a scalar is expected",
               "take a component (.x, .y, .z) or norm(...)");
}

Scope plain_scope(Graph& graph) {
  Scope scope;
  scope.graph = &graph;
  scope.name = [&graph](const SyntaxNode& name) { return graph.symbol(name.text + std::string(name.primes, '\'')); };
  return scope;
}

Expr parse_expression(Graph& graph, std::string_view text, const FormulaLimits& limits) {
  Formula formula = parse_syntax(text, false, limits);
  return interpret_scalar(formula, formula.left, plain_scope(graph));
}

}  // namespace dalembert
