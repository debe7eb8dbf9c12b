#include "mechanics/balance.hpp"

#include <algorithm>
#include <dalembert/mechanics/listing.hpp>
#include <map>

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
  Balance(const Equations& equations, double work)
      : equations_(equations), graph_(*equations.graph), simplify_(work), found_(equations.rows.size()) {}

  std::vector<Expr> run() {
    if (found_.empty() || found_.size() > most_rows) return {};
    read_rows();
    while (!simplify_.is_exhausted())
      if (!take_alone() && !take_together()) return found_;
    return found_;
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
        if (!simplify_(entry.value).is_zero()) rows_[entry.column].unknown[a] = entry.value;
    std::erase_if(rows_,
                  [](const Row& row) { return row.unknown.empty() || count_written(row.rest) > largest_balance; });
  }

  /// A multiplier that some equations have as their only unknown. Several of them are summed along their own
  /// direction where its square is one simple term, as that of a unit vector is: it vanishes nowhere else than the
  /// direction does. Else the one with least to read is solved.
  bool take_alone() {
    for (std::size_t a = 0; a < found_.size(); ++a) {
      std::vector<const Row*> alone;
      for (const Row& row : rows_)
        if (row.unknown.size() == 1 && row.unknown.begin()->first == a) alone.push_back(&row);
      if (alone.empty()) continue;
      settle(a, along_direction(a, alone));
      return true;
    }
    return false;
  }

  Expr along_direction(std::size_t a, std::vector<const Row*> rows) {
    std::ranges::stable_sort(rows, {}, [&](const Row* row) { return size_of(*row, a); });
    for (std::size_t count = rows.size(); count > 1; --count) {
      std::vector<Expr> squares, terms;
      for (std::size_t i = 0; i < count; ++i) {
        squares.push_back(pow(rows[i]->unknown.at(a), 2));
        terms.push_back(rows[i]->unknown.at(a) * rows[i]->rest);
      }
      const Expr square = simplify_(graph_.sum(squares));
      if (square.op() != Op::sum && count_written(square) <= largest_square) return graph_.sum(terms) / square;
    }
    return rows[0]->rest / rows[0]->unknown.at(a);
  }

  static double size_of(const Row& row, std::size_t a) {
    return 4 * count_written(row.unknown.at(a)) + count_written(row.rest);
  }

  /// Where every equation has several, one is expressed by the others and put into the equations that remain.
  bool take_together() {
    const Row* best = nullptr;
    std::size_t which = 0;
    for (const Row& row : rows_)
      for (const auto& [a, entry] : row.unknown)
        if (count_written(entry) <= largest_entry && (best == nullptr || size_of(row, a) < size_of(*best, which)))
          best = &row, which = a;
    if (best == nullptr) return false;
    const Row pivot = *best;
    rows_.erase(rows_.begin() + (best - rows_.data()));
    const Expr divisor = pivot.unknown.at(which);
    std::vector<Expr> terms{pivot.rest};
    for (const auto& [b, entry] : pivot.unknown)
      if (b != which) terms.push_back(-entry * symbol(b));
    for (Row& row : rows_) eliminate(row, pivot, which);
    settle(which, graph_.sum(terms) / divisor);
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

  void settle(std::size_t a, Expr formula) {
    if (simplify_.is_exhausted()) return;
    found_[a] = formula;
    for (Row& row : rows_)
      if (auto own = row.unknown.find(a); own != row.unknown.end()) {
        row.rest -= own->second * symbol(a);
        row.unknown.erase(own);
      }
    std::erase_if(rows_, [](const Row& row) { return row.unknown.empty(); });
  }

  const Equations& equations_;
  Graph& graph_;
  Simplifier simplify_;
  std::vector<Row> rows_;
  std::vector<Expr> found_;
};

}  // namespace

std::vector<Expr> solve_balance(const Equations& equations, double work) { return Balance(equations, work).run(); }

}  // namespace dalembert
