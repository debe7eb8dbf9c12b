// Whatever the parser accepts is printed, and parses back to the same node; derivatives of it can be taken and printed.

#include <cstdio>
#include <cstdlib>
#include <dalembert/base/error.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/expr/print.hpp>
#include <string_view>

using namespace dalembert;

namespace {

void require(bool holds, const char* claim) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", claim);
  std::abort();
}

/// As one line, or where that explodes as a listing.
Expr print_and_parse(Graph& graph, Expr expression) {
  std::string text;
  try {
    text = to_text(expression, {.characters = 100'000});
  } catch (const InputError&) {
    return parse_listing(graph, to_text(std::span<const Expr>(&expression, 1)))[0];
  }
  return parse_expression(graph, text);
}

void print_in_other_notations(Expr expression) {
  try {
    to_latex(expression, {.characters = 100'000});
    to_c(expression, {.characters = 100'000});
  } catch (const InputError&) {
  }
}

void differentiate(Expr expression) {
  std::vector<Expr> symbols = free_symbols({&expression, 1});
  if (symbols.empty()) return;
  std::vector<Expr> derivatives;
  try {
    derivatives = gradient(expression, symbols);
    derivatives.push_back(derivative(expression, symbols[0]));
  } catch (const FormulaError&) {
    return;  // a division by zero or a huge number on the way
  }
  require(!to_text(derivatives).empty(), "derivatives can be listed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Graph graph;
  try {
    Formula formula = parse_syntax(text, true);
    interpret(formula, formula.left, plain_scope(graph));
  } catch (const FormulaError& error) {
    require(error.complaint().place.line != 0, "errors have a place");
  }
  Expr parsed;
  try {
    parsed = parse_expression(graph, text);
  } catch (const FormulaError& error) {
    require(error.complaint().place.line != 0, "errors have a place");
    return 0;
  }
  require(print_and_parse(graph, parsed) == parsed, "printed text parses back to the same node");
  print_in_other_notations(parsed);
  differentiate(parsed);
  return 0;
}
