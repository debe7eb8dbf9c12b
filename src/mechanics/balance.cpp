#include "mechanics/balance.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/mechanics/listing.hpp>
#include <map>
#include <optional>

#include "base/tolerances.hpp"
#include "mechanics/simplify.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_rows = 12;    // constraints; more are of no use to a reader
constexpr double largest_entry = 60;     // nodes of an entry that is divided by
constexpr double largest_square = 12;    // nodes of a direction's square
constexpr double largest_balance = 600;  // nodes of an equation written out

/// One equation of motion: what multiplies the multipliers that are not found yet, and all else.
struct Row {
  std::map<std::size_t, Expr> unknown;
  Expr rest;
};

class Balance {
 public:
  Balance(const Equations& equations, std::span<const Binding> at, double work)
      : equations_(equations), graph_(*equations.graph), at_(at), simplify_(work), sizes_(equations.rows.size()) {}

  std::vector<BalancedReaction> run() {
    if (equations_.rows.empty() || equations_.rows.size() > most_rows) return {};
    read_rows();
    while (!simplify_.is_exhausted())
      if (!take_alone() && !take_pair() && !take_together()) break;
    found_.insert(found_.end(), by_others_.rbegin(), by_others_.rend());
    return std::move(found_);
  }

 private:
  Expr symbol(std::size_t a) const { return graph_.symbol(reaction_symbol(equations_.rows[a].name)); }

  void read_rows() {
    std::vector<Replacement> given;
    for (const ConstraintRow& row : equations_.rows)
      if (row.jacobian.size() == 1)
        given.push_back({equations_.accelerations[row.jacobian[0].column], -row.drift / row.jacobian[0].value});
    std::vector<Expr> left = inertia_side(equations_);
    rows_.resize(left.size());
    for (std::size_t i = 0; i < left.size(); ++i) rows_[i].rest = substitute(left[i], given);
    for (std::size_t a = 0; a < equations_.rows.size(); ++a)
      for (const Entry& entry : equations_.rows[a].jacobian)
        if (!simplify_(entry.value).is_zero()) {
          rows_[entry.column].unknown[a] = entry.value;
          sizes_[a] = std::max(sizes_[a], std::fabs(evaluate(entry.value, at_)));
        }
    std::erase_if(rows_,
                  [](const Row& row) { return row.unknown.empty() || count_written(row.rest) > largest_balance; });
  }

  bool vanishes_here(Expr divisor, double size) const {
    return !(std::fabs(evaluate(divisor, at_)) > tolerance::clearly_nonzero * size);
  }

  /// A multiplier that some equations have as their only unknown. Several of them are summed along their own
  /// direction where its square is one simple term, as that of a unit vector is: it vanishes nowhere else than the
  /// direction does. Else the one with least to read is solved.
  bool take_alone() {
    for (std::size_t a = 0; a < equations_.rows.size(); ++a) {
      std::vector<const Row*> alone;
      for (const Row& row : rows_)
        if (row.unknown.size() == 1 && row.unknown.begin()->first == a) alone.push_back(&row);
      std::optional<BalanceFormula> formula = along_direction(a, alone);
      if (!formula) continue;
      settle(found_, a, {*std::move(formula)});
      return true;
    }
    return false;
  }

  std::optional<BalanceFormula> along_direction(std::size_t a, std::vector<const Row*> rows) {
    std::ranges::stable_sort(rows, {}, [&](const Row* row) { return size_of(*row, a); });
    for (std::size_t count = rows.size(); count > 1; --count) {
      std::vector<Expr> squares;
      std::vector<BalanceFormula::Term> terms;
      for (std::size_t i = 0; i < count; ++i) {
        squares.push_back(pow(rows[i]->unknown.at(a), 2));
        terms.push_back({rows[i]->unknown.at(a), rows[i]->rest});
      }
      const Expr square = simplify_(graph_.sum(squares));
      if (square.op() != Op::sum && count_written(square) <= largest_square &&
          !vanishes_here(square, sizes_[a] * sizes_[a]))
        return BalanceFormula{std::move(terms), square};
    }
    for (const Row* row : rows)
      if (const Expr divisor = row->unknown.at(a); !vanishes_here(divisor, sizes_[a]))
        return BalanceFormula{{{graph_.constant(1), row->rest}}, divisor};
    return std::nullopt;
  }

  static double size_of(const Row& row, std::size_t a) {
    return 4 * count_written(row.unknown.at(a)) + count_written(row.rest);
  }

  /// Two equations in the same two unknowns.
  struct Pair {
    const Row *one, *other;
    double size;
  };

  /// Both by Cramer's rule, and each by the other: which is read depends on what can be written.
  bool take_pair() {
    std::vector<Pair> pairs = find_pairs();
    std::ranges::stable_sort(pairs, {}, &Pair::size);
    for (const Pair& pair : pairs) {
      const Row one = *pair.one, other = *pair.other;
      const auto [a, by_a] = *one.unknown.begin();
      const auto [b, by_b] = *one.unknown.rbegin();
      const Expr first = by_a * other.unknown.at(b), second = by_b * other.unknown.at(a);
      const Expr determinant = simplify_(first - second);
      const double size = std::fabs(evaluate(first, at_)) + std::fabs(evaluate(second, at_));
      if (vanishes_here(determinant, size)) continue;
      settle(found_, a,
             {{{{other.unknown.at(b), one.rest}, {-by_b, other.rest}}, determinant},
              by_other(one, a, b),
              by_other(other, a, b)});
      settle(found_, b,
             {{{{by_a, other.rest}, {-other.unknown.at(a), one.rest}}, determinant},
              by_other(one, b, a),
              by_other(other, b, a)});
      return true;
    }
    return false;
  }

  std::vector<Pair> find_pairs() const {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = i + 1; j < rows_.size() && rows_[i].unknown.size() == 2; ++j) {
        const Row &one = rows_[i], &other = rows_[j];
        const std::size_t a = one.unknown.begin()->first, b = one.unknown.rbegin()->first;
        if (other.unknown.size() != 2 || !other.unknown.contains(a) || !other.unknown.contains(b)) continue;
        double size = count_written(one.rest) + count_written(other.rest), largest = 0;
        for (const Row* row : {&one, &other})
          for (const auto& [unknown, entry] : row->unknown) {
            size += 4 * count_written(entry);
            largest = std::max(largest, count_written(entry));
          }
        if (largest <= largest_entry) pairs.push_back({&one, &other, size});
      }
    return pairs;
  }

  BalanceFormula by_other(const Row& row, std::size_t a, std::size_t b) const {
    return {{{graph_.constant(1), row.rest}, {-row.unknown.at(b), symbol(b)}}, row.unknown.at(a)};
  }

  /// Where every equation has several, one is expressed by the others and put into the equations that remain.
  bool take_together() {
    const Row* best = nullptr;
    std::size_t which = 0;
    for (const Row& row : rows_)
      for (const auto& [a, entry] : row.unknown)
        if (count_written(entry) <= largest_entry && !vanishes_here(entry, sizes_[a]) &&
            (best == nullptr || size_of(row, a) < size_of(*best, which)))
          best = &row, which = a;
    if (best == nullptr) return false;
    const Row pivot = *best;
    rows_.erase(rows_.begin() + (best - rows_.data()));
    BalanceFormula formula{{{graph_.constant(1), pivot.rest}}, pivot.unknown.at(which)};
    for (const auto& [b, entry] : pivot.unknown)
      if (b != which) formula.terms.push_back({-entry, symbol(b)});
    for (Row& row : rows_) eliminate(row, pivot, which);
    settle(by_others_, which, {std::move(formula)});
    return true;
  }

  void eliminate(Row& row, const Row& pivot, std::size_t a) {
    auto own = row.unknown.find(a);
    if (own == row.unknown.end()) return;
    const Expr factor = simplify_(own->second / pivot.unknown.at(a));
    row.unknown.erase(own);
    row.rest -= factor * pivot.rest;
    for (const auto& [b, entry] : pivot.unknown) {
      if (b == a) continue;
      Expr& mine = row.unknown.try_emplace(b, graph_.constant(0)).first->second;
      mine = simplify_(mine - factor * entry);
      if (mine.is_zero()) row.unknown.erase(b);
    }
  }

  void settle(std::vector<BalancedReaction>& list, std::size_t a, std::vector<BalanceFormula> formulas) {
    if (simplify_.is_exhausted()) return;
    list.push_back({a, std::move(formulas)});
    for (Row& row : rows_)
      if (auto own = row.unknown.find(a); own != row.unknown.end()) {
        row.rest -= own->second * symbol(a);
        row.unknown.erase(own);
      }
    std::erase_if(rows_, [](const Row& row) { return row.unknown.empty(); });
  }

  const Equations& equations_;
  Graph& graph_;
  std::span<const Binding> at_;
  Simplifier simplify_;
  std::vector<Row> rows_;
  std::vector<double> sizes_;  // of multipliers: the largest slope of each constraint
  std::vector<BalancedReaction> found_, by_others_;
};

}  // namespace

Expr BalanceFormula::value() const {
  std::vector<Expr> list;
  for (const Term& term : terms) list.push_back(term.factor * term.side);
  return divisor.graph().sum(list) / divisor;
}

std::vector<BalancedReaction> solve_balance(const Equations& equations, std::span<const Binding> at, double work) {
  return Balance(equations, at, work).run();
}

}  // namespace dalembert
