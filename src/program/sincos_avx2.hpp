#pragma once
// Sine and cosine of four numbers at once, for functions_avx2.cpp alone. Each lane's bits depend on that lane only.
//
// x = n pi/2 + r + tail with pi/2 in three parts. For |x| <= largest the first step is exact: n and the last bit of the
// first part make x - n part1 a multiple of 2^-53 below 1. What rounding leaves of r goes into the tail, so that r +
// tail has more than 100 bits. Polynomials in r^2 on |r| <= pi/4, near-minimax (interpolation in Chebyshev's points,
// the first coefficient of the sine held at its rounded value): they are off by less than 0.08 of the last place. The
// sum of all errors stays below 0.9 of the last place (tests/unit/program/functions_test.cpp).

#include <immintrin.h>
#include <sleef.h>

namespace dalembert {
namespace {

/// a + b z.
__m256d line(__m256d z, double a, double b) { return _mm256_fmadd_pd(z, _mm256_set1_pd(b), _mm256_set1_pd(a)); }

/// (a0 + a1 z) + z^2 ((a2 + a3 z) + z^2 (a4 + a5 z)), by Estrin's scheme: three operations that wait for each other
/// where Horner's has five, and no more in all.
__m256d polynomial(__m256d z, __m256d square, double a0, double a1, double a2, double a3, double a4, double a5) {
  return _mm256_fmadd_pd(square, _mm256_fmadd_pd(square, line(z, a4, a5), line(z, a2, a3)), line(z, a0, a1));
}

struct SineCosine {
  __m256d sine, cosine;
};

constexpr double largest = 0x1p18;

__m256d within(__m256d x) {
  return _mm256_cmp_pd(_mm256_andnot_pd(_mm256_set1_pd(-0.0), x), _mm256_set1_pd(largest), _CMP_LE_OQ);
}

bool all_within(__m256d x) { return _mm256_movemask_pd(within(x)) == 15; }

/// Numbers beyond `largest`, infinities and NaN are SLEEF's; of the others, what is there stays. Apart, so that it
/// costs the usual way no registers.
[[gnu::noinline]] void put_others(__m256d x, double* sine, double* cosine) {
  Sleef___m256d_2 others = Sleef_finz_sincosd4_u10avx2(x);
  _mm256_storeu_pd(sine, _mm256_blendv_pd(others.x, _mm256_loadu_pd(sine), within(x)));
  _mm256_storeu_pd(cosine, _mm256_blendv_pd(others.y, _mm256_loadu_pd(cosine), within(x)));
}

/// For |x| <= largest.
SineCosine sincos4(__m256d x) {
  constexpr double shift = 0x1.8p52, per_quarter = 0x1.45f306dc9c883p-1;
  constexpr double part1 = 0x1.921fb54442d18p+0, part2 = 0x1.1a62633145c07p-54, part3 = -0x1.f1976b7ed8fbcp-110;
  const __m256d half = _mm256_set1_pd(0.5), one = _mm256_set1_pd(1), sign_bit = _mm256_set1_pd(-0.0);

  // n is rounded by adding `shift`, whose last bits it then is.
  __m256d shifted = _mm256_fmadd_pd(x, _mm256_set1_pd(per_quarter), _mm256_set1_pd(shift));
  __m256d n = _mm256_sub_pd(shifted, _mm256_set1_pd(shift));
  __m256d coarse = _mm256_fnmadd_pd(n, _mm256_set1_pd(part1), x);
  __m256d fine = _mm256_mul_pd(n, _mm256_set1_pd(part2));
  __m256d r = _mm256_sub_pd(coarse, fine);
  __m256d taken = _mm256_sub_pd(coarse, r);  // Knuth's two-sum, backwards
  __m256d lost = _mm256_add_pd(_mm256_sub_pd(coarse, _mm256_add_pd(r, taken)), _mm256_sub_pd(taken, fine));
  __m256d finest = _mm256_fmsub_pd(n, _mm256_set1_pd(part2), fine);
  __m256d tail = _mm256_fnmadd_pd(n, _mm256_set1_pd(part3), _mm256_sub_pd(lost, finest));

  // sin(r + tail) = r + (r z p(z) + tail (1 - z/2)), cos(r + tail) = 1 - z/2 + (z^2 p(z) - r tail), z = r^2.
  __m256d z = _mm256_mul_pd(r, r), square = _mm256_mul_pd(z, z);
  __m256d half_z = _mm256_mul_pd(half, z);
  __m256d p = polynomial(z, square, -0x1.5555555555555p-3, 0x1.11111111104e2p-7, -0x1.a01a019d55432p-13,
                         0x1.71de367434770p-19, -0x1.ae5f202edb519p-26, 0x1.5dc6c593ab0e4p-33);
  __m256d sine = _mm256_add_pd(r, _mm256_fmadd_pd(_mm256_mul_pd(r, z), p, _mm256_fnmadd_pd(half_z, tail, tail)));
  p = polynomial(z, square, 0x1.5555555555555p-5, -0x1.6c16c16c16960p-10, 0x1.a01a019f4d0edp-16, -0x1.27e4fa15bd814p-22,
                 0x1.1eeb66b683028p-29, -0x1.907c0e63adbb6p-37);
  __m256d main = _mm256_sub_pd(one, half_z);
  __m256d rest = _mm256_sub_pd(_mm256_sub_pd(one, main), half_z);
  __m256d square_lost = _mm256_fmsub_pd(r, r, z);
  rest = _mm256_fnmadd_pd(half, square_lost, _mm256_fnmadd_pd(r, tail, rest));
  __m256d cosine = _mm256_add_pd(main, _mm256_fmadd_pd(square, p, rest));

  // Odd quarters exchange the two; signs change in quarters 2, 3 (sine) and 1, 2 (cosine).
  __m256i quarter = _mm256_castpd_si256(shifted);
  __m256d odd = _mm256_castsi256_pd(_mm256_slli_epi64(quarter, 63));
  __m256i next = _mm256_add_epi64(quarter, _mm256_set1_epi64x(1));
  __m256d sine_sign = _mm256_and_pd(_mm256_castsi256_pd(_mm256_slli_epi64(quarter, 62)), sign_bit);
  __m256d cosine_sign = _mm256_and_pd(_mm256_castsi256_pd(_mm256_slli_epi64(next, 62)), sign_bit);
  SineCosine result{_mm256_xor_pd(_mm256_blendv_pd(sine, cosine, odd), sine_sign),
                    _mm256_xor_pd(_mm256_blendv_pd(cosine, sine, odd), cosine_sign)};

  // sin(-0) is -0.
  result.sine = _mm256_blendv_pd(result.sine, x, _mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_EQ_OQ));
  return result;
}

}  // namespace
}  // namespace dalembert
