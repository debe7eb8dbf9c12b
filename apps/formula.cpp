#include <fmt/format.h>

#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/formula.hpp>
#include <dalembert/expr/print.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "output.hpp"

using namespace dalembert;

namespace {

struct FormulaArguments {
  std::string formula;
  bool json = false;
};

struct FormulaAnswer {
  std::string text;
  std::string latex;
  std::optional<bool> zero;
  std::string evidence;
};

FormulaAnswer judge(Expr expression) {
  ZeroTest test = test_zero(expression);
  std::optional<bool> zero;
  if (test.verdict != Verdict::undecided) zero = test.verdict == Verdict::zero;
  Displayed shown = make_display(zero == true ? expression.graph().constant(0) : expression);
  std::string evidence = shown.complete ? test.evidence : test.evidence + "; " + shown.remark;
  return {to_text(shown), to_latex(shown), zero, evidence};
}

/// A vector is zero if all its components are, and nonzero if one is.
FormulaAnswer judge(const Vector3& vector) {
  FormulaAnswer parts[] = {judge(vector[0]), judge(vector[1]), judge(vector[2])};
  FormulaAnswer answer{fmt::format("[{}, {}, {}]", parts[0].text, parts[1].text, parts[2].text),
                       fmt::format("\\begin{{pmatrix}} {} \\\\ {} \\\\ {} \\end{{pmatrix}}", parts[0].latex,
                                   parts[1].latex, parts[2].latex),
                       true,
                       {}};
  for (std::size_t i = 0; i < 3; ++i) {
    bool nonzero = answer.zero == false;
    if (!nonzero && parts[i].zero != true) answer.zero = parts[i].zero;
    answer.evidence += fmt::format("{}.{}: {}", i == 0 ? "" : "; ", "xyz"[i], parts[i].evidence);
  }
  return answer;
}

/// The formula's value; of an equation the difference of its sides.
Quantity read_formula(Graph& graph, const std::string& text) {
  Formula formula = parse_syntax(text, true);
  Scope scope = plain_scope(graph);
  Quantity left = interpret(formula, formula.left, scope);
  if (formula.relation == Relation::none) return left;
  if (formula.relation != Relation::equal)
    throw FormulaError({"", formula.relation_place, "", "an inequality has no canonical form", "write = or one side"});
  Quantity right = interpret(formula, formula.right, scope);
  if (left.index() != right.index())
    throw FormulaError({"", formula.relation_place, "", "a vector equals a scalar",
                        "both sides of an equation must be scalars, or both vectors"});
  if (const Expr* scalar = std::get_if<Expr>(&left)) return *scalar - std::get<Expr>(right);
  Vector3 difference = std::get<Vector3>(left);
  for (std::size_t i = 0; i < 3; ++i) difference[i] -= std::get<Vector3>(right)[i];
  return difference;
}

void print(const FormulaAnswer& answer, bool json) {
  if (json) {
    nlohmann::ordered_json document = {{"text", answer.text}, {"latex", answer.latex}};
    document["zero"] = answer.zero ? nlohmann::ordered_json(*answer.zero) : nlohmann::ordered_json();
    document["evidence"] = answer.evidence;
    return put(document.dump(2) + "\n");
  }
  std::string verdict = answer.zero ? (*answer.zero ? "yes" : "no") : "undecided";
  put_text(fmt::format("{}\nLaTeX: {}\nzero:  {} ({})\n", answer.text, answer.latex, verdict, answer.evidence));
}

}  // namespace

void add_formula(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<FormulaArguments>();
  CLI::App* command = app.add_subcommand("formula", "Canonical form, LaTeX and zero test of a formula");
  command->add_option("FORMULA", options->formula, "An expression; of an equation a = b the difference a - b")
      ->required();
  add_json_option(*command, options->json);
  command->footer("Example: dalembert formula \"sin(a)*cos(b) + cos(a)*sin(b) = sin(a + b)\"");
  command->callback([options, &status] {
    Graph graph;
    Quantity value = read_formula(graph, options->formula);
    print(std::visit([](const auto& part) { return judge(part); }, value), options->json);
    status = ExitStatus::fine;
  });
}
