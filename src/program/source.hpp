#pragma once
// A program as source text: the walk that every language shares. What differs between languages is a Dialect.

#include <dalembert/program/program.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dalembert {

/// How a language writes what a section is made of. A function reads inputs x, held values h and crossing values v, and
/// writes crossing values and outputs y.
struct Dialect {
  std::string (*number)(double value);
  std::string (*operation)(Opcode op, std::string_view helper, const std::string& a, const std::string& b,
                           const std::string& c);
  std::string_view declare;  ///< before the name of a value
  std::string_view counter;  ///< before the name of a loop's index
  std::string_view open;     ///< the head of a function, given its name
  std::string_view helper;   ///< what the names of min, max and sign begin with
};

/// One section as a row of functions, each of a few hundred statements since compilers take more than linear time. A
/// value that a later function reads crosses through the array v.
class SectionWriter {
 public:
  SectionWriter(std::string& text, const Section& section, std::string_view name, const Dialect& dialect,
                std::size_t first_output);

  /// Writes the functions NAME_0, NAME_1, ..; returns how many and how large an array they share.
  std::pair<std::size_t, std::size_t> run();
  /// Outputs that no instruction makes.
  void write_leaf_outputs();

 private:
  void read_operands(std::size_t i);
  void write_function(std::size_t chunk);
  std::uint32_t cross(std::uint32_t value);
  std::string text_of(std::uint32_t value) const;
  std::string operation(std::size_t i) const;

  std::string& text_;
  const Section& section_;
  std::string_view name_;
  const Dialect& dialect_;
  std::size_t first_output_;
  std::vector<std::size_t> last_use_;  // by value: the function that reads it last, plus one; 0 for never
  std::vector<std::uint32_t> slot_;    // by value, of those that cross
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t slot_count_ = 0;
  std::vector<std::vector<std::uint32_t>> ends_;                  // by function: values that cross to it and no further
  std::vector<std::pair<std::uint32_t, std::uint32_t>> outputs_;  // value and index, by value
  std::size_t next_output_ = 0;
  std::size_t chunk_ = 0;
};

}  // namespace dalembert
