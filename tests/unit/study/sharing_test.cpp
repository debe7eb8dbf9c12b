// What is asked about a model or its equations leaves them as they are: a graph that grew would be a race between two
// threads that ask. Functions whose argument is called `own` are left out: they say that they build in it.

#include <gtest/gtest.h>

#include <dalembert/mechanics/gauss.hpp>
#include <dalembert/mechanics/groups.hpp>
#include <dalembert/mechanics/pfaff.hpp>
#include <dalembert/mechanics/projection.hpp>
#include <dalembert/mechanics/release.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/ensemble.hpp>
#include <dalembert/simulate/start.hpp>
#include <dalembert/study/action.hpp>
#include <dalembert/study/check.hpp>
#include <dalembert/study/compare.hpp>
#include <dalembert/study/equilibria.hpp>
#include <dalembert/study/frame.hpp>
#include <dalembert/study/gradient.hpp>
#include <dalembert/study/linearize.hpp>
#include <dalembert/study/reactions.hpp>
#include <dalembert/study/scene.hpp>
#include <dalembert/study/values.hpp>
#include <dalembert/study/verify.hpp>
#include <functional>

namespace dalembert {
namespace {

template <class Asked>
struct Question {
  const char* name;
  std::function<void(const Asked&)> ask;
};

/// A question that a model has no answer to is no question: how many were answered.
template <class Asked>
std::size_t ask_all(const std::vector<Question<Asked>>& questions, const Asked& asked) {
  std::size_t answered = 0;
  for (const Question<Asked>& question : questions) {
    const std::size_t before = asked.graph->size();
    try {
      question.ask(asked);
      ++answered;
    } catch (const InputError&) {
    }
    EXPECT_EQ(asked.graph->size(), before) << question.name;
  }
  return answered;
}

ModelState moved_start(const Model& model) {
  ModelState state = initial_state(model);
  for (double& q : state.q) q += 0.123456;
  return state;
}

std::vector<Question<Model>> questions_to_model() {
  return {
      {"fork", [](const Model& m) { fork(m); }},
      {"parameter_values",
       [](const Model& m) {
         parameter_values(m, {{m.parameters.at(0).name, 1.23456}});
       }},
      {"bind_symbols", [](const Model& m) { bind_symbols(m, initial_state(m), parameter_values(m)); }},
      {"with_values",
       [](const Model& m) {
         with_values(m, {{m.parameters.at(0).name, 1.23456}});
       }},
      {"with_solved_guesses", [](const Model& m) { with_solved_guesses(with_all_guesses(m), moved_start(m)); }},
      {"settle_start", [](const Model& m) { settle_start(with_all_guesses(m)); }},
      {"find_releasable", [](const Model& m) { find_releasable(m); }},
      {"derive_multipliers", [](const Model& m) { derive_multipliers(m); }},
      {"derive_reduced", [](const Model& m) { derive_reduced(m); }},
      {"derive_vakonomic", [](const Model& m) { derive_vakonomic(m); }},
      {"derive_gauss", [](const Model& m) { derive_gauss(m); }},
      {"derive_projection", [](const Model& m) { derive_projection(m); }},
      {"derive_hamel", [](const Model& m) { derive_hamel(m); }},
      {"derive_hamel_motion", [](const Model& m) { derive_hamel_motion(m); }},
      {"derive_releases", [](const Model& m) { derive_releases(m); }},
      {"derive_joints", [](const Model& m) { derive_joints(m); }},
      {"decide_integrability", [](const Model& m) { decide_integrability(m, 1e7); }},
      {"describe_frame", [](const Model& m) { describe_frame(m); }},
      {"integrate_reciprocal_frame", [](const Model& m) { integrate_reciprocal_frame(m, {.until = 0.1}); }},
      {"find_equilibria", [](const Model& m) { find_equilibria(m, {.starts = 2}); }},
      {"linearize", [](const Model& m) { linearize(m, {.frozen = true}); }},
      {"GradientSystem", [](const Model& m) { GradientSystem(m, {m.parameters.at(0).name}); }},
      {"find_surplus_reactions", [](const Model& m) { find_surplus_reactions(m, initial_state(m), {}); }},
      {"find_projected_reactions", [](const Model& m) { find_projected_reactions(m, initial_state(m), {}); }},
      {"make_scene",
       [](const Model& m) {
         const Trajectory motion = System(derive_multipliers(m)).simulate({.until = 0.01});
         make_scene(m, motion);
         scene_columns(m, motion);
       }},
      {"derive_all", [](const Model& m) { derive_all(m); }},
  };
}

State start_of(const Equations& equations) { return initial_state(equations, parameter_values(*equations.model)); }

std::vector<Question<Equations>> questions_to_equations() {
  return {
      {"fork", [](const Equations& e) { fork(e); }},
      {"find_integrals", [](const Equations& e) { find_integrals(e, Effort::prove); }},
      {"is_natural", [](const Equations& e) { is_natural(e, Effort::prove); }},
      {"solve_symbolically", [](const Equations& e) { solve_symbolically(e, 1e6); }},
      {"to_state",
       [](const Equations& e) {
         const std::vector<double> parameters = parameter_values(*e.model);
         to_state(e, to_model_state(e, start_of(e), parameters), parameters);
         bind_symbols(e, start_of(e), parameters);
       }},
      {"System", [](const Equations& e) { System(e).simulate({.until = 0.01}); }},
      {"Ensemble", [](const Equations& e) { Ensemble::applies(e) ? (void)Ensemble(System(e)) : void(); }},
      {"check_model", [](const Equations& e) { check_model(e); }},
      {"compare_models", [](const Equations& e) { compare_models(e, e); }},
      {"find_reactions", [](const Equations& e) { find_reactions(e, start_of(e)); }},
      {"find_joint_loads", [](const Equations& e) { find_joint_loads(e, start_of(e)); }},
      {"with_joint_outputs", [](const Equations& e) { with_joint_outputs(e); }},
      {"statics_remarks", [](const Equations& e) { statics_remarks(e, start_of(e)); }},
      {"evaluate_equations", [](const Equations& e) { evaluate_equations(e, start_of(e)); }},
  };
}

class Sharing : public testing::TestWithParam<const char*> {};

TEST_P(Sharing, NoQuestionToAModelGrowsItsGraph) {
  const std::vector<Question<Model>> questions = questions_to_model();
  // Not every model has a reduction, and a group and a variational problem are rarer still.
  EXPECT_GE(ask_all(questions, load_model("models:" + std::string(GetParam()))) + 4, questions.size());
}

TEST_P(Sharing, NoQuestionToEquationsGrowsTheirGraph) {
  const std::vector<Question<Equations>> questions = questions_to_equations();
  EXPECT_EQ(ask_all(questions, derive_multipliers(load_model("models:" + std::string(GetParam())))), questions.size());
}

INSTANTIATE_TEST_SUITE_P(Models, Sharing, testing::Values("paulus1_released", "skate", "pendulum_with_rod"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace dalembert
