#pragma once
// Periodic motions by shooting, Floquet's multipliers, and branches over a parameter (theory 11).
//
//   const Description clock = read_description("clock.toml");   // with [periodic]
//   const PeriodicMotion found = find_periodic(make_model(with_section(clock)), periodic_options(clock));

#include <complex>
#include <dalembert/model/description.hpp>
#include <dalembert/study/linearize.hpp>

namespace dalembert {

/// The description with the section of its [periodic] as an output and an event that is recorded, both under
/// section_name, and with its period as a definition. ModelError where the section is no equation.
Description with_section(Description description);
std::string section_name(const Description& description);
std::string period_name(const Description& description);

struct PeriodicOptions {
  std::vector<std::string> free = {};    ///< initial values, rates, parameters; "T": the period
  std::string section = {};              ///< an output that vanishes at the start; none where empty
  std::optional<double> period = {};     ///< given; with T free where the search starts, else found from the section
  std::string period_name = {};          ///< or a definition of parameters that gives it
  std::optional<double> tolerance = {};  ///< of the motion; 1e-12 where not given
  const std::atomic<bool>* stop = nullptr;
};

/// What [periodic] says, for the model of with_section(description).
PeriodicOptions periodic_options(const Description& description);

struct PeriodicMotion {
  double period = 0;
  ModelState start;
  std::vector<std::string> coordinates;           ///< of the model, with `start`
  NamedNumbers found;                             ///< what was free, with its value
  NamedNumbers turns;                             ///< angles that do not return but go round, and how often
  std::vector<std::string> state;                 ///< the independent coordinates and rates that multipliers belong to
  std::vector<std::complex<double>> multipliers;  ///< by falling size
  bool has_own = false;        ///< one of them is 1 because the motion can be shifted in time: T is free
  std::optional<bool> stable;  ///< not decided where multipliers lie on the unit circle
  std::string verdict;
  double residual = 0;  ///< by how much the state does not return, in parts of its size
  std::size_t iterations = 0;
  std::vector<std::string> notes;
};

/// InputError for names that are none and where no period is known; ComputationError where the search does not end.
PeriodicMotion find_periodic(const Model& model, const PeriodicOptions& options);

/// A periodic motion at a value of the parameter.
struct PeriodicPoint {
  double value = 0, period = 0;
  ModelState start;
  std::vector<std::complex<double>> multipliers;  ///< by falling size
  std::size_t unstable = 0;                       ///< outside the unit circle
};

/// Where a branch of periodic motions turns back or changes stability.
struct SpecialPeriodic {
  std::string kind;  ///< "fold", "branch" (another crosses: a multiplier 1), "period doubling" (-1), "Neimark-Sacker"
                     ///< (a pair), or "hopf" (the motion shrinks to an equilibrium)
  PeriodicPoint at;
};

struct PeriodicDiagram {
  std::string name;  ///< of the parameter
  std::vector<std::string> coordinates;
  std::vector<PeriodicPoint> points;     ///< neighbouring motions, in order
  std::vector<SpecialPeriodic> special;  ///< in the order of the branch
  std::vector<std::string> notes;        ///< where it ends inside the range, and why
};

/// The branch through the motion that is found at the model's value of the parameter, or at the first of the range
/// where that is not inside; `step` bounds the steps in the parameter.
PeriodicDiagram follow_periodic(const Model& model, const LocusRange& range, const PeriodicOptions& options);

}  // namespace dalembert
