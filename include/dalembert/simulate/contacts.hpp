#pragma once
// One-sided constraints at a state: which hold, and what they exert (theory 5.4).

#include <dalembert/simulate/simulate.hpp>

namespace dalembert {

/// The motion at a state where contacts may be closed: accelerations by Gauss's principle under inequalities.
struct ContactMotion {
  Motion motion;                    ///< accelerations, multipliers of the equations' rows
  std::vector<double> multipliers;  ///< one a contact, as written; zero where it is open, NaN where it is being struck
  std::vector<std::size_t> closed;  ///< contacts that hold
  std::vector<bool> unique;         ///< rows, then contacts: no other admissible multipliers give the same motion
};
/// Throws InputError as System::evaluate_motion does.
ContactMotion evaluate_contacts(const Model& model, const Equations& equations, const State& state);

/// The equations while these contacts hold: their rows come after the others, and no contacts are left.
Equations hold_contacts(Equations equations, std::span<const std::size_t> closed);

}  // namespace dalembert
