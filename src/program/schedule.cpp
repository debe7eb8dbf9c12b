#include <algorithm>
#include <array>

#include "program/latency.hpp"
#include "program/native.hpp"

// The order in which a processor is given scalar code. It looks ahead itself, but what waits for its operands takes
// room that is then missing for what does not: an arm of 7 joints takes 0.92 of the cycles in this order.

namespace dalembert {
namespace {

constexpr std::size_t window = 16;    // instructions looked at: with 32 values are kept for longer, and written out
constexpr std::size_t at_a_time = 2;  // begun in a cycle

/// Instructions in the order of their numbers until the last call, whose batches stay together; then, cycle by cycle,
/// the first of those next to come whose operands are there.
class Schedule {
 public:
  explicit Schedule(const Section& section) : section_(section), ready_(section.code.size(), never) {
    order_.reserve(section.code.size());
  }

  std::vector<std::uint32_t> run() {
    const auto count = static_cast<std::uint32_t>(section_.code.size());
    const std::uint32_t after_calls = count - count_after_calls();
    while (next_ < after_calls) begin(next_++, 0);
    for (std::uint32_t cycle = 0; order_.size() < count;) {
      while (waiting_count_ < window && next_ < count) waiting_[waiting_count_++] = {next_++, never};
      cycle = begin_some(cycle);
    }
    return std::move(order_);
  }

 private:
  static constexpr std::uint32_t never = ~std::uint32_t{0};

  std::uint32_t count_after_calls() const {
    std::uint32_t count = 0;
    for (auto one = section_.code.rbegin(); one != section_.code.rend(); ++one, ++count)
      if (is_call(one->op) || one->op == Opcode::second) break;
    return count;
  }
  struct Waiting {
    std::uint32_t instruction;
    std::uint32_t from;  // cycle from which its operands are there, or never while one of them has not begun
  };

  /// Returns the cycle to look at next: where all wait, that in which one no longer does.
  std::uint32_t begin_some(std::uint32_t cycle) {
    std::size_t begun = 0, kept = 0;
    std::uint32_t earliest = never;
    std::size_t k = 0;
    for (; k < waiting_count_ && begun < at_a_time; ++k) {
      Waiting one = waiting_[k];
      if (one.from == never) one.from = operands_ready(one.instruction);
      if (one.from <= cycle) {
        begin(one.instruction, cycle + latency_of(section_.code[one.instruction].op));
        ++begun;
      } else {
        waiting_[kept++] = one;
        earliest = std::min(earliest, one.from);
      }
    }
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(waiting_count_);
    std::copy(waiting_.begin() + static_cast<std::ptrdiff_t>(k), end,
              waiting_.begin() + static_cast<std::ptrdiff_t>(kept));
    waiting_count_ -= begun;
    return begun == 0 ? earliest : cycle + 1;
  }
  std::uint32_t operands_ready(std::uint32_t i) const {
    const Instruction& one = section_.code[i];
    const std::uint32_t first = section_.first_result(), operands[] = {one.a, one.b, one.c};
    std::uint32_t ready = 0;
    for (int k = 0; k < operand_count(one.op); ++k)
      if (operands[k] >= first) ready = std::max(ready, ready_[operands[k] - first]);
    return ready;
  }
  void begin(std::uint32_t i, std::uint32_t ready) {
    order_.push_back(i);
    ready_[i] = ready;
  }

  const Section& section_;
  std::vector<std::uint32_t> ready_;     // cycle, of results
  std::array<Waiting, window> waiting_;  // in the order of their numbers
  std::size_t waiting_count_ = 0;
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> order_;
};

}  // namespace

Section schedule(const Section& section) {
  const std::vector<std::uint32_t> order = Schedule(section).run();
  const std::uint32_t first = section.first_result();
  std::vector<std::uint32_t> number(order.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = first + k;
  const auto renumber = [&](std::uint32_t& value) {
    if (value >= first) value = number[value - first];
  };
  Section made{section.constants, section.held_count, section.input_count, {}, section.results};
  made.code.reserve(order.size());
  for (const std::uint32_t k : order) {
    Instruction& one = made.code.emplace_back(section.code[k]);
    std::uint32_t* const operands[] = {&one.a, &one.b, &one.c};
    for (int i = 0; i < operand_count(one.op); ++i) renumber(*operands[i]);
  }
  for (std::uint32_t& value : made.results) renumber(value);
  return made;
}

}  // namespace dalembert
