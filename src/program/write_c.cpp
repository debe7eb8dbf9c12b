#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "program/check.hpp"
#include "program/source.hpp"

namespace dalembert {
namespace {

std::string c_number(double value) {
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  return value < 0 ? fmt::format("({:a})", value) : fmt::format("{:a}", value);
}

std::string c_operation(Opcode op, std::string_view helper, const std::string& a, const std::string& b,
                        const std::string& c) {
  switch (op) {
    case Opcode::add: return fmt::format("{} + {}", a, b);
    case Opcode::sub: return fmt::format("{} - {}", a, b);
    case Opcode::mul: return fmt::format("{} * {}", a, b);
    case Opcode::div: return fmt::format("{} / {}", a, b);
    case Opcode::fma: return fmt::format("fma({}, {}, {})", a, b, c);
    case Opcode::fms: return fmt::format("fma({}, {}, -{})", a, b, c);
    case Opcode::fnma: return fmt::format("fma(-{}, {}, {})", a, b, c);
    case Opcode::fnms: return fmt::format("fma(-{}, {}, -{})", a, b, c);
    case Opcode::neg: return fmt::format("-{}", a);
    case Opcode::abs: return fmt::format("fabs({})", a);
    case Opcode::sign:
    case Opcode::min:
    case Opcode::max: return fmt::format("{}_{}({}{}{})", helper, opcode_name(op), a, b.empty() ? "" : ", ", b);
    case Opcode::sincos: return fmt::format("sin({})", a);
    case Opcode::second: return fmt::format("cos({})", a);
    case Opcode::atan2:
    case Opcode::pow: return fmt::format("{}({}, {})", opcode_name(op), a, b);
    default: return fmt::format("{}({})", opcode_name(op), a);
  }
}

constexpr std::string_view function_head =
    "static void {}(const double *x, const double *h, double *v, double *y) {{\n  (void)x, (void)h, (void)v, "
    "(void)y;\n";

void write_section(std::string& text, const Section& section, const std::string& name, std::string_view helper,
                   std::string_view signature, std::string_view head, std::size_t first_output) {
  const Dialect dialect{c_number, c_operation, "const double", "int", function_head, helper};
  SectionWriter writer(text, section, name, dialect, first_output);
  auto [functions, slots] = writer.run();
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{} {{\n{}  double v[{}];\n  (void)x, (void)h, (void)v, (void)y;\n", signature, head, slots + 1);
  for (std::size_t i = 0; i < functions; ++i) fmt::format_to(out, "  {}_{}(x, h, v, y);\n", name, i);
  writer.write_leaf_outputs();
  text += "}\n\n";
}

constexpr std::string_view preamble = R"(#include <math.h>

enum {{ {0}_inputs = {1}, {0}_parameters = {2}, {0}_outputs = {3}, {0}_held = {4} }};

static inline double {0}_min(double a, double b) {{
  if (a != a || b != b) return a + b;
  if (a == b) return signbit(a) ? a : b;
  return a < b ? a : b;
}}

static inline double {0}_max(double a, double b) {{
  if (a != a || b != b) return a + b;
  if (a == b) return signbit(a) ? b : a;
  return a > b ? a : b;
}}

static inline double {0}_sign(double a) {{ return a != a ? a : (double)((a > 0) - (a < 0)); }}

)";

/// Words of C, and what the source uses of <math.h>.
constexpr std::string_view taken[] = {
    "auto",   "break",    "case",     "char",     "const", "continue", "default", "do",       "double",
    "else",   "enum",     "extern",   "float",    "for",   "goto",     "if",      "inline",   "int",
    "long",   "register", "restrict", "return",   "short", "signed",   "sizeof",  "static",   "struct",
    "switch", "typedef",  "union",    "unsigned", "void",  "volatile", "while",   "INFINITY", "signbit",
    "fma",    "fabs",     "sqrt",     "sin",      "cos",   "tan",      "asin",    "acos",     "atan",
    "sinh",   "cosh",     "tanh",     "exp",      "log",   "atan2",    "pow"};

/// Letters of ASCII only, whatever the locale: nothing else may get into the source.
void check_identifier(std::string_view name) {
  auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  auto is_letter = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
  };
  if (name.empty() || is_digit(name[0]) ||
      !std::ranges::all_of(name, [&](char letter) { return is_letter(letter) || is_digit(letter); }))
    refuse("the name given to the C function is not one", "use letters, digits and underscores, not a digit first");
  if (std::ranges::find(taken, name) != std::end(taken))
    refuse(fmt::format("'{}' cannot name a C function: C uses it already", name), "choose another name");
}

}  // namespace

std::string write_c(const Program& program, std::string_view name) {
  check_identifier(name);
  check_program(program);
  std::size_t parameters = program.parameter_count();
  std::string text =
      fmt::format(preamble, name, program.input_count(), parameters, program.output_count(), program.body.held_count);
  std::string copy = fmt::format("  for (int i = 0; i < {}; ++i) y[i] = x[i];\n", parameters);
  write_section(text, program.prologue, fmt::format("{}_prologue", name), name,
                fmt::format("void {}_prologue(const double *x, double *y)", name), "  const double *h = 0;\n" + copy,
                parameters);
  write_section(text, program.body, std::string(name), name,
                fmt::format("void {}(const double *x, const double *h, double *y)", name), "", 0);
  return text;
}

}  // namespace dalembert
