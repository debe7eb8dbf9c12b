#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dalembert/base/error.hpp>
#include <dalembert/program/program.hpp>
#include <fstream>

#include "unit/program/agreement.hpp"

using namespace dalembert;
using namespace dalembert::testing;

namespace {

std::vector<double> evaluate_with(const Function& function, std::vector<double> parameters,
                                  std::vector<double> inputs) {
  Scratch scratch = function.make_scratch();
  function.set_parameters(scratch, parameters);
  std::vector<double> outputs(function.output_count());
  function.evaluate(scratch, inputs, outputs);
  return outputs;
}

std::size_t count(const Section& section, Opcode op) {
  return static_cast<std::size_t>(std::ranges::count(section.code, op, &Instruction::op));
}

TEST(Program, ProductsJoinSums) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z");
  Program program = make_program(std::vector{x, y, z}, {}, std::vector{x * y + z, z - x * z});
  EXPECT_EQ(count(program.body, Opcode::fma), 1u);
  EXPECT_EQ(count(program.body, Opcode::fnma), 1u);
  EXPECT_EQ(program.instruction_count(), 2u);
}

TEST(Program, SumsTakeLastWhatIsThereLast) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z");
  Expr late = sqrt(1 + x / (1 + y));  // made before the other terms
  for (Expr sum : {late * z + x * y + y * z + x, -(late * z) + x * y + y * z, late * z - x * y - y * z}) {
    Program program = make_program(std::vector{x, y, z}, {}, std::vector{sum});
    const Instruction last = program.body.code.back();
    EXPECT_TRUE(last.op == Opcode::fma || last.op == Opcode::fnma || last.op == Opcode::fms) << write_listing(program);
    const std::uint32_t root = last.a < program.body.first_result() ? last.b : last.a;
    ASSERT_GE(root, program.body.first_result());
    EXPECT_EQ(program.body.code[root - program.body.first_result()].op, Opcode::sqrt) << write_listing(program);
  }
}

TEST(Program, SineAndCosineOfOneAngleAreOneCall) {
  Graph g;
  Expr x = g.symbol("x");
  Program program = make_program(std::vector{x}, {}, std::vector{sin(x) * cos(x) + sin(x)});
  EXPECT_EQ(count(program.body, Opcode::sincos), 1u);
  EXPECT_EQ(program.instruction_count(), 3u);
}

TEST(Program, SquaresOfSineAndCosineOfOneAngleAreOne) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y"), m = g.symbol("m"), l = g.symbol("l");
  Expr mass = m * pow(l * sin(x), 2) + m * pow(l * cos(x), 2) + m;
  Program program = make_program(std::vector{x, y}, std::vector{m, l}, std::vector{y / mass});
  EXPECT_EQ(count(program.body, Opcode::sincos), 0u) << write_listing(program);
  EXPECT_EQ(count(program.body, Opcode::div), 0u) << write_listing(program);
  EXPECT_NEAR(evaluate_with(compile(program), {2, 3}, {0.4, 5})[0], 5. / 20, 1e-16);
  // Other multipliers, other signs and other angles stay as they are.
  for (Expr other : {m * pow(sin(x), 2) + l * pow(cos(x), 2), pow(sin(x), 2) - pow(cos(x), 2),
                     pow(sin(x), 2) + pow(cos(y), 2), pow(sin(x), 2) + pow(sin(y), 2)}) {
    Function function = compile(make_program(std::vector{x, y}, std::vector{m, l}, std::vector{other}));
    double truth = evaluate(other, std::vector<Binding>{{x, 0.4}, {y, 0.9}, {m, 2}, {l, 3}});
    EXPECT_NEAR(evaluate_with(function, {2, 3}, {0.4, 0.9})[0], truth, 1e-14);
  }
}

TEST(Program, WhatDependsOnParametersOnlyIsDoneOnce) {
  Graph g;
  Expr x = g.symbol("x"), m = g.symbol("m"), l = g.symbol("l");
  Program program =
      make_program(std::vector{x}, std::vector{m, l}, std::vector{m * pow(l, 2) * x / 2 + sin(m) * cos(l)});
  EXPECT_EQ(program.body.code.size(), 1u) << write_listing(program);
  EXPECT_EQ(count(program.prologue, Opcode::sincos), 2u);
}

TEST(Program, DivisorsThatAreSharedAreInvertedOnce) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y"), d = g.symbol("d");
  Program shared = make_program(std::vector{x, y, d}, {}, std::vector{x / d, y / d});
  EXPECT_EQ(count(shared.body, Opcode::div), 1u);
  Program single = make_program(std::vector{x, y, d}, {}, std::vector{x / (d * y)});
  EXPECT_EQ(count(single.body, Opcode::div), 1u);
  EXPECT_EQ(single.instruction_count(), 2u);
}

TEST(Program, PowersAreSquaringsAndRoots) {
  Graph g;
  Expr x = g.symbol("x");
  std::vector<Expr> outputs{pow(x, 5), sqrt(x), 1 / sqrt(x), g.power(x, mpq_class(3, 2)), g.power(x, mpq_class(-5, 2)),
                            pow(x, -3)};
  Program program = make_program(std::vector{x}, {}, outputs);
  EXPECT_EQ(count(program.body, Opcode::pow), 0u);
  EXPECT_EQ(count(program.body, Opcode::sqrt), 1u);
  std::vector<double> values = evaluate_with(compile(program), {}, {2.5});
  EXPECT_NEAR(values[0], std::pow(2.5, 5), 1e-13);
  EXPECT_EQ(values[1], std::sqrt(2.5));
  EXPECT_NEAR(values[2], std::pow(2.5, -0.5), 1e-15);
  EXPECT_NEAR(values[3], std::pow(2.5, 1.5), 1e-14);
  EXPECT_NEAR(values[4], std::pow(2.5, -2.5), 1e-15);
  EXPECT_NEAR(values[5], std::pow(2.5, -3), 1e-15);
}

TEST(Program, AnUnknownSymbolIsNamed) {
  Graph g;
  Expr x = g.symbol("x");
  try {
    make_program(std::vector{x}, {}, std::vector{x + g.symbol("mass")});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("'mass'"));
  }
}

template <class Call>
std::string complaint_of(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Program, ExpressionsThatCannotBeMeantAreRefused) {
  Graph g, other;
  Expr x = g.symbol("x"), y = g.symbol("y"), far = other.symbol("x");
  using List = std::vector<Expr>;
  auto refusal = [](List inputs, List parameters, List outputs) {
    return complaint_of([&] { make_program(inputs, parameters, outputs); });
  };
  EXPECT_THAT(refusal({x}, {}, {x, far}), ::testing::HasSubstr("output 1 is of another graph"));
  EXPECT_THAT(refusal({far}, {}, {x}), ::testing::HasSubstr("input 0 is of another graph"));
  EXPECT_THAT(refusal({x}, {far}, {}), ::testing::HasSubstr("parameter 0 is of another graph"));
  EXPECT_THAT(refusal({x}, {}, {Expr()}), ::testing::HasSubstr("output 0 is an empty expression"));
  EXPECT_THAT(refusal({Expr()}, {}, {}), ::testing::HasSubstr("input 0 is an empty expression"));
  EXPECT_THAT(refusal({x + y}, {}, {x}), ::testing::HasSubstr("not a symbol"));
  EXPECT_THAT(refusal({x, x}, {}, {x}), ::testing::HasSubstr("'x' is listed twice"));
  EXPECT_THAT(refusal({x}, {y, x}, {}), ::testing::HasSubstr("'x' is listed twice"));
}

TEST(Program, OneMadeByHandIsChecked) {
  Graph g;
  Expr x = g.symbol("x"), p = g.symbol("p");
  const Program good = make_program(std::vector{x}, std::vector{p}, std::vector{sin(x) * p * p, cos(x)});
  using Change = void (*)(Program&);
  constexpr Change changes[] = {
      [](Program& bad) { bad.body.code.back().a = 1000; },
      [](Program& bad) { bad.body.code.back().b = bad.body.value_count() - 1; },
      [](Program& bad) { bad.body.results[0] = bad.body.value_count(); },
      [](Program& bad) { bad.prologue.results.push_back(0); },
      [](Program& bad) { bad.body.held_count = 0; },
      [](Program& bad) { bad.prologue.code[0].op = static_cast<Opcode>(0xf0); },
      [](Program& bad) { bad.body.code[0].op = Opcode::tan; },
      [](Program& bad) {
        bad.body.code.push_back({Opcode::sincos, 0});
      },
  };
  for (Change change : changes) {
    Program bad = good;
    change(bad);
    EXPECT_THROW(compile(bad), InputError);
    EXPECT_THROW(write_c(bad, "f"), InputError);
    EXPECT_THROW(write_listing(bad), InputError);
  }
}

TEST(Program, OutputsMayBeInputsParametersConstantsOrTheSame) {
  Graph g;
  Expr x = g.symbol("x"), p = g.symbol("p");
  std::vector<Expr> outputs{x, p, g.constant(3), g.pi(), x + p, x + p, x, p * p, sin(x), sin(x), cos(x)};
  for (bool native : {false, true}) {
    Function function = compile(make_program(std::vector{x}, std::vector{p}, outputs), {.native = native});
    EXPECT_THAT(evaluate_with(function, {5}, {2}),
                ::testing::Pointwise(::testing::DoubleEq(), {2.0, 5.0, 3.0, M_PI, 7.0, 7.0, 2.0, 25.0, std::sin(2.0),
                                                             std::sin(2.0), std::cos(2.0)}));
  }
}

TEST(Program, NoOutputsAreNoWork) {
  Graph g;
  Function function = compile(make_program(std::vector{g.symbol("x")}, std::vector{g.symbol("p")}, {}));
  EXPECT_TRUE(evaluate_with(function, {1}, {1}).empty());
}

TEST(Program, EdgesOfMinMaxSignAndAbsAreAsDocumented) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y");
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Program program = make_program(std::vector{x, y}, {}, std::vector{min(x, y), max(x, y), sign(x), abs(x)});
  for (bool native : {false, true}) {
    Function function = compile(program, {.native = native});
    auto expect = [&](double a, double b, std::vector<double> expected) {
      std::vector<double> values = evaluate_with(function, {}, {a, b});
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_TRUE(same_bits(values[i], expected[i])) << i << " at " << a << ", " << b << " gives " << values[i];
    };
    expect(1, 2, {1, 2, 1, 1});
    expect(-3, -4, {-4, -3, -1, 3});
    expect(0.0, -0.0, {-0.0, 0.0, 0.0, 0.0});
    expect(-0.0, 0.0, {-0.0, 0.0, 0.0, 0.0});
    expect(nan, 1, {nan, nan, nan, nan});
    expect(-1, nan, {nan, nan, -1, 1});
    expect(-inf, inf, {-inf, inf, -1, inf});
    expect(-5e-324, 5e-324, {-5e-324, 5e-324, -1, 5e-324});
  }
}

/// The plain evaluator adds and multiplies in another order, without fusing: the difference is rounding, which grows
/// with the number of operations times the largest number met. Compared on well-scaled polynomials and functions.
TEST(Program, AgreesWithThePlainEvaluatorWithinRounding) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(0.5, 1.5);
  for (int round = 0; round < 300; ++round) {
    Graph g;
    std::vector<Expr> symbols, pool;
    for (int i = 0; i < 6; ++i) symbols.push_back(g.symbol(fmt::format("s{}", i)));
    pool = symbols;
    auto pick = [&] { return pool[random() % pool.size()]; };
    for (int i = 0; i < 40; ++i) {
      Expr a = pick(), b = pick(), c = pick();
      switch (random() % 5) {
        case 0: pool.push_back((a + 2 * b + c / 3) / 4); break;
        case 1: pool.push_back(1 + a * b / (1 + a * b)); break;
        case 2: pool.push_back(1 + sin(a) * cos(a) / 2 + sqrt(b) / (1 + b)); break;
        case 3: pool.push_back(exp(-a * b) + atan2(b, c) + min(a, c) * max(b, a) / (1 + pow(a, 2) + pow(b, 2))); break;
        default: pool.push_back(log(1 + a) + tanh(b) - abs(c) / (2 * (1 + c))); break;
      }
    }
    std::vector<Expr> outputs(pool.end() - 10, pool.end());
    std::vector<Binding> bindings;
    std::vector<double> values;
    for (const Expr& symbol : symbols) {
      values.push_back(number(random));
      bindings.push_back({symbol, values.back()});
    }
    std::vector<double> plain = evaluate(outputs, bindings);
    Function function = compile(make_program(std::span(symbols).first(4), std::span(symbols).subspan(4), outputs));
    std::vector<double> fast = evaluate_with(function, {values[4], values[5]}, {values.begin(), values.begin() + 4});
    // Each of at most 40 steps has a bounded condition (about 4) and adds a few ulps: 40 * 4 * 8 ulps is ample.
    for (std::size_t i = 0; i < outputs.size(); ++i)
      EXPECT_NEAR(fast[i], plain[i], 40 * 4 * 8 * 1.1e-16 * (1 + std::abs(plain[i])));
  }
}

TEST(Program, TheSameExpressionsGiveTheSameProgram) {
  auto listing = [] {
    std::mt19937_64 random(11);
    RandomGraph graph;
    make_random_graph(graph, random, 500);
    return write_listing(make_program(graph.inputs, graph.parameters, graph.outputs));
  };
  EXPECT_EQ(listing(), listing());
}

TEST(Function, IsAValue) {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y");
  Function first = compile(make_program(std::vector{x, y}, {}, std::vector{x * y + 1}));
  Function copy = first;
  Function moved = std::move(first);
  EXPECT_EQ(evaluate_with(copy, {}, {3, 4})[0], 13);
  EXPECT_EQ(evaluate_with(moved, {}, {3, 4})[0], 13);
  if (moved.is_native()) {
    EXPECT_THAT(moved.disassembly(), ::testing::HasSubstr("vfmadd"));
    EXPECT_GT(moved.machine_instruction_count(), 3u);
    EXPECT_THAT(moved.disassembly(true), ::testing::HasSubstr("ymm"));
  }
}

TEST(Function, RefusesListsOfOtherLengthsAndScratchOfOthers) {
  Graph g;
  Expr x = g.symbol("x"), p = g.symbol("p");
  for (bool native : {false, true}) {
    Function function = compile(make_program(std::vector{x}, std::vector{p}, std::vector{x * p}), {.native = native});
    Function twin = compile(function.program(), {.native = native}), copy = function;
    Scratch own = function.make_scratch(), foreign = twin.make_scratch(), empty;
    std::vector<double> none, one{2}, four(4, 2), output(1), outputs(4);
    auto refusal = [&](auto&& call) { return complaint_of(call); };
    using ::testing::HasSubstr;
    EXPECT_THAT(refusal([&] { function.set_parameters(own, none); }), HasSubstr("0 parameters given"));
    EXPECT_THAT(refusal([&] { function.set_parameters(own, four); }), HasSubstr("takes 1"));
    EXPECT_THAT(refusal([&] { function.set_lane_parameters(own, one); }), HasSubstr("takes 4"));
    EXPECT_THAT(refusal([&] { function.evaluate(own, none, output); }), HasSubstr("0 inputs given"));
    EXPECT_THAT(refusal([&] { function.evaluate(own, one, none); }), HasSubstr("0 outputs given"));
    EXPECT_THAT(refusal([&] { function.evaluate_lanes(own, one, outputs); }), HasSubstr("takes 4"));
    EXPECT_THAT(refusal([&] { function.evaluate_lanes(own, four, output); }), HasSubstr("takes 4"));
    EXPECT_THAT(refusal([&] { function.evaluate(own, one, one); }), HasSubstr("overlap"));
    EXPECT_THAT(refusal([&] { function.evaluate_lanes(own, four, four); }), HasSubstr("overlap"));
    for (auto [scratch, why] : {std::pair(&foreign, "another function"), {&empty, "empty"}}) {
      EXPECT_THAT(refusal([&] { function.set_parameters(*scratch, one); }), HasSubstr(why));
      EXPECT_THAT(refusal([&] { function.set_lane_parameters(*scratch, four); }), HasSubstr(why));
      EXPECT_THAT(refusal([&] { function.evaluate(*scratch, one, output); }), HasSubstr(why));
      EXPECT_THAT(refusal([&] { function.evaluate_lanes(*scratch, four, outputs); }), HasSubstr(why));
    }
    copy.set_parameters(own, one);
    copy.evaluate(own, one, output);
    EXPECT_EQ(output[0], 4);
  }
}

TEST(Function, EmptyOnesSaySo) {
  Function nothing;
  Scratch scratch;
  EXPECT_FALSE(nothing);
  EXPECT_THROW(nothing.program(), InputError);
  EXPECT_THROW(nothing.input_count(), InputError);
  EXPECT_THROW(nothing.make_scratch(), InputError);
  EXPECT_THROW(nothing.set_parameters(scratch, {}), InputError);
  EXPECT_THROW(nothing.evaluate(scratch, {}, {}), InputError);
  EXPECT_THROW(nothing.is_native(), InputError);
  EXPECT_THROW(nothing.code_size(), InputError);
  EXPECT_THROW(nothing.disassembly(), InputError);
}

/// In a child process, which may never again make memory executable (Linux 6.3 and later).
TEST(Function, FallsBackToTheInterpreterWhereMemoryMayNotBeMadeExecutable) {
  constexpr int set_memory_deny_write_execute = 65, refuse_to_gain = 1;  // PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN
  enum Ending { as_expected, not_supported, native_after_all, wrong };
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (prctl(set_memory_deny_write_execute, refuse_to_gain, 0, 0, 0) != 0) _exit(not_supported);
    try {
      Graph g;
      Expr x = g.symbol("x"), y = g.symbol("y");
      Function function = compile(make_program(std::vector{x, y}, {}, std::vector{x * y + 1}));
      if (function.is_native() || function.is_native_lanes()) _exit(native_after_all);
      _exit(evaluate_with(function, {}, {3, 4})[0] == 13 ? as_expected : wrong);
    } catch (...) {
      _exit(wrong);
    }
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == not_supported) GTEST_SKIP() << "this kernel has no PR_SET_MDWE";
  EXPECT_EQ(WEXITSTATUS(status), as_expected);
}

TEST(Function, FallsBackToTheInterpreterWhereNativeCodeIsNotToBeHad) {
  Graph g;
  Expr x = g.symbol("x");
  setenv("DALEMBERT_INTERPRETER", "1", 1);
  Function function = compile(make_program(std::vector{x}, {}, std::vector{x * x + 1}));
  unsetenv("DALEMBERT_INTERPRETER");
  EXPECT_FALSE(function.is_native());
  EXPECT_TRUE(function.disassembly().empty());
  EXPECT_EQ(evaluate_with(function, {}, {3})[0], 10);
}

TEST(Function, NoMemoryIsBothWritableAndExecutable) {
  Graph g;
  Expr x = g.symbol("x");
  std::vector<Function> functions;
  for (int i = 0; i < 20; ++i) functions.push_back(compile(make_program(std::vector{x}, {}, std::vector{sin(x) + i})));
  std::ifstream maps("/proc/self/maps");
  std::string line;
  int executable = 0;
  while (std::getline(maps, line)) {
    std::string rights = line.substr(line.find(' ') + 1, 4);
    EXPECT_FALSE(rights[1] == 'w' && rights[2] == 'x') << line;
    executable += rights[2] == 'x';
  }
  EXPECT_GT(executable, 0);
}

}  // namespace
