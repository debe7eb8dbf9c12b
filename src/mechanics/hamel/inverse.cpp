#include <algorithm>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <limits>
#include <numeric>

#include "base/tolerances.hpp"
#include "mechanics/hamel/rows.hpp"
#include "mechanics/simplify.hpp"

// xi^T = pi^-1 block by block: where a block's rows are orthogonal its transpose, scaled; else Gauss-Jordan elimination
// with pivots that are not small at the initial state, the simplest expression first, so that inverses stay readable.
// Where an entry grows too large to read, the same elimination is done once more without simplifying anything.

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

class BlockInverse {
 public:
  BlockInverse(const Model& model, const std::vector<FrameRow>& rows, const Block& block, Shortener& simplify)
      : model_(model), rows_(rows), block_(block), simplify_(simplify) {
    Graph& graph = *model.graph;
    for (std::size_t r : block.rows) {
      left_.emplace_back();
      for (std::size_t l : block.columns) left_.back().push_back(rows[r].pi[l]);
      right_.emplace_back(block.rows.size(), graph.constant(0));
      right_.back()[left_.size() - 1] = graph.constant(1);
    }
  }

  /// [row][column] within the block.
  Dense solve() {
    if (simplify_.is_reading() && is_orthogonal()) return transpose_scaled();
    const std::size_t size = left_.size();
    std::vector<Binding> bindings = state_bindings(model_);
    std::vector<std::size_t> row_of(size, size);  // of each column
    std::vector<bool> used(size, false);
    for (std::size_t step = 0; step < size; ++step) {
      auto [row, column] = choose_pivot(used, row_of, bindings);
      if (row == size) refuse(model_, rows_[block_.rows[column]].velocity, vanishes(column, row_of));
      used[row] = true;
      row_of[column] = row;
      eliminate(row, column);
    }
    Dense xi(size, std::vector<Expr>(size));
    for (std::size_t l = 0; l < size; ++l)
      for (std::size_t r = 0; r < size; ++r) xi[r][l] = right_[row_of[l]][r];
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
    std::vector<Binding> bindings = state_bindings(model_);
    Dense xi;
    for (std::size_t r = 0; r < left_.size(); ++r) {
      Expr square = simplify_(product(left_[r], left_[r]));
      if (!(evaluate(square, bindings) > smallest * smallest))
        refuse(model_, rows_[block_.rows[r]].velocity, square.is_zero());
      xi.emplace_back();
      for (const Expr& entry : left_[r]) xi.back().push_back(simplify_(entry / square));
    }
    return xi;
  }

  /// The row and its column; where there is none, {size, a row that has no pivot}.
  std::pair<std::size_t, std::size_t> choose_pivot(const std::vector<bool>& used,
                                                   const std::vector<std::size_t>& row_of,
                                                   const std::vector<Binding>& bindings) const {
    const std::size_t size = left_.size();
    std::size_t best_row = size, best_column = 0;
    double best_cost = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < size; ++i) {
      if (used[i]) continue;
      best_column = best_row == size ? i : best_column;
      std::vector<double> values = evaluate(left_[i], bindings);
      double largest = 0;
      for (std::size_t j = 0; j < size; ++j)
        if (row_of[j] == size) largest = std::max(largest, std::fabs(values[j]));
      for (std::size_t j = 0; j < size; ++j) {
        if (row_of[j] != size || std::fabs(values[j]) < 0.3 * largest || std::fabs(values[j]) < smallest) continue;
        double cost = count_written(left_[i][j]);
        if (cost >= best_cost) continue;
        best_cost = cost, best_row = i, best_column = j;
      }
    }
    return {best_row, best_column};
  }

  /// Nothing is left of the row in the columns without a pivot, proved.
  bool vanishes(std::size_t row, const std::vector<std::size_t>& row_of) const {
    for (std::size_t j = 0; j < left_.size(); ++j)
      if (row_of[j] == left_.size() && test_zero(left_[row][j]).verdict != Verdict::zero) return false;
    return true;
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
  }

  void subtract(std::vector<Expr>& target, Expr factor, const std::vector<Expr>& row) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (!row[j].is_zero()) target[j] = simplify_(target[j] - factor * row[j]);
  }

  static constexpr double smallest = tolerance::consistent;  // a row no longer than a start may be off is none

  const Model& model_;
  const std::vector<FrameRow>& rows_;
  const Block& block_;
  Shortener& simplify_;
  Dense left_, right_;
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
