#include "program/enclose.hpp"

#include <algorithm>
#include <cmath>

#include "program/interpret.hpp"

namespace dalembert {
namespace {

/// One over the square root of 1 - x^2, the derivative of asin.
Bounds arc_slope(Bounds x) { return Bounds::point(1) / sqrt(Bounds::point(1) - square(x)); }

/// The range of min, given what of a reaches below b.
Enclosure lesser(const Enclosure& a, const Enclosure& b, Bounds (*pick)(Bounds, Bounds), bool smaller) {
  const bool first = smaller ? a.range.high < b.range.low : a.range.low > b.range.high;
  const bool second = smaller ? b.range.high < a.range.low : b.range.low > a.range.high;
  if (first) return a;
  if (second) return b;
  return {pick(a.middle, b.middle), pick(a.range, b.range), hull(a.slope, b.slope)};
}

Enclosure sum(const Enclosure& a, const Enclosure& b) {
  return {a.middle + b.middle, a.range + b.range, a.slope + b.slope};
}

Enclosure negative(const Enclosure& a) { return {-a.middle, -a.range, -a.slope}; }

Enclosure product(const Enclosure& a, const Enclosure& b) {
  if (&a == &b) return {square(a.middle), square(a.range), Bounds::point(2) * a.range * a.slope};
  return {a.middle * b.middle, a.range * b.range, a.slope * b.range + a.range * b.slope};
}

Enclosure quotient(const Enclosure& a, const Enclosure& b) {
  const Bounds range = a.range / b.range;
  return {a.middle / b.middle, range, (a.slope - range * b.slope) / b.range};
}

/// f of a, whose derivative is `slope` over a's range.
Enclosure of(Bounds (*f)(Bounds), const Enclosure& a, Bounds slope) {
  return {f(a.middle), f(a.range), slope * a.slope};
}

Enclosure magnitude(const Enclosure& a) {
  if (a.range.low >= 0) return a;
  if (a.range.high <= 0) return negative(a);
  return {abs(a.middle), abs(a.range), hull(a.slope, -a.slope)};
}

/// A sign jumps where its argument vanishes, and has no derivative there.
Enclosure sign_of(const Enclosure& a) {
  const bool jumps = a.range.contains(0);
  return {sign(a.middle), sign(a.range), jumps ? Bounds::whole() : Bounds::point(0)};
}

Enclosure angle(const Enclosure& y, const Enclosure& x) {
  const Bounds range = atan2(y.range, x.range);
  const bool on_the_cut = !(x.range.low > 0 || y.range.low > 0 || y.range.high < 0);
  const Bounds slope = (x.range * y.slope - y.range * x.slope) / (square(x.range) + square(y.range));
  return {atan2(y.middle, x.middle), range, on_the_cut ? Bounds::whole() : slope};
}

Enclosure power(const Enclosure& a, const Enclosure& b) {
  const Bounds range = pow(a.range, b.range);
  Bounds slope = b.range * pow(a.range, b.range - Bounds::point(1)) * a.slope;
  const bool constant = b.slope.low == 0 && b.slope.high == 0;
  if (constant && b.range.low == b.range.high) slope = b.range * pow(a.range, Bounds::point(b.range.low - 1)) * a.slope;
  if (!constant) slope = slope + range * log(a.range) * b.slope;
  if (!constant && !(a.range.low > 0)) slope = Bounds::whole();
  return {pow(a.middle, b.middle), range, slope};
}

Enclosure call(Opcode op, const Enclosure& a, const Enclosure& b) {
  const Bounds one = Bounds::point(1);
  switch (op) {
    case Opcode::sqrt: return of(sqrt, a, one / (Bounds::point(2) * sqrt(a.range)));
    case Opcode::tan: return of(tan, a, one + square(tan(a.range)));
    case Opcode::asin: return of(asin, a, arc_slope(a.range));
    case Opcode::acos: return of(acos, a, -arc_slope(a.range));
    case Opcode::atan: return of(atan, a, one / (one + square(a.range)));
    case Opcode::sinh: return of(sinh, a, cosh(a.range));
    case Opcode::cosh: return of(cosh, a, sinh(a.range));
    case Opcode::tanh: return of(tanh, a, one - square(tanh(a.range)));
    case Opcode::exp: return of(exp, a, exp(a.range));
    case Opcode::log: return of(log, a, one / a.range);
    case Opcode::atan2: return angle(a, b);
    default: return power(a, b);
  }
}

}  // namespace

Enclosing::Enclosing(Function function) : function_(std::move(function)) {
  values_.resize(body().value_count());
  prologue_.resize(function_.program().prologue.value_count());
  reads_.assign(body().input_count, false);
  const auto note = [this](std::uint32_t value) {
    const std::uint32_t input = value - body().first_input();
    if (input < body().input_count) reads_[input] = true;
  };
  for (const Instruction& instruction : body().code) {
    const int count = operand_count(instruction.op);
    if (count > 0) note(instruction.a);
    if (count > 1) note(instruction.b);
    if (count > 2) note(instruction.c);
  }
  for (std::uint32_t result : body().results) note(result);
}

void Enclosing::set_parameters(std::span<const double> parameters) {
  const Section& before = function_.program().prologue;
  fill_constants(before, prologue_.data(), 1);
  std::copy_n(parameters.begin(), before.input_count, prologue_.begin() + before.first_input());
  interpret<1>(before, prologue_.data());
  std::uint32_t next = 0;
  const auto put = [this, &next](double x) {
    const Bounds value = Bounds::point(std::isnan(x) ? 0 : x);
    values_[next++] = {value, std::isnan(x) ? Bounds::whole() : value, Bounds::point(0)};
  };
  for (double constant : body().constants) put(constant);
  for (std::uint32_t i = 0; i < before.input_count; ++i) put(parameters[i]);
  for (std::uint32_t result : before.results) put(prologue_[result]);
}

void Enclosing::run(double radius) {
  const Bounds way{-radius, radius};
  Enclosure* result = values_.data() + body().first_result();
  for (const Instruction& instruction : body().code) {
    const Enclosure& a = values_[instruction.a];
    const Enclosure& b = values_[instruction.b];
    const Enclosure& c = values_[instruction.c];
    switch (instruction.op) {
      case Opcode::add: *result = sum(a, b); break;
      case Opcode::sub: *result = sum(a, negative(b)); break;
      case Opcode::mul: *result = product(a, b); break;
      case Opcode::div: *result = quotient(a, b); break;
      case Opcode::fma: *result = sum(product(a, b), c); break;
      case Opcode::fms: *result = sum(product(a, b), negative(c)); break;
      case Opcode::fnma: *result = sum(negative(product(a, b)), c); break;
      case Opcode::fnms: *result = negative(sum(product(a, b), c)); break;
      case Opcode::neg: *result = negative(a); break;
      case Opcode::abs: *result = magnitude(a); break;
      case Opcode::sign: *result = sign_of(a); break;
      case Opcode::min: *result = lesser(a, b, min, true); break;
      case Opcode::max: *result = lesser(a, b, max, false); break;
      case Opcode::sincos:
        *result = of(sin, a, cos(a.range));
        *(result + 1) = of(cos, a, -sin(a.range));
        break;
      case Opcode::second: break;  // made by the sincos before it; sharpened below
      default: *result = call(instruction.op, a, b); break;
    }
    result->range = intersect(result->range, result->middle + result->slope * way);
    ++result;
  }
}

}  // namespace dalembert
