#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <dalembert/base/error.hpp>
#include <filesystem>
#include <fstream>

#include "unit/program/agreement.hpp"

using namespace dalembert;
using namespace dalembert::testing;

namespace {

/// A program compiled by the C compiler and loaded.
class Library {
 public:
  explicit Library(const Program& program) : held_(program.body.held_count) {
    std::string pattern = (std::filesystem::temp_directory_path() / "dalembert_c_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "f.c") << write_c(program, "f");
    std::string command =
        fmt::format("cc -std=c99 -O2 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC -o {0}/f.so {0}/f.c -lm",
                    folder_.string());
    if (std::system(command.c_str()) != 0) throw std::runtime_error("cc failed");
    handle_ = dlopen((folder_ / "f.so").c_str(), RTLD_NOW);
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
    std::filesystem::remove_all(folder_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  std::vector<double> evaluate(const std::vector<double>& parameters, const std::vector<double>& inputs,
                               std::size_t outputs) {
    auto prologue = reinterpret_cast<void (*)(const double*, double*)>(dlsym(handle_, "f_prologue"));
    auto body = reinterpret_cast<void (*)(const double*, const double*, double*)>(dlsym(handle_, "f"));
    std::vector<double> result(outputs);
    prologue(parameters.data(), held_.data());
    body(inputs.data(), held_.data(), result.data());
    return result;
  }

 private:
  std::filesystem::path folder_;
  void* handle_ = nullptr;
  std::vector<double> held_;
};

std::vector<double> random_numbers(std::mt19937_64& random, std::size_t count) {
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random_number(random);
  return numbers;
}

std::vector<double> interpret(const Program& program, const std::vector<double>& parameters,
                              const std::vector<double>& inputs) {
  Function function = compile(program, {.native = false});
  Scratch scratch = function.make_scratch();
  function.set_parameters(scratch, parameters);
  std::vector<double> outputs(program.output_count());
  function.evaluate(scratch, inputs, outputs);
  return outputs;
}

TEST(CSource, GivesTheInterpretersBitsWhereNoFunctionIsCalled) {
  std::mt19937_64 random(41);
  for (std::size_t size : {3u, 30u, 300u, 3000u}) {
    RandomGraph graph;
    make_random_graph(graph, random, size, false);
    Program program = make_program(graph.inputs, graph.parameters, graph.outputs);
    Library library(program);
    for (int point = 0; point < 200; ++point) {
      std::vector<double> p = random_numbers(random, program.parameter_count());
      std::vector<double> x = random_numbers(random, program.input_count());
      std::vector<double> expected = interpret(program, p, x), got = library.evaluate(p, x, program.output_count());
      for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_TRUE(same_bits(expected[i], got[i])) << size;
    }
  }
}

TEST(CSource, CrossesFunctionsAndCallsTheCLibrary) {
  // Long enough for several functions; every step keeps its size and its condition, so that the functions' last bits
  // (2 ulps a call at most, 3 calls a step) stay last bits.
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y"), p = g.symbol("p");
  std::vector<Expr> values{x, y, sin(p)};
  for (std::size_t i = 0; i < 500; ++i)
    values.push_back((sin(values[i]) + cos(values[i + 1]) + tanh(values[i + 2]) + exp(-values[i] * values[i])) / 4);
  Program program = make_program(std::vector{x, y}, std::vector{p}, values);
  ASSERT_GT(program.body.code.size(), 900u);
  Library library(program);
  std::vector<double> expected = interpret(program, {0.3}, {0.5, -0.2}),
                      got = library.evaluate({0.3}, {0.5, -0.2}, values.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(got[i], expected[i], 100 * 2.3e-16) << i;
}

TEST(CSource, RefusesANameThatCIsNotSpokenIn) {
  Graph g;
  Program program = make_program({}, {}, std::vector{g.constant(1)});
  for (std::string_view name : {"2f", "f;g", "", "f(){}", "f\nint x", "f\\\n", "*/", "f/*", "f g", "\xc3\xa9", "int",
                                "sin", "f\r", "f?\?/", "#define f"})
    EXPECT_THROW(write_c(program, name), InputError) << name;
  EXPECT_THROW(write_c(program, std::string_view("f\0g", 3)), InputError);
  EXPECT_NO_THROW(write_c(program, "_f2"));
}

}  // namespace
