#pragma once
// A compiled system and one thread's use of it, for tests of its parts alone.

#include <gtest/gtest.h>

#include "simulate/system/evaluator.hpp"
#include "unit/simulate/models.hpp"

namespace dalembert::testing {

/// At the start.
struct Bench {
  explicit Bench(const Model& model)
      : system(std::make_shared<const CompiledSystem>(derive_multipliers(model))), evaluator(system), at(*system) {
    evaluator.set_parameters(NamedNumbers{});
    state = evaluator.initial_state({});
    y = evaluator.to_vector(state);
    EXPECT_TRUE(evaluator.evaluate(0, y.data(), at));
  }
  std::shared_ptr<const CompiledSystem> system;
  SystemEvaluator evaluator;
  Evaluation at;
  State state;
  std::vector<double> y;
};

}  // namespace dalembert::testing
