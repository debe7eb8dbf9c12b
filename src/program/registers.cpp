#if defined(__x86_64__)

#include "program/registers.hpp"

#include <utility>

#include "program/functions.hpp"
#include "program/native.hpp"

namespace dalembert {

namespace x86 = asmjit::x86;

Registers::Registers(const Section& section, x86::Assembler& assembler, std::size_t width)
    : bases(assembler),
      section_(section),
      assembler_(assembler),
      width_(width),
      next_(section),
      register_of_(section.value_count(), -1),
      slot_of_(section.value_count(), none) {
  value_in_.fill(none);
  for (std::uint32_t i = 0; i < section.results.size(); ++i) outputs_.push_back({section.results[i], i});
  std::ranges::sort(outputs_);
}

// ---------------------------------------------------------------------------------------------- places in memory

x86::Mem Registers::in_block(std::size_t value) const {
  return x86::ptr(pointers.block, static_cast<std::int32_t>((Masks::count + value * width_) * sizeof(double)),
                  static_cast<std::uint32_t>(width_ * sizeof(double)));
}

x86::Mem Registers::mask(std::size_t position) const {
  return x86::ptr(pointers.block, static_cast<std::int32_t>(position * sizeof(double)), width_ == 1 ? 16 : 32);
}

x86::Mem Registers::output(std::size_t index) const {
  return x86::ptr(pointers.outputs, static_cast<std::int32_t>(index * width_ * sizeof(double)),
                  static_cast<std::uint32_t>(width_ * sizeof(double)));
}

x86::Mem Registers::home(std::uint32_t value) const {
  if (value < section_.first_input()) return in_block(value);
  if (value < section_.first_result())
    return x86::ptr(pointers.inputs,
                    static_cast<std::int32_t>((value - section_.first_input()) * width_ * sizeof(double)),
                    static_cast<std::uint32_t>(width_ * sizeof(double)));
  assert(slot_of_[value] != none);
  return scratch(slot_of_[value]);
}

void Registers::read(int reg, const x86::Mem& from) {
  assembler_.emit(width_ == 1 ? x86::Inst::kIdVmovsd : x86::Inst::kIdVmovupd, vector(reg), bases.shorten(from));
}

void Registers::write(const x86::Mem& to, int reg) {
  assembler_.emit(width_ == 1 ? x86::Inst::kIdVmovsd : x86::Inst::kIdVmovupd, bases.shorten(to), vector(reg));
}

// ---------------------------------------------------------------------------------------------- registers

void Registers::save(std::uint32_t value, int reg) {
  if (value < section_.first_result() || slot_of_[value] != none) return;
  std::uint32_t slot;
  if (free_slots_.empty()) {
    slot = slot_count_++;
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slot_of_[value] = slot;
  write(scratch(slot), reg);
}

int Registers::acquire(Mask locked) {
  int best = -1;
  std::uint32_t farthest = 0;
  for (int reg = 0; reg < count; ++reg) {
    if (locked >> reg & 1) continue;
    std::uint32_t value = value_in_[static_cast<std::size_t>(reg)];
    if (value == none) return reg;
    if (best < 0 || next_.of(value) > farthest) {
      best = reg;
      farthest = next_.of(value);
    }
  }
  std::uint32_t value = value_in_[static_cast<std::size_t>(best)];
  save(value, best);
  value_in_[static_cast<std::size_t>(best)] = none;
  register_of_[value] = -1;
  return best;
}

int Registers::load(std::uint32_t value, Mask locked) {
  if (has(value)) return of(value);
  int reg = acquire(locked);
  read(reg, home(value));
  value_in_[static_cast<std::size_t>(reg)] = value;
  register_of_[value] = static_cast<std::int8_t>(reg);
  return reg;
}

asmjit::Operand Registers::source(std::uint32_t value, std::uint32_t after, Mask locked) {
  if (has(value)) return vector(of(value));
  bool pays = false;
  for (int reg = 0; reg < count && after != NextUse::never && !pays; ++reg) {
    std::uint32_t other = value_in_[static_cast<std::size_t>(reg)];
    pays = !(locked >> reg & 1) && (other == none || next_.of(other) > after);
  }
  if (!pays) return bases.shorten(home(value));
  return vector(load(value, locked));
}

// ---------------------------------------------------------------------------------------------- life and death

void Registers::forget(std::uint32_t value) {
  if (int reg = register_of_[value]; reg >= 0) value_in_[static_cast<std::size_t>(reg)] = none;
  register_of_[value] = -1;
  if (slot_of_[value] != none) dying_slots_.push_back(slot_of_[value]);
  slot_of_[value] = none;
}

void Registers::consume(std::uint32_t i) {
  const Instruction& instruction = section_.code[i];
  for (int k = 0; k < operand_count(instruction.op); ++k) {
    std::uint32_t value = operand(instruction, k);
    next_.advance(value, next_.after(i, k));
    if (next_.of(value) == NextUse::never) forget(value);
  }
}

void Registers::end_instruction() {
  free_slots_.insert(free_slots_.end(), dying_slots_.begin(), dying_slots_.end());
  dying_slots_.clear();
}

void Registers::store_outputs(std::uint32_t value, int reg) {
  while (next_output_ < outputs_.size() && outputs_[next_output_].value < value) ++next_output_;
  for (; next_output_ < outputs_.size() && outputs_[next_output_].value == value; ++next_output_)
    write(output(outputs_[next_output_].index), reg);
}

void Registers::define(std::uint32_t i, int reg) {
  std::uint32_t value = section_.first_result() + i;
  value_in_[static_cast<std::size_t>(reg)] = value;
  register_of_[value] = static_cast<std::int8_t>(reg);
  next_.advance(value, next_.after_result(i));
  store_outputs(value, reg);
  if (next_.of(value) == NextUse::never) forget(value);
}

void Registers::define_in_memory(std::uint32_t i, std::uint32_t slot) {
  std::uint32_t value = section_.first_result() + i;
  slot_of_[value] = slot;
  next_.advance(value, next_.after_result(i));
  while (next_output_ < outputs_.size() && outputs_[next_output_].value < value) ++next_output_;
  if (next_output_ < outputs_.size() && outputs_[next_output_].value == value) {
    int reg = acquire(0);
    read(reg, scratch(slot));
    store_outputs(value, reg);
  }
  if (next_.of(value) == NextUse::never) forget(value);
}

std::uint32_t Registers::allocate_vectors(std::uint32_t values) {
  if (width_ == 1) {
    static_assert(Masks::count % vector_width == 0);
    while ((section_.first_input() + slot_count_) % vector_width != 0) free_slots_.push_back(slot_count_++);
    values = (values + vector_width - 1) / vector_width * vector_width;
  }
  return std::exchange(slot_count_, slot_count_ + values);
}

void Registers::save_all() {
  for (int reg = 0; reg < count; ++reg) {
    std::uint32_t& value = value_in_[static_cast<std::size_t>(reg)];
    if (value == none) continue;
    save(value, reg);
    register_of_[value] = -1;
    value = none;
  }
}

}  // namespace dalembert

#endif
