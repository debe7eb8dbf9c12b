#pragma once
// Static equilibria under constraints, and their branches over a parameter (theory 8.6 and 8.7).

#include <dalembert/study/linearize.hpp>

namespace dalembert {

/// Where a coordinate is looked for: low < q <= high.
struct SearchBox {
  std::string coordinate;
  double low = 0, high = 0;
};

struct EquilibriaOptions {
  std::vector<SearchBox> boxes = {};  ///< from -pi to pi for coordinates that are independent and have none
  std::size_t starts = 100;           ///< of Newton's method
  std::uint64_t seed = 1;
};

struct Equilibrium {
  std::vector<double> q;
  std::vector<double> reactions;    ///< of each constraint of the model, contacts included
  std::vector<std::string> closed;  ///< contacts that hold
  std::optional<bool> stable;
  std::string verdict;
  std::size_t unstable = 0;                       ///< roots to the right of the axis
  std::vector<std::complex<double>> eigenvalues;  ///< of small motions; empty where that is not decided
};

struct Equilibria {
  std::vector<std::string> coordinates, constraints;
  std::vector<SearchBox> boxes;  ///< that were searched
  std::size_t starts = 0;
  std::vector<Equilibrium> found;  ///< in the order of their coordinates
  std::vector<std::string> notes;
};

/// Rates are zero, forces balance, constraints hold, contacts push or are open. That all are found is not proved.
Equilibria find_equilibria(const Model& model, const EquilibriaOptions& options = {});

struct BranchPoint {
  double value = 0;  ///< of the parameter
  std::vector<double> q;
  std::size_t unstable = 0;  ///< roots to the right of the axis
};

/// Neighbouring equilibria, in order.
struct Branch {
  std::vector<BranchPoint> points;
};

struct SpecialPoint {
  std::string kind;  ///< "fold", "branch" (another branch crosses) or "hopf" (a pair crosses the axis)
  double value = 0;
  std::vector<double> q;
};

struct Diagram {
  std::string name;  ///< of the parameter
  std::vector<std::string> coordinates;
  std::vector<Branch> branches;
  std::vector<SpecialPoint> special;  ///< by value
  std::vector<std::string> notes;
};

/// The branches through the equilibria that a search finds at both ends and in the middle of the range, inside the
/// boxes; `step` bounds the steps in the parameter. ModelError where there are contacts.
Diagram follow_equilibria(const Model& model, const LocusRange& range, const EquilibriaOptions& options = {});

}  // namespace dalembert
