#include <algorithm>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/linear.hpp>
#include <numeric>
#include <set>
#include <string>

#include "expr/flatten.hpp"

namespace dalembert {
namespace {

[[noreturn]] void refuse(std::string problem, std::string remedy) {
  throw InputError({"", {}, "", std::move(problem), std::move(remedy)});
}

void check_length(const LdltFactor& factor, std::span<const Expr> right_side) {
  if (right_side.size() == factor.order.size()) return;
  refuse("the right side has " + std::to_string(right_side.size()) + " entries, the factor " +
             std::to_string(factor.order.size()) + " rows",
         "give one entry a row");
}

void check_order(std::vector<std::uint32_t> order, std::size_t size) {
  std::ranges::sort(order);
  for (std::uint32_t i = 0; i < order.size(); ++i)
    if (order.size() != size || order[i] != i) refuse("the order of pivots is no permutation of the rows", "");
}

[[noreturn]] void refuse_pivot(std::uint32_t row) {
  refuse("the matrix cannot be factored: the pivot of row " + std::to_string(row + 1) + " is zero for every value",
         "leave that row out or give it a value");
}

/// The rows of P A Pt.
SymmetricRows permute(const SymmetricRows& matrix, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  SymmetricRows rows(matrix.size());
  for (std::uint32_t i = 0; i < matrix.size(); ++i)
    for (const Entry& entry : matrix[i]) {
      auto [column, row] = std::minmax(place[i], place[entry.column]);
      rows[row].push_back({column, entry.value});
    }
  for (auto& row : rows) std::ranges::sort(row, {}, &Entry::column);
  return rows;
}

/// a - sum over common columns below `end` of left * right.
Expr reduce(Graph& graph, Expr a, std::span<const Entry> left, std::span<const Entry> right, std::uint32_t end,
            std::vector<Expr>& terms) {
  terms.clear();
  if (a) terms.push_back(a);
  auto other = right.begin();
  for (const Entry& entry : left) {
    if (entry.column >= end) break;
    while (other != right.end() && other->column < entry.column) ++other;
    if (other == right.end()) break;
    if (other->column == entry.column) terms.push_back(-(entry.value * other->value));
  }
  if (terms.empty()) return {};
  return graph.sum(terms);
}

}  // namespace

std::vector<std::uint32_t> minimum_degree_order(const SymmetricRows& matrix) {
  auto size = static_cast<std::uint32_t>(matrix.size());
  std::vector<std::set<std::uint32_t>> neighbours(size);
  for (std::uint32_t i = 0; i < size; ++i)
    for (const Entry& entry : matrix[i])
      if (entry.column != i) {
        neighbours[i].insert(entry.column);
        neighbours[entry.column].insert(i);
      }
  std::set<std::pair<std::size_t, std::uint32_t>> queue;
  for (std::uint32_t i = 0; i < size; ++i) queue.emplace(neighbours[i].size(), i);
  std::vector<std::uint32_t> order;
  while (!queue.empty()) {
    std::uint32_t pivot = queue.begin()->second;
    queue.erase(queue.begin());
    order.push_back(pivot);
    for (std::uint32_t near : neighbours[pivot]) {  // become neighbours of each other
      queue.erase({neighbours[near].size(), near});
      neighbours[near].erase(pivot);
      for (std::uint32_t other : neighbours[pivot])
        if (other != near) neighbours[near].insert(other);
      queue.emplace(neighbours[near].size(), near);
    }
  }
  return order;
}

/// Row by row: with C = L D, c_ij = a_ij - sum_k<j l_jk c_ik, l_ij = c_ij / d_j, d_i = a_ii - sum_k<i l_ik c_ik.
LdltFactor factor_ldlt(const SymmetricRows& matrix, std::vector<std::uint32_t> order) {
  auto size = static_cast<std::uint32_t>(matrix.size());
  if (order.empty()) {
    order.resize(size);
    std::iota(order.begin(), order.end(), 0u);
  }
  check_order(order, size);
  LdltFactor factor{order, std::vector<std::vector<Entry>>(size), {}, {}};
  if (size == 0) return factor;
  if (matrix[order[0]].empty()) refuse_pivot(order[0]);
  Graph& graph = matrix[order[0]][0].value.graph();
  Flatten nested(graph, false);
  SymmetricRows rows = permute(matrix, order);
  std::vector<Expr> terms;
  for (std::uint32_t i = 0; i < size; ++i) {
    std::vector<Entry> scaled;  // row i of C
    auto next = rows[i].begin();
    for (std::uint32_t j = 0; j < i; ++j) {
      Expr given = next != rows[i].end() && next->column == j ? (next++)->value : Expr();
      Expr value = reduce(graph, given, scaled, factor.lower[j], j, terms);
      if (!value) continue;
      scaled.push_back({j, value});
      factor.lower[i].push_back({j, value * factor.reciprocal[j]});
    }
    Expr given = next != rows[i].end() ? next->value : Expr();
    Expr pivot = reduce(graph, given, scaled, factor.lower[i], i, terms);
    if (!pivot || pivot.is_zero()) refuse_pivot(order[i]);
    factor.diagonal.push_back(pivot);
    factor.reciprocal.push_back(1 / pivot);
  }
  return factor;
}

std::vector<Expr> solve_lower(const LdltFactor& factor, std::span<const Expr> right_side) {
  check_length(factor, right_side);
  if (right_side.empty()) return {};
  Graph& graph = right_side[0].graph();
  Flatten nested(graph, false);
  std::vector<Expr> solution;
  for (std::size_t i = 0; i < right_side.size(); ++i) {
    std::vector<Expr> sum{right_side[factor.order[i]]};
    for (const Entry& entry : factor.lower[i])
      if (!solution[entry.column].is_zero()) sum.push_back(-(entry.value * solution[entry.column]));
    solution.push_back(graph.sum(sum));
  }
  return solution;
}

std::vector<Expr> solve_upper(const LdltFactor& factor, std::span<const Expr> right_side) {
  check_length(factor, right_side);
  if (right_side.empty()) return {};
  Graph& graph = right_side[0].graph();
  Flatten nested(graph, false);
  std::vector<std::vector<Expr>> terms(right_side.size());  // of the unknowns, as back substitution finds them
  std::vector<Expr> solution(right_side.size());
  for (std::size_t i = right_side.size(); i-- > 0;) {
    terms[i].push_back(right_side[i]);
    Expr unknown = graph.sum(terms[i]);
    solution[factor.order[i]] = unknown;
    for (const Entry& entry : factor.lower[i]) terms[entry.column].push_back(-(entry.value * unknown));
  }
  return solution;
}

std::vector<Expr> solve_ldlt(const LdltFactor& factor, std::span<const Expr> right_side) {
  std::vector<Expr> scaled = solve_lower(factor, right_side);
  if (scaled.empty()) return {};
  Flatten nested(scaled[0].graph(), false);
  for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] = scaled[i] * factor.reciprocal[i];
  return solve_upper(factor, scaled);
}

SaddleSolution solve_saddle(const SymmetricRows& m, std::span<const Expr> b, const std::vector<std::vector<Entry>>& a,
                            std::span<const Expr> c) {
  SaddleSolution solution;
  if (b.empty()) return solution;
  Graph& graph = b[0].graph();
  Flatten nested(graph, false);
  const std::size_t n = b.size(), rows = a.size();
  const LdltFactor factor = factor_ldlt(m);
  const std::vector<Expr> z = solve_lower(factor, b);
  std::vector<std::vector<Expr>> w;  // of A, as z is of b
  for (const std::vector<Entry>& row : a) {
    std::vector<Expr> dense(n, graph.constant(0));
    for (const Entry& entry : row) dense[entry.column] = entry.value;
    w.push_back(solve_lower(factor, dense));
  }
  std::vector<std::vector<Expr>> gram(rows);
  std::vector<Expr> right;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Expr> scaled(n), terms;
    for (std::size_t i = 0; i < n; ++i) scaled[i] = w[r][i] * factor.reciprocal[i];
    for (std::size_t s = 0; s <= r; ++s) {
      terms.clear();
      for (std::size_t i = 0; i < n; ++i) terms.push_back(scaled[i] * w[s][i]);
      gram[r].push_back(graph.sum(terms));
    }
    terms = {-c[r]};
    for (std::size_t i = 0; i < n; ++i) terms.push_back(scaled[i] * z[i]);
    right.push_back(graph.sum(terms));
  }
  solution.y = solve_ldlt(factor_ldlt(make_symmetric_rows(gram)), right);
  std::vector<Expr> pulled(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> terms = {-z[i]};
    for (std::size_t r = 0; r < rows; ++r) terms.push_back(solution.y[r] * w[r][i]);
    pulled[i] = graph.sum(terms) * factor.reciprocal[i];
  }
  solution.x = solve_upper(factor, pulled);
  return solution;
}

SymmetricRows make_symmetric_rows(const std::vector<std::vector<Expr>>& matrix) {
  SymmetricRows rows(matrix.size());
  for (std::uint32_t i = 0; i < matrix.size(); ++i)
    for (std::uint32_t j = 0; j <= i; ++j)
      if (!matrix[i][j].is_zero()) rows[i].push_back({j, matrix[i][j]});
  return rows;
}

}  // namespace dalembert
