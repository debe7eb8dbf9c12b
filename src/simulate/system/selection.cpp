#include "simulate/system/selection.hpp"

#include <algorithm>
#include <dalembert/base/work_limit.hpp>
#include <numeric>

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
  std::vector<std::vector<Index>> blocks;
  for (Index i = 0; i < size; ++i) {
    const Index root = find_root(parent, i);
    if (block_of_root[root] == Index(-1)) {
      block_of_root[root] = static_cast<Index>(blocks.size());
      blocks.emplace_back();
    }
    blocks[block_of_root[root]].push_back(i);
  }
  member_begin = matrix_begin = {0};
  block_of.resize(size);
  local_of.resize(size);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (Index i : blocks[b]) {
      block_of[i] = static_cast<Index>(b);
      local_of[i] = static_cast<Index>(members.size() - member_begin.back());
      members.push_back(i);
    }
    member_begin.push_back(static_cast<Index>(members.size()));
    matrix_begin.push_back(static_cast<Index>(matrix_begin.back() + blocks[b].size() * blocks[b].size()));
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
  std::vector<std::vector<Index>> slots_of(block_count());
  std::vector<std::vector<Cell>> cells_of(block_count());
  for (Index k = 0; k < kept_.size(); ++k) {
    for (Index e = rows.begin[kept_[k]]; e < rows.begin[kept_[k] + 1]; ++e) {
      const Index b = block_of[rows.column[e]];
      if (slots_of[b].empty() || slots_of[b].back() != k) slots_of[b].push_back(k);
      cells_of[b].push_back({static_cast<Index>(slots_of[b].size() - 1), local_of[rows.column[e]], e});
    }
  }
  gram_entries.clear();
  for (Index k = 0; k < kept_.size(); ++k) gram_entries.emplace_back(k, k);
  for (const auto& list : slots_of) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) gram_entries.emplace_back(list[i], list[j]);
    }
  }
  std::sort(gram_entries.begin(), gram_entries.end());
  gram_entries.erase(std::unique(gram_entries.begin(), gram_entries.end()), gram_entries.end());

  slot_begin = cell_begin = w_begin = {0};
  slots.clear();
  cells.clear();
  for (std::size_t b = 0; b < block_count(); ++b) {
    slots.insert(slots.end(), slots_of[b].begin(), slots_of[b].end());
    cells.insert(cells.end(), cells_of[b].begin(), cells_of[b].end());
    slot_begin.push_back(static_cast<Index>(slots.size()));
    cell_begin.push_back(static_cast<Index>(cells.size()));
    w_begin.push_back(static_cast<Index>(w_begin.back() + slots_of[b].size() * block_size(b)));
  }
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
