#include "simulate/system/selection.hpp"

#include <algorithm>
#include <dalembert/base/work_limit.hpp>
#include <numeric>
#include <utility>

#include "simulate/system/factor.hpp"

namespace dalembert {
namespace {

Index find_root(std::vector<Index>& parent, Index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

Selection::Selection(std::shared_ptr<const Pattern> pattern, std::vector<Mending> mending, std::vector<Index> closed)
    : pattern_(std::move(pattern)), mending_(std::move(mending)), closed_(std::move(closed)) {
  active_.resize(pattern_->equation_count());
  std::iota(active_.begin(), active_.end(), Index{0});
  for (Index c : closed_) active_.push_back(static_cast<Index>(pattern_->equation_count() + c));
  kept_ = active_;
  build_blocks();
  build_rows();
}

Selection Selection::keep(std::vector<Index> kept) const {
  Selection result = *this;
  std::sort(kept.begin(), kept.end());
  result.dropped_.clear();
  std::set_difference(active_.begin(), active_.end(), kept.begin(), kept.end(), std::back_inserter(result.dropped_));
  result.kept_ = std::move(kept);
  result.build_rows();
  return result;
}

void Selection::build_blocks() {
  const std::size_t size = pattern_->size;
  const RowPattern& rows = pattern_->rows;
  std::vector<Index> parent(size);
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto join = [&](Index a, Index b) { parent[find_root(parent, a)] = find_root(parent, b); };
  for (const auto& [i, j] : pattern_->mass) join(i, j);
  for (const Mending& mend : mending_) {
    const Index first = rows.begin[mend.row];
    for (Index k = first; k < rows.begin[mend.row + 1]; ++k) join(rows.column[first], rows.column[k]);
  }
  std::vector<Index> block_of_root(size, Index(-1));
  block_of.resize(size);
  member_begin = {0};
  for (Index i = 0; i < size; ++i) {
    const Index root = find_root(parent, i);
    if (block_of_root[root] == Index(-1)) {
      block_of_root[root] = static_cast<Index>(block_count());
      member_begin.push_back(0);
    }
    block_of[i] = block_of_root[root];
    ++member_begin[block_of[i] + 1];
  }
  matrix_begin = {0};
  for (std::size_t b = 0; b < block_count(); ++b) {
    const Index count = member_begin[b + 1];
    matrix_begin.push_back(matrix_begin.back() + count * count);
    member_begin[b + 1] += member_begin[b];
  }
  members.resize(size);
  local_of.resize(size);
  std::vector<Index> next = member_begin;
  for (Index i = 0; i < size; ++i) {
    const Index b = block_of[i];
    local_of[i] = next[b] - member_begin[b];
    members[next[b]++] = i;
  }
  const auto target = [&](Index i, Index j) {
    const Index b = block_of[i], row = std::max(local_of[i], local_of[j]), column = std::min(local_of[i], local_of[j]);
    return matrix_begin[b] + row * block_size(b) + column;
  };
  for (const auto& [i, j] : pattern_->mass) mass_target.push_back(target(i, j));
  for (const Mending& mend : mending_) {
    for (Index k = rows.begin[mend.row]; k < rows.begin[mend.row + 1]; ++k) {
      for (Index l = rows.begin[mend.row]; l <= k; ++l)
        outer.push_back({target(rows.column[k], rows.column[l]), k, l, mend.sigma});
    }
  }
}

void Selection::build_rows() {
  const RowPattern& rows = pattern_->rows;
  // Counted first: most systems have many small blocks.
  slot_begin.assign(block_count() + 1, 0);
  cell_begin.assign(block_count() + 1, 0);
  std::vector<Index> last_row(block_count(), Index(-1));
  const auto visit_entries = [&](auto&& visit) {
    std::ranges::fill(last_row, Index(-1));
    for (Index k = 0; k < kept_.size(); ++k) {
      for (Index e = rows.begin[kept_[k]]; e < rows.begin[kept_[k] + 1]; ++e) {
        const Index b = block_of[rows.column[e]];
        visit(b, k, e, std::exchange(last_row[b], k) != k);
      }
    }
  };
  visit_entries([&](Index b, Index, Index, bool is_new_slot) {
    ++cell_begin[b + 1];
    if (is_new_slot) ++slot_begin[b + 1];
  });
  w_begin = {0};
  for (std::size_t b = 0; b < block_count(); ++b) {
    w_begin.push_back(static_cast<Index>(w_begin.back() + slot_begin[b + 1] * block_size(b)));
    slot_begin[b + 1] += slot_begin[b];
    cell_begin[b + 1] += cell_begin[b];
  }
  slots.resize(slot_begin.back());
  cells.resize(cell_begin.back());
  std::vector<Index> next_slot = slot_begin, next_cell = cell_begin;
  visit_entries([&](Index b, Index k, Index e, bool is_new_slot) {
    if (is_new_slot) slots[next_slot[b]++] = k;
    cells[next_cell[b]++] = {next_slot[b] - 1 - slot_begin[b], local_of[rows.column[e]], e};
  });

  gram_entries.clear();
  for (Index k = 0; k < kept_.size(); ++k) gram_entries.emplace_back(k, k);
  for (std::size_t b = 0; b < block_count(); ++b) {
    for (Index i = slot_begin[b]; i < slot_begin[b + 1]; ++i) {
      for (Index j = slot_begin[b]; j < i; ++j) gram_entries.emplace_back(slots[i], slots[j]);
    }
  }
  std::sort(gram_entries.begin(), gram_entries.end());
  gram_entries.erase(std::unique(gram_entries.begin(), gram_entries.end()), gram_entries.end());
}

namespace {

/// Takes rows until M can be factored.
class Mender {
 public:
  Mender(const std::shared_ptr<const Pattern>& pattern, const double* mass, const double* jacobian)
      : pattern_(pattern), mass_(mass), jacobian_(jacobian), diagonal_(pattern->size, 0.0) {
    for (std::size_t k = 0; k < pattern->mass.size(); ++k) {
      if (pattern->mass[k].first == pattern->mass[k].second)
        mean_ += diagonal_[pattern->mass[k].first] = std::abs(mass[k]);
    }
    mean_ = mean_ > 0 ? mean_ / static_cast<double>(pattern->size) : 1;
  }

  MendingResult run() {
    while (true) {
      const Selection selection = Selection(pattern_, result_.mending).keep({});
      spend_work(static_cast<double>(selection.matrix_begin.back() + selection.w_begin.back()));  // sorted and factored
      Factor factor(std::make_shared<const Selection>(selection));
      result_.ok = factor.factor(mass_, jacobian_);
      if (result_.ok) return std::move(result_);
      result_.failed = factor.failed();
      if (!add_rows_of(selection, selection.block_of[result_.failed]) && !strengthen()) return std::move(result_);
    }
  }

 private:
  bool add_rows_of(const Selection& selection, Index block) {
    const RowPattern& rows = pattern_->rows;
    for (bool units : {true, false}) {
      bool added = false;
      for (Index r = 0; r < pattern_->unit.size() && !(added && units); ++r) {
        if (pattern_->unit[r] != units) continue;
        bool touches = false;
        for (Index k = rows.begin[r]; k < rows.begin[r + 1]; ++k)
          touches |= selection.block_of[rows.column[k]] == block && jacobian_[k] != 0;
        if (touches) added |= add(r);
      }
      if (added) return true;
    }
    return false;
  }
  bool add(Index r) {
    const RowPattern& rows = pattern_->rows;
    double inertia = 0, square = 0;
    for (Index k = rows.begin[r]; k < rows.begin[r + 1]; ++k) {
      inertia = std::max(inertia, diagonal_[rows.column[k]]);
      square = std::max(square, jacobian_[k] * jacobian_[k]);
    }
    const bool known =
        std::any_of(result_.mending.begin(), result_.mending.end(), [r](const Mending& mend) { return mend.row == r; });
    if (square == 0 || known) return false;
    result_.mending.push_back({r, (inertia > 0 ? inertia : mean_) / square});
    return true;
  }

  /// What is negative only along what the rows hold is mended by enough of them (Finsler's lemma).
  bool strengthen() {
    constexpr int most = 5;
    constexpr double factor = 16;
    for (Mending& mend : result_.mending) mend.sigma *= factor;
    return !result_.mending.empty() && ++strengthened_ <= most;
  }

  const std::shared_ptr<const Pattern>& pattern_;
  const double* mass_;
  const double* jacobian_;
  std::vector<double> diagonal_;  // sizes
  int strengthened_ = 0;
  double mean_ = 0;
  MendingResult result_;
};

}  // namespace

MendingResult find_mending(const std::shared_ptr<const Pattern>& pattern, const double* mass, const double* jacobian) {
  return Mender(pattern, mass, jacobian).run();
}

}  // namespace dalembert
