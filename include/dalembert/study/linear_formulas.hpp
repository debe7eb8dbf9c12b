#pragma once
// The matrices of small motions as formulas (theory 8.2).

#include <dalembert/study/linearize.hpp>

namespace dalembert {

using FormulaMatrix = std::vector<std::vector<Expr>>;

/// M x'' + C x' + K x = 0 in the parameters, and in coordinates and rates that were solved for.
struct LinearFormulas {
  std::shared_ptr<Graph> graph;
  FormulaMatrix mass, damping, stiffness;
};

/// Of systems without constraints; nothing of others, of large ones, and where the numbers do not agree with it.
std::optional<LinearFormulas> derive_second_order(const Model& model, const Linearization& at);

}  // namespace dalembert
