#pragma once
// Where two sides are compared: states on the constraints, around the start and, for what absolute values and roots of
// squares take the size of, as far away as it takes to meet both signs.

#include <dalembert/simulate/system.hpp>
#include <optional>
#include <random>

#include "study/compare/signs.hpp"

namespace dalembert {

class Trials {
 public:
  struct Trial {
    NamedNumbers parameters;
    State state;
    Response response;
    std::vector<Binding> bindings;  ///< of everything that a formula may read
  };

  /// `read`: the formulas that values come of.
  Trials(const Equations& equations, std::span<const Expr> read);

  /// The start as written first, then others with other parameters; empty after the last.
  std::optional<Trial> next();
  /// All of the state; of a large system what the formulas read, so that a person can.
  NamedNumbers describe(const Trial& trial, std::span<const Expr> formulas = {}) const;
  /// Symbols that have been positive wherever a formula takes their size.
  std::vector<Expr> positive() const { return signs_.positive(); }

 private:
  /// What is random is so large, and times the coordinates and rates themselves if it is far. Empty where the system
  /// cannot be assembled there.
  std::optional<Trial> make(double spread, bool is_far);
  void move(State& state, double spread, bool is_far);
  State move_on(Workspace& workspace, const Trial& trial);
  bool is_large() const;

  const Equations& equations_;
  System system_;
  std::mt19937_64 random_;
  Signs signs_;
  int near_ = 0, far_ = 0;
};

}  // namespace dalembert
