#pragma once
// One-sided constraints at a state: which contacts hold (the active set of Gauss's least constraint under inequalities,
// theory 5.4), and the impulses at an impact by the same principle one order lower.

#include "simulate/rank.hpp"

namespace dalembert {

/// Which contacts hold at a state, and the rows that then act.
struct ContactDecision {
  std::vector<Index> closed;   ///< contacts, ascending
  std::vector<Index> loaded;   ///< an independent set of them that carries the load
  RankDecision rank;           ///< of the equations' rows and the closed contacts'
  std::vector<Index> against;  ///< contacts that contradict each other; empty where they do not
};

/// Gaps and rates count from the admissible side: f for f >= 0, -f for f <= 0.
class Contacts {
 public:
  explicit Contacts(Numeric& numeric);

  std::size_t count() const { return sign_.size(); }
  double sign(std::size_t c) const { return sign_[c]; }
  const std::string& name(std::size_t c) const { return numeric_.equations().contacts[c].name; }
  /// The rows of the equations that are independent where the motion starts.
  void set_equations(const RankDecision& rank) { equations_ = rank; }
  const RankDecision& equations() const { return equations_; }

  /// Gaps and their rates at a state.
  void measure(double t, const double* y);
  std::span<const double> gaps() const { return gap_; }
  std::span<const double> rates() const { return rate_; }
  /// What gaps and rates are compared with, and the coefficients of restitution, by the sizes of (q, u).
  void scale(double t, const double* y, std::span<const double> sizes);
  double gap_scale(std::size_t c) const { return gap_scale_[c]; }
  double rate_scale(std::size_t c) const { return rate_scale_[c]; }
  double restitution(std::size_t c) const { return restitution_[c]; }
  /// ModelError where a gap, measured and scaled, is negative by more than 1e-9 of its scale.
  void refuse_penetration() const;
  /// Contacts that touch at a state, which may be off by 1e-9 of their scales; scale() and measure() have been done.
  std::vector<Index> touching() const;
  /// Those of them that neither approach nor leave.
  std::vector<Index> resting(const std::vector<Index>& touching, double part) const;

  /// Of contacts that touch without approaching, those that stay closed. The metric is left factored with their rows.
  ContactDecision decide(double t, const double* y, const std::vector<Index>& touching);
  /// The same where it is known which stay closed and which of them carry the load.
  ContactDecision hold(double t, const double* y, const std::vector<Index>& closed, const std::vector<Index>& loaded);
  /// Moves the velocities by the least change in the kinetic metric after which each contact's rate is at least
  /// `rebound`: impulses of the contacts, none negative, are its multipliers. False where the contacts contradict each
  /// other.
  bool strike(double t, double* y, const std::vector<Index>& touching, std::span<const double> rebound,
              std::span<double> impulses);
  /// Multipliers of the contacts at a state from their admissible side, and what in them is rounding; the rows that act
  /// must be selected. False where there are none.
  bool evaluate_loads(double t, const double* y, std::span<double> loads, std::span<double> noise);

 private:
  bool make_columns(double t, const double* y, const std::vector<Index>& contacts);
  void select(double t, const double* y, ContactDecision& decision);

  Numeric& numeric_;
  RankDecision equations_;
  std::vector<double> sign_, gap_, rate_, gap_scale_, rate_scale_, restitution_;
  std::vector<double> columns_, length_;  // unit directions of the contacts at hand, and their lengths
  std::vector<double> acceleration_, multipliers_, change_;
};

/// Multipliers with the same A^T lambda, those of contacts of their sign, of least norm. Wants the multipliers of least
/// norm whatever their signs, and the dependencies of the rows dropped (rank.hpp).
void make_admissible(const Numeric& numeric, const RankDecision& rank,
                     const std::vector<std::vector<double>>& combinations, std::span<double> multipliers);
/// Which of such multipliers no other admissible ones differ from.
std::vector<bool> find_unique(const Numeric& numeric, const RankDecision& rank,
                              const std::vector<std::vector<double>>& combinations,
                              std::span<const double> multipliers);

}  // namespace dalembert
