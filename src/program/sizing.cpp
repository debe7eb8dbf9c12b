#include "program/sizing.hpp"

#include <algorithm>
#include <cmath>

#include "program/functions.hpp"

namespace dalembert {

Sizing::Sized Sizing::number(double value) { return {value, std::fabs(value)}; }

Sizing::Sized Sizing::sum(const Sized& a, const Sized& b) { return {a.value + b.value, a.size + b.size}; }

/// Errors of factors add up, relative to each. Those of a square are of one factor, which `majorant` counts once.
Sizing::Sized Sizing::product(const Sized& a, const Sized& b) {
  const double first = std::fabs(a.value), second = std::fabs(b.value);
  return {a.value * b.value, &a == &b ? first * a.size : a.size * second + first * (b.size - second)};
}

Sizing::Sized Sizing::quotient(const Sized& a, const Sized& b) {
  const double value = a.value / b.value, divisor = std::fabs(b.value);
  return {value, a.size / divisor + std::fabs(value) * (b.size / divisor - 1)};
}

/// By the argument that is taken; those that tie share.
Sizing::Sized Sizing::extremum(const Sized& a, const Sized& b, double value) {
  const double size = a.value == b.value ? (a.size + b.size) / 2 : value == a.value ? a.size : b.size;
  return {value, std::fabs(value) + size};
}

/// |f| + |f'| times the size of the argument.
Sizing::Sized Sizing::of_function(Opcode op, const Sized& a, const Sized& b, double value) {
  const double x = a.value, y = b.value;
  const auto with = [&](double slope) { return Sized{value, std::fabs(value) + std::fabs(slope) * a.size}; };
  switch (op) {
    case Opcode::tan: return with(1 + value * value);
    case Opcode::asin:
    case Opcode::acos: return with(1 / std::sqrt(1 - x * x));
    case Opcode::atan: return with(1 / (1 + x * x));
    case Opcode::sinh: return with(std::cosh(x));
    case Opcode::cosh: return with(std::sinh(x));
    case Opcode::tanh: return with(1 - value * value);
    case Opcode::exp: return with(value);
    case Opcode::log: return with(1 / x);
    case Opcode::atan2:
      return {value, std::fabs(value) + (std::fabs(y) * a.size + std::fabs(x) * b.size) / (x * x + y * y)};
    default:  // pow
      return {value,
              std::fabs(value) + std::fabs(y * std::pow(x, y - 1)) * a.size + std::fabs(std::log(x) * value) * b.size};
  }
}

void Sizing::call(Opcode op, const Sized& a, const Sized& b, Sized* result) {
  double first[vector_width] = {a.value}, second[vector_width] = {b.value};  // functions write whole vectors
  batch_function(op)(first, second, 1);
  if (op != Opcode::sincos) {
    *result = of_function(op, a, b, first[0]);
    return;
  }
  const double sine = std::fabs(first[0]), cosine = std::fabs(second[0]);
  result[0] = {first[0], sine + cosine * a.size};
  result[1] = {second[0], cosine + sine * a.size};
}

void Sizing::run(const Section& section, Sized* values) {
  Sized* result = values + section.first_result();
  for (const Instruction& instruction : section.code) {
    const Sized& a = values[instruction.a];
    const Sized& b = values[instruction.b];
    const Sized& c = values[instruction.c];
    switch (instruction.op) {
      case Opcode::add: *result = sum(a, b); break;
      case Opcode::sub: *result = sum(a, negative(b)); break;
      case Opcode::mul: *result = product(a, b); break;
      case Opcode::div: *result = quotient(a, b); break;
      case Opcode::fma: *result = sum(product(a, b), c); break;
      case Opcode::fms: *result = sum(product(a, b), negative(c)); break;
      case Opcode::fnma: *result = sum(negative(product(a, b)), c); break;
      case Opcode::fnms: *result = negative(sum(product(a, b), c)); break;
      case Opcode::sqrt: *result = {std::sqrt(a.value), std::sqrt(a.size)}; break;  // its slope has no bound
      case Opcode::neg: *result = negative(a); break;
      case Opcode::abs: *result = {std::fabs(a.value), std::fabs(a.value) + (a.value != 0 ? a.size : 0)}; break;
      case Opcode::sign: *result = number(sign_of(a.value)); break;
      case Opcode::min: *result = extremum(a, b, minimum(a.value, b.value)); break;
      case Opcode::max: *result = extremum(a, b, maximum(a.value, b.value)); break;
      case Opcode::second: break;  // written by the sincos before it
      default: call(instruction.op, a, b, result); break;
    }
    ++result;
  }
}

Sizing::Sizing(Function function)
    : function_(std::move(function)), prologue_(program().prologue.value_count()), body_(program().body.value_count()) {
  std::ranges::transform(program().prologue.constants, prologue_.begin(), number);
  std::ranges::transform(program().body.constants, body_.begin(), number);
}

void Sizing::set_parameters(std::span<const double> parameters) {
  const Section& before = program().prologue;
  auto held = body_.begin() + program().body.first_held();
  for (std::uint32_t i = 0; i < before.input_count; ++i)
    *held++ = prologue_[before.first_input() + i] = number(parameters[i]);
  run(before, prologue_.data());
  for (std::uint32_t result : before.results) *held++ = prologue_[result];
}

void Sizing::operator()(const double* inputs, double* sizes) {
  const Section& body = program().body;
  for (std::uint32_t i = 0; i < body.input_count; ++i) body_[body.first_input() + i] = number(inputs[i]);
  run(body, body_.data());
  for (std::uint32_t result : body.results) *sizes++ = body_[result].size;
}

}  // namespace dalembert
