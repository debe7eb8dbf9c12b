#pragma once
// The further principles that verify knows, one function each.

#include "study/verify/verify.hpp"

namespace dalembert {

std::unique_ptr<Principle> make_gauss_principle(const LeastConstraint& gauss);
std::unique_ptr<Principle> make_projection_principle(const KineticGeometry& geometry);

}  // namespace dalembert
