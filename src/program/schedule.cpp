#include <algorithm>
#include <array>
#include <numeric>

#include "program/functions.hpp"
#include "program/latency.hpp"
#include "program/native.hpp"

// The order in which a processor is given scalar code. It looks ahead itself, but what waits for its operands takes
// room that is then missing for what does not: an arm of 7 joints takes 0.92 of the cycles in the order of Schedule.
//
// Where the longest chain of instructions that wait for each other takes longer than all instructions do, the depth
// first order of a program is wrong by far more than a processor looks ahead: what goes from leaf to root, what could
// go with it and what goes back come one after the other, each a chain that is waited for. There every instruction
// comes as late as the longest chain lets it (Heights): chains of 50 and 90 links take 0.72 of the time, and one of 10
// links 0.85. Values live longer that way, so an arm of 7 joints, which does not wait, would take 1.2 times as long.

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

/// Of an instruction: the cycles from its begin to the end of the last that waits for it.
class Heights {
 public:
  explicit Heights(const Section& section) : section_(section), heights_(section.code.size(), 0) { add_up(); }

  bool exceed_work() const { return longest_ > section_.code.size() / at_a_time; }

  /// The highest first, of as high ones a batch of calls. So many calls at a time as functions take at once: the next
  /// come where they are needed, while the processor waits for other things.
  std::vector<std::uint32_t> run() {
    join_calls();
    std::vector<std::uint32_t> begin(2 * std::size_t{longest_} + 3, 0), order(heights_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) ++begin[place(i) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[begin[place(i)]++] = i;
    return order;
  }

 private:
  std::size_t place(std::uint32_t i) const {
    const Opcode op = section_.code[i].op;
    return 2 * std::size_t{longest_ - heights_[i]} + (is_call(op) || op == Opcode::second ? 0 : 1);
  }

  /// What is in heights_ is what they are from their own end on, or more.
  void add_up() {
    const std::uint32_t first = section_.first_result();
    for (std::size_t i = heights_.size(); i-- > 0;) {
      const Instruction& one = section_.code[i];
      heights_[i] += latency_of(one.op);
      if (one.op == Opcode::second) heights_[i - 1] = std::max(heights_[i - 1], heights_[i]);
      if (one.op == Opcode::sincos) heights_[i + 1] = heights_[i];
      const std::uint32_t operands[] = {one.a, one.b, one.c};
      for (int k = 0; k < operand_count(one.op); ++k)
        if (operands[k] >= first) heights_[operands[k] - first] = std::max(heights_[operands[k] - first], heights_[i]);
      longest_ = std::max(longest_, heights_[i]);
    }
  }
  /// Calls of one function, the highest first, become as high as the first of each batch, and what they wait for with
  /// them.
  void join_calls() {
    std::vector<std::uint32_t> calls, least(heights_.size(), 0);
    for (std::uint32_t i = 0; i < heights_.size(); ++i)
      if (is_call(section_.code[i].op)) calls.push_back(i);
    const auto op = [&](std::size_t k) { return section_.code[calls[k]].op; };
    std::ranges::stable_sort(calls, {}, [&](std::uint32_t i) { return std::pair(section_.code[i].op, ~heights_[i]); });
    for (std::size_t k = 0, begin = 0; k < calls.size(); ++k) {
      if (k - begin == vector_width || op(k) != op(begin)) begin = k;
      least[calls[k]] = heights_[calls[begin]] - latency_of(op(k));
    }
    heights_ = std::move(least);
    add_up();
  }

  const Section& section_;
  std::vector<std::uint32_t> heights_;
  std::uint32_t longest_ = 0;
};

std::vector<std::uint32_t> find_order(const Section& section) {
  Heights heights(section);
  return heights.exceed_work() ? heights.run() : Schedule(section).run();
}

}  // namespace

Section schedule(const Section& section) {
  const std::vector<std::uint32_t> order = find_order(section);
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
