// The stated speeds of graphs and programs, each against its limit. Exit status 1 if one is over.

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <dalembert/expr/linear.hpp>
#include <dalembert/mechanics/equations.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/program/program.hpp>
#include <filesystem>
#include <fstream>
#include <functional>

#include "measure.hpp"
#include "pendulum.hpp"

using namespace dalembert;
using namespace dalembert::bench;

namespace {

struct State {
  std::vector<double> inputs, parameters;
};

State make_state(std::size_t links) {
  State state;
  for (std::size_t i = 0; i < 2 * links; ++i) state.inputs.push_back(0.3 + 0.1 * static_cast<double>(i % 7));
  for (std::size_t i = 0; i < 2 * links; ++i) state.parameters.push_back(1 + 0.05 * static_cast<double>(i % 5));
  state.parameters.push_back(9.81);
  return state;
}

Program pendulum_program(std::size_t links) {
  Graph g;
  Pendulum pendulum = derive_pendulum(g, links);
  return make_program(pendulum.inputs, pendulum.parameters, pendulum.accelerations);
}

/// What a careful person writes: sines and cosines of the two angles once, the rest by addition theorems.
[[gnu::noinline]] void double_pendulum(const double* x, const double* p, double* out) {
  double m1 = p[0], m2 = p[1], l1 = p[2], l2 = p[3], g = p[4];
  double s1 = std::sin(x[0]), c1 = std::cos(x[0]), s2 = std::sin(x[1]), c2 = std::cos(x[1]);
  double s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2;  // of the difference
  double w1 = x[2] * x[2], w2 = x[3] * x[3];
  double a = (m1 + m2) * l1, b = m2 * l2 * c, d = l1 * c;
  double r1 = -m2 * l2 * w2 * s - (m1 + m2) * g * s1, r2 = l1 * w1 * s - g * s2;
  double inverse = 1 / (a * l2 - b * d);
  out[0] = (r1 * l2 - b * r2) * inverse;
  out[1] = (a * r2 - d * r1) * inverse;
}

double native_seconds(const Function& function, const State& state, double* outputs = nullptr) {
  Scratch scratch = function.make_scratch();
  function.set_parameters(scratch, state.parameters);
  std::vector<double> own(function.output_count());
  double* out = outputs == nullptr ? own.data() : outputs;
  return seconds([&] {
    function.evaluate(scratch, state.inputs, {out, own.size()});
    benchmark::DoNotOptimize(out);
    benchmark::ClobberMemory();
  });
}

double lanes_seconds(const Function& function, const State& state) {
  Scratch scratch = function.make_scratch();
  function.set_parameters(scratch, state.parameters);
  std::vector<double> inputs, outputs(4 * function.output_count());
  for (double value : state.inputs) inputs.insert(inputs.end(), 4, value);
  return seconds([&] {
    function.evaluate_lanes(scratch, inputs, outputs);
    benchmark::ClobberMemory();
  });
}

/// The program as C, compiled as the hand-written function is.
double c_seconds(const Program& program, const State& state, double* outputs) {
  std::string pattern = (std::filesystem::temp_directory_path() / "dalembert_bench_XXXXXX").string();
  std::filesystem::path folder = mkdtemp(pattern.data());
  std::ofstream(folder / "f.c") << write_c(program, "f");
  std::string command =
      fmt::format("cc -O3 -march=native -ffp-contract=fast -shared -fPIC -o {0}/f.so {0}/f.c -lm", folder.string());
  void* library = std::system(command.c_str()) == 0 ? dlopen((folder / "f.so").c_str(), RTLD_NOW) : nullptr;
  if (library == nullptr) throw std::runtime_error("the exported C could not be compiled and loaded");
  auto prologue = reinterpret_cast<void (*)(const double*, double*)>(dlsym(library, "f_prologue"));
  auto body = reinterpret_cast<void (*)(const double*, const double*, double*)>(dlsym(library, "f"));
  std::vector<double> held(program.body.held_count);
  prologue(state.parameters.data(), held.data());
  double took = seconds([&] {
    body(state.inputs.data(), held.data(), outputs);
    benchmark::ClobberMemory();
  });
  dlclose(library);
  std::filesystem::remove_all(folder);
  return took;
}

/// A benchmark is worth nothing if what it times is wrong.
void expect_equal(const std::vector<double>& a, const std::vector<double>& b, std::string_view what) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= 1e-9 * (1 + std::abs(a[i]))))
      throw std::runtime_error(fmt::format("{} differ", what));
}

void derive_and_compile(std::size_t links, double limit) {
  double took = seconds([&] {
    Graph g;
    Pendulum pendulum = derive_pendulum(g, links);
    Function function =
        compile(make_program(pendulum.inputs, pendulum.parameters, pendulum.accelerations), {.lanes = false});
    benchmark::DoNotOptimize(function.is_native());
  });
  report(fmt::format("{} links: derive and compile", links), 1e3 * took, limit, "ms");
}

/// The same system read from its model file: parameters m1, m2, l1, l2, g and coordinates a, b in that order.
Program model_program() {
  Equations equations = derive_multipliers(load_model(find_model("models:double_pendulum")));
  std::vector<Expr> inputs = equations.coordinates, parameters, pull;
  inputs.insert(inputs.end(), equations.velocities.begin(), equations.velocities.end());
  for (const Parameter& parameter : equations.model->parameters) parameters.push_back(parameter.symbol);
  for (const Expr& bias : equations.bias) pull.push_back(-bias);
  return make_program(inputs, parameters, solve_ldlt(factor_ldlt(equations.mass), pull));
}

void hand_written(std::string_view what, const Program& program) {
  State state = make_state(2);
  Function function = compile(program);
  std::vector<double> ours(2), theirs(2);
  double native = native_seconds(function, state, ours.data());
  double hand = seconds([&] {
    double_pendulum(state.inputs.data(), state.parameters.data(), theirs.data());
    benchmark::ClobberMemory();
  });
  expect_equal(ours, theirs, "native code and hand-written function");
  fmt::print("{}: native {:.1f} ns, hand-written {:.1f} ns\n", what, 1e9 * native, 1e9 * hand);
  report(fmt::format("{}: native / hand-written", what), native / hand, 1.2, "");
}

/// A single sine, or as many: angles' accelerations -g/l sin(x), as a pendulum's right-hand side has them.
Program pendulums_program(std::size_t count) {
  Graph g;
  std::vector<Expr> inputs, parameters{g.symbol("g"), g.symbol("l")}, outputs;
  for (std::size_t i = 0; i < count; ++i) {
    inputs.push_back(g.symbol(fmt::format("x{}", i)));
    outputs.push_back(-parameters[0] / parameters[1] * sin(inputs[i]));
  }
  return make_program(inputs, parameters, outputs);
}

[[gnu::noinline]] void pendulum(const double* x, const double* p, double* out) {
  out[0] = -p[0] / p[1] * std::sin(x[0]);
}

/// A batch of few calls must cost no more than one of many: nothing waits between its arguments and the function.
void one_angle() {
  State state{{0.4}, {9.81, 2}}, twice{{0.4, 0.5}, {9.81, 2}};
  std::vector<double> ours(2), theirs(1);
  double two = native_seconds(compile(pendulums_program(2)), twice, ours.data());
  double one = native_seconds(compile(pendulums_program(1)), state, ours.data());
  double hand = seconds([&] {
    pendulum(state.inputs.data(), state.parameters.data(), theirs.data());
    benchmark::ClobberMemory();
  });
  expect_equal(theirs, ours, "native code and hand-written function");
  fmt::print("pendulum: native {:.1f} ns, hand-written {:.1f} ns, two of them {:.1f} ns\n", 1e9 * one, 1e9 * hand,
             1e9 * two);
  report("pendulum: native, one angle", 1e9 * one, 25, "ns");
  report("pendulum: native / hand-written", one / hand, 1.6, "");
  report("pendulum: one angle / two angles", one / two, 1.1, "");
}

void exported_c() {
  State state = make_state(10);
  Program program = pendulum_program(10);
  Function function = compile(program);
  std::vector<double> ours(10), theirs(10);
  double native = native_seconds(function, state, ours.data());
  double exported = c_seconds(program, state, theirs.data());
  expect_equal(ours, theirs, "native code and exported C");
  fmt::print("10 links: {} instructions, native {:.0f} ns, exported C {:.0f} ns\n", program.body.code.size(),
             1e9 * native, 1e9 * exported);
  report("10 links: native / exported C", native / exported, 1.0, "");
}

void lanes(std::size_t links) {
  State state = make_state(links);
  Function function = compile(pendulum_program(links));
  double scalar = native_seconds(function, state), four = lanes_seconds(function, state);
  report(fmt::format("{} links: throughput of lanes / scalar", links), 4 * scalar / four, 3, "", true);
}

/// A program of about this many instructions: a dense factorisation.
void code_generation(std::size_t size) {
  Graph g;
  std::vector<Expr> inputs;
  SymmetricRows rows(size);
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t j = 0; j <= i; ++j) {
      inputs.push_back(g.symbol(fmt::format("a{}_{}", i, j)));
      rows[i].push_back({j, inputs.back()});
    }
  std::vector<Expr> right_side(inputs.begin(), inputs.begin() + static_cast<long>(size));
  std::vector<Expr> solution = solve_ldlt(factor_ldlt(rows), right_side);
  Program program = make_program(inputs, {}, solution);
  auto instructions = static_cast<double>(program.instruction_count());
  double lower = seconds([&] { benchmark::DoNotOptimize(make_program(inputs, {}, solution).instruction_count()); }, 1);
  double native = seconds([&] { benchmark::DoNotOptimize(compile(program, {.lanes = false}).code_size()); }, 1);
  fmt::print("{:.0f} instructions: lowering {:.3f}, native code {:.3f} us an instruction\n", instructions,
             1e6 * lower / instructions, 1e6 * native / instructions);
  report(fmt::format("code generation, {:.0f} instructions, lowering included", instructions),
         1e6 * (lower + native) / instructions, 0.6, "us");
}

/// Nodes made while a chain of sums, products and functions is built and its gradient taken.
void graph_throughput() {
  std::size_t nodes = 0;
  double took = seconds(
      [&] {
        Graph g;
        std::vector<Expr> symbols, values;
        for (int i = 0; i < 20; ++i) symbols.push_back(g.symbol(fmt::format("x{}", i)));
        values = symbols;
        for (std::size_t i = 0; i < 20000; ++i) {
          std::size_t last = values.size() - 1;
          switch (i % 4) {
            case 0: values.push_back(values[last] * values[last - 7] + symbols[i % 19]); break;
            case 1: values.push_back(values[last] + 2 * values[last - 11]); break;
            case 2: values.push_back(sin(values[last])); break;
            default: values.push_back(values[last] * symbols[i % 20] + symbols[(i + 3) % 20]); break;
          }
        }
        benchmark::DoNotOptimize(gradient(values.back(), symbols));
        nodes = g.size();
      },
      1.0);
  report("graph: nodes built and differentiated", 1e-6 * static_cast<double>(nodes) / took, 1, "million/s", true);
}

}  // namespace

int main() {
  derive_and_compile(10, 2);
  derive_and_compile(40, 40);
  hand_written("double pendulum", pendulum_program(2));
  hand_written("double pendulum from a model file", model_program());
  one_angle();
  exported_c();
  for (std::size_t links : {2, 10}) lanes(links);
  for (std::size_t size : {20, 60, 120}) code_generation(size);
  graph_throughput();
  return all_within ? 0 : 1;
}
