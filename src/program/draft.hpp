#pragma once
// A program while it is being lowered: one list of values, leaves among them, equal ones met.

#include <algorithm>
#include <bit>
#include <cassert>
#include <dalembert/program/program.hpp>

#include "program/latency.hpp"

namespace dalembert {

using Value = std::uint32_t;
inline constexpr Value no_value = ~Value{0};

/// Leaves are kept in the list as instructions of these codes with the leaf's index in `a`;
/// a constant has its bits in `b` (low word) and `c`.
inline constexpr Opcode leaf_constant = static_cast<Opcode>(0xf0);
inline constexpr Opcode leaf_parameter = static_cast<Opcode>(0xf1);
inline constexpr Opcode leaf_input = static_cast<Opcode>(0xf2);
constexpr bool is_leaf(Opcode op) { return op >= leaf_constant; }

/// Operands of an instruction of a draft; leaves have none.
inline int operands_of(Opcode op) { return is_leaf(op) ? 0 : operand_count(op); }
inline Value operand(const Instruction& instruction, int k) {
  return k == 0 ? instruction.a : k == 1 ? instruction.b : instruction.c;
}

class Draft {
 public:
  /// For about so many values; it grows as needed.
  explicit Draft(std::size_t expected = 0) : table_(std::bit_ceil(std::max<std::size_t>(1 << 8, expected / 2))) {
    code_.reserve(expected);
    traits_.reserve(expected);
    ready_.reserve(expected);
    first_reader_.reserve(expected);
  }

  Value constant(double value);
  Value parameter(std::uint32_t index) { return intern({leaf_parameter, index}, false); }
  Value input(std::uint32_t index) { return intern({leaf_input, index}, true); }
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value neg(Value a);
  Value unary(Opcode op, Value a) { return intern({op, a}, varies(a)); }
  Value binary(Opcode op, Value a, Value b) { return intern({op, a, b}, varies(a) || varies(b)); }
  Value sin(Value a) { return unary(Opcode::sincos, a); }
  /// The value after the sine's.
  Value cos(Value a) { return sin(a) + 1; }
  /// base ^ exponent by repeated squaring; exponent >= 1.
  Value power(Value base, unsigned long exponent);

  std::size_t size() const { return code_.size(); }
  const Instruction& operator[](Value value) const { return code_[value]; }
  double constant_value(Value leaf) const {
    return std::bit_cast<double>(std::uint64_t{code_[leaf].c} << 32 | code_[leaf].b);
  }
  /// True where the value depends on an input.
  bool varies(Value value) const { return (traits_[value] & trait_varies) != 0; }
  bool is_constant(Value value) const { return (traits_[value] & trait_constant) != 0; }
  bool is_one(Value value) const { return (traits_[value] & trait_one) != 0; }
  bool is_negated(Value value) const { return (traits_[value] & trait_negated) != 0; }

  /// The cycle in which a value is there where nothing is waited for but operands, products taken into sums.
  std::uint32_t ready(Value value) const { return ready_[value]; }
  /// The cycle in which a sum can take it.
  std::uint32_t ready_for_sum(Value value) const {
    const bool is_late = code_[value].op == Opcode::mul && ready_[value] >= latency_of_product;
    return ready_[value] - (is_late ? latency_of_product : 0);
  }

  std::vector<Value> outputs;

  /// For passes that rewrite an instruction in place, after which no more may be interned.
  void replace(Value value, const Instruction& instruction) { code_[value] = instruction; }

 private:
  Value intern(const Instruction& instruction, bool varies);
  Value append(const Instruction& instruction, bool varies);
  std::uint32_t find_ready(const Instruction& instruction) const;
  void grow_table();

  // What is asked of operands over and over, in one byte: the whole list is larger than any cache.
  static constexpr std::uint8_t trait_varies = 1, trait_constant = 2, trait_one = 4, trait_negated = 8;

  std::vector<Instruction> code_;
  std::vector<std::uint8_t> traits_;
  std::vector<std::uint32_t> ready_;
  /// By value: the first instruction of which it is the latest operand. Only further ones, and leaves, are in the
  /// table.
  std::vector<Value> first_reader_;
  struct Slot {
    std::uint32_t hash = 0;
    Value value = no_value;
  };
  std::vector<Slot> table_;  // open addressing
  std::size_t in_table_ = 0;
};

// The passes after expansion; make_program in lower.cpp lists them in order.
Draft expand(Graph& graph, std::span<const Expr> inputs, std::span<const Expr> parameters,
             std::span<const Expr> outputs);
void fuse_multiply_add(Draft& draft);
/// Values that outputs need, by draft order.
std::vector<bool> find_needed(const Draft& draft);
/// The body's instructions in the order in which to run them.
std::vector<Value> order_body(const Draft& draft);

}  // namespace dalembert
