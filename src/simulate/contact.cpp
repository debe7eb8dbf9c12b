#include "simulate/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulate/least_distance.hpp"

namespace dalembert {
namespace {

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

void Contacts::refuse_penetration() const {
  constexpr double off = 1e-9;
  for (std::size_t c = 0; c < count(); ++c) {
    if (gap_[c] >= -off * gap_scale_[c]) continue;
    const ConstraintRow& contact = numeric_.equations().contacts[c];
    throw ModelError(
        {numeric_.model().file, contact.place, "constraints." + contact.name,
         fmt::format("the initial state violates it: left side minus right side is {:.6g}", sign_[c] * gap_[c]),
         "give initial values that satisfy it"});
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

void make_admissible(const Numeric& numeric, const std::vector<double>& basis, std::span<double> multipliers) {
  const std::size_t rows = multipliers.size(), free = rows == 0 ? 0 : basis.size() / rows;
  std::vector<double> columns, g, noise;
  double largest = 0;
  for (double value : multipliers) largest = std::max(largest, std::abs(value));
  bool violated = false;
  for (Index c : numeric.closed()) {
    const std::size_t r = numeric.row_count() + c;
    const double sign = numeric.row(r).relation == Relation::less_equal ? -1 : 1;
    std::vector<double> column(free);
    for (std::size_t k = 0; k < free; ++k) column[k] = sign * basis[k * rows + r];
    const double length = norm(column);
    const bool moves = length > dependent;
    for (double& value : column) value = moves ? value / length : 0.0;
    columns.insert(columns.end(), column.begin(), column.end());
    g.push_back(sign * multipliers[r] / (moves ? length : 1));
    noise.push_back(rounding * largest / (moves ? length : 1));
    violated |= moves && g.back() < -noise.back();
  }
  if (!violated) return;
  const LeastDistance found = solve_least_distance(free, columns, g, noise);
  for (std::size_t k = 0; k < free; ++k) {
    for (std::size_t r = 0; r < rows; ++r) multipliers[r] += found.z[k] * basis[k * rows + r];
  }
}

}  // namespace dalembert
