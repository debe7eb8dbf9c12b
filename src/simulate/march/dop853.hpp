#pragma once
// One step of DOP853 at a time, over any right-hand side f(t, y, dy). No allocation after construction; what to do with
// a step (accept, project its end, interpolate in it) is the caller's.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "simulate/march/tableau.hpp"

namespace dalembert {

class Dop853 {
 public:
  explicit Dop853(std::size_t size)
      : size_(size), stride_((size + 3) / 4 * 4), storage_(stride_ * (dop853::dense_stages + 12), 0.0) {}

  std::size_t size() const { return size_; }
  double t() const { return t_; }
  double h() const { return h_; }
  /// The step's start and its derivative there.
  std::span<double> start() { return {row(start_row), size_}; }
  std::span<double> start_derivative() { return {stage(0), size_}; }
  /// The step's end: after `take` the method's, afterwards what the caller makes of it (projection).
  std::span<double> end() { return {row(end_row), size_}; }
  std::span<double> end_derivative() { return {stage(12), size_}; }

  /// Twelve stages from start() and start_derivative(); end() is then the solution of order 8.
  /// `amend(t, y)` may move a stage's state before it is evaluated.
  template <class F, class Amend>
  void take(F&& f, double t, double h, Amend&& amend) {
    t_ = t;
    h_ = h;
    dense_ready_ = false;
    evaluate_stage<1>(f, amend, dop853::a1);
    evaluate_stage<2>(f, amend, dop853::a2);
    evaluate_stage<3>(f, amend, dop853::a3);
    evaluate_stage<4>(f, amend, dop853::a4);
    evaluate_stage<5>(f, amend, dop853::a5);
    evaluate_stage<6>(f, amend, dop853::a6);
    evaluate_stage<7>(f, amend, dop853::a7);
    evaluate_stage<8>(f, amend, dop853::a8);
    evaluate_stage<9>(f, amend, dop853::a9);
    evaluate_stage<10>(f, amend, dop853::a10);
    evaluate_stage<11>(f, amend, dop853::a11);
    combine(dop853::b, row(end_row), row(start_row), h_);
  }
  template <class F>
  void take(F&& f, double t, double h) {
    take(f, t, h, [](double, double*) {});
  }

  /// The error of the last step in units of the scale (1 is just right): the blend of orders 5 and 3 of Hairer,
  /// Norsett, Wanner I, (10.17), as the mean of the components' errors weighted by themselves, so that components
  /// without one change nothing. What is within the noise of a component is no error. Not finite where a stage is not.
  double error(std::span<const double> scale, std::span<const double> noise) {
    double* e5 = row(scratch_row);
    double* e3 = row(scratch_row + 1);
    combine(dop853::error5, e5, nullptr, 1.0);
    combine(dop853::error3, e3, nullptr, 1.0);
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < scale.size(); ++i) {
      if (!std::isfinite(e5[i])) return std::numeric_limits<double>::infinity();
      const double x5 = std::abs(h_ * e5[i]) - noise[i];
      if (!(x5 > 0)) continue;
      const double x3 = std::abs(h_ * e3[i]), blend = std::sqrt(x5 * x5 + 0.01 * x3 * x3);
      const double x = x5 * (x5 / blend) / (scale[i] + noise[i]);
      sum += x;
      square += x * x;
    }
    return sum > 0 ? square / sum : 0;
  }

  /// Adopts the end (and its derivative, which the caller has evaluated) as the next step's start.
  void advance() {
    std::copy_n(row(end_row), size_, row(start_row));
    std::copy_n(stage(12), size_, stage(0));
  }

  /// Three more stages: interpolate() is then of order 7 from start() to end(), and C1 across steps. Wants
  /// end_derivative().
  template <class F>
  void prepare_dense(F&& f) {
    if (dense_ready_) return;
    const auto none = [](double, double*) {};
    evaluate_stage<13>(f, none, dop853::a13);
    evaluate_stage<14>(f, none, dop853::a14);
    evaluate_stage<15>(f, none, dop853::a15);
    const double *y0 = row(start_row), *y1 = row(end_row), *k0 = stage(0), *k12 = stage(12);
    for (std::size_t i = 0; i < size_; ++i) {
      const double step = y1[i] - y0[i];
      const double bend = h_ * k0[i] - step;
      row(dense_row)[i] = step;
      row(dense_row + 1)[i] = bend;
      row(dense_row + 2)[i] = step - h_ * k12[i] - bend;
    }
    combine(dop853::d4, row(dense_row + 3), nullptr, h_);
    combine(dop853::d5, row(dense_row + 4), nullptr, h_);
    combine(dop853::d6, row(dense_row + 5), nullptr, h_);
    combine(dop853::d7, row(dense_row + 6), nullptr, h_);
    dense_ready_ = true;
  }

  /// The state at t() + x h(), 0 <= x <= 1.
  void interpolate(double x, std::span<double> y) const {
    const double z = 1 - x;
    const double* y0 = row(start_row);
    const double* c[7];
    for (std::size_t k = 0; k < 7; ++k) c[k] = row(dense_row + k);
    for (std::size_t i = 0; i < size_; ++i) {
      y[i] = y0[i] + x * (c[0][i] +
                          z * (c[1][i] + x * (c[2][i] + z * (c[3][i] + x * (c[4][i] + z * (c[5][i] + x * c[6][i]))))));
    }
  }

 private:
  static constexpr std::size_t start_row = 0, end_row = 1, scratch_row = 2, dense_row = 4;

  double* stage(std::size_t k) { return storage_.data() + k * stride_; }
  const double* stage(std::size_t k) const { return storage_.data() + k * stride_; }
  double* row(std::size_t k) { return stage(dop853::dense_stages + k); }
  const double* row(std::size_t k) const { return stage(dop853::dense_stages + k); }

  /// out = from + h * sum of weight * stage; from nullptr counts as zero. The padding is combined too: whole vectors.
  template <std::size_t N>
  void combine(const dop853::Terms<N>& terms, double* out, const double* from, double h) const {
    combine(terms, out, from, h, std::make_index_sequence<N>());
  }
  template <std::size_t N, std::size_t... J>
  void combine(const dop853::Terms<N>& terms, double* __restrict out, const double* from, double h,
               std::index_sequence<J...>) const {
    const double* k[N] = {stage(terms[J].stage)...};
    if (from != nullptr) {
      for (std::size_t i = 0; i < stride_; ++i) out[i] = from[i] + h * ((terms[J].weight * k[J][i]) + ...);
    } else {
      for (std::size_t i = 0; i < stride_; ++i) out[i] = h * ((terms[J].weight * k[J][i]) + ...);
    }
  }

  template <std::size_t S, class F, class Amend, std::size_t N>
  void evaluate_stage(F& f, Amend& amend, const dop853::Terms<N>& terms) {
    double* y = row(scratch_row);
    combine(terms, y, row(start_row), h_);
    const double t = t_ + dop853::abscissa[S] * h_;
    amend(t, y);
    f(t, static_cast<const double*>(y), stage(S));
  }

  std::size_t size_, stride_;
  std::vector<double> storage_;
  double t_ = 0, h_ = 0;
  bool dense_ready_ = false;
};

/// The next step from the last one's error, as in DOP853 without stabilisation.
inline double next_step_factor(double error, double largest) {
  constexpr double safety = 0.9, smallest = 1.0 / 3;
  if (!std::isfinite(error)) return 0.25;
  if (error <= 0) return largest;
  return std::clamp(safety * std::pow(error, -1.0 / 8), smallest, largest);
}

}  // namespace dalembert
