#pragma once
// Guards against hostile model files; each is named in the error that it causes. Formulas have their own (formula.hpp).

#include <cstddef>

namespace dalembert::limits {

constexpr std::size_t file_size = 16'000'000;      // bytes
constexpr std::size_t key_depth = 32;              // parts of one dotted key
constexpr std::size_t name_length = 200;           // bytes
constexpr std::size_t family_size = 100'000;       // members of one family
constexpr std::size_t entries = 1'000'000;         // of all tables together, families expanded
constexpr std::size_t sum_terms = 1'000'000;       // of one sum(...)
constexpr std::size_t formula_work = 20'000'000;   // parts of formulas, each counted as often as it is interpreted
constexpr std::size_t graph_size = 20'000'000;     // nodes of the expression graph
constexpr std::size_t coordinates = 200'000;       // of a model
constexpr std::size_t couplings = 2'500'000;       // pairs of coordinates that the kinetic energy couples
constexpr std::size_t interpretation_depth = 500;  // definitions, sums and other calls inside each other, in all
constexpr std::size_t reference_depth = 200;       // definitions, frames and points inside each other
constexpr std::size_t signal_rows = 2'000;         // of a file that an input is read from
constexpr long index = 1'000'000'000'000;          // size of an index and of integers in {...}

}  // namespace dalembert::limits
