#include "simulate/metric.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "simulate/gram.hpp"

namespace dalembert {

struct Metric::Gram {
  GramMatrix matrix;
};

namespace {

constexpr double mass_rank = 1e-12;  // a pivot of M below this part of its diagonal counts as zero

std::vector<Index> count_up(std::size_t size) {
  std::vector<Index> all(size);
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

Index find_root(std::vector<Index>& parent, Index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

Metric::Metric(std::size_t size, std::vector<std::pair<Index, Index>> mass, RowPattern rows, std::vector<bool> unit)
    : size_(size),
      mass_(std::move(mass)),
      rows_(std::move(rows)),
      unit_(std::move(unit)),
      sigma_(rows_.rows(), 0.0),
      work_(size),
      small_(rows_.rows()),
      largest_length_(rows_.rows(), 0.0) {
  build_blocks();
  select(count_up(unit_.size()));
}

Metric::~Metric() = default;

// Coordinates that M couples (also through the rows that regularise it) form one block.
void Metric::build_blocks() {
  std::vector<Index> parent = count_up(size_);
  const auto join = [&](Index a, Index b) { parent[find_root(parent, a)] = find_root(parent, b); };
  for (const auto& [i, j] : mass_) join(i, j);
  for (Index r : regular_) {
    for (Index k = rows_.begin[r]; k < rows_.begin[r + 1]; ++k) join(rows_.column[rows_.begin[r]], rows_.column[k]);
  }
  std::vector<Index> block_of_root(size_, Index(-1));
  std::vector<std::vector<Index>> blocks;
  for (Index i = 0; i < size_; ++i) {
    const Index root = find_root(parent, i);
    if (block_of_root[root] == Index(-1)) {
      block_of_root[root] = static_cast<Index>(blocks.size());
      blocks.emplace_back();
    }
    blocks[block_of_root[root]].push_back(i);
  }
  member_begin_ = matrix_begin_ = {0};
  members_.clear();
  block_of_.resize(size_);
  local_of_.resize(size_);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (Index i : blocks[b]) {
      block_of_[i] = static_cast<Index>(b);
      local_of_[i] = static_cast<Index>(members_.size() - member_begin_.back());
      members_.push_back(i);
    }
    member_begin_.push_back(static_cast<Index>(members_.size()));
    matrix_begin_.push_back(static_cast<Index>(matrix_begin_.back() + blocks[b].size() * blocks[b].size()));
  }
  const auto target = [&](Index i, Index j) {
    const Index b = block_of_[i], row = std::max(local_of_[i], local_of_[j]),
                column = std::min(local_of_[i], local_of_[j]);
    return matrix_begin_[b] + row * block_size(b) + column;
  };
  l_.assign(matrix_begin_.back(), 0.0);
  mass_target_.clear();
  for (const auto& [i, j] : mass_) mass_target_.push_back(target(i, j));
  outer_.clear();
  for (Index r : regular_) {
    for (Index k = rows_.begin[r]; k < rows_.begin[r + 1]; ++k) {
      for (Index l = rows_.begin[r]; l <= k; ++l) outer_.push_back({target(rows_.column[k], rows_.column[l]), k, l, r});
    }
  }
  mass_known_ = false;
}

void Metric::select(std::vector<Index> kept) {
  kept_ = std::move(kept);
  position_of_.assign(rows_.rows(), Index(-1));
  for (std::size_t k = 0; k < kept_.size(); ++k) position_of_[kept_[k]] = static_cast<Index>(k);
  build_gram();
}

void Metric::build_gram() {
  const std::size_t blocks = member_begin_.size() - 1;
  std::vector<std::vector<Index>> slots(blocks);
  std::vector<std::vector<Cell>> cells(blocks);
  for (Index k = 0; k < kept_.size(); ++k) {
    const Index r = kept_[k];
    for (Index e = rows_.begin[r]; e < rows_.begin[r + 1]; ++e) {
      const Index b = block_of_[rows_.column[e]];
      if (slots[b].empty() || slots[b].back() != k) slots[b].push_back(k);
      cells[b].push_back({static_cast<Index>(slots[b].size() - 1), local_of_[rows_.column[e]], e});
    }
  }
  std::vector<std::pair<Index, Index>> entries;
  for (Index k = 0; k < kept_.size(); ++k) entries.emplace_back(k, k);
  for (const auto& list : slots) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) entries.emplace_back(list[i], list[j]);
    }
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  gram_.reset(new Gram{GramMatrix(kept_.size(), entries)});

  slot_begin_ = cell_begin_ = scatter_begin_ = w_begin_ = {0};
  slots_.clear();
  cells_.clear();
  scatter_.clear();
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < slots[b].size(); ++i) {
      slots_.push_back(slots[b][i]);
      for (std::size_t j = 0; j <= i; ++j) scatter_.push_back(gram_->matrix.place(slots[b][i], slots[b][j]));
    }
    cells_.insert(cells_.end(), cells[b].begin(), cells[b].end());
    slot_begin_.push_back(static_cast<Index>(slots_.size()));
    cell_begin_.push_back(static_cast<Index>(cells_.size()));
    scatter_begin_.push_back(static_cast<Index>(scatter_.size()));
    w_begin_.push_back(static_cast<Index>(w_begin_.back() + slots[b].size() * block_size(b)));
  }
  w_.assign(w_begin_.back(), 0.0);
  length_.assign(kept_.size(), 1.0);
  weight_.assign(kept_.size(), 1.0);
}

void Metric::note_lengths() {
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    largest_length_[kept_[k]] = std::max(largest_length_[kept_[k]], length_[k]);
  }
}

bool Metric::factor_mass(const double* mass, const double* jacobian) {
  if (mass_known_ && outer_.empty() && std::equal(last_mass_.begin(), last_mass_.end(), mass)) return true;
  mass_known_ = false;
  std::fill(l_.begin(), l_.end(), 0.0);
  for (std::size_t k = 0; k < mass_.size(); ++k) l_[mass_target_[k]] += mass[k];
  for (const Outer& o : outer_) l_[o.target] += sigma_[o.row] * jacobian[o.a] * jacobian[o.b];
  for (std::size_t b = 0; b + 1 < member_begin_.size(); ++b) {
    const std::size_t done = factor_dense(l_.data() + matrix_begin_[b], block_size(b), mass_rank);
    if (done < block_size(b)) {
      failed_ = members_[member_begin_[b] + done];
      return false;
    }
  }
  last_mass_.assign(mass, mass + mass_.size());
  mass_known_ = true;
  return true;
}

bool Metric::regularise(const double* mass, const double* jacobian) {
  double mean = 0;
  std::vector<double> diagonal(size_, 0.0);
  for (std::size_t k = 0; k < mass_.size(); ++k) {
    if (mass_[k].first == mass_[k].second) mean += diagonal[mass_[k].first] = mass[k];
  }
  mean = mean > 0 ? mean / static_cast<double>(size_) : 1;
  const auto add_row = [&](Index r) {
    double inertia = 0, square = 0;
    for (Index k = rows_.begin[r]; k < rows_.begin[r + 1]; ++k) {
      inertia = std::max(inertia, diagonal[rows_.column[k]]);
      square = std::max(square, jacobian[k] * jacobian[k]);
    }
    if (square == 0 || std::find(regular_.begin(), regular_.end(), r) != regular_.end()) return false;
    regular_.push_back(r);
    sigma_[r] = (inertia > 0 ? inertia : mean) / square;
    return true;
  };
  while (!factor_mass(mass, jacobian)) {
    const Index block = block_of_[failed_];
    bool added = false;
    for (bool units : {true, false}) {
      for (Index r = 0; r < unit_.size() && !(added && units); ++r) {
        if (unit_[r] != units) continue;
        for (Index k = rows_.begin[r]; k < rows_.begin[r + 1]; ++k) {
          if (block_of_[rows_.column[k]] == block && jacobian[k] != 0) {
            added |= add_row(r);
            break;
          }
        }
      }
      if (added) break;
    }
    if (!added) return false;
    build_blocks();
    build_gram();
  }
  return true;
}

// W = L^-1 A^T of the kept rows, block by block, and its products into the Gram matrix.
void Metric::scatter_rows(const double* jacobian) {
  double* gram = gram_->matrix.values();
  std::fill_n(gram, gram_->matrix.value_count(), 0.0);
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t b = 0; b + 1 < member_begin_.size(); ++b) {
    const Index size = block_size(b), count = slot_begin_[b + 1] - slot_begin_[b];
    double* w = w_.data() + w_begin_[b];
    const double* l = l_.data() + matrix_begin_[b];
    const Index* scatter = scatter_.data() + scatter_begin_[b];
    for (Index c = cell_begin_[b]; c < cell_begin_[b + 1]; ++c) {
      w[cells_[c].slot * size + cells_[c].local] = jacobian[cells_[c].value];
    }
    for (Index i = 0; i < count; ++i) {
      double* wi = w + i * size;
      solve_lower(l, size, wi);
      for (Index j = 0; j <= i; ++j) {
        const double* wj = w + j * size;
        double sum = 0;
        for (Index k = 0; k < size; ++k) sum += wi[k] * wj[k];
        gram[*scatter++] += sum;
      }
    }
  }
}

bool Metric::factor(const double* mass, const double* jacobian) {
  if (!factor_mass(mass, jacobian)) return false;
  smallest_pivot_ = 1;
  if (kept_.empty()) return true;
  scatter_rows(jacobian);
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const double square = gram_->matrix.diagonal(k);
    if (!(square > 0)) {  // a row that vanishes, or is not a number
      smallest_pivot_ = 0;
      weakest_row_ = kept_[k];
      return true;
    }
    length_[k] = std::sqrt(square);
    weight_[k] = length_[k] < largest_length_[kept_[k]] ? length_[k] / largest_length_[kept_[k]] : 1;
  }
  const auto [pivot, at] = gram_->matrix.factor(length_.data(), weight_.data());
  smallest_pivot_ = std::sqrt(pivot);
  weakest_row_ = kept_[at];
  return true;
}

// z in block order: L z' = z and L^T z' = z.
void Metric::forward(double* z) const {
  for (std::size_t b = 0; b + 1 < member_begin_.size(); ++b) {
    solve_lower(l_.data() + matrix_begin_[b], block_size(b), z + member_begin_[b]);
  }
}
void Metric::backward(double* z) const {
  for (std::size_t b = 0; b + 1 < member_begin_.size(); ++b) {
    solve_upper(l_.data() + matrix_begin_[b], block_size(b), z + member_begin_[b]);
  }
}

// z += W multipliers (by position), in block order.
void Metric::add_rows(const double* multipliers, double* z) const {
  for (std::size_t b = 0; b + 1 < member_begin_.size(); ++b) {
    const Index size = block_size(b);
    const double* w = w_.data() + w_begin_[b];
    for (Index s = slot_begin_[b]; s < slot_begin_[b + 1]; ++s, w += size) {
      const double value = multipliers[slots_[s]];
      for (Index k = 0; k < size; ++k) z[member_begin_[b] + k] += value * w[k];
    }
  }
}

void Metric::solve(const double* bias, const double* drift, double* acceleration, double* multipliers) {
  double* z = work_.data();
  double* x = small_.data();
  for (std::size_t i = 0; i < size_; ++i) z[i] = bias[members_[i]];
  forward(z);
  for (std::size_t k = 0; k < kept_.size(); ++k) x[k] = -drift[kept_[k]];
  for (std::size_t b = 0; b + 1 < member_begin_.size(); ++b) {
    const Index size = block_size(b);
    const double* w = w_.data() + w_begin_[b];
    for (Index s = slot_begin_[b]; s < slot_begin_[b + 1]; ++s, w += size) {
      for (Index k = 0; k < size; ++k) x[slots_[s]] += w[k] * z[member_begin_[b] + k];
    }
  }
  if (!kept_.empty()) {
    for (std::size_t k = 0; k < kept_.size(); ++k) x[k] /= length_[k];
    gram_->matrix.solve(x);
    for (std::size_t k = 0; k < kept_.size(); ++k) x[k] /= length_[k];
  }
  for (std::size_t i = 0; i < size_; ++i) z[i] = -z[i];
  add_rows(x, z);
  backward(z);
  for (std::size_t i = 0; i < size_; ++i) acceleration[members_[i]] = z[i];
  std::fill_n(multipliers, rows_.rows(), 0.0);
  for (std::size_t k = 0; k < kept_.size(); ++k) multipliers[kept_[k]] = x[k];
  for (Index r : regular_) multipliers[r] += sigma_[r] * drift[r];  // theory 1.4
}

void Metric::correct(const double* residual, double* change) {
  double* x = small_.data();
  double* z = work_.data();
  for (std::size_t k = 0; k < kept_.size(); ++k) x[k] = residual[kept_[k]] / length_[k];
  if (!kept_.empty()) gram_->matrix.solve(x);
  for (std::size_t k = 0; k < kept_.size(); ++k) x[k] /= -length_[k];
  std::fill_n(z, size_, 0.0);
  add_rows(x, z);
  backward(z);
  for (std::size_t i = 0; i < size_; ++i) change[members_[i]] = z[i];
}

void Metric::combine(const double* jacobian, Index row, double* coefficients) {
  double* z = work_.data();
  std::fill_n(z, size_, 0.0);
  for (Index e = rows_.begin[row]; e < rows_.begin[row + 1]; ++e) {
    const Index i = rows_.column[e];
    z[member_begin_[block_of_[i]] + local_of_[i]] = jacobian[e];
  }
  forward(z);
  solve_span(z, coefficients);
}

// Coefficients over the kept rows of the part of z (in block order) in their span.
void Metric::solve_span(const double* z, double* coefficients) {
  if (kept_.empty()) return;
  std::fill_n(coefficients, kept_.size(), 0.0);
  for (std::size_t b = 0; b + 1 < member_begin_.size(); ++b) {
    const Index size = block_size(b);
    const double* w = w_.data() + w_begin_[b];
    for (Index s = slot_begin_[b]; s < slot_begin_[b + 1]; ++s, w += size) {
      for (Index k = 0; k < size; ++k) coefficients[slots_[s]] += w[k] * z[member_begin_[b] + k];
    }
  }
  for (std::size_t k = 0; k < kept_.size(); ++k) coefficients[k] /= length_[k];
  gram_->matrix.solve(coefficients);
  for (std::size_t k = 0; k < kept_.size(); ++k) coefficients[k] /= length_[k];
}

void Metric::from_kinetic(const double* z, double* change) {
  std::copy_n(z, size_, work_.data());
  backward(work_.data());
  for (std::size_t i = 0; i < size_; ++i) change[members_[i]] = work_[i];
}

void Metric::dense_columns(const double* jacobian, const std::vector<Index>& rows, double* columns) {
  std::fill_n(columns, rows.size() * size_, 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double* z = columns + k * size_;
    for (Index e = rows_.begin[rows[k]]; e < rows_.begin[rows[k] + 1]; ++e) {
      const Index i = rows_.column[e];
      z[member_begin_[block_of_[i]] + local_of_[i]] = jacobian[e];
    }
    forward(z);
  }
}

void Metric::free_columns(const double* jacobian, const std::vector<Index>& rows, double* columns) {
  dense_columns(jacobian, rows, columns);
  double* coefficients = small_.data();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double* z = columns + k * size_;
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan): the second removes what rounding left
      solve_span(z, coefficients);
      for (std::size_t i = 0; i < kept_.size(); ++i) coefficients[i] = -coefficients[i];
      add_rows(coefficients, z);
    }
  }
}

}  // namespace dalembert
