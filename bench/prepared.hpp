#pragma once
// Accelerations at one state, as a step of a motion asks for them; and medians of what was timed in turn.

#include <cmath>
#include <dalembert/model/description.hpp>
#include <memory>

#include "measure.hpp"
#include "simulate/system/derivative.hpp"
#include "simulate/system/rank.hpp"

namespace dalembert::bench {

/// A model compiled, with the rows that act at its start.
struct Prepared {
  explicit Prepared(const Model& model) : Prepared(derive_multipliers(model)) {}
  explicit Prepared(const Equations& equations)
      : system(std::make_shared<const CompiledSystem>(equations)), evaluator(system) {
    evaluator.set_parameters(NamedNumbers{});
    y = evaluator.to_vector(evaluator.initial_state({}));
    dy = y;
    Evaluation at(*system);
    evaluator.evaluate(0, y.data(), at);
    derivative = std::make_unique<Derivative>(evaluator, select_rows(evaluator, 0, y.data(), at));
  }
  void ask() { (*derivative)(0, y.data(), dy.data()); }
  std::vector<double> accelerations() const {
    const auto begin = dy.begin() + static_cast<std::ptrdiff_t>(system->q_count());
    return {begin, begin + static_cast<std::ptrdiff_t>(system->u_count())};
  }

  std::shared_ptr<const CompiledSystem> system;
  SystemEvaluator evaluator;
  std::vector<double> y, dy;
  std::unique_ptr<Derivative> derivative;
};

/// Angle and rate of hinge k of a chain, from 1 on.
inline double chain_angle(int k) { return 0.7 * std::sin(1.3 * k); }
inline double chain_rate(int k) { return std::cos(0.9 * k); }

/// Uniform rods of length and mass 1 in the plane x, y, each hinged to the end of the one before.
inline Model make_chain(int links) {
  Description d("chain");
  d.gravity = {0, "-9.81", 0};
  for (int k = 1; k <= links; ++k) {
    const std::string name = fmt::format("link{}", k), q = fmt::format("q{}", k);
    d.coordinate(q, {.value = chain_angle(k), .rate = chain_rate(k)});
    FrameText frame{.rotate = {{"z", q}}};
    if (k > 1) frame.parent = fmt::format("link{}", k - 1);
    if (k > 1) frame.origin = {0, -1, 0};
    d.frame(name, frame);
    d.body(name, {.frame = name, .centre = {0, "-1/2", 0}, .mass = 1, .inertia = {"1/12", "1/12", "1/12"}});
  }
  return make_model(d);
}

inline double largest_difference(const std::vector<double>& ours, const std::vector<double>& theirs) {
  if (ours.size() != theirs.size()) return NAN;
  double most = 0, size = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) {
    most = std::max(most, std::abs(ours[k] - theirs[k]));
    size = std::max(size, std::abs(theirs[k]));
  }
  return most / size;
}

/// Processor seconds a call of each, taken in turn: medians of so many rounds of some milliseconds.
inline std::vector<double> measure_in_turn(const std::vector<std::function<void()>>& all, int rounds = 9) {
  const auto repeat = [](const std::function<void()>& ask, long calls) {
    return seconds_once([&] {
      for (long k = 0; k < calls; ++k) ask();
    });
  };
  std::vector<long> calls;
  for (const auto& ask : all) {
    long count = 1;
    while (repeat(ask, count) < 3e-3) count *= 2;
    calls.push_back(count);
  }
  std::vector<std::vector<double>> times(all.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < all.size(); ++k)
      times[k].push_back(repeat(all[k], calls[k]) / static_cast<double>(calls[k]));
  std::vector<double> medians;
  for (std::vector<double>& each : times) {
    std::ranges::nth_element(each, each.begin() + rounds / 2);
    medians.push_back(each[static_cast<std::size_t>(rounds / 2)]);
  }
  return medians;
}

}  // namespace dalembert::bench
