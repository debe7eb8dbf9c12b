#include <algorithm>

#include "program/draft.hpp"

// The order of the body. Function calls clobber every register, so they are gathered: all calls whose arguments need no
// other call first, as one batch a function, then those that need these, and so on. Between batches only what the next
// one needs is computed. Within that, depth first, the larger operand first, which keeps few values alive.

namespace dalembert {
namespace {

class Ordering {
 public:
  explicit Ordering(const Draft& draft) : draft_(draft), pending_(draft.size(), false), weight_(draft.size(), 0) {}

  std::vector<Value> run() {
    collect_calls();
    for (auto batch = calls_.begin(); batch != calls_.end();) {
      auto end = std::find_if(batch, calls_.end(), [&](const Call& call) { return call.level != batch->level; });
      for (auto call = batch; call != end; ++call)
        for (int k = 0; k < operand_count(draft_[call->value].op); ++k) compute(operand(draft_[call->value], k));
      for (; batch != end; ++batch) emit(batch->value);
    }
    for (Value output : draft_.outputs) compute(output);
    return std::move(order_);
  }

 private:
  struct Call {
    std::uint32_t level;
    Opcode op;
    Value value;
    auto operator<=>(const Call&) const = default;
  };

  void collect_calls();
  void compute(Value root);
  void push_by_weight(Value value, std::size_t below);
  void emit(Value value) {
    pending_[value] = false;
    order_.push_back(value);
    if (draft_[value].op != Opcode::sincos) return;
    pending_[value + 1] = false;
    order_.push_back(value + 1);
  }

  const Draft& draft_;
  std::vector<char> pending_;  // to be computed in the body and not yet in order_
  std::vector<float> weight_;  // instructions below, shared ones counted each time
  std::vector<Call> calls_;
  std::vector<Value> order_, stack_;
};

void Ordering::collect_calls() {
  order_.reserve(draft_.size());
  std::vector<bool> needed = find_needed(draft_);
  std::vector<std::uint32_t> level(draft_.size(), 0);
  for (Value value = 0; value < draft_.size(); ++value) {
    Opcode op = draft_[value].op;
    if (!needed[value] || !draft_.varies(value) || is_leaf(op)) continue;
    weight_[value] = 1;
    pending_[value] = true;
    if (op == Opcode::second) {
      level[value] = level[value - 1];
      continue;
    }
    for (int k = 0; k < operand_count(op); ++k) {
      level[value] = std::max(level[value], level[operand(draft_[value], k)]);
      weight_[value] += weight_[operand(draft_[value], k)];
    }
    if (is_call(op)) calls_.push_back({++level[value], op, value});
  }
  std::ranges::sort(calls_);
}

void Ordering::compute(Value root) {
  if (!pending_[root]) return;
  stack_.push_back(root);
  while (!stack_.empty()) {
    Value value = stack_.back();
    const Instruction& instruction = draft_[value];
    std::size_t below = stack_.size();
    // The last pushed is computed first; among equals it is the last operand.
    if (pending_[value])
      for (int k = 0; k < operand_count(instruction.op); ++k)
        if (Value next = operand(instruction, k); pending_[next]) push_by_weight(next, below);
    if (stack_.size() > below) continue;
    stack_.pop_back();
    if (pending_[value]) emit(value);
  }
}

void Ordering::push_by_weight(Value value, std::size_t below) {
  std::size_t at = stack_.size();
  stack_.push_back(value);
  for (; at > below && weight_[stack_[at - 1]] > weight_[value]; --at) stack_[at] = stack_[at - 1];
  stack_[at] = value;
}

}  // namespace

std::vector<Value> order_body(const Draft& draft) { return Ordering(draft).run(); }

}  // namespace dalembert
