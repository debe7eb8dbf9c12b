#include "program/interpret.hpp"

#include <algorithm>
#include <cmath>

#include "program/functions.hpp"

namespace dalembert {
namespace {

template <std::size_t width, class Operation>
inline void each_lane(double* result, Operation&& operation) {
  for (std::size_t lane = 0; lane < width; ++lane) result[lane] = operation(lane);
}

template <std::size_t width>
void call(Opcode op, double* result, const double* a, const double* b) {
  double first[vector_width], second[vector_width];  // functions write whole vectors
  std::copy_n(a, width, first);
  if (operand_count(op) == 2) std::copy_n(b, width, second);
  batch_function(op)(first, second, width);
  std::copy_n(first, width, result);
  if (op == Opcode::sincos) std::copy_n(second, width, result + width);
}

}  // namespace

template <std::size_t width>
void interpret(const Section& section, double* values) {
  double* r = values + section.first_result() * width;
  for (const Instruction& instruction : section.code) {
    const double* a = values + instruction.a * width;
    const double* b = values + instruction.b * width;
    const double* c = values + instruction.c * width;
    switch (instruction.op) {
      case Opcode::add: each_lane<width>(r, [&](auto i) { return a[i] + b[i]; }); break;
      case Opcode::sub: each_lane<width>(r, [&](auto i) { return a[i] - b[i]; }); break;
      case Opcode::mul: each_lane<width>(r, [&](auto i) { return a[i] * b[i]; }); break;
      case Opcode::div: each_lane<width>(r, [&](auto i) { return a[i] / b[i]; }); break;
      case Opcode::fma: each_lane<width>(r, [&](auto i) { return std::fma(a[i], b[i], c[i]); }); break;
      case Opcode::fms: each_lane<width>(r, [&](auto i) { return std::fma(a[i], b[i], -c[i]); }); break;
      case Opcode::fnma: each_lane<width>(r, [&](auto i) { return std::fma(-a[i], b[i], c[i]); }); break;
      case Opcode::fnms: each_lane<width>(r, [&](auto i) { return std::fma(-a[i], b[i], -c[i]); }); break;
      case Opcode::sqrt: each_lane<width>(r, [&](auto i) { return std::sqrt(a[i]); }); break;
      case Opcode::neg: each_lane<width>(r, [&](auto i) { return -a[i]; }); break;
      case Opcode::abs: each_lane<width>(r, [&](auto i) { return std::fabs(a[i]); }); break;
      case Opcode::sign: each_lane<width>(r, [&](auto i) { return sign_of(a[i]); }); break;
      case Opcode::min: each_lane<width>(r, [&](auto i) { return minimum(a[i], b[i]); }); break;
      case Opcode::max: each_lane<width>(r, [&](auto i) { return maximum(a[i], b[i]); }); break;
      case Opcode::second: break;  // written by the sincos before it
      default: call<width>(instruction.op, r, a, b); break;
    }
    r += width;
  }
}

template void interpret<1>(const Section&, double*);
template void interpret<4>(const Section&, double*);

void fill_constants(const Section& section, double* values, std::size_t width) {
  for (double constant : section.constants) {
    std::fill_n(values, width, constant);
    values += width;
  }
}

}  // namespace dalembert
