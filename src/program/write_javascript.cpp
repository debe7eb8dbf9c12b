#include <fmt/format.h>

#include <cmath>
#include <dalembert/program/javascript.hpp>
#include <iterator>

#include "program/check.hpp"
#include "program/source.hpp"

namespace dalembert {
namespace {

std::string js_number(double value) {
  if (std::isinf(value)) return value > 0 ? "Infinity" : "(-Infinity)";
  return std::signbit(value) ? fmt::format("({})", value) : fmt::format("{}", value);
}

/// There is no fused multiply-add: products and sums are rounded one after the other.
std::string js_operation(Opcode op, std::string_view helper, const std::string& a, const std::string& b,
                         const std::string& c) {
  switch (op) {
    case Opcode::add: return fmt::format("{} + {}", a, b);
    case Opcode::sub: return fmt::format("{} - {}", a, b);
    case Opcode::mul: return fmt::format("{} * {}", a, b);
    case Opcode::div: return fmt::format("{} / {}", a, b);
    case Opcode::fma: return fmt::format("{} * {} + {}", a, b, c);
    case Opcode::fms: return fmt::format("{} * {} - {}", a, b, c);
    case Opcode::fnma: return fmt::format("{} - {} * {}", c, a, b);
    case Opcode::fnms: return fmt::format("-({} * {}) - {}", a, b, c);
    case Opcode::neg: return fmt::format("-{}", a);
    case Opcode::sign: return fmt::format("{}sign({}) + 0", helper, a);  // sign(-0) is +0
    case Opcode::sincos: return fmt::format("{}sin({})", helper, a);
    case Opcode::second: return fmt::format("{}cos({})", helper, a);
    case Opcode::min:
    case Opcode::max:
    case Opcode::atan2:
    case Opcode::pow: return fmt::format("{}{}({}, {})", helper, opcode_name(op), a, b);
    default: return fmt::format("{}{}({})", helper, opcode_name(op), a);
  }
}

constexpr Dialect dialect{js_number, js_operation, "const", "let", "function {}(x, h, v, y) {{\n", "Math."};

void write_section(std::string& text, const Section& section, std::string_view name, std::size_t parameters) {
  SectionWriter writer(text, section, name, dialect, parameters);
  const auto [functions, slots] = writer.run();
  auto out = std::back_inserter(text);
  fmt::format_to(out, "const {0}_values = new Float64Array({1});\nfunction {0}(x, h, y) {{\n  const v = {0}_values;\n",
                 name, slots);
  if (parameters > 0) fmt::format_to(out, "  for (let i = 0; i < {}; ++i) y[i] = x[i];\n", parameters);
  for (std::size_t i = 0; i < functions; ++i) fmt::format_to(out, "  {}_{}(x, h, v, y);\n", name, i);
  writer.write_leaf_outputs();
  text += "}\n\n";
}

}  // namespace

std::string write_javascript(const Program& program) {
  check_program(program);
  std::string text = "(() => {\n\"use strict\";\n";
  write_section(text, program.prologue, "prologue", program.parameter_count());
  write_section(text, program.body, "body", 0);
  fmt::format_to(std::back_inserter(text),
                 "return {{ inputs: {}, parameters: {}, outputs: {}, held: {}, prologue: (x, y) => prologue(x, x, y), "
                 "body }};\n}})()",
                 program.input_count(), program.parameter_count(), program.output_count(), program.body.held_count);
  return text;
}

}  // namespace dalembert
