#pragma once
// Which rows act at a stage of a motion, which of them carry multipliers, and which mend a singular M; with the
// patterns of all matrices that follow from it. A value: another choice is another selection.

#include <memory>
#include <span>

#include "simulate/system/pattern.hpp"

namespace dalembert {

/// A row whose sigma A_r^T A_r is added to M, which has the same motion and a regular matrix (theory 1.4).
struct Mending {
  Index row;
  double sigma;
};

class Selection {
 public:
  /// All rows of the equations, those of the closed contacts, all kept.
  Selection(std::shared_ptr<const Pattern> pattern, std::vector<Mending> mending, std::vector<Index> closed = {});
  /// The same with only these rows kept; the other active ones are taken to depend on them.
  Selection keep(std::vector<Index> kept) const;
  /// The same with other contacts closed, all rows kept.
  Selection close(std::vector<Index> contacts) const { return {pattern_, mending_, std::move(contacts)}; }

  const Pattern& pattern() const { return *pattern_; }
  const std::vector<Mending>& mending() const { return mending_; }
  /// Contacts, ascending.
  const std::vector<Index>& closed() const { return closed_; }
  /// The rows that act: the equations' and those of closed contacts.
  const std::vector<Index>& active() const { return active_; }
  const std::vector<Index>& kept() const { return kept_; }
  const std::vector<Index>& dropped() const { return dropped_; }
  bool is_whole() const { return dropped_.empty() && closed_.empty(); }

  // --- patterns, for Factor
  /// Coordinates that M couples (also through the rows that mend it) form one block.
  std::size_t block_count() const { return member_begin.size() - 1; }
  Index block_size(std::size_t b) const { return member_begin[b + 1] - member_begin[b]; }
  struct Outer {
    Index target, a, b;
    double sigma;
  };
  struct Cell {
    Index slot, local, value;
  };
  std::vector<Index> member_begin, members, block_of, local_of, matrix_begin;  // members in block order
  std::vector<Index> mass_target;                                              // where M's entries go
  std::vector<Outer> outer;                                                    // and those of the mending rows
  // Kept rows by block: the slots (row positions), the cells of A that fill W, its place.
  std::vector<Index> slot_begin, slots, cell_begin, w_begin;
  std::vector<Cell> cells;
  std::vector<std::pair<Index, Index>> gram_entries;  // lower triangle, by positions of the kept rows

 private:
  void build_blocks();
  void build_rows();

  std::shared_ptr<const Pattern> pattern_;
  std::vector<Mending> mending_;
  std::vector<Index> closed_, active_, kept_, dropped_;
};

/// The rows that mend M at these values, unit rows first, then all that touch the singular block; nothing where M is
/// regular. Empty pointer where none do: `failed` is then a coordinate without inertia.
struct MendingResult {
  bool ok = true;
  std::vector<Mending> mending;
  Index failed = 0;
};
MendingResult find_mending(const std::shared_ptr<const Pattern>& pattern, const double* mass, const double* jacobian);

}  // namespace dalembert
