#pragma once
// The expression graph: build, differentiate, substitute. Parsing is in formula.hpp, printing in print.hpp,
// canonical forms and the zero test in canonical.hpp.

#include <gmpxx.h>

#include <cstdint>
#include <dalembert/base/growing_array.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

class Graph;
using NodeId = std::uint32_t;

enum class Op : std::uint8_t {
  constant,  ///< exact rational
  pi,        ///< the number
  symbol,    ///< named unknown
  sum,       ///< constant + sum of coefficient * term
  product,   ///< product of base ^ rational exponent
  power,     ///< base ^ exponent with an exponent that is not a rational constant
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  abs,
  sign,
  atan2,
  min,
  max,
};

/// True for the functions of one argument (sin .. sign).
constexpr bool is_unary(Op op) { return op >= Op::sin && op <= Op::sign; }
/// The function's name as written in formulas ("sin", "atan2", ...); empty for the other operations.
std::string_view function_name(Op op);

/// A value handle: a node of a graph. Copy freely; it does not keep the graph alive.
class Expr {
 public:
  Expr() = default;
  Expr(Graph& graph, NodeId id) : graph_(&graph), id_(id) {}

  explicit operator bool() const { return graph_ != nullptr; }
  /// Throws InputError where it is empty.
  Graph& graph() const {
    if (graph_ == nullptr) [[unlikely]]
      refuse_empty();
    return *graph_;
  }
  NodeId id() const { return id_; }
  Op op() const;
  bool is_constant() const { return op() == Op::constant; }
  bool is_zero() const;  ///< the constant 0 itself; for proofs see canonical.hpp
  bool is_one() const;
  /// The value of a constant. Valid until the graph grows.
  const mpq_class& value() const;
  /// The name of a symbol.
  const std::string& name() const;

  friend bool operator==(const Expr&, const Expr&) = default;

 private:
  friend class Graph;
  [[noreturn]] static void refuse_empty();

  Graph* graph_ = nullptr;
  NodeId id_ = 0;
};

/// One summand coefficient * term, or one factor base ^ exponent: `node` is the term or base,
/// `weight` the id of the constant that multiplies or exponentiates it.
struct Part {
  NodeId node;
  NodeId weight;
  friend bool operator==(const Part&, const Part&) = default;
};

/// Finds nodes by what they are. A node is in the group of the latest of its children, a line of the processor's cache,
/// as long as there is room: what is built of nodes made lately is looked for where those were looked for, and not
/// somewhere in a table that no cache holds, and stays there while the graph grows. What has no children or finds no
/// room is where its hash says.
class NodeTable {
 public:
  struct Slot {
    std::uint32_t hash = 0;
    NodeId node = 0;  // and one: 0 is empty
  };
  struct Place {
    Slot* slot = nullptr;
    bool found = false;
  };

  template <class Matches>
  Place find(std::uint32_t hash, NodeId latest, const Matches& matches);
  /// The node, made after all others, at the place found for it.
  void enter(Place place, std::uint32_t hash, NodeId node);

 private:
  static constexpr std::size_t nodes_to_a_group = 4, group_size = 8;

  static bool fits(Slot& slot, std::uint32_t hash, const auto& matches, Place& place);
  void grow_far();

  GrowingArray<Slot> near_;                         // groups of slots
  std::vector<Slot> far_ = std::vector<Slot>(512);  // open addressing
  std::size_t far_count_ = 0;
};

/// The arena. Nodes are hash-consed: equal construction gives equal ids; arguments have smaller ids than the node,
/// so ascending ids are a topological order. Any number of threads may read one (print, evaluate, look for symbols)
/// while nobody builds in it. A copy has the same ids, so that `rebind` takes expressions there; the two then grow
/// apart.
class Graph {
 public:
  Graph();
  Graph(const Graph& other) = default;
  Graph& operator=(const Graph&) = delete;

  Expr constant(const mpq_class& value);
  Expr constant(long value);
  /// The rational that is exactly this double. An InputError where it is infinite or not a number.
  Expr constant_from_double(double value);
  Expr pi();
  Expr symbol(std::string_view name);
  /// No negative number will stand for the symbol: from here on abs(l) is l, and the canonical form has sqrt(l^2) = l.
  void assume_nonnegative(Expr symbol);
  bool is_nonnegative(NodeId symbol) const {
    const std::uint32_t name = nodes_[symbol].payload;
    return name < nonnegative_.size() && nonnegative_[name];
  }

  /// The symbol of that name if it was ever made.
  Expr find_symbol(std::string_view name);

  /// constant + sum of weight * node over parts, like terms collected, small sums inside flattened.
  Expr sum(std::span<const Expr> terms);
  Expr product(std::span<const Expr> factors);
  Expr power(Expr base, Expr exponent);
  Expr power(Expr base, const mpq_class& exponent);
  /// sin .. sign
  Expr unary(Op op, Expr argument);
  Expr atan2(Expr y, Expr x);
  /// min or max of two or more.
  Expr extremum(Op op, std::span<const Expr> arguments);
  /// A product's derivative by the base of its k-th part, which is divided out: no division by zero.
  Expr partial_of_product(NodeId product, std::size_t k);
  /// Any function or operation with arguments of its kind; sum and product by their parts. Used by rebuilding passes.
  Expr rebuild(NodeId like, std::span<const Expr> arguments);

  /// Sums inside sums and products inside products are flattened only while this is true (default). Unrolled
  /// factorisations switch it off.
  bool flatten = true;

  // --- reading nodes
  std::size_t size() const { return nodes_.size(); }
  Op op(NodeId id) const { return nodes_[id].op; }
  /// Arguments of a function or power. Empty for constants, symbols, sums and products.
  std::span<const NodeId> arguments(NodeId id) const;
  /// Parts of a sum (coefficient * term) or of a product (base ^ exponent), in ascending order of node.
  std::span<const Part> parts(NodeId id) const;
  /// The constant summand of a sum (a constant's id, often zero()).
  NodeId offset(NodeId id) const { return nodes_[id].payload; }
  const mpq_class& value(NodeId constant) const { return values_[nodes_[constant].payload]; }
  const std::string& name(NodeId symbol) const { return names_[nodes_[symbol].payload]; }
  NodeId zero() const { return zero_; }
  NodeId one() const { return one_; }
  NodeId minus_one() const { return minus_one_; }
  Expr operator[](NodeId id) { return Expr(*this, id); }
  /// The node of an expression of this graph. Throws InputError for one of another graph, whose ids mean other things
  /// here, and for an empty one.
  NodeId id_of(const Expr& expression) const {
    if (expression.graph_ != this) [[unlikely]]
      refuse_foreign(expression);
    return expression.id_;
  }

  /// Calls visit(child) for each node that this one reads, weights and offsets excluded.
  template <class Visit>
  void for_each_child(NodeId id, Visit&& visit) const {
    const Node& node = nodes_[id];
    if (node.op == Op::sum || node.op == Op::product) {
      for (const Part& part : parts(id)) visit(part.node);
    } else {
      for (NodeId argument : arguments(id)) visit(argument);
    }
  }

 private:
  struct Node {
    Op op;
    std::uint32_t begin;    // first argument in arguments_, or first part in parts_
    std::uint32_t count;    // how many
    std::uint32_t payload;  // constant: index of value; symbol: index of name; sum: id of the offset
  };

  // A sum or product while it is being built: the constant so far and the parts, not yet sorted. Parts are in memory
  // that the graph keeps for it: one sum and one product at a time.
  struct Builder {
    Builder(NodeId first, std::vector<Part>& memory) : constant(first), parts(memory) { parts.clear(); }
    NodeId constant;
    std::vector<Part>& parts;
  };

  [[noreturn]] static void refuse_foreign(const Expr& expression);
  NodeId intern(Op op, std::uint32_t payload, std::span<const NodeId> arguments, std::span<const Part> parts);
  bool matches(NodeId id, Op op, std::uint32_t payload, std::span<const NodeId> arguments,
               std::span<const Part> parts) const;
  template <class Matches>
  NodeId intern_leaf(Op op, std::uint32_t payload, std::uint32_t hash, const Matches& matches);
  NodeId enter(NodeTable::Place place, std::uint32_t hash, const Node& node);
  NodeId intern_constant(const mpq_class& value);
  NodeId add_constants(NodeId a, NodeId b);
  NodeId multiply_constants(NodeId a, NodeId b);
  void collect(std::vector<Part>& parts);
  void add_term(Builder& sum, NodeId node, NodeId weight);
  NodeId finish_sum(Builder& sum);
  NodeId scale(NodeId node, NodeId weight);
  void add_factor(Builder& product, NodeId node, NodeId exponent);
  void add_constant_factor(Builder& product, NodeId base, NodeId exponent);
  bool is_scaled(NodeId id) const;
  bool is_opened(NodeId id) const;
  bool is_settled(const Part& factor) const;
  NodeId finish_product(Builder& product);
  bool leads_negative(NodeId id) const;
  Expr fold_unary(Op op, Expr argument);

  GrowingArray<Node> nodes_;
  GrowingArray<NodeId> arguments_;
  GrowingArray<Part> parts_;
  std::vector<mpq_class> values_;
  std::vector<std::string> names_;
  std::vector<bool> nonnegative_;  // of the names; those beyond are not known to be
  NodeTable table_;
  std::vector<Part> sum_memory_, product_memory_;
  NodeId zero_ = 0, one_ = 0, minus_one_ = 0;

  // Sums and products of constants met lately: the same few coefficients combine over and over. Direct-mapped.
  struct Memo {
    NodeId a = 0, b = 0, result = 0;  // a is never 0: zero is dealt with before
  };
  static constexpr std::size_t memo_size = 1024;
  std::vector<Memo> sums_, products_;
};

inline Op Expr::op() const { return graph_->op(id_); }
inline bool Expr::is_zero() const { return id_ == graph_->zero(); }
inline bool Expr::is_one() const { return id_ == graph_->one(); }
inline const mpq_class& Expr::value() const { return graph_->value(id_); }
inline const std::string& Expr::name() const { return graph_->name(id_); }

// --- building
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator+(Expr a, long b);
Expr operator+(long a, Expr b);
Expr operator-(Expr a, long b);
Expr operator-(long a, Expr b);
Expr operator*(Expr a, long b);
Expr operator*(long a, Expr b);
Expr operator/(Expr a, long b);
Expr operator/(long a, Expr b);
inline Expr& operator+=(Expr& a, Expr b) { return a = a + b; }
inline Expr& operator-=(Expr& a, Expr b) { return a = a - b; }
inline Expr& operator*=(Expr& a, Expr b) { return a = a * b; }
Expr pow(Expr base, long exponent);
Expr pow(Expr base, Expr exponent);
Expr sin(Expr a);
Expr cos(Expr a);
Expr tan(Expr a);
Expr asin(Expr a);
Expr acos(Expr a);
Expr atan(Expr a);
Expr sinh(Expr a);
Expr cosh(Expr a);
Expr tanh(Expr a);
Expr exp(Expr a);
Expr log(Expr a);
Expr sqrt(Expr a);  ///< power 1/2
Expr abs(Expr a);
Expr sign(Expr a);
Expr atan2(Expr y, Expr x);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);

// --- asking
/// Symbols that the expressions read, in ascending order of id.
std::vector<Expr> free_symbols(std::span<const Expr> expressions);
bool depends_on(Expr expression, Expr symbol);
/// Number of distinct nodes below and including these.
std::size_t count_nodes(std::span<const Expr> expressions);
/// Size when written out in full, as if nothing were shared (saturates).
double count_written(Expr expression);

// --- rewriting
/// All symbols replaced at once.
struct Replacement {
  Expr symbol;
  Expr by;
};
Expr substitute(Expr expression, std::span<const Replacement> replacements);
std::vector<Expr> substitute(std::span<const Expr> expressions, std::span<const Replacement> replacements);
/// The same node in a copy of its graph; an empty expression stays empty.
Expr rebind(Expr expression, Graph& copy);
/// The same expressions in another graph, symbols by name.
std::vector<Expr> copy_to(Graph& graph, std::span<const Expr> expressions);

// --- bounding
/// What the values amount to where nothing cancels: rounding in an expression is a few epsilon times this. A sum by the
/// sizes of its terms, a product by those of each factor times the others, a function by |f(x)| + |f'(x)| size of x.
std::vector<Expr> majorant(std::span<const Expr> expressions);

// --- differentiating. At their edges: d|x| = sign(x) dx with sign(0) = 0; d sign = 0 everywhere; min and max take the
// mean of the derivatives of arguments that tie; d sqrt(x) = dx / (2 sqrt(x)), unbounded at 0; atan2 at (0, 0) has
// derivative 0/0, not a number.
Expr derivative(Expr expression, Expr symbol);
std::vector<Expr> derivative(std::span<const Expr> expressions, Expr symbol);
/// Reverse mode: all partial derivatives of one expression, at a small multiple of its own size.
std::vector<Expr> gradient(Expr expression, std::span<const Expr> symbols);
/// Row i, column j: d expressions[i] / d symbols[j].
std::vector<std::vector<Expr>> jacobian(std::span<const Expr> expressions, std::span<const Expr> symbols);
/// The entries of a Jacobian's row that are not the constant zero, by ascending column.
struct Entry {
  std::uint32_t column;
  Expr value;
};
/// All columns in one forward sweep; each node carries only the columns it depends on.
std::vector<std::vector<Entry>> sparse_jacobian(std::span<const Expr> expressions, std::span<const Expr> symbols);
/// sum over directions of d expression/d symbol * by: with pairs (q, q'), (q', q''), (t, 1) the total time derivative.
Expr directional_derivative(Expr expression, std::span<const Replacement> direction);
std::vector<Expr> directional_derivative(std::span<const Expr> expressions, std::span<const Replacement> direction);

// --- evaluating in double, for decisions and tests (fast evaluation is program.hpp)
struct Binding {
  Expr symbol;
  double value;
};
/// Unbound symbols are NaN.
double evaluate(Expr expression, std::span<const Binding> bindings);
std::vector<double> evaluate(std::span<const Expr> expressions, std::span<const Binding> bindings);

}  // namespace dalembert
