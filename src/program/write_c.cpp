#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "program/check.hpp"
#include "program/draft.hpp"

namespace dalembert {
namespace {

constexpr std::size_t statements_per_function = 300;

std::string number_text(double value) {
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  return value < 0 ? fmt::format("({:a})", value) : fmt::format("{:a}", value);
}

/// One section as a row of functions. A value that a later function reads crosses through the array v.
class SectionWriter {
 public:
  SectionWriter(std::string& text, const Section& section, std::string_view name, std::string_view helper,
                std::size_t first_output)
      : text_(text),
        section_(section),
        name_(name),
        helper_(helper),
        first_output_(first_output),
        last_use_(section.value_count(), 0) {
    for (std::size_t i = 0; i < section.code.size(); ++i) read_operands(i);
    for (std::uint32_t i = 0; i < section.results.size(); ++i) {
      std::uint32_t value = section.results[i];
      last_use_[value] = std::max(last_use_[value], std::size_t{1});
      outputs_.emplace_back(value, i);
    }
    std::ranges::sort(outputs_);
    slot_.assign(section.value_count(), 0);
    ends_.resize(chunk_of(section.code.size()) + 1);
  }

  /// Writes the functions; returns how many and how large an array they share.
  std::pair<std::size_t, std::size_t> run() {
    std::size_t chunks = (section_.code.size() + statements_per_function - 1) / statements_per_function;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) write_function(chunk);
    return {chunks, slot_count_};
  }

  /// Outputs that no instruction makes.
  void write_leaf_outputs() {
    for (std::size_t i = 0; i < section_.results.size(); ++i)
      if (section_.results[i] < section_.first_result())
        append("  y[{}] = {};\n", first_output_ + i, text_of(section_.results[i]));
  }

 private:
  static std::size_t chunk_of(std::size_t i) { return i / statements_per_function; }
  template <class... Parts>
  void append(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
  }
  void read_operands(std::size_t i) {
    const Instruction& one =
        section_.code[section_.code[i].op == Opcode::second ? i - 1 : i];  // cos reads its argument
    for (int k = 0; k < operand_count(one.op); ++k) last_use_[operand(one, k)] = chunk_of(i) + 1;
  }
  void write_function(std::size_t chunk);
  std::uint32_t cross(std::uint32_t value);
  std::string text_of(std::uint32_t value) const;
  std::string operation(std::size_t i) const;

  std::string& text_;
  const Section& section_;
  std::string_view name_, helper_;
  std::size_t first_output_;
  std::vector<std::size_t> last_use_;  // by value: the function that reads it last, plus one; 0 for never
  std::vector<std::uint32_t> slot_;    // by value, of those that cross
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t slot_count_ = 0;
  std::vector<std::vector<std::uint32_t>> ends_;                  // by function: values that cross to it and no further
  std::vector<std::pair<std::uint32_t, std::uint32_t>> outputs_;  // value and index, by value
  std::size_t next_output_ = 0;
  std::size_t chunk_ = 0;
};

std::string SectionWriter::text_of(std::uint32_t value) const {
  if (value < section_.first_held()) return number_text(section_.constants[value]);
  if (value < section_.first_input()) return fmt::format("h[{}]", value - section_.first_held());
  if (value < section_.first_result()) return fmt::format("x[{}]", value - section_.first_input());
  std::size_t i = value - section_.first_result();
  return chunk_of(i) == chunk_ ? fmt::format("t{}", i) : fmt::format("v[{}]", slot_[value]);
}

std::string SectionWriter::operation(std::size_t i) const {
  const Instruction& one = section_.code[i];
  int operands = operand_count(one.op);
  std::string a = operands > 0 ? text_of(one.a) : "", b = operands > 1 ? text_of(one.b) : "";
  std::string c = operands > 2 ? text_of(one.c) : "";
  switch (one.op) {
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
    case Opcode::max: return fmt::format("{}_{}({}{}{})", helper_, opcode_name(one.op), a, operands > 1 ? ", " : "", b);
    case Opcode::sincos: return fmt::format("sin({})", a);
    case Opcode::second: return fmt::format("cos({})", text_of(section_.code[i - 1].a));
    case Opcode::atan2:
    case Opcode::pow: return fmt::format("{}({}, {})", opcode_name(one.op), a, b);
    default: return fmt::format("{}({})", opcode_name(one.op), a);
  }
}

void SectionWriter::write_function(std::size_t chunk) {
  chunk_ = chunk;
  std::size_t begin = chunk * statements_per_function;
  std::size_t end = std::min(begin + statements_per_function, section_.code.size());
  append("static void {}_{}(const double *x, const double *h, double *v, double *y) {{\n  (void)x, (void)h, (void)v;\n",
         name_, chunk);
  for (std::size_t i = begin; i < end; ++i) {
    auto value = static_cast<std::uint32_t>(section_.first_result() + i);
    if (last_use_[value] == 0) continue;
    append("  const double t{} = {};\n", i, operation(i));
    if (last_use_[value] > chunk + 1) append("  v[{}] = t{};\n", cross(value), i);
    for (; next_output_ < outputs_.size() && outputs_[next_output_].first <= value; ++next_output_)
      if (outputs_[next_output_].first == value)
        append("  y[{}] = t{};\n", first_output_ + outputs_[next_output_].second, i);
  }
  append("}}\n\n");
  for (std::uint32_t value : std::exchange(ends_[chunk], {})) free_slots_.push_back(slot_[value]);
}

/// A slot of v until the last function that reads the value has run.
std::uint32_t SectionWriter::cross(std::uint32_t value) {
  if (free_slots_.empty()) free_slots_.push_back(slot_count_++);
  slot_[value] = free_slots_.back();
  free_slots_.pop_back();
  ends_[last_use_[value] - 1].push_back(value);
  return slot_[value];
}

void write_section(std::string& text, const Section& section, const std::string& name, std::string_view helper,
                   std::string_view signature, std::string_view head, std::size_t first_output) {
  SectionWriter writer(text, section, name, helper, first_output);
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
