#include "mechanics/hamel/algebra.hpp"

#include <algorithm>
#include <numeric>

namespace dalembert {

Row LieAlgebra::unit(std::size_t index) const {
  Row vector(dimension(), graph_.constant(0));
  vector[index] = graph_.constant(1);
  return vector;
}

Row LieAlgebra::bracket(const Row& x, const Row& y) const {
  Row result(dimension(), graph_.constant(0));
  for (std::size_t m = 0; m < dimension(); ++m)
    for (std::size_t n = 0; n < dimension(); ++n) {
      if (x[m].is_zero() || y[n].is_zero()) continue;
      Expr weight = x[m] * y[n];
      for (std::size_t r = 0; r < dimension(); ++r)
        if (!c_[m][n][r].is_zero()) result[r] = tidy(result[r] + weight * c_[m][n][r]);
    }
  return result;
}

/// [X_m, [X_n, X_k]] + cyclic = 0.
bool LieAlgebra::satisfies_jacobi() const {
  auto nested = [&](std::size_t m, std::size_t n, std::size_t k) { return bracket(unit(m), c_[n][k]); };
  for (std::size_t m = 0; m < dimension(); ++m)
    for (std::size_t n = m + 1; n < dimension(); ++n)
      for (std::size_t k = n + 1; k < dimension(); ++k) {
        Row a = nested(m, n, k), b = nested(n, k, m), c = nested(k, m, n);
        for (std::size_t r = 0; r < dimension(); ++r)
          if (!vanishes(a[r] + b[r] + c[r])) return false;
      }
  return true;
}

Subspace LieAlgebra::whole() const {
  Subspace all(dimension());
  for (std::size_t i = 0; i < dimension(); ++i) all.add(unit(i));
  return all;
}

Subspace LieAlgebra::brackets(const Subspace& a, const Subspace& b) const {
  Subspace result(dimension());
  for (const Row& x : a.rows())
    for (const Row& y : b.rows()) result.add(bracket(x, y));
  return result;
}

Subspace LieAlgebra::perfect_part(Subspace algebra, std::vector<std::size_t>* series) const {
  while (true) {
    if (series) series->push_back(algebra.dimension());
    Subspace next = brackets(algebra, algebra);
    if (next.dimension() == algebra.dimension()) return algebra;
    algebra = std::move(next);
  }
}

std::vector<std::size_t> LieAlgebra::lower_central() const {
  std::vector<std::size_t> series;
  Subspace all = whole(), term = all;
  while (series.empty() || term.dimension() < series.back()) {
    series.push_back(term.dimension());
    term = brackets(all, term);
  }
  return series;
}

Subspace LieAlgebra::centralizer(const Subspace& of) const {
  std::vector<Row> equations;  // sum over m of x_m [X_m, u]_r = 0
  for (const Row& u : of.rows()) {
    std::vector<Row> columns;
    for (std::size_t m = 0; m < dimension(); ++m) columns.push_back(bracket(unit(m), u));
    for (std::size_t r = 0; r < dimension(); ++r) {
      Row equation;
      for (std::size_t m = 0; m < dimension(); ++m) equation.push_back(columns[m][r]);
      equations.push_back(std::move(equation));
    }
  }
  return null_space(equations, dimension(), graph_);
}

std::vector<Row> LieAlgebra::killing() const {
  std::vector<Row> form(dimension(), Row(dimension(), graph_.constant(0)));
  for (std::size_t m = 0; m < dimension(); ++m)
    for (std::size_t n = 0; n < dimension(); ++n)
      for (std::size_t k = 0; k < dimension(); ++k)
        for (std::size_t l = 0; l < dimension(); ++l)
          if (!c_[m][k][l].is_zero() && !c_[n][l][k].is_zero())
            form[m][n] = tidy(form[m][n] + c_[m][k][l] * c_[n][l][k]);
  return form;
}

Subspace LieAlgebra::radical() const {
  std::vector<Row> form = killing(), equations;
  const Subspace products = derived();
  for (const Row& y : products.rows()) {
    Row equation(dimension(), graph_.constant(0));
    for (std::size_t m = 0; m < dimension(); ++m)
      for (std::size_t n = 0; n < dimension(); ++n) equation[m] = tidy(equation[m] + form[m][n] * y[n]);
    equations.push_back(std::move(equation));
  }
  return null_space(equations, dimension(), graph_);
}

LieAlgebra LieAlgebra::subalgebra(const Subspace& space) const {
  const std::size_t size = space.dimension();
  StructureConstants constants(size, std::vector<Row>(size, Row(size)));
  for (std::size_t m = 0; m < size; ++m)
    for (std::size_t n = 0; n < size; ++n) {
      Row product = bracket(space.rows()[m], space.rows()[n]);
      // Along rows in reduced echelon form the components are the entries at the pivots.
      for (std::size_t r = 0; r < size; ++r) constants[m][n][r] = product[space.pivots()[r]];
    }
  return {graph_, std::move(constants)};
}

LieAlgebra LieAlgebra::quotient(const Subspace& ideal) const {
  std::vector<std::size_t> kept = ideal.free_columns();
  StructureConstants constants(kept.size(), std::vector<Row>(kept.size(), Row(kept.size())));
  for (std::size_t m = 0; m < kept.size(); ++m)
    for (std::size_t n = 0; n < kept.size(); ++n) {
      Row product = ideal.reduce(c_[kept[m]][kept[n]]);
      for (std::size_t r = 0; r < kept.size(); ++r) constants[m][n][r] = product[kept[r]];
    }
  return {graph_, std::move(constants)};
}

std::vector<Subspace> LieAlgebra::blocks() const {
  std::vector<std::size_t> block(dimension());
  std::iota(block.begin(), block.end(), 0);
  auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t old = block[a], next = block[b];
    std::ranges::replace(block, old, next);
  };
  for (std::size_t m = 0; m < dimension(); ++m)
    for (std::size_t n = 0; n < dimension(); ++n)
      for (std::size_t r = 0; r < dimension(); ++r)
        if (!c_[m][n][r].is_zero()) join(m, n), join(n, r);
  std::vector<Subspace> spaces;
  for (std::size_t label = 0; label < dimension(); ++label) {
    Subspace space(dimension());
    for (std::size_t i = 0; i < dimension(); ++i)
      if (block[i] == label) space.add(unit(i));
    if (space.dimension() > 0) spaces.push_back(std::move(space));
  }
  return spaces;
}

}  // namespace dalembert
