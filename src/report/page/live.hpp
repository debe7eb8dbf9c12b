#pragma once
// Equations as programs that a page runs.

#include <dalembert/report/page.hpp>

#include "report/document.hpp"

namespace dalembert {

/// t, q, u, u', lambda of the rows and of contacts: what a row is computed from.
std::vector<Expr> row_symbols(const Equations& equations);

/// What the page has to know of the programs, which are written to `script` as a JavaScript object:
///   terms:   (t, q, u) -> M, bias, A, drift as dense_terms has them, then b and f of each row
///   columns: (t, q, u, u', lambda) -> the columns of a row behind t
///   start:   () -> q, u at t = 0 as written
///   parameters: () -> the parameters, those that are formulas of others computed
Json describe_live(const Equations& equations, double tolerance, std::string& script);

}  // namespace dalembert
