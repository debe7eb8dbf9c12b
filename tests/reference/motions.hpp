#pragma once
// Which bundled model, run how, shows the quantities of which reference case.

#include <ostream>
#include <string>
#include <vector>

namespace reference {

/// A quantity of the case, and the columns that hold its components.
struct Reading {
  std::string quantity;
  std::vector<std::string> columns;
  bool angle = false;  ///< the column has the angle only up to full turns
};

struct Motion {
  std::string label;  ///< name of the test
  std::string reference;
  std::string model;
  std::vector<std::string> options = {};
  double until, every;
  std::vector<Reading> readings;
  double kinetic = 0;         ///< at most the largest kinetic energy of the motion; zero where energy is not conserved
  double scale = 1;           ///< of the constraints as written: their gradient times the coordinates it multiplies
  double tightest = 1e-10;    ///< no tolerance is taken tighter than this
  std::string state = "any";  ///< quantities given at a state that begins so are read at t = 0
  bool large = false;         ///< minutes under the sanitizers, so not run there
};

/// What the test framework prints for it.
inline void PrintTo(const Motion& motion, std::ostream* out) { *out << motion.label; }

const std::vector<Motion>& all_motions();

}  // namespace reference
