#pragma once
// Formulas as people write them: parsed into a flat syntax tree first, given a meaning by a scope second.

#include <array>
#include <cstdint>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/expr.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dalembert {

/// Guards against hostile text; each is named in the error that it causes.
struct FormulaLimits {
  std::size_t characters = 1'000'000;
  std::size_t nodes = 1'000'000;
  std::size_t nesting = 1'000'000;
  std::size_t digits = 40'000;  ///< of one number written out, so also of 1e40000
  long exponent = 1'000'000;    ///< size of a constant exponent
  std::size_t calls = 100;      ///< calls of the scope's functions (sum, position, ...) inside each other
};

/// One node of a syntax tree. Nodes stand in post-order: the subtree of node i is the range [first, i].
struct SyntaxNode {
  enum class Kind : std::uint8_t {
    number,    ///< value
    name,      ///< text, primes; text may hold {...} of families, verbatim, and may be one such template alone
    call,      ///< text = function's name, children = arguments
    sum,       ///< children; negated ones are wrapped in `negative`
    product,   ///< children; divisors are wrapped in `inverse`
    negative,  ///< - child
    inverse,   ///< 1 / child
    power,     ///< children: base, exponent
    vector,    ///< three children
    member,    ///< child, text = "x", "y" or "z"
  };
  Kind kind;
  std::uint16_t primes = 0;
  std::uint32_t first = 0;  ///< first node of the subtree
  std::uint32_t children = 0;
  Place place = {};
  std::string text = {};
  mpq_class value = {};
};

enum class Relation : std::uint8_t { none, equal, greater_equal, less_equal };

/// A formula's syntax: left side, and with a relation a right side.
struct Formula {
  std::string text;
  std::vector<SyntaxNode> nodes;  ///< post-order; both sides one after the other
  std::uint32_t left = 0;         ///< root of the left (or only) side
  std::uint32_t right = 0;        ///< root of the right side, where there is a relation
  Relation relation = Relation::none;
  Place relation_place;

  /// Roots of the children of a node, in the order written.
  std::vector<std::uint32_t> children(std::uint32_t node) const;
};

/// Parses "expression" or, where allowed, "expression = expression" (also >= and <=). Throws FormulaError.
Formula parse_syntax(std::string_view text, bool allow_relation = false, const FormulaLimits& limits = {});

using Vector3 = std::array<Expr, 3>;
using Quantity = std::variant<Expr, Vector3>;

/// Gives formulas their meaning. Names and calls that are not built in are asked here; an answer of nullopt means
/// unknown and becomes an error with the nearest of `known_names`.
struct Scope {
  Graph* graph = nullptr;
  /// A name with its primes, as q'' -> ("q", 2).
  std::function<std::optional<Quantity>(const SyntaxNode& name)> name;
  /// A call that is not one of the functions of formulas; the scope may interpret the arguments' syntax as it likes.
  std::function<std::optional<Quantity>(const Formula& formula, std::uint32_t call)> call;
  /// Names to suggest from when one is unknown.
  std::function<std::vector<std::string>()> known_names;
  /// What is read as another expression wherever it is written: as a whole, or as neighbouring factors or terms.
  std::optional<Replacement> instead;
};

/// The meaning of the subtree at `root`.
Quantity interpret(const Formula& formula, std::uint32_t root, const Scope& scope);
/// The same, where a number is needed; an error says so if it is a vector.
Expr interpret_scalar(const Formula& formula, std::uint32_t root, const Scope& scope);

/// Every name is a symbol, primes included ("q'"), and only the built-in functions exist.
Scope plain_scope(Graph& graph);
/// A formula in the plain scope, as `dalembert formula` reads it.
Expr parse_expression(Graph& graph, std::string_view text, const FormulaLimits& limits = {});

/// True for the names of functions that formulas always know: sin .. max, dot, cross, norm.
bool is_builtin_function(std::string_view name);

/// The nearest of the candidates, or empty if none is near enough to suggest.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace dalembert
