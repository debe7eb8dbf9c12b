#include "simulate/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulate/least_distance.hpp"

namespace dalembert {
namespace {

constexpr double off = 1e-9;        // a start may be off by this part of a gap's scale
constexpr double rounding = 1e-13;  // of sums, in parts of what their terms amount to
constexpr double held = 1e-9;       // accelerations of a gap below this part of what they are made of: it stays closed
constexpr double dependent = 1e-8;  // of a row's length: what the equations leave of it

double norm(std::span<const double> x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

Contacts::Contacts(Numeric& numeric)
    : numeric_(numeric),
      gap_(numeric.contact_count()),
      rate_(numeric.contact_count()),
      gap_scale_(numeric.contact_count()),
      rate_scale_(numeric.contact_count()),
      restitution_(numeric.contact_count()),
      acceleration_(numeric.u_count()),
      multipliers_(numeric.all_row_count()),
      change_(numeric.u_count()) {
  for (const ConstraintRow& contact : numeric.equations().contacts) {
    sign_.push_back(contact.relation == Relation::less_equal ? -1 : 1);
  }
}

void Contacts::measure(double t, const double* y) {
  numeric_.gaps(t, y, gap_.data(), rate_.data());
  for (std::size_t c = 0; c < count(); ++c) {
    gap_[c] *= sign_[c];
    rate_[c] *= sign_[c];
  }
}

void Contacts::scale(double t, const double* y, std::span<const double> sizes) {
  numeric_.evaluate(t, y);
  numeric_.contact_scales(y, sizes, restitution_.data(), gap_scale_.data(), rate_scale_.data());
}

std::vector<Index> Contacts::touching() const {
  std::vector<Index> found;
  for (Index c = 0; c < count(); ++c) {
    if (gap_[c] <= off * gap_scale_[c]) found.push_back(c);
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
    if (gap_[c] >= -off * gap_scale_[c]) continue;
    const ConstraintRow& contact = numeric_.equations().contacts[c];
    throw ModelError(
        {numeric_.model().file, contact.place, "constraints." + contact.name,
         fmt::format("the initial state violates it: left side minus right side is {:.6g}", sign_[c] * gap_[c]),
         "give initial values that satisfy it, or let --project-initial move them"});
  }
}

/// Directions in which the contacts push, in kinetic coordinates and without what the equations' own rows take up.
bool Contacts::make_columns(double t, const double* y, const std::vector<Index>& contacts) {
  Metric& metric = numeric_.metric();
  numeric_.close({});
  if (metric.kept() != equations_.kept) metric.select(equations_.kept);
  if (!numeric_.factor(t, y) || metric.smallest_pivot() == 0) return false;
  std::vector<Index> rows;
  for (Index c : contacts) rows.push_back(static_cast<Index>(numeric_.row_count() + c));
  const std::size_t n = numeric_.u_count();
  columns_.resize(n * rows.size());
  metric.dense_columns(numeric_.jacobian().data(), rows, columns_.data());
  length_.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) length_.push_back(norm({columns_.data() + k * n, n}));
  metric.free_columns(numeric_.jacobian().data(), rows, columns_.data());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::span<double> column(columns_.data() + k * n, n);
    const double left = norm(column);
    const bool moves = left > dependent * length_[k];
    for (double& value : column) value = moves ? value * sign_[contacts[k]] / left : 0.0;
    if (moves) length_[k] = left;
  }
  return true;
}

ContactDecision Contacts::decide(double t, const double* y, const std::vector<Index>& touching) {
  ContactDecision decision;
  if (!touching.empty() && make_columns(t, y, touching)) {
    numeric_.metric().solve(numeric_.bias().data(), numeric_.drift().data(), acceleration_.data(), multipliers_.data());
    std::vector<double> g, noise, size;
    for (std::size_t k = 0; k < touching.size(); ++k) {
      const std::size_t r = numeric_.row_count() + touching[k];
      double sum = numeric_.drift()[r], parts = std::abs(sum);
      const double* a = numeric_.jacobian().data() + numeric_.jacobian_begin(r);
      for (const Entry& entry : numeric_.row(r).jacobian) {
        const double term = *a++ * acceleration_[entry.column];
        sum += term;
        parts += std::abs(term);
      }
      const double length = length_[k] > 0 ? length_[k] : 1;
      g.push_back(sign_[touching[k]] * sum / length);
      size.push_back(parts / length);
      noise.push_back(rounding * parts / length);
    }
    const LeastDistance found = solve_least_distance(numeric_.u_count(), columns_, g, noise);
    if (found.outcome != LeastDistanceOutcome::solved) decision.against = touching;
    for (std::size_t k = 0; k < touching.size(); ++k) {
      if (found.slack[k] <= held * size[k] || found.multipliers[k] > 0) decision.closed.push_back(touching[k]);
    }
    for (std::size_t k : found.basis) decision.loaded.push_back(touching[k]);
  }
  select(t, y, decision);
  return decision;
}

ContactDecision Contacts::hold(double t, const double* y, const std::vector<Index>& closed,
                               const std::vector<Index>& loaded) {
  ContactDecision decision;
  decision.closed = closed;
  decision.loaded = loaded;
  select(t, y, decision);
  return decision;
}

/// Rows to keep: the equations', those of the loaded contacts, then of the other closed ones what is independent.
void Contacts::select(double t, const double* y, ContactDecision& decision) {
  std::sort(decision.closed.begin(), decision.closed.end());
  decision.rank = equations_;
  if (!decision.closed.empty() && make_columns(t, y, decision.closed)) {
    std::vector<std::size_t> first;
    for (Index c : decision.loaded) {
      const auto found = std::lower_bound(decision.closed.begin(), decision.closed.end(), c);
      if (found != decision.closed.end() && *found == c) {
        first.push_back(static_cast<std::size_t>(found - decision.closed.begin()));
      }
    }
    std::vector<std::size_t> kept = independent_columns(numeric_.u_count(), columns_, first);
    std::sort(kept.begin(), kept.end());
    for (std::size_t k = 0; k < decision.closed.size(); ++k) {
      const auto row = static_cast<Index>(numeric_.row_count() + decision.closed[k]);
      (std::binary_search(kept.begin(), kept.end(), k) ? decision.rank.kept : decision.rank.dropped).push_back(row);
    }
  }
  numeric_.close(decision.closed);
  numeric_.metric().select(decision.rank.kept);
  numeric_.factor(t, y);
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
  const LeastDistance found = solve_least_distance(numeric_.u_count(), columns_, g, noise);
  if (found.outcome != LeastDistanceOutcome::solved) return false;
  numeric_.metric().from_kinetic(found.z.data(), change_.data());
  for (std::size_t i = 0; i < change_.size(); ++i) y[numeric_.q_count() + i] += change_[i];
  for (std::size_t k = 0; k < touching.size(); ++k) {
    if (length_[k] > 0) impulses[touching[k]] = found.multipliers[k] / length_[k];
  }
  return true;
}

bool Contacts::evaluate_loads(double t, const double* y, std::span<double> loads, std::span<double> noise) {
  Metric& metric = numeric_.metric();
  std::fill(loads.begin(), loads.end(), 0.0);
  if (!numeric_.factor(t, y) || metric.smallest_pivot() == 0) return false;
  metric.solve(numeric_.bias().data(), numeric_.drift().data(), acceleration_.data(), multipliers_.data());
  // The load that would take up all force: |bias| in the kinetic metric over the row's length there.
  std::vector<Index> rows;
  for (Index c : numeric_.closed()) rows.push_back(static_cast<Index>(numeric_.row_count() + c));
  const std::size_t n = numeric_.u_count();
  columns_.resize(n * rows.size());
  metric.dense_columns(numeric_.jacobian().data(), rows, columns_.data());
  double largest = 0;
  length_.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    length_.push_back(norm({columns_.data() + k * n, n}));
    largest = std::max(largest, std::abs(multipliers_[rows[k]]) * length_[k]);
  }
  double force = 0;
  for (std::size_t i = 0; i < n; ++i) force += std::abs(numeric_.bias()[i] * acceleration_[i]);
  largest = std::max(largest, std::sqrt(force));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Index c = numeric_.closed()[k];
    loads[c] = sign_[c] * multipliers_[rows[k]];
    noise[c] = length_[k] > 0 ? rounding * largest / length_[k] : 0;
  }
  return true;
}

namespace {

/// The directions in which multipliers may change without changing A^T lambda: an orthonormal basis, each over all
/// rows.
class FreeDirections {
 public:
  FreeDirections(const Numeric& numeric, const RankDecision& rank,
                 const std::vector<std::vector<double>>& combinations) {
    for (std::size_t d = 0; d < combinations.size(); ++d) {
      std::vector<double> z(numeric.all_row_count(), 0.0);
      z[rank.dropped[d]] = 1;
      for (std::size_t k = 0; k < rank.kept.size(); ++k) z[rank.kept[k]] -= combinations[d][k];
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
    const bool moves = length > dependent;
    for (double& entry : x) entry = moves ? entry / length : 0.0;
    columns.insert(columns.end(), x.begin(), x.end());
    g.push_back(moves ? value / length : value);
    noise.push_back(moves ? rounding_error / length : rounding_error);
  }
};

double sign_of(const Numeric& numeric, std::size_t row) {
  return numeric.row(row).relation == Relation::less_equal ? -1 : 1;
}

double largest_of(std::span<const double> values) {
  double largest = 0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

void make_admissible(const Numeric& numeric, const RankDecision& rank,
                     const std::vector<std::vector<double>>& combinations, std::span<double> multipliers) {
  const double noise = rounding * largest_of(multipliers);
  const FreeDirections free(numeric, rank, combinations);
  Inequalities signs;
  for (Index c : numeric.closed()) {
    const std::size_t r = numeric.row_count() + c;
    signs.add(free.row(r, sign_of(numeric, r)), sign_of(numeric, r) * multipliers[r], noise);
  }
  const LeastDistance found = solve_least_distance(free.count(), signs.columns, signs.g, signs.noise);
  if (found.outcome == LeastDistanceOutcome::solved) free.move(found.z, multipliers);
}

/// A multiplier is not unique exactly where some direction that keeps the sign of those contacts that carry nothing
/// changes it.
std::vector<bool> find_unique(const Numeric& numeric, const RankDecision& rank,
                              const std::vector<std::vector<double>>& combinations,
                              std::span<const double> multipliers) {
  constexpr double changes = 1e-7;
  std::vector<bool> unique(numeric.all_row_count(), true);
  const FreeDirections free(numeric, rank, combinations);
  if (free.count() == 0) return unique;
  const double nothing = held * largest_of(multipliers);
  Inequalities signs;
  for (Index c : numeric.closed()) {
    const std::size_t r = numeric.row_count() + c;
    if (std::abs(multipliers[r]) <= nothing) signs.add(free.row(r, sign_of(numeric, r)), 0, rounding);
  }
  for (Index r : numeric.active_rows()) {
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
