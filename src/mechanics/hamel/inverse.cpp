#include <algorithm>
#include <bit>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <limits>
#include <map>
#include <numeric>

#include "base/basis.hpp"
#include "base/tolerances.hpp"
#include "mechanics/hamel/rows.hpp"
#include "mechanics/simplify.hpp"

// xi^T = pi^-1 block by block: where a block's rows are orthogonal its transpose, scaled; else elimination, the
// simplest expression first, so that inverses stay readable. No denominator may vanish where the frame is invertible: a
// pivot is a number, or a factor of the determinant because it stands alone in its row or column. What such pivots
// leave is inverted by its minors, or where that is too large to read by the Gram-Schmidt process, without simplifying
// anything.

namespace dalembert {
namespace {

[[noreturn]] void refuse(const Model& model, const QuasiFrame::Velocity& velocity, bool everywhere) {
  throw ModelError(
      {model.file, velocity.place, "frame." + velocity.name,
       std::string("the frame is not invertible: this velocity depends on the others") +
           (everywhere ? "" : " at the initial state"),
       "give independent combinations of the rates, as many as coordinates (less one for each quaternion)"});
}

/// Rows and columns that the entries of pi connect.
struct Block {
  std::vector<std::size_t> rows, columns;
};

std::vector<Block> find_blocks(const std::vector<FrameRow>& rows) {
  const std::size_t size = rows.size();
  std::vector<std::size_t> parent(2 * size);
  std::iota(parent.begin(), parent.end(), 0u);
  auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::size_t r = 0; r < size; ++r)
    for (std::size_t l = 0; l < size; ++l)
      if (!rows[r].pi[l].is_zero()) parent[root(size + l)] = root(r);
  std::vector<Block> blocks(2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    blocks[root(i)].rows.push_back(i);
    blocks[root(size + i)].columns.push_back(i);
  }
  std::erase_if(blocks, [](const Block& block) { return block.rows.empty() && block.columns.empty(); });
  return blocks;
}

/// Nobody reads an entry of so many nodes.
constexpr double longest = 250;

struct TooLong {};

/// Simplifies, or where nothing is to be read does nothing.
class Shortener {
 public:
  explicit Shortener(bool reading) : reading_(reading), simplify_(reading ? 5e7 : 0) {}

  bool is_reading() const { return reading_; }
  Expr operator()(Expr expression) {
    if (!reading_) return expression;
    if (count_written(expression) > 4 * longest) throw TooLong();  // no work is spent on what stays long
    Expr simple = simplify_(expression);
    if (count_written(simple) > longest) throw TooLong();
    return simple;
  }

 private:
  bool reading_;
  Simplifier simplify_;
};

/// Determinants of parts of a square matrix, by Laplace's expansion: they divide by nothing.
class Minors {
 public:
  Minors(const Dense& matrix, Shortener& simplify) : matrix_(matrix), simplify_(simplify) {}

  static constexpr std::size_t largest = 6;

  Expr determinant() { return minor(all(), all()); }
  /// Of the matrix without this row and column, with its sign.
  Expr cofactor(std::size_t row, std::size_t column) {
    Expr value = minor(all() & ~(1u << row), all() & ~(1u << column));
    return (row + column) % 2 == 0 ? value : -value;
  }

 private:
  unsigned all() const { return (1u << matrix_.size()) - 1; }

  /// Of these rows and columns, along the first row.
  Expr minor(unsigned rows, unsigned columns) {
    if (rows == 0) return matrix_[0][0].graph().constant(1);
    if (auto found = known_.find({rows, columns}); found != known_.end()) return found->second;
    const auto row = static_cast<std::size_t>(std::countr_zero(rows));
    std::vector<Expr> terms;
    int sign = 1;
    for (std::size_t j = 0; j < matrix_.size(); ++j) {
      if ((columns >> j & 1u) == 0) continue;
      const Expr& entry = matrix_[row][j];
      if (!entry.is_zero()) terms.push_back(sign * entry * minor(rows & (rows - 1), columns & ~(1u << j)));
      sign = -sign;
    }
    Expr value = simplify_(matrix_[0][0].graph().sum(terms));
    known_.emplace(std::pair(rows, columns), value);
    return value;
  }

  const Dense& matrix_;
  Shortener& simplify_;
  std::map<std::pair<unsigned, unsigned>, Expr> known_;
};

class BlockInverse {
 public:
  BlockInverse(const Model& model, const std::vector<FrameRow>& rows, const Block& block, Shortener& simplify)
      : model_(model),
        rows_(rows),
        block_(block),
        simplify_(simplify),
        start_(state_bindings(model)),
        row_of_(block.columns.size(), none) {
    Graph& graph = *model.graph;
    for (std::size_t r : block.rows) {
      left_.emplace_back();
      for (std::size_t l : block.columns) left_.back().push_back(rows[r].pi[l]);
      right_.emplace_back(block.rows.size(), graph.constant(0));
      right_.back()[left_.size() - 1] = graph.constant(1);
      open_rows_.push_back(left_.size() - 1);
      open_columns_.push_back(left_.size() - 1);
    }
  }

  /// [row][column] within the block.
  Dense solve() {
    if (simplify_.is_reading() && is_orthogonal()) return transpose_scaled();
    refuse_dependent();
    while (eliminate_safely()) {
    }
    constexpr std::size_t few = 3;  // minors of more take longer to compute than orthogonal rows
    const bool by_minors = simplify_.is_reading() || open_rows_.size() <= few;
    if (!open_rows_.empty()) by_minors ? solve_by_minors() : solve_by_orthogonal_rows();
    const std::size_t size = left_.size();
    Dense xi(size, std::vector<Expr>(size));
    for (std::size_t l = 0; l < size; ++l)
      for (std::size_t r = 0; r < size; ++r) xi[r][l] = right_[row_of_[l]][r];
    return xi;
  }

 private:
  bool is_orthogonal() const {
    constexpr std::size_t largest = 6;
    if (left_.size() == 1 || left_.size() > largest) return false;
    CanonicalLimits limits;
    limits.work = 2e7;
    for (std::size_t i = 0; i < left_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (test_zero(product(left_[i], left_[j]), limits).verdict != Verdict::zero) return false;
    return true;
  }
  Expr product(const std::vector<Expr>& a, const std::vector<Expr>& b) const {
    std::vector<Expr> terms;
    for (std::size_t l = 0; l < a.size(); ++l) terms.push_back(a[l] * b[l]);
    return model_.graph->sum(terms);
  }
  Dense transpose_scaled() {
    Dense xi;
    for (std::size_t r = 0; r < left_.size(); ++r) {
      Expr square = simplify_(product(left_[r], left_[r]));
      if (!(evaluate(square, start_) > smallest * smallest))
        refuse(model_, rows_[block_.rows[r]].velocity, square.is_zero());
      xi.emplace_back();
      for (const Expr& entry : left_[r]) xi.back().push_back(simplify_(entry / square));
    }
    return xi;
  }

  /// A velocity that depends on those before it at the initial state, or is no longer than a start may be off.
  void refuse_dependent() const {
    OrthonormalBasis basis(left_.size());
    for (std::size_t r = 0; r < left_.size(); ++r) {
      const std::vector<double> values = evaluate(left_[r], start_);
      const double largest = std::fabs(*std::ranges::max_element(values, {}, [](double v) { return std::fabs(v); }));
      if (largest >= smallest && basis.add(values, smallest)) continue;
      Shortener as_is(false);
      const bool everywhere =
          left_.size() <= Minors::largest && test_zero(Minors(left_, as_is).determinant()).verdict == Verdict::zero;
      refuse(model_, rows_[block_.rows[r]].velocity, everywhere);
    }
  }

  /// One step with the simplest pivot that vanishes only where the determinant does; false where there is none.
  bool eliminate_safely() {
    std::size_t row = none, column = none;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i : open_rows_)
      for (std::size_t j : open_columns_) {
        const Expr& entry = left_[i][j];
        if (entry.is_zero() || !(stands_alone(i, j) || is_large_number(i, j))) continue;
        const double cost = count_written(entry);
        if (cost >= least) continue;
        least = cost, row = i, column = j;
      }
    if (row == none) return false;
    eliminate(row, column);
    return true;
  }
  bool stands_alone(std::size_t row, std::size_t column) const {
    const auto in_row = [&](std::size_t j) { return j != column && !left_[row][j].is_zero(); };
    const auto in_column = [&](std::size_t i) { return i != row && !left_[i][column].is_zero(); };
    return std::ranges::none_of(open_columns_, in_row) || std::ranges::none_of(open_rows_, in_column);
  }
  /// To compute with, large beside the rest of its row at the initial state: multiples of it are taken off other rows.
  bool is_large_number(std::size_t row, std::size_t column) const {
    const Expr& entry = left_[row][column];
    if (!entry.is_constant() || simplify_.is_reading()) return entry.is_constant();
    std::vector<Expr> others;
    for (std::size_t j : open_columns_) others.push_back(left_[row][j]);
    const double size = std::fabs(entry.value().get_d());
    return std::ranges::all_of(evaluate(others, start_), [&](double other) { return size >= 0.3 * std::fabs(other); });
  }

  void eliminate(std::size_t row, std::size_t column) {
    Expr inverse = pow(left_[row][column], -1);
    auto scale = [&](std::vector<Expr>& entries) {
      for (Expr& entry : entries)
        if (!entry.is_zero()) entry = simplify_(entry * inverse);
    };
    scale(left_[row]);
    scale(right_[row]);
    for (std::size_t i = 0; i < left_.size(); ++i) {
      Expr factor = left_[i][column];
      if (i == row || factor.is_zero()) continue;
      subtract(left_[i], factor, left_[row]);
      subtract(right_[i], factor, right_[row]);
    }
    row_of_[column] = row;
    std::erase(open_rows_, row);
    std::erase(open_columns_, column);
  }

  void subtract(std::vector<Expr>& target, Expr factor, const std::vector<Expr>& row) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (!row[j].is_zero()) target[j] = simplify_(target[j] - factor * row[j]);
  }

  /// adj / det of what is open.
  void solve_by_minors() {
    if (open_rows_.size() > Minors::largest) throw TooLong();
    Dense open;
    for (std::size_t i : open_rows_) {
      open.emplace_back();
      for (std::size_t j : open_columns_) open.back().push_back(left_[i][j]);
    }
    Minors minors(open, simplify_);
    const Expr inverse = pow(minors.determinant(), -1);
    Dense solved;
    for (std::size_t j = 0; j < open.size(); ++j) {
      std::vector<Expr> factors;
      for (std::size_t i = 0; i < open.size(); ++i) factors.push_back(minors.cofactor(i, j));
      solved.push_back(combine(factors));
      for (Expr& entry : solved.back()) entry = simplify_(entry * inverse);
    }
    put_in(solved);
  }

  /// Rows v = L^-1 pi that are orthogonal to each other: the inverse of what is open is v^T (v v^T)^-1 L^-1, and v_r
  /// vanishes only where row r depends on those before it.
  void solve_by_orthogonal_rows() {
    std::vector<Expr> inverse_squares;
    for (std::size_t k = 0; k < open_rows_.size(); ++k) {
      const std::size_t row = open_rows_[k];
      for (std::size_t before = 0; before < k; ++before) {
        const Expr part = open_product(row, open_rows_[before]);
        if (part.is_zero()) continue;
        const Expr factor = part * inverse_squares[before];
        for (std::size_t j : open_columns_) left_[row][j] = left_[row][j] - factor * left_[open_rows_[before]][j];
        subtract(right_[row], factor, right_[open_rows_[before]]);
      }
      inverse_squares.push_back(pow(open_product(row, row), -1));
    }
    Dense solved;
    for (std::size_t j : open_columns_) {
      std::vector<Expr> factors;
      for (std::size_t k = 0; k < open_rows_.size(); ++k)
        factors.push_back(left_[open_rows_[k]][j] * inverse_squares[k]);
      solved.push_back(combine(factors));
    }
    put_in(solved);
  }
  Expr open_product(std::size_t a, std::size_t b) const {
    std::vector<Expr> terms;
    for (std::size_t j : open_columns_) terms.push_back(left_[a][j] * left_[b][j]);
    return model_.graph->sum(terms);
  }

  /// The sum of the open right sides with these factors.
  std::vector<Expr> combine(const std::vector<Expr>& factors) const {
    std::vector<Expr> sum;
    for (std::size_t r = 0; r < right_.size(); ++r) {
      std::vector<Expr> terms;
      for (std::size_t k = 0; k < factors.size(); ++k) terms.push_back(factors[k] * right_[open_rows_[k]][r]);
      sum.push_back(model_.graph->sum(terms));
    }
    return sum;
  }
  /// Solutions of the open columns, and with them those of the columns eliminated before.
  void put_in(Dense& solved) {
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (std::ranges::find(open_rows_, i) != open_rows_.end()) continue;
      for (std::size_t k = 0; k < solved.size(); ++k)
        if (const Expr factor = left_[i][open_columns_[k]]; !factor.is_zero()) subtract(right_[i], factor, solved[k]);
    }
    for (std::size_t k = 0; k < solved.size(); ++k) {
      right_[open_rows_[k]] = std::move(solved[k]);
      row_of_[open_columns_[k]] = open_rows_[k];
    }
  }

  static constexpr double smallest = tolerance::consistent;  // a row no longer than a start may be off is none
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  const Model& model_;
  const std::vector<FrameRow>& rows_;
  const Block& block_;
  Shortener& simplify_;
  const std::vector<Binding> start_;
  Dense left_, right_;
  std::vector<std::size_t> row_of_;  // of each column
  std::vector<std::size_t> open_rows_, open_columns_;
};

}  // namespace

namespace {

Dense invert_blocks(const Model& model, const std::vector<FrameRow>& rows, Shortener simplify) {
  Dense xi(rows.size(), std::vector<Expr>(rows.size(), model.graph->constant(0)));
  for (const Block& block : find_blocks(rows)) {
    // Too many velocities on too few coordinates: these depend on each other whatever the state.
    if (block.rows.size() > block.columns.size()) refuse(model, rows[block.rows.back()].velocity, true);
    if (block.rows.size() < block.columns.size()) continue;
    Dense part = BlockInverse(model, rows, block, simplify).solve();
    for (std::size_t r = 0; r < block.rows.size(); ++r)
      for (std::size_t l = 0; l < block.columns.size(); ++l) xi[block.rows[r]][block.columns[l]] = part[r][l];
  }
  return xi;
}

}  // namespace

Inverse invert_rows(const Model& model, const std::vector<FrameRow>& rows) {
  try {
    return {invert_blocks(model, rows, Shortener(true)), true};
  } catch (const TooLong&) {
    const Unflattened shared(*model.graph);
    return {invert_blocks(model, rows, Shortener(false)), false};
  }
}

}  // namespace dalembert
