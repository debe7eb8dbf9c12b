#pragma once
// What a frame of quasi-velocities tells: transition coefficients, group, integrability, momenta (Hamel 1904).

#include <dalembert/mechanics/groups.hpp>
#include <dalembert/mechanics/pfaff.hpp>
#include <dalembert/simulate/system.hpp>

namespace dalembert {

/// The reciprocal frame along a motion: X'_s = E_st X_t with [X, X'] = 0, by E' = -E (beta omega), E = 1 at the start.
struct ReciprocalFrame {
  std::vector<std::string> velocities;
  std::vector<double> t;
  std::vector<std::vector<double>> e;  ///< at each time, row by row
  /// Largest difference at the last configuration to E along another path, the straight one: E is a function of place,
  /// and so [X, X'] = 0 in every direction, exactly when there is none.
  double defect = 0;
};

struct FrameReport {
  std::string name;                ///< of the model
  std::vector<std::string> names;  ///< of the model's symbols: LaTeX tells them apart
  struct Velocity {
    std::string name;
    std::string formula;     ///< in the rates
    std::string constraint;  ///< that says it is zero; may be empty
  };
  struct Coefficient {
    std::string mu, nu, rho;  ///< velocities' names; "t" for time
    std::string formula;      ///< empty where it is too large to read
    double value = 0;         ///< at the initial state
  };
  struct Momentum {
    std::string velocity, formula;
    std::optional<bool> is_admitted, is_conserved;
    double value = 0;  ///< likewise
  };
  std::vector<Velocity> velocities;
  std::vector<Coefficient> beta;       ///< mu before nu, only those that are not zero
  std::optional<bool> is_constant;     ///< all of beta
  std::optional<Group> group;          ///< where they are
  std::shared_ptr<const Graph> graph;  ///< that the group's numbers are of
  Integrability integrability;
  struct Integral {
    std::string constraint, formula, geometric;  ///< `geometric`: how it may be written instead
  };
  std::vector<Integral> integrals;  ///< of integrable constraints, where one was found
  std::vector<Momentum> momenta;
  EulerKind euler = EulerKind::none;
  std::optional<ReciprocalFrame> reciprocal;  ///< where asked for
  std::vector<std::string> remarks;
};

/// The user's frame as written; where there is none, the one that the engine chooses. `own` as in equations.hpp.
QuasiFrame make_shown_frame(const Model& own);
FrameReport describe_frame(const Model& model);

/// Throws ModelError where the coefficients are not constant: then there is no reciprocal frame.
ReciprocalFrame integrate_reciprocal_frame(const Model& model, const SimulateOptions& options);

}  // namespace dalembert
