#pragma once
// One step of DOP853 at a time, over any right-hand side f(t, y, dy), of one motion or of several in lanes. No
// allocation after construction; what to do with a step (accept, project its end, interpolate in it) is the caller's.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "simulate/march/tableau.hpp"

namespace dalembert {

/// The stages of L motions at once, each with a time and a step of its own: component i of lane l at [L i + l]. Lanes
/// do not mix, and each has the operations of a motion alone in the same order: the same bits.
template <std::size_t L>
class Dop853Stages {
 public:
  using Numbers = std::array<double, L>;  ///< one a lane

  explicit Dop853Stages(std::size_t size)
      : size_(size), stride_((L * size + 3) / 4 * 4), storage_(stride_ * (dop853::dense_stages + 12), 0.0) {}

  std::size_t size() const { return size_; }
  /// The step's start and its derivative there.
  std::span<double> start() { return {row(start_row), L * size_}; }
  std::span<double> start_derivative() { return {stage(0), L * size_}; }
  /// The step's end: after `take` the method's, afterwards what the caller makes of it (projection).
  std::span<double> end() { return {row(end_row), L * size_}; }
  std::span<double> end_derivative() { return {stage(12), L * size_}; }

  /// Twelve stages from start() and start_derivative(); end() is then the solution of order 8.
  /// `amend(t, y)` may move a stage's state before it is evaluated.
  template <class F, class Amend>
  void take(F&& f, Numbers t, Numbers h, Amend&& amend) {
    t_ = t;
    h_ = h;
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
    combine_newest(dop853::b, row(end_row));
  }

 protected:
  template <std::size_t>
  friend class Dop853Stages;
  static constexpr std::size_t start_row = 0, end_row = 1, scratch_row = 2, dense_row = 4;

  double* stage(std::size_t k) { return storage_.data() + k * stride_; }
  const double* stage(std::size_t k) const { return storage_.data() + k * stride_; }
  double* row(std::size_t k) { return stage(dop853::dense_stages + k); }
  const double* row(std::size_t k) const { return stage(dop853::dense_stages + k); }

  /// What `take` of the motion in lane l has left there, the derivative at the end included.
  template <std::size_t M>
  void copy_lane(const Dop853Stages<M>& lanes, std::size_t l) {
    static_assert(L == 1);
    t_[0] = lanes.t_[l];
    h_[0] = lanes.h_[l];
    const auto copy = [&](double* to, const double* from) {
      for (std::size_t i = 0; i < size_; ++i) to[i] = from[M * i + l];
    };
    for (std::size_t k = 1; k <= 12; ++k) copy(stage(k), lanes.stage(k));
    copy(row(end_row), lanes.row(end_row));
  }

  /// out = from + h * sum of weight * stage; from nullptr counts as zero. The padding is combined too: whole vectors.
  template <std::size_t N>
  void combine(const dop853::Terms<N>& terms, double* out, const double* from, const Numbers& h) const {
    combine(terms, out, from, h, std::make_index_sequence<N>());
  }
  template <std::size_t N, std::size_t... J>
  void combine(const dop853::Terms<N>& terms, double* __restrict out, const double* from, const Numbers& h,
               std::index_sequence<J...>) const {
    const double* k[N] = {stage(terms[J].stage)...};
    const Numbers step = h;
    if (from != nullptr) {
      for (std::size_t i = 0; i < stride_; i += L)
        for (std::size_t l = 0; l < L; ++l)
          out[i + l] = from[i + l] + step[l] * ((terms[J].weight * k[J][i + l]) + ...);
    } else {
      for (std::size_t i = 0; i < stride_; i += L)
        for (std::size_t l = 0; l < L; ++l) out[i + l] = step[l] * ((terms[J].weight * k[J][i + l]) + ...);
    }
  }

  /// combine() right after the stage of the last term was evaluated.
  template <std::size_t N>
  void combine_newest(const dop853::Terms<N>& terms, double* out) const {
    if constexpr (L == 1)
      combine_pairs(terms, out, row(start_row), std::make_index_sequence<N - 1>());
    else
      combine(terms, out, row(start_row), h_);
  }
  template <std::size_t N, std::size_t... J>
  void combine_pairs(const dop853::Terms<N>& terms, double* __restrict out, const double* from,
                     std::index_sequence<J...>) const {
    const double* newest = stage(terms[N - 1].stage);
    for (std::size_t i = 0; i < stride_; i += 2) {
      Pair sum = terms[N - 1].weight * load_apart(newest + i);
      ((sum = terms[N - 2 - J].weight * load(stage(terms[N - 2 - J].stage) + i) + sum), ...);
      const Pair result = load(from + i) + h_[0] * sum;
      std::memcpy(out + i, &result, sizeof result);
    }
  }
  using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;
  static Pair load(const double* from) {
    Pair pair;
    std::memcpy(&pair, from, sizeof pair);
    return pair;
  }
  /// Of numbers that were just written one by one: a load of both together would wait until they have left the
  /// processor's store buffer, which loads of one are served from.
  static Pair load_apart(const double* from) {
    const double first = from[0];
    asm volatile("" ::: "memory");
    return Pair{first, from[1]};
  }

  template <std::size_t S, class F, class Amend, std::size_t N>
  void evaluate_stage(F& f, Amend& amend, const dop853::Terms<N>& terms) {
    double* y = row(scratch_row);
    combine_newest(terms, y);
    Numbers t;
    for (std::size_t l = 0; l < L; ++l) t[l] = t_[l] + dop853::abscissa[S] * h_[l];
    if constexpr (L == 1) {
      amend(t[0], y);
      f(t[0], static_cast<const double*>(y), stage(S));
    } else {
      amend(t, y);
      f(t, static_cast<const double*>(y), stage(S));
    }
  }

  std::size_t size_, stride_;
  std::vector<double> storage_;
  Numbers t_{}, h_{};
};

/// Four motions, and the derivatives at their ends.
class Dop853Lanes : public Dop853Stages<4> {
 public:
  using Dop853Stages::Dop853Stages;

  template <class F>
  void take(F&& f, const Numbers& t, const Numbers& h) {
    Dop853Stages::take(f, t, h, [](const Numbers&, double*) {});
    Numbers end_time;
    for (std::size_t l = 0; l < 4; ++l) end_time[l] = t[l] + h[l];
    f(end_time, static_cast<const double*>(row(end_row)), stage(12));
  }
};

/// One motion.
class Dop853 : private Dop853Stages<1> {
 public:
  using Dop853Stages::Dop853Stages;
  using Dop853Stages::end;
  using Dop853Stages::end_derivative;
  using Dop853Stages::size;
  using Dop853Stages::start;
  using Dop853Stages::start_derivative;

  double t() const { return t_[0]; }
  double h() const { return h_[0]; }

  template <class F, class Amend>
  void take(F&& f, double t, double h, Amend&& amend) {
    dense_ready_ = false;
    Dop853Stages::take(f, {t}, {h}, amend);
  }
  template <class F>
  void take(F&& f, double t, double h) {
    take(f, t, h, [](double, double*) {});
  }
  /// The step that lane l of these has taken from this start, instead of `take`; end_derivative() is there too.
  void adopt(const Dop853Lanes& lanes, std::size_t l) {
    dense_ready_ = false;
    copy_lane(static_cast<const Dop853Stages<4>&>(lanes), l);
  }

  /// The error of the last step in units of the scale (1 is just right): the blend of orders 5 and 3 of Hairer,
  /// Norsett, Wanner I, (10.17), as the mean of the components' errors weighted by themselves, so that components
  /// without one change nothing. What is within the noise of a component is no error. Not finite where a stage is not.
  /// Far from where a motion begins errors are so small that their squares are none: the blend is never below x5.
  double error(std::span<const double> scale, std::span<const double> noise) {
    double* e5 = row(scratch_row);
    double* e3 = row(scratch_row + 1);
    combine(dop853::error5, e5, nullptr, {1.0});
    combine(dop853::error3, e3, nullptr, {1.0});
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < scale.size(); ++i) {
      if (!std::isfinite(e5[i])) return std::numeric_limits<double>::infinity();
      const double x5 = std::abs(h_[0] * e5[i]) - noise[i];
      if (!(x5 > 0)) continue;
      const double x3 = std::abs(h_[0] * e3[i]), blend = std::max(std::sqrt(x5 * x5 + 0.01 * x3 * x3), x5);
      if (!std::isfinite(blend)) return std::numeric_limits<double>::infinity();
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
      const double bend = h_[0] * k0[i] - step;
      row(dense_row)[i] = step;
      row(dense_row + 1)[i] = bend;
      row(dense_row + 2)[i] = step - h_[0] * k12[i] - bend;
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
