#pragma once
// Our numbers as Eigen sees them; it counts with signed numbers.

#include <Eigen/Core>
#include <dalembert/study/linearize.hpp>

namespace dalembert {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Index to_index(std::size_t i) { return static_cast<Eigen::Index>(i); }

inline Eigen::Map<const RowMajorMatrix> view(const NumberMatrix& m) {
  return {m.values.data(), to_index(m.rows), to_index(m.columns)};
}
inline Eigen::Map<const Eigen::VectorXd> view(const std::vector<double>& v) { return {v.data(), to_index(v.size())}; }

}  // namespace dalembert
