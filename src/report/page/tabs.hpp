#pragma once
// Equations term by term, each with where its value is.

#include <dalembert/mechanics/equations.hpp>

#include "report/document.hpp"

namespace dalembert {

/// Lines of terms in LaTeX: [{ name, left: [{ latex, negative, value, vector }], right: [...] }]. `value` is the place
/// among the outputs of a program that is written to `script`: (t, q, u, u', lambda) -> values of the terms; `vector`
/// has the three of a named vector. Left out where a term has no number.
Json describe_terms(const Equations& equations, std::string& script);

}  // namespace dalembert
