#pragma once
// Antiderivatives of elementary formulas, and the potential of an exact form. What is found has been proved by
// differentiating it back; what is not found may still exist.

#include <dalembert/expr/expr.hpp>
#include <optional>
#include <span>
#include <vector>

namespace dalembert {

/// F with dF/dsymbol = expression: powers, logarithms, sines, exponentials and the like of linear arguments, powers of
/// the symbol times these, and what a substitution u' f(u) makes of them. log|u| is written log(u^2)/2.
std::optional<Expr> find_antiderivative(Expr expression, Expr symbol);

/// F with dF/dsymbols[i] = form[i] for all i.
std::optional<Expr> find_potential(std::span<const Expr> form, std::span<const Expr> symbols);

}  // namespace dalembert
