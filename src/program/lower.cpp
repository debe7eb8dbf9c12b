#include <dalembert/base/work_limit.hpp>

#include "program/check.hpp"
#include "program/draft.hpp"

// Expressions -> program, as one list of passes.

namespace dalembert {
namespace {

constexpr double work_of_a_value = 100;  // lowered, ordered, numbered and compiled

/// Values of the draft that the prologue computes for the body: fixed ones that something varying or an output reads.
std::vector<Value> find_hoisted(const Draft& draft, std::span<const Value> body) {
  std::vector<bool> seen(draft.size(), false);
  std::vector<Value> hoisted;
  auto visit = [&](Value value) {
    if (draft.varies(value) || draft.is_constant(value) || is_leaf(draft[value].op) || seen[value]) return;
    seen[value] = true;
    hoisted.push_back(value);
  };
  for (Value value : body)
    for (int k = 0; k < operand_count(draft[value].op); ++k) visit(operand(draft[value], k));
  for (Value output : draft.outputs) visit(output);
  return hoisted;
}

/// Everything fixed that the hoisted values need, in the draft's order.
std::vector<Value> order_prologue(const Draft& draft, std::span<const Value> hoisted) {
  if (hoisted.empty()) return {};
  std::vector<bool> needed = find_needed(draft);
  std::vector<Value> order;
  for (Value value = 0; value < draft.size(); ++value)
    if (needed[value] && !draft.varies(value) && !is_leaf(draft[value].op)) order.push_back(value);
  return order;
}

/// Numbers of values in one section: constants are pooled as they are met, the places of other leaves are given.
class Numbering {
 public:
  Numbering(const Draft& draft, std::uint32_t held, std::uint32_t inputs)
      : draft_(draft), number_(draft.size(), no_value) {
    section_.held_count = held;
    section_.input_count = inputs;
  }

  void hold(Value value, std::uint32_t index) { leaves_.push_back({value, index}); }
  void input(Value value, std::uint32_t index) { leaves_.push_back({value, section_.held_count + index}); }

  Section run(std::span<const Value> order, std::span<const Value> results) {
    pool_constants(order, results);
    for (auto [value, index] : leaves_) number_[value] = section_.first_held() + index;
    for (std::uint32_t i = 0; i < order.size(); ++i) number_[order[i]] = section_.first_result() + i;
    section_.code.reserve(order.size());
    for (Value value : order) {
      Instruction instruction = draft_[value];
      int count = operand_count(instruction.op);
      if (count > 0) instruction.a = number(instruction.a);
      if (count > 1) instruction.b = number(instruction.b);
      if (count > 2) instruction.c = number(instruction.c);
      section_.code.push_back(instruction);
    }
    for (Value value : results) section_.results.push_back(number(value));
    return std::move(section_);
  }

 private:
  struct Leaf {
    Value value;
    std::uint32_t index;  // among held values and inputs
  };

  void pool_constants(std::span<const Value> order, std::span<const Value> results) {
    auto visit = [&](Value value) {
      if (!draft_.is_constant(value) || number_[value] != no_value) return;
      number_[value] = static_cast<std::uint32_t>(section_.constants.size());
      section_.constants.push_back(draft_.constant_value(value));
    };
    for (Value value : order)
      for (int k = 0; k < operand_count(draft_[value].op); ++k) visit(operand(draft_[value], k));
    for (Value value : results) visit(value);
  }

  std::uint32_t number(Value value) const {
    assert(number_[value] != no_value);
    return number_[value];
  }

  const Draft& draft_;
  std::vector<std::uint32_t> number_;  // by value
  std::vector<Leaf> leaves_;
  Section section_;
};

/// Splits the draft into the work of parameters and that of inputs, orders both and numbers their values.
Program number_sections(Draft& draft, std::span<const Value> body, std::uint32_t parameters, std::uint32_t inputs) {
  std::vector<Value> hoisted = find_hoisted(draft, body);
  Numbering prologue(draft, 0, parameters);
  Numbering rest(draft, parameters + static_cast<std::uint32_t>(hoisted.size()), inputs);
  for (Value value = 0; value < draft.size(); ++value) {
    if (draft[value].op == leaf_parameter) {
      prologue.input(value, draft[value].a);
      rest.hold(value, draft[value].a);
    } else if (draft[value].op == leaf_input) {
      rest.input(value, draft[value].a);
    }
  }
  for (std::uint32_t i = 0; i < hoisted.size(); ++i) rest.hold(hoisted[i], parameters + i);
  return {prologue.run(order_prologue(draft, hoisted), hoisted), rest.run(body, draft.outputs)};
}

}  // namespace

Program make_program(std::span<const Expr> inputs, std::span<const Expr> parameters, std::span<const Expr> outputs) {
  check_expressions(inputs, parameters, outputs);
  if (outputs.empty()) {
    Program nothing;
    nothing.body.held_count = nothing.prologue.input_count = static_cast<std::uint32_t>(parameters.size());
    nothing.body.input_count = static_cast<std::uint32_t>(inputs.size());
    return nothing;
  }
  Draft draft = expand(outputs[0].graph(), inputs, parameters, outputs);  // powers, shared reciprocals, sincos, CSE
  spend_work(work_of_a_value * static_cast<double>(draft.size()));
  fuse_multiply_add(draft);
  std::vector<Value> body = order_body(draft);  // batches of calls, few live values
  return number_sections(draft, body, static_cast<std::uint32_t>(parameters.size()),
                         static_cast<std::uint32_t>(inputs.size()));  // prologue, constant pools
}

}  // namespace dalembert
