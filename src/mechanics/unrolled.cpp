#include <dalembert/expr/linear.hpp>
#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

std::vector<Expr> solve_unrolled(const Equations& equations) {
  constexpr std::size_t largest = 60;  // velocities; the unrolled solution grows with their cube
  if (equations.velocities.size() > largest) return {};
  try {
    std::vector<std::vector<Entry>> rows;
    std::vector<Expr> drift;
    for (const ConstraintRow& row : equations.rows) {
      rows.push_back(row.jacobian);
      drift.push_back(row.drift);
    }
    SaddleSolution solution = solve_saddle(equations.mass, equations.bias, rows, drift);
    solution.x.insert(solution.x.end(), solution.y.begin(), solution.y.end());
    return std::move(solution.x);
  } catch (const InputError&) {  // M or A M^-1 A^T is singular as it stands: a coordinate has no inertia
    return {};
  }
}

}  // namespace dalembert
