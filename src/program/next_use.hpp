#pragma once
// When each value of a section is read next, as Belady's rule needs it: evict what is needed farthest in the future.

#include <algorithm>

#include "program/draft.hpp"

namespace dalembert {

class NextUse {
 public:
  static constexpr std::uint32_t never = ~std::uint32_t{0};

  explicit NextUse(const Section& section)
      : next_(section.value_count(), never),
        after_operand_(section.code.size() * 3),
        after_result_(section.code.size()) {
    for (auto i = static_cast<std::uint32_t>(section.code.size()); i-- > 0;) {
      const Instruction& instruction = section.code[i];
      int count = operand_count(instruction.op);
      after_result_[i] = next_[section.first_result() + i];
      for (int k = 0; k < count; ++k) after_operand_[3 * i + k] = next_[operand(instruction, k)];
      for (int k = 0; k < count; ++k) next_[operand(instruction, k)] = i;
    }
  }

  /// The next instruction that reads the value, as of the last advance().
  std::uint32_t of(std::uint32_t value) const { return next_[value]; }
  /// The use after that of operand k of instruction i.
  std::uint32_t after(std::uint32_t i, int k) const { return after_operand_[3 * i + static_cast<std::uint32_t>(k)]; }
  std::uint32_t after_result(std::uint32_t i) const { return after_result_[i]; }
  void advance(std::uint32_t value, std::uint32_t next) { next_[value] = next; }

 private:
  std::vector<std::uint32_t> next_, after_operand_, after_result_;
};

}  // namespace dalembert
