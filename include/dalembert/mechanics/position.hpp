#pragma once
// Quantities of the motion as functions of position alone: one squared rate goes by the energy integral, others by
// momenta and constraints (Paulus 1910, part II).

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// The constant of a first integral, kept as a name.
struct IntegralConstant {
  Expr symbol;           ///< E, p_phi
  std::string integral;  ///< "energy", "jacobi", "momentum of phi"
  Expr formula;          ///< in t, q, q'
  Expr at_start;         ///< its value in the model's initial state: a formula of parameters
};

struct OfPosition {
  Expr formula;                             ///< in t, q, the constants and the rates that remain; empty: no use
  Expr at_start;                            ///< the same, constants fixed by the initial state
  std::vector<IntegralConstant> constants;  ///< those that occur
  std::vector<Expr> remaining;              ///< rates that no integral takes away
  std::string remark;                       ///< why there is no formula, or none without rates

  bool is_complete() const { return formula && remaining.empty(); }
};

/// Where one rate is left its square is a function of position too, and says how far the motion goes.
struct RateSquared {
  std::size_t coordinate = 0;
  Expr at_start;  ///< q'^2 in t, q, constants fixed by the initial state
};

/// Frees quantities of their rates. Bounded by an allowance of work.
class RateElimination {
 public:
  RateElimination(const Model& model, const Equations& own, double work);
  ~RateElimination();
  RateElimination(RateElimination&&) noexcept;
  RateElimination& operator=(RateElimination&&) noexcept;

  /// Of a quantity in t, q, q' (accelerations and multipliers put in before).
  OfPosition eliminate(Expr quantity);
  std::optional<RateSquared> rate_squared();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dalembert
