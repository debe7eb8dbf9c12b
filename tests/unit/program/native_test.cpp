#include "program/native.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <sstream>

#include "unit/program/agreement.hpp"

using namespace dalembert;
using namespace dalembert::testing;

namespace {

using Exprs = std::vector<Expr>;

Exprs symbols(Graph& graph, const std::string& name, int count) {
  Exprs made;
  for (int k = 0; k < count; ++k) made.push_back(graph.symbol(fmt::format("{}{}", name, k)));
  return made;
}

/// What an instruction does, its operands by what made them.
std::vector<std::string> operations_of(const Section& section) {
  std::vector<std::string> texts;
  for (std::uint32_t value = 0; value < section.first_result(); ++value) texts.push_back(fmt::format("{}", value));
  for (const Instruction& one : section.code) {
    std::string text(opcode_name(one.op));
    const std::uint32_t operands[] = {one.a, one.b, one.c};
    for (int k = 0; k < operand_count(one.op); ++k) text += fmt::format("({})", texts[operands[k]]);
    texts.push_back(text);
  }
  return texts;
}

/// One after the other, each waits for the one before.
Program make_chains(int chains, int length) {
  Graph graph;
  const Exprs inputs = symbols(graph, "x", chains);
  Exprs outputs;
  for (const Expr& x : inputs) {
    Expr value = x;
    for (int k = 1; k <= length; ++k) value = x * (value + graph.constant(k));
    outputs.push_back(value);
  }
  return make_program(inputs, {}, outputs);
}

TEST(Schedule, DoesTheSameOperationsOnTheSameOperands) {
  std::mt19937_64 random(1829);
  for (int round = 0; round < 200; ++round) {
    RandomGraph graph;
    make_random_graph(graph, random, 1 + random() % 60, round % 2 == 0);
    const Section body = make_program(graph.inputs, graph.parameters, graph.outputs).body, ordered = schedule(body);
    std::vector<std::string> before = operations_of(body), after = operations_of(ordered);
    for (std::size_t k = 0; k < body.results.size(); ++k) {
      EXPECT_EQ(after[ordered.results[k]], before[body.results[k]]);
    }
    std::ranges::sort(before);
    std::ranges::sort(after);
    EXPECT_EQ(after, before);
  }
}

/// How many instructions read the result of the one just before them: these wait.
std::size_t count_waiting(const Section& section) {
  std::size_t count = 0;
  for (std::uint32_t k = 1; k < section.code.size(); ++k) {
    const Instruction& one = section.code[k];
    const std::uint32_t before = section.first_result() + k - 1, operands[] = {one.a, one.b, one.c};
    count +=
        std::any_of(operands, operands + operand_count(one.op), [&](std::uint32_t each) { return each == before; });
  }
  return count;
}

TEST(Schedule, TakesTurnsWhereOneOperationWaitsForAnother) {
  const Section body = make_chains(4, 12).body, ordered = schedule(body);
  EXPECT_GT(count_waiting(body), body.code.size() / 2);
  EXPECT_LT(count_waiting(ordered), body.code.size() / 2) << "chains that are further away than it looks ahead remain";
}

/// Processor seconds to schedule so many exponentials, and so many sums behind them; the least of three times.
double time_to_schedule(std::size_t calls, std::size_t sums) {
  Section section{{}, 0, 2, {}, {}};
  for (std::size_t k = 0; k < calls; ++k) section.code.push_back({Opcode::exp, 0, 0, 0});
  for (std::size_t k = 0; k < sums; ++k) section.code.push_back({Opcode::add, 0, 1, 0});
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3; ++round) {
    const std::clock_t begin = std::clock();
    EXPECT_EQ(schedule(section).code.size(), calls + sums);
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

// A chain of a thousand links has half a million sums behind its sines: looked through once a sine, they took hundreds
// of times as long as both apart.
TEST(Schedule, CallsBeforeManyOperationsCostAsMuchAsBothApart) {
  constexpr std::size_t count = 20000;
  EXPECT_LT(time_to_schedule(count, count), 10 * (time_to_schedule(count, 0) + time_to_schedule(0, count)));
}

/// Of addresses with displacements, how many take one byte for them.
double share_of_short_addresses(const std::string& disassembly) {
  std::istringstream lines(disassembly);
  double all = 0, brief = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t plus = line.find(" + 0x"), minus = line.find(" - 0x");
    if (line.find("lea") != std::string::npos || (plus == std::string::npos && minus == std::string::npos)) continue;
    const int distance = std::stoi(line.substr((plus == std::string::npos ? minus : plus) + 5), nullptr, 16);
    ++all;
    brief += distance < 128;
  }
  return brief / all;
}

/// More values than registers hold, and more than a pointer reaches by one byte.
TEST(NativeCode, ReachesMostOfManyValuesByShortAddresses) {
  if (!is_native_available()) GTEST_SKIP() << "no native code here";
  Graph graph;
  const Exprs x = symbols(graph, "x", 100), p = symbols(graph, "p", 100);
  Exprs outputs;
  for (std::size_t i = 0; i < x.size(); ++i)
    outputs.push_back(x[i] * p[i] + x[(i + 1) % x.size()] * p[(i + 3) % p.size()] + x[(i + 2) % x.size()] * p[i]);
  const Program program = make_program(x, p, outputs);
  EXPECT_GT(share_of_short_addresses(compile(program).disassembly()), 0.9);
  std::mt19937_64 random(1);
  EXPECT_EQ(count_disagreements(program, random), 0u);
}

/// A call leaves nothing of what registers pointed to.
TEST(NativeCode, FindsFarValuesAgainAfterACall) {
  Graph graph;
  const Exprs x = symbols(graph, "x", 120);
  Exprs outputs;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) outputs.push_back(x[i] * x[i + 1] + exp(x[i] + sin(x[i + 1] * x[i])));
  std::mt19937_64 random(2);
  for (int round = 0; round < 20; ++round) EXPECT_EQ(count_disagreements(make_program(x, {}, outputs), random), 0u);
}

}  // namespace
