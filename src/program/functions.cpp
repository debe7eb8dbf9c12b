#include "program/functions.hpp"

#include <sleef.h>

#include <cassert>
#include <cmath>

namespace dalembert {

double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  if (a == b) return std::signbit(a) ? a : b;  // -0 < +0
  return a < b ? a : b;
}

double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

double sign_of(double a) { return std::isnan(a) ? a : static_cast<double>((a > 0) - (a < 0)); }

namespace {

// SLEEF's deterministic functions come in two families, "finz" (with FMA) and "cinz" (without). Within a family scalar
// functions and those over vectors give the same bits.

template <auto function>
void map_unary(double* x, double*, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = function(x[i]);
}

template <auto function>
void map_binary(double* x, double* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = function(x[i], y[i]);
}

template <auto function>
void map_sincos(double* x, double* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    auto both = function(x[i]);
    x[i] = both.x;
    y[i] = both.y;
  }
}

BatchFunction portable_function(Opcode op) {
  switch (op) {
    case Opcode::sincos: return map_sincos<Sleef_cinz_sincosd1_u10purec>;
    case Opcode::tan: return map_unary<Sleef_cinz_tand1_u10purec>;
    case Opcode::asin: return map_unary<Sleef_cinz_asind1_u10purec>;
    case Opcode::acos: return map_unary<Sleef_cinz_acosd1_u10purec>;
    case Opcode::atan: return map_unary<Sleef_cinz_atand1_u10purec>;
    case Opcode::sinh: return map_unary<Sleef_cinz_sinhd1_u10purec>;
    case Opcode::cosh: return map_unary<Sleef_cinz_coshd1_u10purec>;
    case Opcode::tanh: return map_unary<Sleef_cinz_tanhd1_u10purec>;
    case Opcode::exp: return map_unary<Sleef_cinz_expd1_u10purec>;
    case Opcode::log: return map_unary<Sleef_cinz_logd1_u10purec>;
    case Opcode::atan2: return map_binary<Sleef_cinz_atan2d1_u10purec>;
    case Opcode::pow: return map_binary<Sleef_cinz_powd1_u10purec>;
    default: assert(!"not a call"); return nullptr;
  }
}

}  // namespace

bool has_vector_functions() {
#if defined(__x86_64__)
  static const bool at_hand = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return at_hand;
#else
  return false;
#endif
}

BatchFunction batch_function(Opcode op) {
#if defined(__x86_64__)
  if (has_vector_functions()) return vector_function(op);
#endif
  return portable_function(op);
}

}  // namespace dalembert
