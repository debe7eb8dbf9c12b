#pragma once
// What the printers share: a writer without recursion, and the graph's sums and products as people arrange them.

#include <dalembert/expr/print.hpp>
#include <unordered_map>

namespace dalembert {

/// How tightly a piece of notation holds together; looser ones are put in brackets.
enum class Level : std::uint8_t { sum, product, power, atom };

/// Something still to be written: finished text, or a node, or a power of one.
struct Piece {
  std::string text = {};
  NodeId node = 0;
  bool is_text = true;
  Level level = Level::sum;  ///< brackets unless the node holds together at least so tightly
  mpq_class exponent = 1;    ///< positive
};

using Pieces = std::vector<Piece>;

Piece piece(std::string_view text);
Piece piece(NodeId node, Level level, const mpq_class& exponent = 1);

/// sign * numerator * above / (denominator * below), all exponents positive.
struct Fraction {
  struct Factor {
    NodeId node;
    mpq_class exponent;
  };
  bool negative = false;
  mpz_class numerator = 1, denominator = 1;
  std::vector<Factor> above, below;

  bool is_number() const { return above.empty() && below.empty(); }
  /// A single power of a single node.
  bool is_bare() const { return above.size() == 1 && below.empty() && numerator == 1 && denominator == 1; }
};

/// Writes expressions in one notation.
class Renderer {
 public:
  Renderer(const Graph& graph, const PrintLimits& limits) : graph_(graph), limits_(limits) {}
  virtual ~Renderer() = default;

  std::string write(NodeId root);
  /// The name, where the node has one.
  std::string write_named(NodeId node) { return names_.contains(node) ? names_.at(node) : write(node); }
  /// From now on this node is written as that name, unless it is the root.
  void set_name(NodeId node, std::string name) { names_[node] = std::move(name); }

 protected:
  /// The pieces of a node's power, brackets included where its own level is looser than the piece's.
  virtual void lay_out(const Piece& node, Pieces& out) const = 0;

  const Graph& graph() const { return graph_; }
  bool is_named(NodeId node) const { return node != root_ && names_.contains(node); }
  const std::string& name(NodeId node) const { return names_.at(node); }
  /// coefficient * node for sums of one summand, products and everything else.
  Fraction fraction_of(NodeId node) const;
  Fraction fraction_of(const mpq_class& coefficient, NodeId term) const;
  /// The summands in the order to write: one that is positive first, a constant first only where that helps.
  std::vector<Fraction> summands_of(NodeId sum) const;
  bool is_plain_sum(NodeId node) const;

 private:
  const Graph& graph_;
  PrintLimits limits_;
  NodeId root_ = 0;
  std::unordered_map<NodeId, std::string> names_;
};

/// A symbol's name with its primes for LaTeX: theta1' -> \dot{\theta}_{1}.
std::string latex_name(std::string_view name);

}  // namespace dalembert
