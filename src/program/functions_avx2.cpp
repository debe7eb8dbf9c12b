// Compiled for AVX2 and FMA and run only on CPUs that have them: no inline function of a shared header may be used
// here, since the linker might keep this version of it for everybody.
#if defined(__x86_64__)

#include <immintrin.h>
#include <sleef.h>

#include "program/functions.hpp"
#include "program/sincos_avx2.hpp"

namespace dalembert {
namespace {

constexpr std::size_t width = 4;

/// Two or three values, read one by one: they were just written one by one, and wider reads would wait for that.
__m256d load_first(const double* x, std::size_t count) { return _mm256_set_pd(0, count > 2 ? x[2] : 0, x[1], x[0]); }

/// Two or three values, written so that they can be read at once (what a masked write wrote cannot).
void store_first(double* x, __m256d values, std::size_t count) {
  _mm_storeu_pd(x, _mm256_castpd256_pd128(values));
  if (count > 2) _mm_store_sd(x + 2, _mm256_extractf128_pd(values, 1));
}

// One value is quicker alone; two or three are quicker as a padded vector.
#define DALEMBERT_MAP_UNARY(name)                                                                 \
  void name##_map(double* x, double*, std::size_t count) {                                        \
    std::size_t i = 0;                                                                            \
    for (; i + width <= count; i += width)                                                        \
      _mm256_storeu_pd(x + i, Sleef_finz_##name##d4_u10avx2(_mm256_loadu_pd(x + i)));             \
    if (i + 1 == count) {                                                                         \
      x[i] = Sleef_finz_##name##d1_u10purecfma(x[i]);                                             \
    } else if (i < count) {                                                                       \
      store_first(x + i, Sleef_finz_##name##d4_u10avx2(load_first(x + i, count - i)), count - i); \
    }                                                                                             \
  }

#define DALEMBERT_MAP_BINARY(name)                                                                            \
  void name##_map(double* x, double* y, std::size_t count) {                                                  \
    std::size_t i = 0;                                                                                        \
    for (; i + width <= count; i += width)                                                                    \
      _mm256_storeu_pd(x + i, Sleef_finz_##name##d4_u10avx2(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i))); \
    for (; i < count; ++i) x[i] = Sleef_finz_##name##d1_u10purecfma(x[i], y[i]);                              \
  }

void sincos_map(double* x, double* y, std::size_t count) {
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    auto [sine, cosine] = sincos4(_mm256_loadu_pd(x + i));
    _mm256_storeu_pd(x + i, sine);
    _mm256_storeu_pd(y + i, cosine);
  }
  if (i + 1 == count) {
    auto [sine, cosine] = sincos4(_mm256_set_pd(0, 0, 0, x[i]));
    _mm_store_sd(x + i, _mm256_castpd256_pd128(sine));
    _mm_store_sd(y + i, _mm256_castpd256_pd128(cosine));
  } else if (i < count) {
    auto [sine, cosine] = sincos4(load_first(x + i, count - i));
    store_first(x + i, sine, count - i);
    store_first(y + i, cosine, count - i);
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
