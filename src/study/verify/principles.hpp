#pragma once
// The further principles that verify knows, one function each.

#include "study/verify/verify.hpp"

namespace dalembert {

std::unique_ptr<Principle> make_gauss_principle(const LeastConstraint& gauss);
std::unique_ptr<Principle> make_projection_principle(const KineticGeometry& geometry);
/// `equations`: of multipliers, in the model's rates.
std::unique_ptr<Principle> make_structure_principle(const Equations& equations);
/// `equations`: with contacts.
std::unique_ptr<Principle> make_contact_principle(const Model& model, const Equations& equations);

}  // namespace dalembert
