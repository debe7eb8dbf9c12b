#pragma once
// The convex quadratic programme under contacts (theory 5.4): the shortest z with x_i . z + g_i >= 0, and the
// multipliers that make it up, z = sum of m_i x_i with m_i >= 0, zero where the inequality is strict.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dalembert {

enum class LeastDistanceOutcome : std::uint8_t { solved, contradiction, undecided };

struct LeastDistance {
  LeastDistanceOutcome outcome = LeastDistanceOutcome::solved;
  std::vector<double> z;            ///< the shortest
  std::vector<double> multipliers;  ///< one an inequality
  std::vector<double> slack;        ///< x_i . z + g_i
  std::vector<std::size_t> basis;   ///< independent inequalities that hold with equality and carry all multipliers
};

/// `columns`: x_1, x_2, ... one after the other, each of `size` numbers and of length 1 or 0 (a zero column is an
/// inequality that nothing can change). `noise`: for each inequality what counts as zero in it.
/// The dual active-set method of Goldfarb and Idnani 1983: it keeps the basis independent, so that inequalities may be
/// redundant, and it ends after finitely many exchanges.
LeastDistance solve_least_distance(std::size_t size, std::span<const double> columns, std::span<const double> g,
                                   std::span<const double> noise);

/// Columns of length 1 or 0 that are independent of those before them; those in `first` come first.
std::vector<std::size_t> independent_columns(std::size_t size, std::span<const double> columns,
                                             std::span<const std::size_t> first);

}  // namespace dalembert
