// Compiled for AVX2 and FMA and run only on CPUs that have them: no inline function of a shared header may be used
// here, since the linker might keep this version of it for everybody.
#if defined(__x86_64__)

#include <immintrin.h>
#include <sleef.h>

#include "program/functions.hpp"
#include "program/sincos_avx2.hpp"

namespace dalembert {
namespace {

/// Reads in the pieces in which arguments are written, a single one alone and more as whole vectors: a wide read of
/// what was just written in several narrow pieces waits until all of them have left for the cache.
__m256d read(const double* x, std::size_t count) { return count == 1 ? _mm256_broadcast_sd(x) : _mm256_loadu_pd(x); }

#define DALEMBERT_MAP_UNARY(name)                                                     \
  void name##_map(double* x, double*, std::size_t count) {                            \
    for (std::size_t i = 0; i < count; i += vector_width)                             \
      _mm256_storeu_pd(x + i, Sleef_finz_##name##d4_u10avx2(read(x + i, count - i))); \
  }

#define DALEMBERT_MAP_BINARY(name)                                                                            \
  void name##_map(double* x, double* y, std::size_t count) {                                                  \
    for (std::size_t i = 0; i < count; i += vector_width)                                                     \
      _mm256_storeu_pd(x + i, Sleef_finz_##name##d4_u10avx2(read(x + i, count - i), read(y + i, count - i))); \
  }

void sincos_map(double* x, double* y, std::size_t count) {
  for (std::size_t i = 0; i < count; i += vector_width) {
    __m256d arguments = read(x + i, count - i);
    auto [sine, cosine] = sincos4(arguments);
    _mm256_storeu_pd(x + i, sine);
    _mm256_storeu_pd(y + i, cosine);
    if (!all_within(arguments)) [[unlikely]]
      put_others(arguments, x + i, y + i);
  }
}

DALEMBERT_MAP_UNARY(tan)
DALEMBERT_MAP_UNARY(asin)
DALEMBERT_MAP_UNARY(acos)
DALEMBERT_MAP_UNARY(atan)
DALEMBERT_MAP_UNARY(sinh)
DALEMBERT_MAP_UNARY(cosh)
DALEMBERT_MAP_UNARY(tanh)
DALEMBERT_MAP_UNARY(exp)
DALEMBERT_MAP_UNARY(log)
DALEMBERT_MAP_BINARY(atan2)
DALEMBERT_MAP_BINARY(pow)

}  // namespace

BatchFunction vector_function(Opcode op) {
  switch (op) {
    case Opcode::sincos: return sincos_map;
    case Opcode::tan: return tan_map;
    case Opcode::asin: return asin_map;
    case Opcode::acos: return acos_map;
    case Opcode::atan: return atan_map;
    case Opcode::sinh: return sinh_map;
    case Opcode::cosh: return cosh_map;
    case Opcode::tanh: return tanh_map;
    case Opcode::exp: return exp_map;
    case Opcode::log: return log_map;
    case Opcode::atan2: return atan2_map;
    case Opcode::pow: return pow_map;
    default: return nullptr;
  }
}

}  // namespace dalembert

#endif
