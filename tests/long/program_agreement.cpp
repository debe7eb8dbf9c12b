// long_program_agreement [GRAPHS] [SEED]: interpreter, native scalar code and native lanes on random graphs of 1 to
// 10^5 nodes and random inputs, bit for bit. The first disagreement is printed with what is needed to see it again.

#include <gtest/gtest.h>

#include <cstdlib>

#include "unit/program/agreement.hpp"

using namespace dalembert;
using namespace dalembert::testing;

int main(int argc, char** argv) {
  long graphs = argc > 1 ? std::atol(argv[1]) : 10000;
  unsigned long seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  std::size_t finite = 0, values = 0, nodes = 0, largest = 0;
  for (long i = 0; i < graphs; ++i) {
    std::mt19937_64 random(seed * 1000003 + static_cast<unsigned long>(i));
    // Sizes spread evenly over the orders of magnitude, up to 10^5 one time in a hundred, else up to 3000.
    double largest_exponent = i % 100 == 0 ? 5 : 3.5;
    double exponent = std::uniform_real_distribution<double>(0, largest_exponent)(random);
    auto size = static_cast<std::size_t>(std::pow(10, exponent));
    RandomGraph graph;
    make_random_graph(graph, random, size);
    nodes += graph.graph.size();
    largest = std::max(largest, graph.graph.size());
    Program program = make_program(graph.inputs, graph.parameters, graph.outputs);
    values += program.output_count() * Function::lane_count;
    for (int point = 0; point < 3; ++point) {
      std::size_t differences = count_disagreements(program, random, &finite);
      if (differences == 0) continue;
      fmt::print("graph {} of seed {} ({} nodes), point {}: {} values differ\n", i, seed, size, point, differences);
      return 1;
    }
  }
  fmt::print("{} graphs, {} nodes (largest {}), {} values compared at 3 points, {:.0f}% finite: all agree\n", graphs,
             nodes, largest, 3 * values, 100.0 * static_cast<double>(finite) / static_cast<double>(3 * values));
  return 0;
}
