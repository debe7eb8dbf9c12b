#include <deque>

#include "program/native.hpp"

// The order in which a processor is given scalar code. It looks ahead itself, but what waits for its operands takes
// room that is then missing for what does not: an arm of 7 joints takes 0.92 of the cycles in this order.

namespace dalembert {
namespace {

constexpr std::size_t window = 16;    // instructions looked at: with 32 values are kept for longer, and written out
constexpr std::size_t at_a_time = 2;  // begun in a cycle

std::uint32_t latency_of(Opcode op) {
  switch (op) {
    case Opcode::add:
    case Opcode::sub: return 3;
    case Opcode::div: return 13;
    case Opcode::sqrt: return 20;
    case Opcode::neg:
    case Opcode::abs: return 1;
    default: return 4;
  }
}

/// Instructions in the order of their numbers until the last call, whose batches stay together; then, cycle by cycle,
/// the first of those next to come whose operands are there.
class Schedule {
 public:
  explicit Schedule(const Section& section) : section_(section), ready_(section.code.size(), never) {}

  std::vector<std::uint32_t> run() {
    const auto count = static_cast<std::uint32_t>(section_.code.size());
    while (next_ < count - count_after_calls()) begin(next_++, 0);
    for (std::uint32_t cycle = 0; order_.size() < count; ++cycle) {
      while (waiting_.size() < window && next_ < count) waiting_.push_back(next_++);
      std::size_t begun = 0;
      for (auto each = waiting_.begin(); each != waiting_.end() && begun < at_a_time;) {
        if (!may_begin(*each, cycle)) {
          ++each;
          continue;
        }
        begin(*each, cycle + latency_of(section_.code[*each].op));
        each = waiting_.erase(each);
        ++begun;
      }
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
  bool may_begin(std::uint32_t i, std::uint32_t cycle) const {
    const Instruction& one = section_.code[i];
    const std::uint32_t first = section_.first_result(), operands[] = {one.a, one.b, one.c};
    for (int k = 0; k < operand_count(one.op); ++k)
      if (operands[k] >= first && ready_[operands[k] - first] > cycle) return false;
    return true;
  }
  void begin(std::uint32_t i, std::uint32_t ready) {
    order_.push_back(i);
    ready_[i] = ready;
  }

  const Section& section_;
  std::vector<std::uint32_t> ready_;  // cycle, of results
  std::deque<std::uint32_t> waiting_;
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
  Section made = section;
  for (std::size_t k = 0; k < order.size(); ++k) {
    Instruction& one = made.code[k] = section.code[order[k]];
    std::uint32_t* const operands[] = {&one.a, &one.b, &one.c};
    for (int i = 0; i < operand_count(one.op); ++i) renumber(*operands[i]);
  }
  for (std::uint32_t& value : made.results) renumber(value);
  return made;
}

}  // namespace dalembert
