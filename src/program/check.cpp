#include "program/check.hpp"

#include <fmt/format.h>

#include <dalembert/base/error.hpp>

#include "expr/node_map.hpp"
#include "program/draft.hpp"

namespace dalembert {

void refuse(std::string problem, std::string remedy) {
  throw InputError({"", {}, "", std::move(problem), std::move(remedy)});
}

void refuse_length(std::string_view what, std::size_t given, std::size_t expected) {
  refuse(fmt::format("{} {} given, the function takes {}", given, what, expected),
         "give as many as its program was made with");
}

namespace {

void check_of_graph(const Graph* graph, std::span<const Expr> list, std::string_view what) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i]) refuse(fmt::format("{} {} is an empty expression", what, i), "give each one a value");
    if (&list[i].graph() != graph)
      refuse(fmt::format("{} {} is of another graph than the first expression", what, i),
             "build all of them in one graph, or bring them into it by copy_to");
  }
}

}  // namespace

void check_expressions(std::span<const Expr> inputs, std::span<const Expr> parameters, std::span<const Expr> outputs) {
  const Graph* graph = nullptr;
  for (std::span<const Expr> list : {outputs, inputs, parameters})
    if (graph == nullptr && !list.empty() && list[0]) graph = &list[0].graph();
  check_of_graph(graph, outputs, "output");
  check_of_graph(graph, inputs, "input");
  check_of_graph(graph, parameters, "parameter");
  NodeMap<bool> seen(inputs.size() + parameters.size());
  for (std::span<const Expr> list : {inputs, parameters})
    for (const Expr& symbol : list) {
      if (symbol.op() != Op::symbol) refuse("an input or parameter is not a symbol", "make it by Graph::symbol");
      if (seen.find(symbol.id()) != nullptr)
        refuse(fmt::format("'{}' is listed twice among inputs and parameters", symbol.name()), "list it once");
      seen.set(symbol.id(), true);
    }
}

namespace {

void check_section(const Section& section, std::string_view title) {
  auto fail = [&](std::size_t i, std::string_view what) {
    refuse(fmt::format("instruction {} of the {} {}", i, title, what), "programs are made by make_program");
  };
  std::uint32_t made = section.first_result();
  for (std::size_t i = 0; i < section.code.size(); ++i, ++made) {
    const Instruction& one = section.code[i];
    if (one.op > Opcode::pow) fail(i, "is no operation");
    for (int k = 0; k < operand_count(one.op); ++k)
      if (operand(one, k) >= made) fail(i, "reads a value that is not made yet");
    const bool after_sincos = i > 0 && section.code[i - 1].op == Opcode::sincos;
    if ((one.op == Opcode::second) != after_sincos) fail(i, "parts a sine from its cosine");
  }
  if (!section.code.empty() && section.code.back().op == Opcode::sincos)
    fail(section.code.size() - 1, "parts a sine from its cosine");
  for (std::uint32_t value : section.results)
    if (value >= made) refuse(fmt::format("a result of the {} is no value of it", title), "use make_program");
}

}  // namespace

void check_program(const Program& program) {
  check_section(program.prologue, "prologue");
  check_section(program.body, "body");
  if (program.prologue.held_count != 0 ||
      program.body.held_count != program.parameter_count() + program.prologue.results.size())
    refuse("the body does not hold what the prologue leaves for it", "programs are made by make_program");
}

}  // namespace dalembert
