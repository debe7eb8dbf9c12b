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

TEST(Agreement, HoldsOnAGraphOfAHundredThousandNodes) {
  std::mt19937_64 random(7);
  RandomGraph graph;
  make_random_graph(graph, random, 100000);
  Program program = make_program(graph.inputs, graph.parameters, graph.outputs);
  EXPECT_EQ(count_disagreements(program, random), 0u);
}

}  // namespace
