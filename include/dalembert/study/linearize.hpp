#pragma once
// Small motions about a steady one: matrices, eigenvalues, modes and a verdict; root loci (theory 8.1 to 8.5).

#include <complex>
#include <dalembert/simulate/system.hpp>

namespace dalembert {

/// Numbers by rows.
struct NumberMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;

  NumberMatrix() = default;
  NumberMatrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), values(row_count * column_count, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
};

/// Modes take about a second of so many states, and time by the third power of their number.
inline constexpr std::size_t most_states_with_modes = 400;

struct LinearizeOptions {
  std::vector<std::string> independent = {};  ///< coordinates; the engine chooses those that are left open
  std::vector<std::string> inputs = {};       ///< parameters that are taken as inputs
  std::vector<std::string> steady = {};       ///< values and rates to solve for besides guesses, so that it is steady
  std::vector<std::string> constant = {};     ///< coordinates and rates ([steady]); the whole state where none is named
  bool frozen = false;                        ///< the matrices at any state: no steadiness asked for, no verdict
  bool modes = false;                         ///< of more states than most_states_with_modes too
};

/// exp(eigenvalue t) times the components, which are those of the state.
struct Mode {
  std::complex<double> eigenvalue;
  std::vector<std::complex<double>> components;  ///< the largest of the coordinates (or else of all) is 1
};

/// M x'' + C x' + K x = 0 of the coordinates whose rates are independent.
struct SecondOrder {
  std::vector<std::string> coordinates;
  NumberMatrix mass, damping, stiffness;
};

/// x' = A x + B w, y = C x + D w of what departs from the steady motion.
struct Linearization {
  ModelState about;
  std::vector<std::string> coordinates;  ///< of the model, with `about`
  std::vector<std::string> state;        ///< names of x: coordinates, then velocities
  std::size_t coordinate_count = 0;      ///< how many of them are coordinates
  std::vector<std::string> dependent;    ///< coordinates and rates that the constraints give
  std::vector<std::string> carried;      ///< coordinates that nothing depends on
  std::vector<std::string> left_out;     ///< velocities that do not act on the coordinates asked for
  std::vector<std::string> inputs, outputs;
  NumberMatrix A, B, C, D;
  std::optional<SecondOrder> second_order;
  bool modes_left_out = false;      ///< of many states they are found where the options ask for them
  std::vector<Mode> modes;          ///< by falling real part; empty where the state is not steady
  std::size_t zero_roots = 0;       ///< eigenvalues that are zero
  std::size_t zero_blocks = 0;      ///< independent modes that belong to them: fewer where disturbances drift
  std::vector<std::string> family;  ///< what varies along the family of steady motions that the zero roots belong to
  std::optional<bool> stable;       ///< not decided by the linear equations where it is empty
  std::string verdict;
  std::vector<std::string> notes;
};

/// About the initial state under the model's parameters, or the steady one found beside it. InputError where that is
/// not steady (with what is not, and by how much), where the equations depend on time, and for names that are none.
Linearization linearize(const Model& model, const LinearizeOptions& options = {});

/// "phi, delta": up to three coordinates that count in a mode, or else velocities; largest first, of equal ones but for
/// rounding the first.
std::string name_largest(const Mode& mode, const Linearization& about);

/// A parameter, an initial value ("phi") or a rate ("phi'") from first to last.
struct LocusRange {
  std::string name;
  double first = 0, last = 1, step = 0.1;
};

struct StabilityChange {
  double value = 0;
  std::string kind;                   ///< "divergence": a real root; "flutter": a pair
  std::size_t before = 0, after = 0;  ///< roots to the right of the imaginary axis on either side
  std::complex<double> root;
};

struct RootLocus {
  std::string name;
  std::vector<double> values;
  std::vector<std::vector<std::complex<double>>> roots;  ///< at each value, in the order of its branches
  std::vector<std::string> state;
  std::vector<StabilityChange> changes;  ///< to 1e-10 of the range
  std::vector<std::string> notes;
};

RootLocus find_root_locus(const Model& model, const LocusRange& range, const LinearizeOptions& options = {});

}  // namespace dalembert
