#pragma once
// Where the values of a section are while its code is emitted: in which register, in which place in memory.
// Emits the loads and stores that this takes.

#include <asmjit/x86.h>

#include <array>

#include "program/bases.hpp"
#include "program/next_use.hpp"

namespace dalembert {

class Registers {
 public:
  static constexpr int count = 16;
  using Mask = std::uint32_t;

  Registers(const Section& section, asmjit::x86::Assembler& assembler, std::size_t width);

  struct Pointers {
    asmjit::x86::Gp inputs, outputs, block;
  } pointers;
  Bases bases;  ///< of what read, write and source reach

  asmjit::x86::Vec vector(int reg) const {
    if (width_ == 1) return asmjit::x86::xmm(static_cast<std::uint32_t>(reg));
    return asmjit::x86::ymm(static_cast<std::uint32_t>(reg));
  }
  /// A place in the block, counted in numbers from the end of the masks.
  asmjit::x86::Mem in_block(std::size_t value) const;
  asmjit::x86::Mem mask(std::size_t position) const;
  asmjit::x86::Mem output(std::size_t index) const;
  asmjit::x86::Mem scratch(std::uint32_t slot) const { return in_block(section_.first_input() + slot); }
  /// Where a value that is not in a register is read from.
  asmjit::x86::Mem home(std::uint32_t value) const;

  bool has(std::uint32_t value) const { return register_of_[value] >= 0; }
  int of(std::uint32_t value) const { return register_of_[value]; }
  NextUse& next() { return next_; }

  /// A register that holds no value any more; those in `locked` are left alone.
  int acquire(Mask locked);
  /// The value's register, loaded if need be.
  int load(std::uint32_t value, Mask locked);
  /// The value's register, or its place in memory where loading it would not pay; `after` is its use after this one.
  asmjit::Operand source(std::uint32_t value, std::uint32_t after, Mask locked);
  void read(int reg, const asmjit::x86::Mem& from);
  void write(const asmjit::x86::Mem& to, int reg);

  /// Operands of instruction i are about to be read for the last time in it: frees what dies.
  void consume(std::uint32_t i);
  /// The result of instruction i is in this register, or in this slot.
  void define(std::uint32_t i, int reg);
  void define_in_memory(std::uint32_t i, std::uint32_t slot);
  /// Slots whose value died may be used again: only after the instruction that read them is emitted.
  void end_instruction();
  /// Every live value into memory: a call clobbers all registers.
  void save_all();

  /// Neighbouring slots for so many values, in whole vectors that do not cross lines of the cache.
  std::uint32_t allocate_vectors(std::uint32_t values);
  std::uint32_t slot_count() const { return slot_count_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  void save(std::uint32_t value, int reg);
  void forget(std::uint32_t value);
  void store_outputs(std::uint32_t value, int reg);

  const Section& section_;
  asmjit::x86::Assembler& assembler_;
  std::size_t width_;
  NextUse next_;
  std::array<std::uint32_t, count> value_in_;
  std::vector<std::int8_t> register_of_;  // by value
  std::vector<std::uint32_t> slot_of_;    // by value; leaves have their own places
  std::vector<std::uint32_t> free_slots_, dying_slots_;
  std::uint32_t slot_count_ = 0;
  struct Output {
    std::uint32_t value, index;
    auto operator<=>(const Output&) const = default;
  };
  std::vector<Output> outputs_;  // by value, so that those of results come in the order in which they are made
  std::size_t next_output_ = 0;
};

}  // namespace dalembert
