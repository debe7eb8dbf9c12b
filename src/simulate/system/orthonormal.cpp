#include "simulate/system/orthonormal.hpp"

#include "simulate/system/dense.hpp"

namespace dalembert {

SolvedMotion project_motion(const DenseSystem& system) {
  Orthonormal<double> basis(system.size, system.mass, system.rows, system.jacobian);
  if (!basis.ok()) return {};
  auto motion = basis.solve(system.bias, system.drift);
  return {true, std::move(motion.acceleration), std::move(motion.multipliers)};
}

}  // namespace dalembert
