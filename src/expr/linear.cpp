#include <algorithm>
#include <cassert>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/linear.hpp>
#include <numeric>
#include <set>

namespace dalembert {
namespace {

/// Sums and products stay as they are built while this lives.
class Nested {
 public:
  explicit Nested(Graph& graph) : graph_(graph), before_(graph.flatten) { graph.flatten = false; }
  ~Nested() { graph_.flatten = before_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  Graph& graph_;
  bool before_;
};

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

[[noreturn]] void fail_singular(std::uint32_t row) {
  throw InputError({"",
                    {},
                    "",
                    "a matrix cannot be factored: the pivot of row " + std::to_string(row + 1) + " vanishes",
                    "it must be definite"});
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
  assert(order.size() == size);
  LdltFactor factor{order, std::vector<std::vector<Entry>>(size), {}, {}};
  if (size == 0) return factor;
  auto filled = std::ranges::find_if(matrix, [](const std::vector<Entry>& row) { return !row.empty(); });
  if (filled == matrix.end()) fail_singular(order[0]);
  Graph& graph = filled->front().value.graph();
  Nested nested(graph);
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
    if (!pivot || pivot.is_zero()) fail_singular(order[i]);
    factor.diagonal.push_back(pivot);
    factor.reciprocal.push_back(1 / pivot);
  }
  return factor;
}

std::vector<Expr> solve_ldlt(const LdltFactor& factor, std::span<const Expr> right_side) {
  std::size_t size = factor.order.size();
  assert(right_side.size() == size);
  if (size == 0) return {};
  Graph& graph = right_side[0].graph();
  Nested nested(graph);
  std::vector<std::vector<Expr>> terms(size);  // of the unknowns, as back substitution finds them
  std::vector<Expr> forward(size), solution(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<Expr> sum{right_side[factor.order[i]]};
    for (const Entry& entry : factor.lower[i])
      if (!forward[entry.column].is_zero()) sum.push_back(-(entry.value * forward[entry.column]));
    forward[i] = graph.sum(sum);
  }
  for (std::size_t i = size; i-- > 0;) {
    terms[i].push_back(forward[i] * factor.reciprocal[i]);
    Expr unknown = graph.sum(terms[i]);
    solution[factor.order[i]] = unknown;
    for (const Entry& entry : factor.lower[i]) terms[entry.column].push_back(-(entry.value * unknown));
  }
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
