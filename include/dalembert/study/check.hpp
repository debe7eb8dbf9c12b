#pragma once
// What a system is, before it moves.

#include <array>
#include <dalembert/simulate/system.hpp>

namespace dalembert {

struct CheckedConstraint {
  std::string name;
  ConstraintKind kind;
  bool is_rheonomic = false;
  std::optional<bool> is_integrable;  ///< empty: undecided
  std::string integral;               ///< of a differential one that is a geometric one in disguise, where found
  double residual = 0;                ///< at the initial state
  bool is_unit = false;
  bool is_unique = true;  ///< its reaction
};

struct CheckedIntegral {
  std::string name;
  std::string formula;  ///< empty where there is none to read
  double value = 0;
  std::vector<std::array<std::string, 2>> parts = {};  ///< names in the formula and what they stand for, in order
};

struct CheckReport {
  std::string name, about;
  std::vector<std::string> names;  ///< of the model's symbols: LaTeX tells them apart
  std::vector<std::string> coordinates;
  std::size_t degrees_of_freedom = 0;
  RankReport rank;
  std::vector<std::string> singular;  ///< redundant constraints whose derivatives vanish at this configuration only
  bool is_natural = true;
  std::vector<CheckedConstraint> constraints;
  std::vector<CheckedIntegral> integrals;
  std::optional<Complaint> refused;  ///< why nothing can start from the initial state
  std::vector<std::string> remarks;  ///< sections kept for commands that use them, warnings
};

/// Of derive_multipliers' equations.
CheckReport check_model(const Equations& equations);

}  // namespace dalembert
