#pragma once
// How long processors take, about: for the order of what is computed, and for counting what it costs.

#include <dalembert/program/program.hpp>

namespace dalembert {

inline constexpr std::uint32_t latency_of_product = 4;

/// Cycles from operands to result.
constexpr std::uint32_t latency_of(Opcode op) {
  switch (op) {
    case Opcode::add:
    case Opcode::sub: return 3;
    case Opcode::div: return 13;
    case Opcode::sqrt: return 20;
    case Opcode::neg:
    case Opcode::abs: return 1;
    case Opcode::second: return 0;  // there with the sine
    default: return is_call(op) ? 60 : latency_of_product;
  }
}

}  // namespace dalembert
