#include "simulate/system/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/tolerances.hpp"
#include "simulate/system/sharing.hpp"

namespace dalembert {
namespace {

constexpr double rounding = 1e-13;  // of sums, in parts of what their terms amount to

double norm(std::span<const double> x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

Contacts::Contacts(SystemEvaluator& evaluator, std::shared_ptr<const Selection> equations)
    : evaluator_(evaluator),
      at_(evaluator.system()),
      factor_(std::move(equations)),
      gap_(evaluator.system().contact_count()),
      rate_(gap_.size()),
      gap_scale_(gap_.size()),
      rate_scale_(gap_.size()),
      restitution_(gap_.size()),
      position_(evaluator.system().all_row_count()),
      velocity_(position_.size()),
      acceleration_(evaluator.system().u_count()),
      multipliers_(position_.size()),
      change_(acceleration_.size()) {
  for (const ConstraintRow& contact : evaluator.equations().contacts)
    sign_.push_back(contact.relation == Relation::less_equal ? -1 : 1);
}

void Contacts::measure(double t, const double* y) {
  evaluator_.evaluate_constraints(t, y, position_.data(), velocity_.data());
  const std::size_t rows = evaluator_.system().row_count();
  for (std::size_t c = 0; c < count(); ++c) {
    gap_[c] = sign_[c] * position_[rows + c];
    rate_[c] = sign_[c] * velocity_[rows + c];
  }
}

void Contacts::scale(double t, const double* y, std::span<const double> magnitudes) {
  evaluator_.evaluate(t, y, at_);
  evaluator_.evaluate_contact_scales(t, y, at_, magnitudes, restitution_.data(), gap_scale_.data(), rate_scale_.data());
}

std::vector<Index> Contacts::touching() const {
  std::vector<Index> found;
  for (Index c = 0; c < count(); ++c) {
    if (gap_[c] <= tolerance::consistent * gap_scale_[c]) found.push_back(c);
  }
  return found;
}

std::vector<Index> Contacts::resting(const std::vector<Index>& touching, double part) const {
  std::vector<Index> found;
  for (Index c : touching) {
    if (std::abs(rate_[c]) <= part * rate_scale_[c]) found.push_back(c);
  }
  return found;
}

void Contacts::refuse_penetration() const {
  for (std::size_t c = 0; c < count(); ++c) {
    if (gap_[c] >= -tolerance::consistent * gap_scale_[c]) continue;
    const ConstraintRow& contact = evaluator_.equations().contacts[c];
    throw ModelError(
        {evaluator_.model().file, contact.place, "constraints." + contact.name,
         fmt::format("the initial state violates it: left side minus right side is {:.6g}", sign_[c] * gap_[c]),
         "give initial values that satisfy it, or let --project-initial move them"});
  }
}

/// Directions in which the contacts push, in kinetic coordinates and without what the equations' own rows take up.
bool Contacts::make_columns(double t, const double* y, const std::vector<Index>& contacts) {
  if (!evaluator_.evaluate(t, y, at_) || !factor_.factor(at_.mass().data(), at_.jacobian().data())) return false;
  if (factor_.smallest_pivot() == 0) return false;
  std::vector<Index> rows;
  for (Index c : contacts) rows.push_back(static_cast<Index>(evaluator_.system().row_count() + c));
  const std::size_t n = evaluator_.system().u_count();
  columns_.resize(n * rows.size());
  factor_.dense_columns(at_.jacobian().data(), rows, columns_.data());
  length_.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) length_.push_back(norm({columns_.data() + k * n, n}));
  factor_.free_columns(at_.jacobian().data(), rows, columns_.data());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::span<double> column(columns_.data() + k * n, n);
    const double left = norm(column);
    const bool moves = left > tolerance::dependent * length_[k];
    for (double& value : column) value = moves ? value * sign_[contacts[k]] / left : 0.0;
    if (moves) length_[k] = left;
  }
  return true;
}

ContactDecision Contacts::decide(double t, const double* y, const std::vector<Index>& touching) {
  const CompiledSystem& system = evaluator_.system();
  ContactDecision decision;
  std::vector<Index> closed;
  if (!touching.empty() && make_columns(t, y, touching)) {
    factor_.solve(at_.bias().data(), at_.drift().data(), acceleration_.data(), multipliers_.data());
    std::vector<double> g, noise, size;
    for (std::size_t k = 0; k < touching.size(); ++k) {
      const std::size_t r = system.row_count() + touching[k];
      double sum = at_.drift()[r], parts = std::abs(sum);
      const double* a = at_.jacobian_row(r);
      for (const Entry& entry : system.row(r).jacobian) {
        const double term = *a++ * acceleration_[entry.column];
        sum += term;
        parts += std::abs(term);
      }
      const double length = length_[k] > 0 ? length_[k] : 1;
      g.push_back(sign_[touching[k]] * sum / length);
      size.push_back(parts / length);
      noise.push_back(rounding * parts / length);
    }
    const LeastDistance found = solve_least_distance(system.u_count(), columns_, g, noise);
    if (found.outcome != LeastDistanceOutcome::solved) decision.against = touching;
    for (std::size_t k = 0; k < touching.size(); ++k) {
      if (found.slack[k] <= tolerance::consistent * size[k] || found.multipliers[k] > 0) closed.push_back(touching[k]);
    }
    for (std::size_t k : found.basis) decision.loaded.push_back(touching[k]);
  }
  select(t, y, closed, decision);
  return decision;
}

ContactDecision Contacts::hold(double t, const double* y, const std::vector<Index>& closed,
                               const std::vector<Index>& loaded) {
  ContactDecision decision;
  decision.loaded = loaded;
  select(t, y, closed, decision);
  return decision;
}

/// Rows to keep: the equations', those of the loaded contacts, then of the other closed ones what is independent.
void Contacts::select(double t, const double* y, const std::vector<Index>& closed, ContactDecision& decision) {
  decision.selection = factor_.selection_pointer();
  std::vector<Index> ascending = closed;
  std::sort(ascending.begin(), ascending.end());
  if (ascending.empty() || !make_columns(t, y, ascending)) return;
  std::vector<std::size_t> first;
  for (Index c : decision.loaded) {
    const auto found = std::lower_bound(ascending.begin(), ascending.end(), c);
    if (found != ascending.end() && *found == c) first.push_back(static_cast<std::size_t>(found - ascending.begin()));
  }
  std::vector<Index> kept = factor_.selection().kept();
  for (std::size_t k : independent_columns(evaluator_.system().u_count(), columns_, first))
    kept.push_back(static_cast<Index>(evaluator_.system().row_count() + ascending[k]));
  decision.selection = std::make_shared<const Selection>(factor_.selection().close(ascending).keep(std::move(kept)));
}

bool Contacts::strike(double t, double* y, const std::vector<Index>& touching, std::span<const double> rebound,
                      std::span<double> impulses) {
  std::fill(impulses.begin(), impulses.end(), 0.0);
  if (!make_columns(t, y, touching)) return false;
  measure(t, y);
  std::vector<double> g, noise;
  for (std::size_t k = 0; k < touching.size(); ++k) {
    const Index c = touching[k];
    const double length = length_[k] > 0 ? length_[k] : 1;
    g.push_back((rate_[c] - rebound[c]) / length);
    noise.push_back(rounding * rate_scale_[c] / length);
  }
  const LeastDistance found = solve_least_distance(evaluator_.system().u_count(), columns_, g, noise);
  if (found.outcome != LeastDistanceOutcome::solved) return false;
  factor_.from_kinetic(found.z.data(), change_.data());
  for (std::size_t i = 0; i < change_.size(); ++i) y[evaluator_.system().q_count() + i] += change_[i];
  const std::vector<double> shared = share_impulses(found, noise);
  for (std::size_t k = 0; k < touching.size(); ++k) {
    if (length_[k] > 0) impulses[touching[k]] = shared[k];
  }
  return true;
}

/// Of the impulses with this effect those of least norm, as loads are shared (theory 5.4): among the contacts that
/// leave as slowly as they may.
std::vector<double> Contacts::share_impulses(const LeastDistance& found, std::span<const double> noise) const {
  const std::size_t n = evaluator_.system().u_count(), count = length_.size();
  std::vector<double> impulses(count, 0.0), columns, values;
  for (std::size_t k = 0; k < count; ++k)
    if (length_[k] > 0) impulses[k] = found.multipliers[k] / length_[k];
  std::vector<std::size_t> tight = found.basis;
  for (std::size_t k = 0; k < count; ++k)
    if (std::abs(found.slack[k]) <= noise[k] && std::ranges::find(found.basis, k) == found.basis.end())
      tight.push_back(k);
  if (tight.size() == found.basis.size()) return impulses;
  for (std::size_t k : tight) {
    for (double value : std::span(columns_).subspan(k * n, n)) columns.push_back(value * length_[k]);
    values.push_back(impulses[k]);
  }
  const std::vector<double> shared = share_least(n, columns, values);
  for (std::size_t k = 0; k < tight.size(); ++k) impulses[tight[k]] = shared[k];
  return impulses;
}

ContactLoads::ContactLoads(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection)
    : evaluator_(evaluator),
      at_(evaluator.system()),
      factor_(std::move(selection)),
      acceleration_(evaluator.system().u_count()),
      multipliers_(evaluator.system().all_row_count()) {
  for (Index c : factor_.selection().closed()) rows_.push_back(static_cast<Index>(evaluator.system().row_count() + c));
  columns_.resize(acceleration_.size() * rows_.size());
  length_.resize(rows_.size());
}

bool ContactLoads::evaluate(double t, const double* y, std::span<double> loads, std::span<double> noise) {
  std::fill(loads.begin(), loads.end(), 0.0);
  if (!evaluator_.evaluate(t, y, at_) || !factor_.factor(at_.mass().data(), at_.jacobian().data())) return false;
  if (factor_.smallest_pivot() == 0) return false;
  factor_.solve(at_.bias().data(), at_.drift().data(), acceleration_.data(), multipliers_.data());
  // The load that would take up all force: |bias| in the kinetic metric over the row's length there.
  const std::size_t n = acceleration_.size();
  factor_.dense_columns(at_.jacobian().data(), rows_, columns_.data());
  double force = 0;
  for (std::size_t i = 0; i < n; ++i) force += std::abs(at_.bias()[i] * acceleration_[i]);
  double largest = std::sqrt(force);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    length_[k] = norm({columns_.data() + k * n, n});
    largest = std::max(largest, std::abs(multipliers_[rows_[k]]) * length_[k]);
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Index c = factor_.selection().closed()[k];
    const double sign = evaluator_.system().row(rows_[k]).relation == Relation::less_equal ? -1 : 1;
    loads[c] = sign * multipliers_[rows_[k]];
    noise[c] = length_[k] > 0 ? rounding * largest / length_[k] : 0;
  }
  return true;
}

namespace {

/// The directions in which multipliers may change without changing A^T lambda: an orthonormal basis, each over all
/// rows.
class FreeDirections {
 public:
  FreeDirections(const CompiledSystem& system, const Selection& selection,
                 const std::vector<std::vector<double>>& combinations) {
    const auto directions = static_cast<double>(combinations.size());
    spend_work(0.3 * directions * directions * static_cast<double>(system.all_row_count()));
    for (std::size_t d = 0; d < combinations.size(); ++d) {
      std::vector<double> z(system.all_row_count(), 0.0);
      z[selection.dropped()[d]] = 1;
      for (std::size_t k = 0; k < selection.kept().size(); ++k) z[selection.kept()[k]] -= combinations[d][k];
      for (int pass = 0; pass < 2; ++pass) {
        for (const auto& other : basis_) {
          double along = 0;
          for (std::size_t r = 0; r < z.size(); ++r) along += other[r] * z[r];
          for (std::size_t r = 0; r < z.size(); ++r) z[r] -= along * other[r];
        }
      }
      const double length = norm(z);
      for (double& value : z) value /= length;
      basis_.push_back(std::move(z));
    }
  }
  std::size_t count() const { return basis_.size(); }
  /// How row r changes with them.
  std::vector<double> row(std::size_t r, double sign) const {
    std::vector<double> result;
    for (const auto& z : basis_) result.push_back(sign * z[r]);
    return result;
  }
  void move(std::span<const double> by, std::span<double> multipliers) const {
    for (std::size_t k = 0; k < count(); ++k) {
      for (std::size_t r = 0; r < multipliers.size(); ++r) multipliers[r] += by[k] * basis_[k][r];
    }
  }

 private:
  std::vector<std::vector<double>> basis_;
};

/// Inequalities x . s + g >= 0 with x of unit length, or of none.
struct Inequalities {
  std::vector<double> columns, g, noise;
  void add(std::vector<double> x, double value, double rounding_error) {
    const double length = norm(x);
    const bool moves = length > tolerance::dependent;
    for (double& entry : x) entry = moves ? entry / length : 0.0;
    columns.insert(columns.end(), x.begin(), x.end());
    g.push_back(moves ? value / length : value);
    noise.push_back(moves ? rounding_error / length : rounding_error);
  }
};

double sign_of(const CompiledSystem& system, std::size_t row) {
  return system.row(row).relation == Relation::less_equal ? -1 : 1;
}

double largest_of(std::span<const double> values) {
  double largest = 0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Where few rows are kept; false where it is left to others.
bool share(const CompiledSystem& system, const Selection& selection,
           const std::vector<std::vector<double>>& combinations, std::span<double> multipliers) {
  std::vector<Index> rows = selection.kept();
  rows.insert(rows.end(), selection.dropped().begin(), selection.dropped().end());
  std::vector<double> values, signs;
  for (Index r : rows) {
    values.push_back(multipliers[r]);
    signs.push_back(r < system.row_count() ? 0 : sign_of(system, r));
  }
  const std::optional<std::vector<double>> shared = share_least(combinations, values, signs);
  if (!shared) return false;
  for (std::size_t k = 0; k < rows.size(); ++k) multipliers[rows[k]] = (*shared)[k];
  return true;
}

}  // namespace

void make_admissible(const CompiledSystem& system, const Selection& selection,
                     const std::vector<std::vector<double>>& combinations, std::span<double> multipliers) {
  const double noise = rounding * largest_of(multipliers);
  const auto pulls = [&](Index c) {
    const std::size_t r = system.row_count() + c;
    return sign_of(system, r) * multipliers[r] < -noise;
  };
  if (std::ranges::none_of(selection.closed(), pulls)) return;
  if (selection.kept().size() < selection.dropped().size() && share(system, selection, combinations, multipliers))
    return;
  const FreeDirections free(system, selection, combinations);
  Inequalities signs;
  for (Index c : selection.closed()) {
    const std::size_t r = system.row_count() + c;
    signs.add(free.row(r, sign_of(system, r)), sign_of(system, r) * multipliers[r], noise);
  }
  const LeastDistance found = solve_least_distance(free.count(), signs.columns, signs.g, signs.noise);
  if (found.outcome == LeastDistanceOutcome::solved) free.move(found.z, multipliers);
}

/// A multiplier is not unique exactly where some direction that keeps the sign of those contacts that carry nothing
/// changes it.
std::vector<bool> find_unique(const CompiledSystem& system, const Selection& selection,
                              const std::vector<std::vector<double>>& combinations,
                              std::span<const double> multipliers) {
  constexpr double changes = 1e-7;
  std::vector<bool> unique(system.all_row_count(), true);
  const FreeDirections free(system, selection, combinations);
  if (free.count() == 0) return unique;
  const double nothing = tolerance::consistent * largest_of(multipliers);
  Inequalities signs;
  for (Index c : selection.closed()) {
    const std::size_t r = system.row_count() + c;
    if (std::abs(multipliers[r]) <= nothing) signs.add(free.row(r, sign_of(system, r)), 0, rounding);
  }
  for (Index r : selection.active()) {
    if (norm(free.row(r, 1)) <= changes) continue;
    for (double sign : {1.0, -1.0}) {
      Inequalities moved = signs;
      moved.add(free.row(r, sign), -1, rounding);
      const LeastDistance found = solve_least_distance(free.count(), moved.columns, moved.g, moved.noise);
      if (found.outcome == LeastDistanceOutcome::solved) unique[r] = false;
    }
  }
  return unique;
}

}  // namespace dalembert
