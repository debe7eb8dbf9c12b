#pragma once
// The parts of equations as one list of formulas, zeros included: what programs outside of the engine compute with.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// The lower triangle of M by rows, bias, A by rows, drift.
std::vector<Expr> dense_terms(const Equations& equations);
/// t, q, u.
std::vector<Expr> state_symbols(const Equations& equations);
std::vector<Expr> parameter_symbols(const Model& model);

}  // namespace dalembert
