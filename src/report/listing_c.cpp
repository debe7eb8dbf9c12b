#include "report/listing_c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/print.hpp>
#include <set>

#include "report/written_equations.hpp"

namespace dalembert {
namespace {

constexpr std::string_view not_names[] = {  // words of C99, of <math.h> and of the function itself
    "auto",   "break",    "case",     "char",   "const",     "continue", "default",  "do",     "double",  "else",
    "enum",   "extern",   "float",    "for",    "goto",      "if",       "inline",   "int",    "long",    "register",
    "return", "restrict", "short",    "signed", "sizeof",    "static",   "struct",   "switch", "typedef", "union",
    "void",   "volatile", "unsigned", "while",  "INFINITY",  "NAN",      "HUGE_VAL", "fabs",   "fmin",    "fmax",
    "pow",    "listed",   "input",    "result", "parameter", "sin",      "cos",      "tan",    "asin",    "acos",
    "atan",   "atan2",    "sinh",     "cosh",   "tanh",      "exp",      "log",      "sqrt",   "sign"};

/// Names of C for symbols: letters, digits and _, each its own.
class CNames {
 public:
  std::string make(std::string_view name) {
    std::string text;
    for (char c : name) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (c == '\'')
        text += text.ends_with("_dt") || text.ends_with("_dt2") ? "2" : "_dt";
      else if (c != ')' && c != ' ')
        text += plain ? c : '_';
    }
    if (text.empty() || (text[0] >= '0' && text[0] <= '9') || text[0] == '_') text.insert(0, "x");
    if (text.starts_with("M_") || text.starts_with("FP_")) text.insert(0, "x");  // macros of <math.h>
    while (std::ranges::find(not_names, text) != std::end(not_names) || taken_.contains(text)) text += '_';
    taken_.insert(text);
    return text;
  }

 private:
  std::set<std::string> taken_;
};

class CListing {
 public:
  explicit CListing(const Equations& equations) : equations_(equations), graph_(*equations.graph) {}

  std::string run(const EquationListing& listing) {
    std::vector<Expr> inputs{equations_.time};
    for (const auto* list : {&equations_.coordinates, &equations_.velocities, &equations_.accelerations})
      inputs.insert(inputs.end(), list->begin(), list->end());
    for (const auto* rows : {&equations_.rows, &equations_.contacts})
      for (const ConstraintRow& row : *rows) inputs.push_back(graph_.symbol(reaction_symbol(row.name)));
    std::vector<Expr> parameters;
    for (const Parameter& parameter : equations_.model->parameters) parameters.push_back(parameter.symbol);
    read("input", inputs);
    read("parameter", parameters);
    for (const NamedPart& part : listing.parts) define(part);
    std::size_t place = 0;
    for (const auto* list : {&listing.motion, &listing.constraints})
      for (const ListedEquation& each : *list) {
        line(fmt::format("/* {} */", comment(each.name)));
        line(fmt::format("result[{}] = {};", place++, write(each.left - each.right)));
      }
    return text_;
  }
  std::size_t inputs() const {
    return 1 + equations_.coordinates.size() + 2 * equations_.velocities.size() + equations_.rows.size() +
           equations_.contacts.size();
  }

 private:
  static std::string comment(std::string text) {
    std::erase_if(text, [](char c) { return c == '*' || c == '\n'; });
    return text;
  }

  void line(const std::string& statement) { text_ += wrap_text("  " + statement) + "\n"; }

  void read(std::string_view from, const std::vector<Expr>& symbols) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      line(fmt::format("const double {} = {}[{}];", name(symbols[i].name()), from, i));
  }

  std::string name(const std::string& symbol) {
    const std::string own = names_.make(symbol);
    meaning_.push_back({graph_.symbol(symbol), graph_.symbol(own)});
    return own;
  }

  std::string write(Expr value) { return to_c(substitute(value, meaning_), {10'000'000}); }

  void define(const NamedPart& part) {
    std::vector<std::string> values;
    for (const Expr& value : part.value) values.push_back(write(value));
    for (std::size_t c = 0; c < values.size(); ++c) {
      const std::string symbol = values.size() == 1 ? part.name : part.name + "." + "xyz"[c];
      line(fmt::format("const double {} = {};", name(symbol), values[c]));
    }
  }

  const Equations& equations_;
  Graph& graph_;
  CNames names_;
  std::vector<Replacement> meaning_;
  std::string text_;
};

}  // namespace

std::string write_listing_c(const Equations& equations) {
  Writing writing;
  if (write_equations(equations, writing).parts.empty()) return {};
  std::vector<Expr> nothing;
  CListing listing(equations);
  const EquationListing listed = make_equation_listing(equations, nothing);
  auto is_told = [](const NamedPart& part) {  // as the rate of another, which C cannot differentiate
    return part.value[0].op() == Op::symbol && part.value[0].name().starts_with("rate(");
  };
  if (std::ranges::any_of(listed.parts, is_told)) return {};
  const std::string statements = listing.run(listed);
  // Components of vectors that nothing reads are still named.
  return fmt::format(
      "/* The equations by the parts that `derive` lists, each under its name.\n"
      "   inputs:     t, q, u, u', then lambda ({} numbers)\n"
      "   results:    M u' + bias - A^T lambda, then the constraints as written ({} numbers) */\n"
      "#if defined(__GNUC__)\n#pragma GCC diagnostic ignored \"-Wunused-variable\"\n#endif\n"
      "static inline double sign(double a) {{ return a != a ? a : (double)((a > 0) - (a < 0)); }}\n"
      "#ifndef M_PI\n#define M_PI 3.14159265358979323846\n#endif\n"
      "void listed(const double *input, const double *parameter, double *result) {{\n"
      "  (void)input, (void)parameter, (void)result;\n{}}}\n",
      listing.inputs(), equations.velocities.size() + equations.rows.size(), statements);
}

}  // namespace dalembert
