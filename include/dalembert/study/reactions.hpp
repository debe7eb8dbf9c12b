#pragma once
// Every constraint's reaction at a state: the multiplier, its formula, and the force on each point that the constraint
// names.

#include <array>
#include <dalembert/mechanics/release.hpp>
#include <dalembert/simulate/system.hpp>

namespace dalembert {

/// lambda df/dposition(P) or lambda df/dvelocity(P); for omega(B) a couple.
struct ForceOn {
  std::string on;
  bool is_couple = false;
  bool is_known = true;  ///< false: nothing is said of this point
  /// Of t, q, q' and, where that is shorter, q'' and reaction(c); empty where there is none short enough to read.
  std::array<std::string, 3> formula;
  std::array<double, 3> value{};
};

/// The largest size of a function of one coordinate over the range that the energy leaves to the motion.
struct OverRange {
  std::string coordinate;
  double from = 0, to = 0;
  bool is_full_turn = false;  ///< nothing turns the motion back: one period
  double largest = 0, at = 0;
};

/// A reaction as a function of position alone (Paulus 1910, part II); all empty where that is not to be had.
struct PositionText {
  std::string formula;  ///< constants fixed by the initial state
  std::string general;  ///< constants by name
  struct Constant {
    std::string name, integral, formula;
    double value = 0;
  };
  std::vector<Constant> constants;
  std::vector<std::string> remaining;  ///< rates that are still there: then `formula` is empty, `general` is not
  std::string remark;
  std::optional<OverRange> over_range;
};

/// What a released constant tells besides its multiplier (Paulus 1910).
struct ReleasedText {
  std::string rho_formula;  ///< (17), empty where too large
  double rho = 0;
  std::optional<double> power;  ///< of a drive
  std::string power_formula;
  Verdict orthogonal = Verdict::undecided;  ///< zero: (47) holds
  std::string remark;                       ///< how the forces on points were found
};

struct Reaction {
  std::string name;
  std::string by = "multiplier";
  /// Of the multiplier: the shortest in t, q, q' that a principle gives, or, where none of these is short, one in q''
  /// and other reactions as well; empty where that is long too.
  std::string formula;
  std::string formula_by;  ///< "multipliers", "hamel" or "balance": with q'' and reaction(c)
  std::string remark;      ///< why there is no formula
  double value = 0;        ///< NaN where it does not exist (unbounded)
  bool unique = true;
  std::vector<double> generalized;  ///< A^T lambda, on each coordinate
  std::vector<ForceOn> on;
  PositionText of_position;
  std::optional<ReleasedText> released;  ///< of a released constant
  std::optional<double> theta;           ///< by projection: along the constraint's unit vector (Spain 1940, (6))
};

struct ReactionOptions {
  bool formulas = true;
  double work = 3e8;  ///< for all formulas together, in the units of work.hpp
};

/// The model's own multipliers, then the constants that it releases, at a state of these equations, which are
/// derive_multipliers'.
std::vector<Reaction> find_reactions(const Equations& equations, const State& state,
                                     const ReactionOptions& options = {});

/// The same by Hamel's surplus equations, each reaction from its own, at a state in the model's q and q'.
std::vector<Reaction> find_surplus_reactions(const Model& model, const ModelState& state,
                                             const ReactionOptions& options = {});
/// The same by Spain's projector: theta along the constraints' unit vectors, lambda from them.
std::vector<Reaction> find_projected_reactions(const Model& model, const ModelState& state,
                                               const ReactionOptions& options = {});
/// A vector in world axes and in those of the parent.
struct JointVector {
  std::array<std::string, 3> world_formula, parent_formula;  ///< empty where too large to read
  std::array<double, 3> world{}, parent{};
};
/// What the parent exerts on a frame at the frame's origin, drives included.
struct JointReport {
  std::string name, parent;
  JointVector force, couple;
  bool unique = true;
  std::string remark;  ///< about the formulas
};
std::vector<JointReport> find_joint_loads(const Equations& equations, const State& state,
                                          const ReactionOptions& options = {});
/// The equations with the loads of the model's joints as outputs: joint(NAME).force.x, .. .couple.z in world axes, and
/// the same under joint(NAME).parent in the parent's.
Equations with_joint_outputs(const Equations& equations);

/// What a statics problem lacks to be one: accelerations that do not vanish at rest, by coordinate. Empty in
/// equilibrium.
std::vector<std::string> statics_remarks(const Equations& equations, const State& state);

/// All that `reactions` shows.
struct ReactionsReport {
  State state;
  std::vector<std::string> names;  ///< of the model's symbols: LaTeX tells them apart
  bool at_rest = false;
  std::vector<Reaction> reactions;
  std::vector<JointReport> joints;
  std::vector<std::string> releasable;  ///< constants that could be released and are not
  std::vector<std::string> hung;        ///< frames whose joints could be asked for
  /// Of coordinates at the state, by names: where formulas read them.
  std::vector<std::pair<std::string, double>> accelerations;
  std::optional<Trajectory> along;
  std::vector<std::string> remarks;
};

}  // namespace dalembert
