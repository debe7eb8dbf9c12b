#include "program/draft.hpp"

namespace dalembert {
namespace {

std::vector<std::uint32_t> count_uses(const Draft& draft, const std::vector<bool>& needed) {
  std::vector<std::uint32_t> uses(draft.size(), 0);
  for (Value value = 0; value < draft.size(); ++value)
    if (needed[value])
      for (int k = 0; k < operands_of(draft[value].op); ++k) ++uses[operand(draft[value], k)];
  for (Value output : draft.outputs) ++uses[output];
  return uses;
}

}  // namespace

std::vector<bool> find_needed(const Draft& draft) {
  std::vector<bool> needed(draft.size(), false);
  for (Value output : draft.outputs) needed[output] = true;
  for (Value value = static_cast<Value>(draft.size()); value-- > 0;) {
    if (!needed[value]) continue;
    if (draft[value].op == Opcode::second) needed[value - 1] = true;
    if (draft[value].op == Opcode::sincos) needed[value + 1] = true;
    for (int k = 0; k < operands_of(draft[value].op); ++k) needed[operand(draft[value], k)] = true;
  }
  return needed;
}

/// A product that only one sum reads is taken into it, of two the later one. Work that leaves for the prologue is not
/// drawn back by this: a product of parameters stays apart from a sum that varies.
void fuse_multiply_add(Draft& draft) {
  std::vector<std::uint32_t> uses = count_uses(draft, find_needed(draft));
  for (Value value = 0; value < draft.size(); ++value) {
    Instruction sum = draft[value];
    if (sum.op != Opcode::add && sum.op != Opcode::sub) continue;
    auto is_fusible = [&](Value factor) {
      return draft[factor].op == Opcode::mul && uses[factor] == 1 && draft.varies(factor) == draft.varies(value);
    };
    bool minus = sum.op == Opcode::sub;
    const bool a_is_later = is_fusible(sum.a) && draft.ready(sum.a) > draft.ready(sum.b);
    if (is_fusible(sum.b) && !a_is_later) {
      draft.replace(value, {minus ? Opcode::fnma : Opcode::fma, draft[sum.b].a, draft[sum.b].b, sum.a});
    } else if (is_fusible(sum.a)) {
      draft.replace(value, {minus ? Opcode::fms : Opcode::fma, draft[sum.a].a, draft[sum.a].b, sum.b});
    }
  }
}

}  // namespace dalembert
