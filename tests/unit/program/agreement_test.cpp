#include "unit/program/agreement.hpp"

#include <gtest/gtest.h>

using namespace dalembert;
using namespace dalembert::testing;

namespace {

TEST(Agreement, InterpreterNativeScalarAndLanesGiveTheSameBitsOnRandomGraphs) {
  std::mt19937_64 random(20240611);
  std::size_t values = 0, finite = 0;
  for (int round = 0; round < 1500; ++round) {
    RandomGraph graph;
    std::size_t size = round % 100 == 99 ? 5000 : 1 + random() % 200;
    make_random_graph(graph, random, size);
    Program program = make_program(graph.inputs, graph.parameters, graph.outputs);
    values += program.output_count() * 4;
    ASSERT_EQ(count_disagreements(program, random, &finite), 0u) << "round " << round << "\n" << write_listing(program);
  }
  EXPECT_GT(finite, values / 5) << "too few of the compared values are numbers to mean anything";
}

/// Arguments come from memory (inputs) and from registers (sums), in every mixture of places within a vector.
TEST(Agreement, HoldsForCallsTogetherOfEveryNumber) {
  std::mt19937_64 random(29);
  using Call = Expr (*)(Expr, Expr);
  constexpr Call calls[] = {
      [](Expr a, Expr) { return sin(a) + 2 * cos(a); },
      [](Expr a, Expr) { return sin(a); },
      [](Expr a, Expr) { return cos(a); },
      [](Expr a, Expr) { return tan(a); },
      [](Expr a, Expr) { return exp(a); },
      [](Expr a, Expr) { return log(a); },
      [](Expr a, Expr b) { return atan2(a, b); },
      [](Expr a, Expr b) { return pow(a, b); },
  };
  for (std::size_t count = 1; count <= 13; ++count)
    for (Call call : calls)
      for (int round = 0; round < 8; ++round) {
        Graph g;
        std::vector<Expr> inputs, outputs;
        for (std::size_t i = 0; i < count + 1; ++i) inputs.push_back(g.symbol(fmt::format("x{}", i)));
        for (std::size_t i = 0; i < count; ++i) {
          Expr a = random() % 2 ? inputs[i] : inputs[i] + inputs[i + 1];
          Expr b = random() % 2 ? inputs[i + 1] : inputs[i] * inputs[i + 1];
          outputs.push_back(call(a, b));
        }
        Program program = make_program(inputs, {}, outputs);
        ASSERT_EQ(count_disagreements(program, random), 0u) << write_listing(program);
      }
}

TEST(Agreement, HoldsOnAGraphOfAHundredThousandNodes) {
  std::mt19937_64 random(7);
  RandomGraph graph;
  make_random_graph(graph, random, 100000);
  Program program = make_program(graph.inputs, graph.parameters, graph.outputs);
  EXPECT_EQ(count_disagreements(program, random), 0u);
}

}  // namespace
