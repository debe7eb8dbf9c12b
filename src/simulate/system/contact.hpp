#pragma once
// One-sided constraints at a state: which contacts hold (the active set of Gauss's least constraint under inequalities,
// theory 5.4), and the impulses at an impact by the same principle one order lower.

#include "simulate/system/least_distance.hpp"
#include "simulate/system/projector.hpp"
#include "simulate/system/rank.hpp"

namespace dalembert {

/// Which contacts hold at a state, and the rows that then act.
struct ContactDecision {
  std::shared_ptr<const Selection> selection;  ///< the equations' rows and those of the closed contacts
  std::vector<Index> loaded;                   ///< an independent set of closed contacts that carries the load
  std::vector<Index> against;                  ///< contacts that contradict each other; empty where they do not
};

/// Gaps and rates count from the admissible side: f for f >= 0, -f for f <= 0.
class Contacts {
 public:
  /// `equations`: the rows of the equations that are independent where the motion starts, no contact closed.
  Contacts(SystemEvaluator& evaluator, std::shared_ptr<const Selection> equations);

  std::size_t count() const { return sign_.size(); }
  double sign(std::size_t c) const { return sign_[c]; }
  const std::string& name(std::size_t c) const { return evaluator_.equations().contacts[c].name; }

  /// Gaps and their rates at a state.
  void measure(double t, const double* y);
  std::span<const double> gaps() const { return gap_; }
  std::span<const double> rates() const { return rate_; }
  /// What gaps and rates are compared with, and the coefficients of restitution, by the magnitudes of (q, u).
  void scale(double t, const double* y, std::span<const double> magnitudes);
  double gap_scale(std::size_t c) const { return gap_scale_[c]; }
  double rate_scale(std::size_t c) const { return rate_scale_[c]; }
  double restitution(std::size_t c) const { return restitution_[c]; }
  /// ModelError where a gap, measured and scaled, is negative by more than 1e-9 of its scale.
  void refuse_penetration() const;
  /// Contacts that touch at a state, which may be off by 1e-9 of their scales; scale() and measure() have been done.
  std::vector<Index> touching() const;
  /// Those of them that neither approach nor leave.
  std::vector<Index> resting(const std::vector<Index>& touching, double part) const;

  /// Of contacts that touch without approaching, those that stay closed.
  ContactDecision decide(double t, const double* y, const std::vector<Index>& touching);
  /// The same where it is known which stay closed and which of them carry the load.
  ContactDecision hold(double t, const double* y, const std::vector<Index>& closed, const std::vector<Index>& loaded);
  /// Moves the velocities by the least change in the kinetic metric after which each contact's rate is at least
  /// `rebound`: impulses of the contacts, none negative, are its multipliers. False where the contacts contradict each
  /// other.
  bool strike(double t, double* y, const std::vector<Index>& touching, std::span<const double> rebound,
              std::span<double> impulses);

 private:
  bool make_columns(double t, const double* y, const std::vector<Index>& contacts);
  std::vector<double> share_impulses(const LeastDistance& found, std::span<const double> noise) const;
  void select(double t, const double* y, const std::vector<Index>& closed, ContactDecision& decision);

  SystemEvaluator& evaluator_;
  Evaluation at_;
  Factor factor_;  // of the equations' rows
  std::vector<double> sign_, gap_, rate_, gap_scale_, rate_scale_, restitution_;
  std::vector<double> columns_, length_;  // unit directions of the contacts at hand, and their lengths
  std::vector<double> position_, velocity_, acceleration_, multipliers_, change_;
};

/// The loads of closed contacts along a motion, while one selection acts.
class ContactLoads {
 public:
  ContactLoads(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection);
  /// Multipliers of the contacts at a state from their admissible side, and what in them is rounding. False where there
  /// are none.
  bool evaluate(double t, const double* y, std::span<double> loads, std::span<double> noise);

 private:
  SystemEvaluator& evaluator_;
  Evaluation at_;
  Factor factor_;
  std::vector<Index> rows_;
  std::vector<double> columns_, length_, acceleration_, multipliers_;
};

/// Multipliers with the same A^T lambda, those of contacts of their sign, of least norm. Wants the multipliers of least
/// norm whatever their signs, and the dependencies of the rows dropped (rank.hpp).
void make_admissible(const CompiledSystem& system, const Selection& selection,
                     const std::vector<std::vector<double>>& combinations, std::span<double> multipliers);
/// Which of such multipliers no other admissible ones differ from.
std::vector<bool> find_unique(const CompiledSystem& system, const Selection& selection,
                              const std::vector<std::vector<double>>& combinations,
                              std::span<const double> multipliers);

}  // namespace dalembert
