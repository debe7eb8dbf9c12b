#pragma once
// Linear equations, root loci and equilibria as text, LaTeX, CSV, JSON and plots.

#include <dalembert/study/equilibria.hpp>
#include <dalembert/study/linear_formulas.hpp>

namespace dalembert {

/// Matrices, eigenvalues, modes and the verdict.
std::string write_text(const Linearization& linearization);
/// Mass, damping and stiffness as formulas where these are given and short.
std::string write_latex(const Linearization& linearization, const std::optional<LinearFormulas>& formulas = {});
std::string write_json(const Linearization& linearization);
/// One number a line: matrix, row, column, value.
std::string write_csv(const Linearization& linearization);

/// One row a value: real and imaginary part of each branch.
std::string write_csv(const RootLocus& locus);
std::string write_json(const RootLocus& locus);
/// Real and imaginary parts over the parameter, with lines where stability changes.
std::string write_svg(const RootLocus& locus, const std::string& title);
/// Where stability changes, for people.
std::string write_summary(const RootLocus& locus);

std::string write_text(const Equilibria& equilibria);
std::string write_json(const Equilibria& equilibria);
std::string write_csv(const Equilibria& equilibria);

/// One row a point: branch, parameter, coordinates, unstable roots.
std::string write_csv(const Diagram& diagram);
std::string write_json(const Diagram& diagram);
/// Coordinates over the parameter; what is unstable is dashed.
std::string write_svg(const Diagram& diagram, const std::string& title);
/// Folds, branch points and Hopf points, for people.
std::string write_summary(const Diagram& diagram);

}  // namespace dalembert
