#pragma once
// Gauss's least constraint as one sparse quadratic form (theory 5): x K x / 2 + g x is stationary at the accelerations.
// Its unknowns are the rates of the velocities, one multiplier a constraint, and accelerations of frames and points,
// each defined by those it is made of. A defined unknown leaves by its definition (a pivot of two rows, itself and the
// multiplier of its definition, of determinant -1 whatever the numbers are), a free one by its own pivot.

#include <algorithm>
#include <dalembert/expr/expr.hpp>
#include <map>
#include <unordered_map>

namespace dalembert {

/// x' = sum of coefficient * unknown + drift: `column` of a term is the unknown.
struct Form {
  std::vector<Entry> terms;  ///< by ascending unknown
  Expr drift;
  bool is_zero() const { return terms.empty() && drift.is_zero(); }
};

/// How unknowns leave. Each gives the same solution at another cost.
enum class Order : std::uint8_t {
  recursive,  ///< a velocity as soon as nothing defined reads it: linear in the number of bodies
  composite,  ///< all that is defined first, which leaves the mass matrix: shorter for few velocities
};

class GaussSystem {
 public:
  using Unknown = std::uint32_t;

  GaussSystem(Graph& graph, std::size_t velocities, std::size_t rows);

  std::size_t unknown_count() const { return kind_.size(); }

  Form make_form(std::vector<Entry> terms, Expr drift) const;
  Form combine(std::span<const std::pair<Expr, const Form*>> parts) const;  ///< sum of factor * form
  /// The same as an unknown of its own, defined by it, where it has several terms; equal forms share one.
  Form define(const Form& form);
  /// Two defined unknowns that are two others turned in their plane: they leave together, which takes fewer operations.
  /// Nothing where they are not.
  void join(const Form& a, const Form& b);
  /// A turning leaves after the acceleration of the origin that it turns about: what that leaves behind then does not
  /// wait for the quotient by the pivot. A chain of 50 links takes three quarters of the time, with more instructions.
  void let_wait(const Form& turning, const Form& origin);

  /// weight * a * b joins the quadratic form; for a = b that is weight * a^2 / 2.
  void add_product(const Form& a, const Form& b, Expr weight);
  void add_square(const Form& a, Expr weight);
  /// force * a joins the linear part.
  void add_force(const Form& a, Expr force);
  /// a = 0 with the multiplier of a row; its sign is that of M u' + h = A^T lambda.
  void add_row(std::size_t row, const Form& a);

  /// The rates of the velocities, then the multipliers; nothing where that takes more terms than `most`. An InputError
  /// where a pivot is zero for every value. Once only: the system is used up, here as below.
  std::vector<Expr> solve(Order order, std::size_t most);
  /// What is left when all that is defined has left: the mass matrix (lower triangle, by rows) and the bias. Nothing
  /// where the matrix would have more than `most` entries.
  std::pair<std::vector<std::vector<Entry>>, std::vector<Expr>> reduce(std::size_t most);

 private:
  struct Cell {
    Unknown other;
    std::vector<Expr> terms;
  };
  enum class Kind : std::uint8_t { multiplier, free, defined };
  static auto find_cell(std::vector<Cell>& cells, Unknown other) {
    return std::ranges::lower_bound(cells, other, {}, &Cell::other);
  }

  class Elimination;  // elimination.cpp

  void add(Unknown a, Unknown b, Expr value);  // K_ab, once for both triangles
  void add_linear(Unknown a, Expr value);
  Unknown add_unknown(Kind kind);
  void exchange();

  Graph& graph_;
  std::size_t velocities_, rows_;
  std::vector<Kind> kind_;
  std::vector<std::vector<Cell>> cells_;                        // K by rows, both triangles
  std::vector<std::vector<Expr>> linear_;                       // g
  std::vector<Form> definition_;                                // of what is defined
  std::vector<std::uint32_t> readers_;                          // definitions that read an unknown
  std::vector<Unknown> twin_;                                   // what an unknown was joined with; itself for most
  std::unordered_map<Unknown, std::vector<Unknown>> carriers_;  // what an unknown waits for
  std::size_t term_count_ = 0;                                  // added to K so far, or to mass_
  bool apart_ = false;                    // K of velocities is not looked up: kept in mass_, terms as they come
  std::vector<std::vector<Entry>> mass_;  // columns of velocities, in rows of later ones and of what is defined
  std::map<std::vector<std::uint32_t>, Unknown> defined_;
};

}  // namespace dalembert
