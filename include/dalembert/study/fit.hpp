#pragma once
// Parameters from measured columns: least squares by the gradients of the motion (theory 9.3).

#include <dalembert/base/csv.hpp>
#include <dalembert/simulate/system.hpp>
#include <dalembert/study/linearize.hpp>
#include <limits>

namespace dalembert {

/// A parameter ("l"), an initial value ("theta") or rate ("theta'") to find, from its value in the model on.
struct FitParameter {
  std::string name;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

struct FitOptions {
  std::vector<FitParameter> parameters = {};
  std::vector<std::string> columns = {};  ///< to fit; all of the table but t where none is named
  NamedNumbers deviations = {};  ///< of the measurements, by column; estimated from the residuals where not given
  std::optional<double> tolerance = {};  ///< of the motions
  std::size_t most_motions = 200;        ///< tried for each estimate of the deviations
};

struct FittedParameter {
  std::string name;
  double start = 0, value = 0;
  std::optional<double> deviation;  ///< nothing where the measurements do not determine it
  bool at_bound = false;
};

struct FittedColumn {
  std::string name;
  double deviation = 0;  ///< of its measurements, as given or estimated
  double residual = 0;   ///< root of the mean square
  std::size_t count = 0;
};

struct Fit {
  std::vector<FittedParameter> parameters;
  NumberMatrix covariance, correlation;       ///< NaN where there is no deviation
  std::vector<std::string> not_identifiable;  ///< changes that no measurement sees, in words
  std::vector<FittedColumn> columns;
  double residual = 0;  ///< root of the mean square of all residuals in parts of their deviations
  std::size_t motions = 0;
  bool converged = false;
  Trajectory residuals;  ///< t, measured columns of the fitted motion, then "x measured" and "x residual"
  std::vector<std::string> notes;
};

/// InputError for names that are none, a table without t or with rows before the start, fewer numbers than parameters;
/// ComputationError where the motion of the model as it stands does not reach the last row.
Fit fit(const Model& model, const CsvTable& data, const FitOptions& options);

}  // namespace dalembert
