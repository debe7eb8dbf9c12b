#include "simulate/system/factor.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/cholesky.hpp"
#include "base/tolerances.hpp"

namespace dalembert {

Factor::Factor(std::shared_ptr<const Selection> selection)
    : selection_(std::move(selection)),
      gram_(selection_->kept().size(), selection_->gram_entries),
      l_(selection_->matrix_begin.back(), 0.0),
      last_mass_(selection_->pattern().mass.size()),
      w_(selection_->w_begin.back(), 0.0),
      length_(selection_->kept().size(), 1.0),
      weight_(selection_->kept().size(), 1.0),
      work_(selection_->pattern().size),
      small_(selection_->pattern().rows.rows()) {
  const Selection& s = *selection_;
  for (std::size_t b = 0; b < s.block_count(); ++b) {
    for (Index i = s.slot_begin[b]; i < s.slot_begin[b + 1]; ++i)
      for (Index j = s.slot_begin[b]; j <= i; ++j) scatter_.push_back(gram_.place(s.slots[i], s.slots[j]));
  }
}

void Factor::include_lengths(std::span<double> largest) const {
  const std::vector<Index>& kept = selection_->kept();
  for (std::size_t k = 0; k < kept.size(); ++k) largest[kept[k]] = std::max(largest[kept[k]], length_[k]);
}

bool Factor::factor_mass(const double* mass, const double* jacobian) {
  const Selection& s = *selection_;
  if (mass_known_ && s.outer.empty() && std::equal(last_mass_.begin(), last_mass_.end(), mass)) return true;
  mass_known_ = false;
  std::fill(l_.begin(), l_.end(), 0.0);
  for (std::size_t k = 0; k < s.mass_target.size(); ++k) l_[s.mass_target[k]] += mass[k];
  for (const Selection::Outer& o : s.outer) l_[o.target] += o.sigma * jacobian[o.a] * jacobian[o.b];
  for (std::size_t b = 0; b < s.block_count(); ++b) {
    const std::size_t size = s.block_size(b);
    const std::size_t done =
        factor_cholesky({l_.data() + s.matrix_begin[b], size * size}, size, tolerance::cancelled).failed;
    if (done < s.block_size(b)) {
      failed_ = s.members[s.member_begin[b] + done];
      return false;
    }
  }
  std::copy_n(mass, last_mass_.size(), last_mass_.begin());
  mass_known_ = true;
  return true;
}

// W = L^-1 A^T of the kept rows, block by block, and its products into the Gram matrix.
void Factor::scatter_rows(const double* jacobian) {
  const Selection& s = *selection_;
  double* gram = gram_.values();
  std::fill_n(gram, gram_.value_count(), 0.0);
  std::fill(w_.begin(), w_.end(), 0.0);
  const Index* scatter = scatter_.data();
  for (std::size_t b = 0; b < s.block_count(); ++b) {
    const Index size = s.block_size(b), count = s.slot_begin[b + 1] - s.slot_begin[b];
    double* w = w_.data() + s.w_begin[b];
    const double* l = l_.data() + s.matrix_begin[b];
    for (Index c = s.cell_begin[b]; c < s.cell_begin[b + 1]; ++c) {
      w[s.cells[c].slot * size + s.cells[c].local] = jacobian[s.cells[c].value];
    }
    for (Index i = 0; i < count; ++i) {
      double* wi = w + i * size;
      solve_lower({l, std::size_t{size} * size}, {wi, size});
      for (Index j = 0; j <= i; ++j) {
        const double* wj = w + j * size;
        double sum = 0;
        for (Index k = 0; k < size; ++k) sum += wi[k] * wj[k];
        gram[*scatter++] += sum;
      }
    }
  }
}

bool Factor::factor(const double* mass, const double* jacobian, std::span<const double> reference) {
  smallest_pivot_ = 0;
  if (!factor_mass(mass, jacobian)) return false;
  smallest_pivot_ = 1;
  const std::vector<Index>& kept = selection_->kept();
  if (kept.empty()) return true;
  scatter_rows(jacobian);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const double square = gram_.diagonal(k);
    if (!(square > 0)) {  // a row that vanishes, or is not a number
      smallest_pivot_ = 0;
      weakest_row_ = kept[k];
      return true;
    }
    length_[k] = std::sqrt(square);
    const double most = reference.empty() ? 0 : reference[kept[k]];
    weight_[k] = length_[k] < most ? length_[k] / most : 1;
  }
  const auto [pivot, at] = gram_.factor(length_.data(), weight_.data());
  smallest_pivot_ = std::sqrt(pivot);
  weakest_row_ = kept[at];
  return true;
}

// z in block order: L z' = z and L^T z' = z.
void Factor::forward(double* z) const {
  const Selection& s = *selection_;
  for (std::size_t b = 0; b < s.block_count(); ++b) {
    const std::size_t size = s.block_size(b);
    solve_lower({l_.data() + s.matrix_begin[b], size * size}, {z + s.member_begin[b], size});
  }
}
void Factor::backward(double* z) const {
  const Selection& s = *selection_;
  for (std::size_t b = 0; b < s.block_count(); ++b) {
    const std::size_t size = s.block_size(b);
    solve_upper({l_.data() + s.matrix_begin[b], size * size}, {z + s.member_begin[b], size});
  }
}

// z += W multipliers (by position), in block order.
void Factor::add_rows(const double* multipliers, double* z) const {
  const Selection& s = *selection_;
  for (std::size_t b = 0; b < s.block_count(); ++b) {
    const Index size = s.block_size(b);
    const double* w = w_.data() + s.w_begin[b];
    for (Index slot = s.slot_begin[b]; slot < s.slot_begin[b + 1]; ++slot, w += size) {
      const double value = multipliers[s.slots[slot]];
      for (Index k = 0; k < size; ++k) z[s.member_begin[b] + k] += value * w[k];
    }
  }
}

// What is left of A u' + drift = 0 for z = L^T u' in block order is taken off: multipliers (by position) and z follow.
void Factor::add_multipliers(const double* drift, double* z, double* multipliers) {
  const Selection& s = *selection_;
  const std::vector<Index>& kept = selection_->kept();
  double* x = small_.data();
  for (std::size_t k = 0; k < kept.size(); ++k) x[k] = -drift[kept[k]];
  for (std::size_t b = 0; b < s.block_count(); ++b) {
    const Index size = s.block_size(b);
    const double* w = w_.data() + s.w_begin[b];
    for (Index slot = s.slot_begin[b]; slot < s.slot_begin[b + 1]; ++slot, w += size) {
      for (Index k = 0; k < size; ++k) x[s.slots[slot]] -= w[k] * z[s.member_begin[b] + k];
    }
  }
  for (std::size_t k = 0; k < kept.size(); ++k) x[k] /= length_[k];
  gram_.solve(x);
  for (std::size_t k = 0; k < kept.size(); ++k) x[k] /= length_[k];
  for (std::size_t k = 0; k < kept.size(); ++k) multipliers[kept[k]] += x[k];
  add_rows(x, z);
}

void Factor::solve(const double* bias, const double* drift, double* acceleration, double* multipliers) {
  const Selection& s = *selection_;
  const std::size_t n = work_.size();
  double* z = work_.data();
  for (std::size_t i = 0; i < n; ++i) z[i] = bias[s.members[i]];
  forward(z);
  for (std::size_t i = 0; i < n; ++i) z[i] = -z[i];
  std::fill_n(multipliers, selection_->pattern().rows.rows(), 0.0);
  if (!s.kept().empty()) {
    add_multipliers(drift, z, multipliers);
    // W^T W has the condition of W squared: what large ratios of masses or many rows cost, a second pass over W brings
    // back.
    add_multipliers(drift, z, multipliers);
  }
  backward(z);
  for (std::size_t i = 0; i < n; ++i) acceleration[s.members[i]] = z[i];
  for (const Mending& mend : s.mending()) multipliers[mend.row] += mend.sigma * drift[mend.row];  // theory 1.4
}

void Factor::correct(const double* residual, double* change) {
  const Selection& s = *selection_;
  const std::vector<Index>& kept = selection_->kept();
  const std::size_t size = work_.size();
  double* x = small_.data();
  double* z = work_.data();
  for (std::size_t k = 0; k < kept.size(); ++k) x[k] = residual[kept[k]] / length_[k];
  if (!kept.empty()) gram_.solve(x);
  for (std::size_t k = 0; k < kept.size(); ++k) x[k] /= -length_[k];
  std::fill_n(z, size, 0.0);
  add_rows(x, z);
  backward(z);
  for (std::size_t i = 0; i < size; ++i) change[s.members[i]] = z[i];
}

void Factor::combine(const double* jacobian, Index row, double* coefficients) {
  const Selection& s = *selection_;
  const RowPattern& pattern = selection_->pattern().rows;
  const std::size_t size = work_.size();
  double* z = work_.data();
  std::fill_n(z, size, 0.0);
  for (Index e = pattern.begin[row]; e < pattern.begin[row + 1]; ++e) {
    const Index i = pattern.column[e];
    z[s.member_begin[s.block_of[i]] + s.local_of[i]] = jacobian[e];
  }
  forward(z);
  solve_span(z, coefficients);
}

// Coefficients over the kept rows of the part of z (in block order) in their span.
void Factor::solve_span(const double* z, double* coefficients) {
  const Selection& s = *selection_;
  const std::vector<Index>& kept = selection_->kept();
  if (kept.empty()) return;
  std::fill_n(coefficients, kept.size(), 0.0);
  for (std::size_t b = 0; b < s.block_count(); ++b) {
    const Index size = s.block_size(b);
    const double* w = w_.data() + s.w_begin[b];
    for (Index slot = s.slot_begin[b]; slot < s.slot_begin[b + 1]; ++slot, w += size) {
      for (Index k = 0; k < size; ++k) coefficients[s.slots[slot]] += w[k] * z[s.member_begin[b] + k];
    }
  }
  for (std::size_t k = 0; k < kept.size(); ++k) coefficients[k] /= length_[k];
  gram_.solve(coefficients);
  for (std::size_t k = 0; k < kept.size(); ++k) coefficients[k] /= length_[k];
}

void Factor::from_kinetic(const double* z, double* change) {
  const Selection& s = *selection_;
  const std::size_t size = work_.size();
  std::copy_n(z, size, work_.data());
  backward(work_.data());
  for (std::size_t i = 0; i < size; ++i) change[s.members[i]] = work_[i];
}

void Factor::dense_columns(const double* jacobian, const std::vector<Index>& rows, double* columns) {
  const Selection& s = *selection_;
  const RowPattern& pattern = selection_->pattern().rows;
  const std::size_t size = work_.size();
  std::fill_n(columns, rows.size() * size, 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double* z = columns + k * size;
    for (Index e = pattern.begin[rows[k]]; e < pattern.begin[rows[k] + 1]; ++e) {
      const Index i = pattern.column[e];
      z[s.member_begin[s.block_of[i]] + s.local_of[i]] = jacobian[e];
    }
    forward(z);
  }
}

void Factor::free_columns(const double* jacobian, const std::vector<Index>& rows, double* columns) {
  const std::vector<Index>& kept = selection_->kept();
  const std::size_t size = work_.size();
  dense_columns(jacobian, rows, columns);
  double* coefficients = small_.data();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double* z = columns + k * size;
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan): the second removes what rounding left
      solve_span(z, coefficients);
      for (std::size_t i = 0; i < kept.size(); ++i) coefficients[i] = -coefficients[i];
      add_rows(coefficients, z);
    }
  }
}

}  // namespace dalembert
