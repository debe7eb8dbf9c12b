#include <fmt/format.h>

#include <iterator>

#include "program/check.hpp"
#include "program/draft.hpp"

namespace dalembert {

std::string_view opcode_name(Opcode op) {
  static constexpr std::string_view names[] = {
      "add",    "sub",    "mul", "div",  "fma",  "fms",  "fnma", "fnms", "sqrt", "neg", "abs", "sign",  "min", "max",
      "sincos", "second", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "atan2", "pow"};
  return names[static_cast<std::size_t>(op)];
}

namespace {

std::string value_name(const Section& section, std::uint32_t value) {
  if (value < section.first_held()) return fmt::format("{}", section.constants[value]);
  if (value < section.first_input()) return fmt::format("h{}", value - section.first_held());
  if (value < section.first_result()) return fmt::format("x{}", value - section.first_input());
  return fmt::format("v{}", value - section.first_result());
}

void write_section(std::string& text, const Section& section, std::string_view title, std::string_view result) {
  fmt::format_to(std::back_inserter(text), "{}: {} instructions\n", title, section.code.size());
  for (std::size_t i = 0; i < section.code.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "  v{} = {}", i, opcode_name(section.code[i].op));
    for (int k = 0; k < operand_count(section.code[i].op); ++k)
      fmt::format_to(std::back_inserter(text), " {}", value_name(section, operand(section.code[i], k)));
    text += '\n';
  }
  for (std::size_t i = 0; i < section.results.size(); ++i)
    fmt::format_to(std::back_inserter(text), "  {}{} = {}\n", result, i, value_name(section, section.results[i]));
}

}  // namespace

std::string write_listing(const Program& program) {
  check_program(program);
  std::string text;
  write_section(text, program.prologue, "prologue (x: parameters)", "saved ");
  write_section(text, program.body, "body (x: inputs, h: parameters, then what was saved)", "output ");
  return text;
}

}  // namespace dalembert
