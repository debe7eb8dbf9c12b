#pragma once
// Native x86-64 code for a section.

#include <cstdint>
#include <dalembert/program/program.hpp>

namespace dalembert {

/// At the head of the memory block that native code works in: masks of four lanes each, then constants, held values and
/// scratch. The interpreter's block has the same head, so that held values are in the same place.
struct Masks {
  static constexpr std::size_t sign_bit = 0, magnitude = 4, one = 8, count = 12;
};
void fill_masks(double* block);

/// Executable memory: written first, then made read-only and executable; never both writable and executable. Empty
/// where the system forbids that (PR_SET_MDWE, MemoryDenyWriteExecute, SELinux).
class ExecutableMemory {
 public:
  ExecutableMemory() = default;
  explicit ExecutableMemory(std::span<const std::uint8_t> code);
  ~ExecutableMemory();
  ExecutableMemory(ExecutableMemory&& other) noexcept;
  ExecutableMemory& operator=(ExecutableMemory&& other) noexcept;

  std::span<const std::uint8_t> code() const { return {static_cast<const std::uint8_t*>(memory_), size_}; }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0, mapped_ = 0;
};

struct NativeCode {
  ExecutableMemory memory;
  std::size_t scratch = 0;  ///< values of scratch after the held ones

  explicit operator bool() const { return !memory.code().empty(); }
  using Entry = void (*)(const double* inputs, double* outputs, double* block);
  Entry entry() const { return reinterpret_cast<Entry>(reinterpret_cast<std::uintptr_t>(memory.code().data())); }
};

/// The same section in an order that waits less, for code of one lane.
Section schedule(const Section& section);
/// width: 1, or 4 for lanes. Empty where native code cannot be had.
NativeCode compile_native(const Section& section, std::size_t width);

/// One line a machine instruction, and how many there are.
struct Disassembly {
  std::string text;
  std::size_t count = 0;
};
Disassembly disassemble(std::span<const std::uint8_t> code);

}  // namespace dalembert
