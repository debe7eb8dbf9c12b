#include "program/draft.hpp"

#include <algorithm>

namespace dalembert {
namespace {

std::uint32_t hash_of(const Instruction& instruction) {
  std::uint64_t hash = static_cast<std::uint64_t>(instruction.op) * 0x9e3779b97f4a7c15u;
  for (std::uint32_t part : {instruction.a, instruction.b, instruction.c})
    hash = (hash ^ part) * 0xff51afd7ed558ccdu, hash ^= hash >> 29;
  return static_cast<std::uint32_t>(hash);
}

}  // namespace

/// What does not vary is there when the body begins.
std::uint32_t Draft::find_ready(const Instruction& instruction) const {
  if (instruction.op == Opcode::second) return ready_.back();
  const bool is_sum = instruction.op == Opcode::add || instruction.op == Opcode::sub;
  std::uint32_t begin = 0;
  for (int k = 0; k < operands_of(instruction.op); ++k) {
    const Value from = operand(instruction, k);
    begin = std::max(begin, is_sum ? ready_for_sum(from) : ready_[from]);
  }
  return begin + latency_of(instruction.op);
}

Value Draft::append(const Instruction& instruction, bool varies) {
  Value value = static_cast<Value>(code_.size());
  std::uint8_t traits = varies ? trait_varies : 0;
  if (instruction.op == Opcode::neg) traits |= trait_negated;
  code_.push_back(instruction);
  if (instruction.op == leaf_constant)
    traits |= constant_value(value) == 1 ? trait_constant | trait_one : trait_constant;
  traits_.push_back(traits);
  first_reader_.push_back(no_value);
  ready_.push_back(varies && !is_leaf(instruction.op) ? find_ready(instruction) : 0);
  if (instruction.op == Opcode::sincos) append({Opcode::second}, varies);
  return value;
}

Value Draft::intern(const Instruction& instruction, bool varies) {
  if (!is_leaf(instruction.op)) {
    // Operands that are not used are 0.
    Value& reader = first_reader_[std::max({instruction.a, instruction.b, instruction.c})];
    if (reader == no_value) {
      reader = static_cast<Value>(code_.size());
      return append(instruction, varies);
    }
    if (code_[reader] == instruction) return reader;
  }
  std::uint32_t hash = hash_of(instruction);
  std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  for (; table_[slot].value != no_value; slot = (slot + 1) & mask)
    if (table_[slot].hash == hash && code_[table_[slot].value] == instruction) return table_[slot].value;
  Value value = append(instruction, varies);
  table_[slot] = {hash, value};
  if (++in_table_ * 4 > table_.size() * 3) grow_table();
  return value;
}

void Draft::grow_table() {
  std::vector<Slot> before(table_.size() * 2);
  before.swap(table_);
  std::size_t mask = table_.size() - 1;
  for (const Slot& entry : before) {
    if (entry.value == no_value) continue;
    std::size_t slot = entry.hash & mask;
    while (table_[slot].value != no_value) slot = (slot + 1) & mask;
    table_[slot] = entry;
  }
}

Value Draft::constant(double value) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  return intern({leaf_constant, 0, static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)}, false);
}

// Signs move outward, where sums swallow them.

Value Draft::add(Value a, Value b) {
  if (is_negated(b)) return sub(a, code_[b].a);
  if (is_negated(a)) return sub(b, code_[a].a);
  return binary(Opcode::add, std::min(a, b), std::max(a, b));
}

Value Draft::sub(Value a, Value b) {
  if (is_negated(b)) return add(a, code_[b].a);
  if (is_negated(a)) return neg(add(code_[a].a, b));
  return binary(Opcode::sub, a, b);
}

Value Draft::mul(Value a, Value b) {
  if (is_negated(a)) return neg(mul(code_[a].a, b));
  if (is_negated(b)) return neg(mul(a, code_[b].a));
  if (is_one(a)) return b;
  if (is_one(b)) return a;
  return binary(Opcode::mul, std::min(a, b), std::max(a, b));
}

Value Draft::div(Value a, Value b) {
  if (is_negated(a)) return neg(div(code_[a].a, b));
  if (is_negated(b)) return neg(div(a, code_[b].a));
  return binary(Opcode::div, a, b);
}

Value Draft::neg(Value a) {
  if (is_constant(a)) return constant(-constant_value(a));
  if (is_negated(a)) return code_[a].a;
  if (code_[a].op == Opcode::sub) return sub(code_[a].b, code_[a].a);
  return unary(Opcode::neg, a);
}

Value Draft::power(Value base, unsigned long exponent) {
  Value result = no_value;
  for (Value square = base;; square = mul(square, square)) {
    if (exponent & 1) result = result == no_value ? square : mul(result, square);
    exponent >>= 1;
    if (exponent == 0) return result;
  }
}

}  // namespace dalembert
