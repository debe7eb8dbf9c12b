#pragma once
// Addresses with displacements of one byte. Each saves three bytes of code, and it is code that programs of thousands
// of instructions wait for: what is larger than the processor's store of decoded instructions is decoded anew each
// time.

#include <asmjit/x86.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <span>

namespace dalembert {

/// Points spare registers into the windows of memory that code works in just now: windows of 256 bytes about multiples
/// of that from a pointer. The pointers themselves serve the first.
class Bases {
 public:
  explicit Bases(asmjit::x86::Assembler& assembler) : assembler_(assembler) {}

  /// The registers that are spare, at least three; what they hold is lost, as after a call.
  void start(std::span<const asmjit::x86::Gp> spare) {
    assert(spare.size() >= 3 && spare.size() <= bases_.size());
    count_ = spare.size();
    std::ranges::transform(spare, bases_.begin(), [](asmjit::x86::Gp reg) { return Base{reg, {}}; });
  }

  /// The same place by the shortest address, to be used before more than two others are asked for.
  asmjit::x86::Mem shorten(const asmjit::x86::Mem& place) {
    const Window window{place.baseId(), (place.offsetLo32() + reach) / (2 * reach)};
    const auto end = bases_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (window.number == 0 || count_ == 0) return place;
    auto base = std::find_if(bases_.begin(), end, [&](const Base& each) { return each.window == window; });
    if (base == end) {
      if (!is_missed_again(window)) return place;
      (--base)->window = window;
      assembler_.lea(base->reg, asmjit::x86::ptr(asmjit::x86::gpq(window.pointer), window.number * 2 * reach));
    }
    std::rotate(bases_.begin(), base, base + 1);
    return asmjit::x86::ptr(bases_[0].reg, place.offsetLo32() - window.number * 2 * reach, place.size());
  }

 private:
  static constexpr std::int32_t reach = 128;
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Window {
    std::uint32_t pointer = none;
    std::int32_t number = 0;
    friend bool operator==(const Window&, const Window&) = default;
  };
  struct Base {
    asmjit::x86::Gp reg;
    Window window;
  };

  /// A window is worth the instruction that points into it once it was missed twice within a few places.
  bool is_missed_again(const Window& window) {
    if (std::ranges::find(missed_, window) != missed_.end()) return true;
    missed_[next_missed_] = window;
    next_missed_ = (next_missed_ + 1) % missed_.size();
    return false;
  }

  asmjit::x86::Assembler& assembler_;
  std::array<Base, 9> bases_;  // the one used last is first
  std::size_t count_ = 0, next_missed_ = 0;
  std::array<Window, 8> missed_;
};

}  // namespace dalembert
